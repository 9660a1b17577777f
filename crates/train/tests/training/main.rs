//! The training on the CPU, for the current architecture and for others: gradients, learning, quantisation, resuming.

mod common;
#[cfg(debug_assertions)]
mod faults;

use std::fs;

use burn::backend::{Autodiff, Flex};
use burn::tensor::Tensor;
use common::{Small, Stacked, samples};
use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::{Architecture, Current, NetworkKind};
use rukh_train::batch::{Batch, Target};
use rukh_train::export::{QuantisationError, quantise, restore};
use rukh_train::model::{Inputs, TrainingBackend, Weights};
use rukh_train::parameters::{Numbers, parts};
use rukh_train::schedule::Schedule;
use rukh_train::trainer::{Settings, Trainer};

type Cpu = Flex;

const TARGET: Target = Target { scale: 400.0, result_share: 0.3 };

fn settings(architecture: Architecture, steps: u64) -> Settings {
    Settings {
        architecture,
        batch: 250,
        schedule: Schedule { peak: 0.001, end: 0.000_01, warm_up: 10, steps },
        target: TARGET,
        seed: 3,
        threads: 2,
        averaged_steps: 1,
        rounded_steps: 0,
        sparsity: 0.0,
    }
}

fn gradients_are_finite_differences<K: NetworkKind>() {
    let architecture = K::ARCHITECTURE;
    let device = Default::default();
    let samples = samples(64, 1);
    let batch = Batch::new(samples.iter(), TARGET, &architecture);
    let weights = Weights::<Cpu>::random(architecture, 5, &device);
    let inputs = Inputs::new(batch, &device);
    let (_, gradients) = Cpu::gradients(&weights, &inputs);
    let gradients = gradients.to_numbers();
    let numbers = weights.to_numbers();
    let loss = |numbers: &Numbers| {
        let weights = Weights::<Cpu>::from_numbers(architecture, numbers.clone(), &device);
        f64::from(weights.loss(&inputs).into_scalar())
    };
    let mut random = SplitMix64::new(9);
    for (part, gradients) in gradients.iter().enumerate() {
        // Weights with a gradient: most features are inactive in all of so few positions.
        let mut steepest: Vec<usize> = (0..gradients.len()).collect();
        steepest.sort_by(|&a, &b| gradients[b].abs().total_cmp(&gradients[a].abs()));
        let few = steepest.len().min(40);
        for at in (0..6).map(|_| steepest[random.below(few as u64) as usize]) {
            const STEP: f32 = 0.005;
            let moved = |by: f32| {
                let mut numbers = numbers.clone();
                numbers[part][at] += by;
                loss(&numbers)
            };
            let difference = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            let gradient = f64::from(gradients[at]);
            let error = (gradient - difference).abs();
            assert!(
                error < 0.05 * gradient.abs() + 2e-6,
                "{architecture}, weight {at} of part {part}: {gradient} is not {difference}"
            );
        }
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    gradients_are_finite_differences::<Current>();
    gradients_are_finite_differences::<Small>();
    gradients_are_finite_differences::<Stacked>();
}

/// The loops of the CPU and automatic differentiation, which a GPU uses, give the same outputs and gradients.
fn loops_and_autodiff_agree<K: NetworkKind>() {
    let architecture = K::ARCHITECTURE;
    let samples = samples(300, 4);
    let batch = Batch::new(samples.iter(), TARGET, &architecture);
    let device = Default::default();
    let inputs = Inputs::<Cpu>::new(batch, &device);
    // As if trained: with a factoriser and with buckets of their own.
    let mut numbers = Weights::<Cpu>::random(architecture, 6, &device).to_numbers();
    let mut random = SplitMix64::new(12);
    numbers.iter_mut().flatten().for_each(|number| *number += 0.1 * (random.share() as f32 - 0.5));
    let weights = Weights::from_numbers(architecture, numbers, &device);
    let numbers = |tensor: Tensor<Cpu, 2>| tensor.into_data().iter::<f32>().collect::<Vec<_>>();
    let is_near = |a: &[f32], b: &[f32]| {
        let most = b.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        most > 0.0 && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4 * most)
    };
    let (outputs, expected) = (Cpu::forward(&weights, &inputs), weights.forward_by_autodiff(&inputs));
    assert!(is_near(&numbers(outputs), &numbers(expected)), "{architecture}");
    for sparsity in [0.0, 0.1] {
        let inputs = inputs.clone().with_sparsity(sparsity);
        let (loss, gradients) = Cpu::gradients(&weights, &inputs);
        let (expected_loss, expected) = weights.gradients_by_autodiff::<Autodiff<Cpu>>(&inputs);
        assert!((loss.into_scalar() - expected_loss.into_scalar()).abs() < 1e-6);
        let (gradients, expected) = (gradients.to_numbers(), expected.to_numbers());
        assert_eq!(gradients.len(), expected.len());
        for (part, (gradients, expected)) in gradients.iter().zip(&expected).enumerate() {
            assert!(is_near(gradients, expected), "{architecture}, part {part}, sparsity {sparsity}");
        }
    }
}

