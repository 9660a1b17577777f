//! The training itself, on the CPU: slopes, learning, going on.

use std::fs;

use burn::backend::Flex;
use rukh_chess::Position;
use rukh_chess::random::SplitMix64;
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator};
use rukh_train::batch::{Batch, Target};
use rukh_train::export::{Agreement, quantise, restore};
use rukh_train::model::{Inputs, Learn, SHAPES, Weights};
use rukh_train::sample::Sample;
use rukh_train::schedule::Schedule;
use rukh_train::trainer::{Settings, Trainer};

type Cpu = Flex;

const TARGET: Target = Target { scale: 400.0, result_share: 0.3 };

/// Positions of random games, with what the classical evaluation thinks of them and a result at random that leans that way.
fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = SplitMix64::new(seed);
    let mut samples = Vec::new();
    let mut judge = AnyEvaluator::new(&Evaluation::Classical);
    while samples.len() < count {
        let mut position = Position::default();
        for ply in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len() as u64) as usize]);
            if ply % 4 == 3 && !position.is_check() && samples.len() < count {
                judge.reset(&position);
                let score = judge.evaluate(&position).value().clamp(-2_000, 2_000);
                let result = match score + random.below(600) as i32 - 300 {
                    ..-200 => 0,
                    -200..=200 => 1,
                    _ => 2,
                };
                samples.push(Sample::new(&position, score as i16, result));
            }
        }
    }
    samples
}

fn settings(steps: u64) -> Settings {
    Settings {
        batch: 250,
        schedule: Schedule { peak: 0.001, end: 0.000_01, warm_up: 10, steps },
        target: TARGET,
        seed: 3,
        threads: 2,
    }
}

/// The slope of a weight is how much the loss grows with it.
#[test]
fn slopes_are_those_of_finite_differences() {
    let device = Default::default();
    let samples = samples(64, 1);
    let batch = Batch::new(samples.iter(), TARGET);
    let weights = Weights::<Cpu>::random(5, &device);
    let inputs = Inputs::new(batch, &device);
    let (_, slopes) = Cpu::slope(&weights, &inputs);
    let slopes = slopes.to_numbers();
    let numbers = weights.to_numbers();
    let loss = |numbers: &[Vec<f32>; 4]| {
        f64::from(Weights::<Cpu>::from_numbers(numbers.clone(), &device).loss(&inputs).into_scalar())
    };
    let mut random = SplitMix64::new(9);
    for (part, [rows, columns]) in SHAPES.into_iter().enumerate() {
        // Weights that count: most inputs are off in all of so few positions.
        let mut steepest: Vec<usize> = (0..rows * columns).collect();
        steepest.sort_by(|&a, &b| slopes[part][b].abs().total_cmp(&slopes[part][a].abs()));
        let few = steepest.len().min(40);
        for at in (0..6).map(|_| steepest[random.below(few as u64) as usize]) {
            const STEP: f32 = 0.005;
            let moved = |by: f32| {
                let mut numbers = numbers.clone();
                numbers[part][at] += by;
                loss(&numbers)
            };
            let difference = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            let slope = f64::from(slopes[part][at]);
            let error = (slope - difference).abs();
            assert!(
                error < 0.05 * slope.abs() + 2e-6,
                "weight {at} of part {part}: {slope} is not {difference}"
            );
        }
    }
}

#[test]
fn a_thousand_positions_are_learnt_by_heart() {
    let samples = samples(1_000, 2);
    let mut trainer = Trainer::<Cpu>::new(settings(600), Default::default());
    let before = trainer.validate(&samples);
    trainer.run(&samples, u64::MAX);
    let after = trainer.validate(&samples);
    assert!(trainer.is_over());
    assert!(after < before / 50.0, "{before} has become {after}");
    let agreement =
        Agreement::of(&trainer.weights(), &samples, &Default::default()).expect("weights are clipped");
    assert!(agreement.mean < 10.0, "{agreement}");
    let network = quantise(&trainer.weights().to_numbers(), "by heart").expect("weights are clipped");
    assert_eq!(quantise(&restore(&network), "by heart"), Ok(network), "what is restored is the same again");
}

/// Interrupted and taken up again, a training ends with the very weights of one that was not.
#[test]
fn a_training_goes_on_as_if_it_had_not_ended() {
    let samples = samples(700, 3);
    let path = std::env::temp_dir().join(format!("rukh-train-{}.cp", std::process::id()));
    let mut straight = Trainer::<Cpu>::new(settings(9), Default::default());
    straight.run(&samples, 9);
    let mut first = Trainer::<Cpu>::new(settings(9), Default::default());
    first.run(&samples, 4);
    first.save(&path).expect("there is room for it");
    drop(first);
    let second = Trainer::<Cpu>::load(settings(9), Default::default(), &path, samples.len());
    let mut second = second.expect("it was just written");
    assert_eq!(second.step(), 4);
    second.run(&samples, 9);
    assert_eq!(second.step(), 9);
    assert!(straight.weights().to_numbers() == second.weights().to_numbers());
    fs::write(&path, b"something else").expect("there is room for it");
    assert!(Trainer::<Cpu>::load(settings(9), Default::default(), &path, samples.len()).is_err());
    fs::remove_file(path).expect("it is there");
}

/// A training that has less time than was thought ends sooner, and takes no step after that.
#[test]
fn a_training_can_end_sooner() {
    let samples = samples(300, 4);
    let mut shortened = Trainer::<Cpu>::new(settings(1_000), Default::default());
    shortened.run(&samples, 2);
    shortened.end_after(5);
    shortened.run(&samples, 100);
    assert_eq!((shortened.step(), shortened.is_over()), (5, true));
    let over = shortened.weights().to_numbers();
    shortened.end_after(3);
    shortened.run(&samples, 1);
    assert_eq!(shortened.step(), 5);
    assert!(shortened.weights().to_numbers() == over);
}