#[test]
fn loops_give_the_gradients_of_autodiff() {
    loops_and_autodiff_agree::<Current>();
    loops_and_autodiff_agree::<Small>();
    loops_and_autodiff_agree::<Stacked>();
}

/// A few samples are memorised, and the quantised network evaluates them as the trained one does.
fn samples_are_memorised<K: NetworkKind>(count: usize, steps: u64, ratio: f32) {
    let samples = samples(count, 2);
    let mut trainer = Trainer::<Cpu>::new(settings(K::ARCHITECTURE, steps), Default::default());
    let before = trainer.validate(&samples);
    trainer.run(&samples, u64::MAX);
    let after = trainer.validate(&samples);
    assert!(trainer.is_over());
    assert!(after < before / ratio, "{}: {before} has become {after}", K::ARCHITECTURE);
    let weights = trainer.weights();
    let error = QuantisationError::of::<K, _>(&weights, &samples, &Default::default());
    let error = error.expect("weights are clipped");
    assert!(error.mean < 10.0, "{}: {error}", K::ARCHITECTURE);
    let network = quantise::<K>(&weights.to_numbers(), "memorised").expect("weights are clipped");
    let restored = restore(&network);
    let lengths: Vec<usize> = restored.iter().map(Vec::len).collect();
    assert_eq!(
        lengths,
        parts(&K::ARCHITECTURE).iter().map(rukh_train::parameters::Part::len).collect::<Vec<_>>()
    );
    assert_eq!(quantise(&restored, "memorised"), Ok(network), "restored weights quantise to the same");
}

#[test]
fn a_thousand_samples_are_memorised() {
    samples_are_memorised::<Current>(1_000, 600, 50.0);
}

#[test]
fn other_architectures_learn_as_well() {
    samples_are_memorised::<Small>(300, 1_500, 5.0);
    samples_are_memorised::<Stacked>(300, 1_500, 5.0);
}

/// A training that is interrupted and resumed ends with the same weights as one that is not.
fn training_resumes<K: NetworkKind>(name: &str) {
    let samples = samples(700, 3);
    let settings = Settings { averaged_steps: 3, rounded_steps: 2, ..settings(K::ARCHITECTURE, 9) };
    let path = std::env::temp_dir().join(format!("rukh-train-{name}-{}.cp", std::process::id()));
    let mut straight = Trainer::<Cpu>::new(settings, Default::default());
    straight.run(&samples, 9);
    let mut first = Trainer::<Cpu>::new(settings, Default::default());
    first.run(&samples, 4);
    first.save(&path).expect("the file can be written");
    drop(first);
    let second = Trainer::<Cpu>::load(settings, Default::default(), &path, samples.len());
    let mut second = second.expect("it was just written");
    assert_eq!(second.step(), 4);
    second.run(&samples, 9);
    assert_eq!(second.step(), 9);
    assert!(straight.weights().to_numbers() == second.weights().to_numbers());
    let other = Architecture { scale: K::ARCHITECTURE.scale + 1, ..K::ARCHITECTURE };
    let refused = |settings| {
        let loaded = Trainer::<Cpu>::load(settings, Default::default(), &path, samples.len());
        loaded.err().expect("it is of another network").to_string()
    };
    let another = refused(Settings { architecture: other, ..settings });
    assert_eq!(another, "it is a checkpoint of another architecture");
    let whole = fs::read(&path).expect("it is there");
    for at in [whole.len() / 2, whole.len() - 1, 20] {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&path, &damaged).expect("the file can be written");
        assert_eq!(refused(settings), "the checkpoint is damaged", "byte {at}");
        fs::write(&path, &whole[..at]).expect("the file can be written");
        assert_eq!(refused(settings), "the checkpoint is damaged", "{at} bytes");
    }
    fs::write(&path, b"something else").expect("the file can be written");
    assert_eq!(refused(settings), "it is no checkpoint");
    fs::remove_file(path).expect("it is there");
}

#[test]
fn a_training_can_be_resumed() {
    training_resumes::<Current>("current");
    training_resumes::<Small>("small");
}

/// A training whose number of steps is reduced ends sooner, and does no step after that.
#[test]
fn a_training_can_end_sooner() {
    let samples = samples(300, 4);
    let mut shortened = Trainer::<Cpu>::new(settings(Current::ARCHITECTURE, 1_000), Default::default());
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

/// The weights that are written are the moving average of those of the steps; the first average is that of all.
#[test]
fn weights_are_averaged() {
    const AVERAGED: u64 = 3;
    let samples = samples(300, 5);
    let settings = settings(Small::ARCHITECTURE, 8);
    let mut last = Trainer::<Cpu>::new(settings, Default::default());
    let mut averaged =
        Trainer::<Cpu>::new(Settings { averaged_steps: AVERAGED, ..settings }, Default::default());
    let mut expected: Vec<f32> = Vec::new();
    for step in 1..=8_u64 {
        last.run(&samples, 1);
        averaged.run(&samples, 1);
        let numbers: Vec<f32> = last.weights().to_numbers().into_iter().flatten().collect();
        let share = 1.0 / step.min(AVERAGED) as f32;
        expected.resize(numbers.len(), 0.0);
        expected.iter_mut().zip(&numbers).for_each(|(mean, number)| *mean += share * (number - *mean));
        let found: Vec<f32> = averaged.weights().to_numbers().into_iter().flatten().collect();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "step {step}");
        assert_eq!(step == 1, found == numbers, "step {step}");
    }
}

/// Rounded weights are those that the quantised network has, also with king buckets and their factoriser.
fn rounded_weights_are_quantised_ones<K: NetworkKind>() {
    let device = Default::default();
    let mut numbers = Weights::<Cpu>::random(K::ARCHITECTURE, 6, &device).to_numbers();
    let mut random = SplitMix64::new(12);
    numbers.iter_mut().flatten().for_each(|number| *number += 0.1 * (random.share() as f32 - 0.5));
    let weights = Weights::<Cpu>::from_numbers(K::ARCHITECTURE, numbers.clone(), &device);
    let rounded = weights.rounded();
    assert_ne!(rounded.to_numbers(), numbers);
    let network = quantise::<K>(&numbers, "").expect("no weight is too great");
    assert_eq!(quantise::<K>(&rounded.to_numbers(), ""), Ok(network.clone()));
    let samples = samples(40, 6);
    let inputs = Inputs::new(Batch::new(samples.iter(), TARGET, &K::ARCHITECTURE), &device);
    let outputs = |weights: &Weights<Cpu>| -> Vec<f32> {
        Cpu::forward(weights, &inputs).into_data().iter::<f32>().collect()
    };
    let restored = Weights::<Cpu>::from_numbers(K::ARCHITECTURE, restore(&network), &device);
    for (rounded, restored) in outputs(&rounded).iter().zip(outputs(&restored)) {
        assert!((rounded - restored).abs() < 1e-4, "{}: {rounded} is not {restored}", K::ARCHITECTURE);
    }
}

#[test]
fn rounded_weights_are_those_of_the_quantised_network() {
    rounded_weights_are_quantised_ones::<Current>();
    rounded_weights_are_quantised_ones::<Small>();
    rounded_weights_are_quantised_ones::<Stacked>();
}

/// Quantisation-aware training: the last steps take the loss and the gradients of the rounded weights.
#[test]
fn the_last_steps_round_the_weights() {
    let samples = samples(250, 7);
    let settings = settings(Small::ARCHITECTURE, 3);
    let mut plain = Trainer::<Cpu>::new(settings, Default::default());
    let mut rounding = Trainer::<Cpu>::new(Settings { rounded_steps: 1, ..settings }, Default::default());
    for step in 1..=3 {
        let before = rounding.weights();
        let (plain_loss, loss) = (plain.run(&samples, 1), rounding.run(&samples, 1));
        let is_last = step == 3;
        assert_eq!(plain_loss == loss, !is_last, "step {step}");
        let used = if is_last { before.rounded() } else { before };
        // A batch is all of the samples.
        let all = Inputs::new(Batch::new(samples.iter(), TARGET, &Small::ARCHITECTURE), &Default::default());
        assert!((used.loss(&all).into_scalar() - loss).abs() < 1e-6, "step {step}");
    }
    assert_ne!(plain.weights().to_numbers(), rounding.weights().to_numbers());
}

/// An L1 penalty on the activations pushes the biases of the feature transformer down.
#[test]
fn a_penalty_lowers_the_biases() {
    let samples = samples(250, 8);
    let biases = |sparsity| -> f32 {
        let settings = Settings { sparsity, ..settings(Stacked::ARCHITECTURE, 40) };
        let mut trainer = Trainer::<Cpu>::new(settings, Default::default());
        trainer.run(&samples, u64::MAX);
        trainer.weights().to_numbers()[1].iter().sum()
    };
    let (without, with) = (biases(0.0), biases(0.5));
    assert!(with < without - 0.5, "the biases of the feature transformer fall from {without} to {with}");
}
