//! The training, for the current architecture and for others: gradients, learning, quantisation, resuming.

mod common;
#[cfg(debug_assertions)]
mod faults;
mod pupil;
mod teacher;

use std::fs;

use common::{Small, Stacked, samples};
use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::features::PIECE_SQUARES;
use rukh_eval::nnue::{Activation, Architecture, Current, NetworkKind};
use rukh_train::batch::Target;
use rukh_train::export::{QuantisationError, quantise, restore};
use rukh_train::model::{Model, Objective};
use rukh_train::parameters::{self, Numbers, has_factoriser, parts, rounded};
use rukh_train::sample::{NO_FEATURE, Sample};
use rukh_train::schedule::Schedule;
use rukh_train::trainer::{Settings, Trainer};

const TARGET: Target = Target { scale: 400.0, result_share: 0.3 };
const SPARSITY: f32 = 0.1;
const OBJECTIVE: Objective = Objective { target: TARGET, sparsity: SPARSITY };

fn settings(architecture: Architecture, steps: u64) -> Settings {
    Settings {
        architecture,
        batch: 250,
        schedule: Schedule { peak: 0.001, end: 0.000_01, warm_up: 10, steps },
        objective: Objective { target: TARGET, sparsity: 0.0 },
        seed: 3,
        threads: 2,
        averaged_steps: 1,
        rounded_steps: 0,
    }
}

/// The outputs and the loss in plain sums of 64 bits, one sample after another: what [`Model`] must give.
fn expected(architecture: &Architecture, numbers: &[Vec<f64>], samples: &[Sample]) -> (Vec<f64>, f64) {
    let activate = |activation: Activation, numbers: &[f64]| -> Vec<f64> {
        let clipped: Vec<f64> = numbers.iter().map(|number| number.clamp(0.0, 1.0)).collect();
        match activation {
            Activation::Linear => numbers.to_vec(),
            Activation::Crelu => clipped,
            Activation::Screlu => clipped.iter().map(|number| number * number).collect(),
            Activation::Pairwise => {
                let (first, second) = clipped.split_at(clipped.len() / 2);
                first.iter().zip(second).map(|(first, second)| first * second).collect()
            }
        }
    };
    let width = architecture.transformer.width;
    let (mut outputs, mut loss, mut activations) = (Vec::new(), 0.0, Vec::new());
    for sample in samples {
        let mut inputs = Vec::new();
        for features in sample.features(&architecture.inputs) {
            let mut sums = numbers[1].clone();
            for feature in features.into_iter().filter(|feature| *feature != NO_FEATURE) {
                let feature = feature as usize;
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum += numbers[0][feature * width + column];
                    if has_factoriser(architecture) {
                        *sum += numbers[numbers.len() - 1][feature % PIECE_SQUARES * width + column];
                    }
                }
            }
            inputs.extend(activate(architecture.transformer.activation, &sums));
        }
        activations.extend_from_slice(&inputs);
        let bucket = sample.output_bucket(architecture);
        for (layer, parts) in architecture.dense.iter().zip(numbers[2..].chunks(2)) {
            let neurons = architecture.output_buckets * layer.width;
            let sum = |neuron: usize| {
                let products =
                    inputs.iter().enumerate().map(|(at, input)| input * parts[0][at * neurons + neuron]);
                products.sum::<f64>() + parts[1][neuron]
            };
            let sums: Vec<f64> = (0..layer.width).map(|at| sum(bucket * layer.width + at)).collect();
            inputs = activate(layer.activation, &sums);
        }
        outputs.push(inputs[0]);
        loss += (1.0 / (1.0 + (-inputs[0]).exp()) - f64::from(TARGET.of(sample))).powi(2);
    }
    let mean_activation = activations.iter().sum::<f64>() / activations.len() as f64;
    (outputs, loss / samples.len() as f64 + f64::from(SPARSITY) * mean_activation)
}

/// Outputs and gradients are those of plain sums and of their finite differences, with an L1 penalty and, where the
/// architecture has one, with a factoriser.
fn gradients_are_finite_differences<K: NetworkKind>() {
    const STEP: f64 = 1e-4;
    let architecture = K::ARCHITECTURE;
    // More than one thread takes together, and not a multiple.
    let samples = samples(150, 1);
    let all: Vec<&Sample> = samples.iter().collect();
    let mut random = SplitMix64::new(9);
    // As if trained: king buckets have weights of their own.
    let mut numbers = parameters::random(&architecture, 5);
    numbers.iter_mut().flatten().for_each(|number| *number += 0.1 * (random.share() as f32 - 0.5));
    let model = Model::new(architecture, &numbers);
    let mut exact: Vec<Vec<f64>> =
        numbers.iter().map(|part| part.iter().map(|number| f64::from(*number)).collect()).collect();
    for (output, expected) in model.outputs(&all, 2).iter().zip(expected(&architecture, &exact, &samples).0) {
        assert!((f64::from(*output) - expected).abs() < 1e-4, "{architecture}: {output} is not {expected}");
    }
    let (_, gradients) = model.gradients(&all, OBJECTIVE, 2);
    for (part, gradients) in gradients.iter().enumerate() {
        // Weights with a gradient: most features are inactive in all of so few positions.
        let mut steepest: Vec<usize> = (0..gradients.len()).collect();
        steepest.sort_by(|&a, &b| gradients[b].abs().total_cmp(&gradients[a].abs()));
        let few = steepest.len().min(40);
        for at in (0..3).map(|_| steepest[random.below(few as u64) as usize]) {
            let number = exact[part][at];
            let mut moved = |by: f64| {
                exact[part][at] = number + by;
                expected(&architecture, &exact, &samples).1
            };
            let difference = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            moved(0.0);
            let gradient = f64::from(gradients[at]);
            // An activation may be clipped between both.
            assert!(
                (gradient - difference).abs() < 0.02 * gradient.abs() + 1e-7,
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

/// A few samples are memorised, and the quantised network evaluates them as the trained one does.
fn samples_are_memorised<K: NetworkKind>(count: usize, steps: u64, ratio: f32) {
    let samples = samples(count, 2);
    let mut trainer = Trainer::new(settings(K::ARCHITECTURE, steps));
    let before = trainer.validate(&samples);
    trainer.run(&samples, u64::MAX);
    let after = trainer.validate(&samples);
    assert!(trainer.is_over());
    assert!(after < before / ratio, "{}: {before} has become {after}", K::ARCHITECTURE);
    let weights = trainer.weights();
    let error = QuantisationError::of::<K>(&weights, &samples, 2);
    let error = error.expect("weights are clipped");
    assert!(error.mean < 10.0, "{}: {error}", K::ARCHITECTURE);
    let network = quantise::<K>(&weights, "memorised").expect("weights are clipped");
    let restored = restore(&network);
    let lengths: Vec<usize> = restored.iter().map(Vec::len).collect();
    assert_eq!(lengths, parts(&K::ARCHITECTURE).iter().map(parameters::Part::len).collect::<Vec<_>>());
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
    let mut straight = Trainer::new(settings);
    straight.run(&samples, 9);
    let mut first = Trainer::new(settings);
    first.run(&samples, 4);
    first.save(&path).expect("the file can be written");
    drop(first);
    let second = Trainer::load(settings, &path, samples.len());
    let mut second = second.expect("it was just written");
    assert_eq!(second.step(), 4);
    second.run(&samples, 9);
    assert_eq!(second.step(), 9);
    assert!(straight.weights() == second.weights());
    let other = Architecture { scale: K::ARCHITECTURE.scale + 1, ..K::ARCHITECTURE };
    let refused = |settings| {
        let loaded = Trainer::load(settings, &path, samples.len());
        loaded.expect_err("it is of another network").to_string()
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
    let mut shortened = Trainer::new(settings(Current::ARCHITECTURE, 1_000));
    shortened.run(&samples, 2);
    shortened.end_after(5);
    shortened.run(&samples, 100);
    assert_eq!((shortened.step(), shortened.is_over()), (5, true));
    let over = shortened.weights();
    shortened.end_after(3);
    shortened.run(&samples, 1);
    assert_eq!(shortened.step(), 5);
    assert!(shortened.weights() == over);
}

/// The weights that are written are the moving average of those of the steps; the first average is that of all.
#[test]
fn weights_are_averaged() {
    const AVERAGED: u64 = 3;
    let samples = samples(300, 5);
    let settings = settings(Small::ARCHITECTURE, 8);
    let mut last = Trainer::new(settings);
    let mut averaged = Trainer::new(Settings { averaged_steps: AVERAGED, ..settings });
    let mut expected: Vec<f32> = Vec::new();
    for step in 1..=8_u64 {
        last.run(&samples, 1);
        averaged.run(&samples, 1);
        let numbers: Vec<f32> = last.weights().into_iter().flatten().collect();
        let share = 1.0 / step.min(AVERAGED) as f32;
        expected.resize(numbers.len(), 0.0);
        expected.iter_mut().zip(&numbers).for_each(|(mean, number)| *mean += share * (number - *mean));
        let found: Vec<f32> = averaged.weights().into_iter().flatten().collect();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "step {step}");
        assert_eq!(step == 1, found == numbers, "step {step}");
    }
}

/// The outputs of the network of these weights.
fn outputs(architecture: Architecture, numbers: &Numbers, samples: &[Sample]) -> Vec<f32> {
    Model::new(architecture, numbers).outputs(&samples.iter().collect::<Vec<_>>(), 1)
}

/// Rounded weights are those that the quantised network has, also with king buckets and their factoriser.
fn rounded_weights_are_quantised_ones<K: NetworkKind>() {
    let mut numbers = parameters::random(&K::ARCHITECTURE, 6);
    let mut random = SplitMix64::new(12);
    numbers.iter_mut().flatten().for_each(|number| *number += 0.1 * (random.share() as f32 - 0.5));
    let rounded = rounded(&K::ARCHITECTURE, &numbers);
    assert_ne!(rounded, numbers);
    let network = quantise::<K>(&numbers, "").expect("no weight is too great");
    assert_eq!(quantise::<K>(&rounded, ""), Ok(network.clone()));
    let samples = samples(40, 6);
    let outputs = |numbers: &Numbers| outputs(K::ARCHITECTURE, numbers, &samples);
    for (rounded, restored) in outputs(&rounded).iter().zip(outputs(&restore(&network))) {
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
    let mut plain = Trainer::new(settings);
    let mut rounding = Trainer::new(Settings { rounded_steps: 1, ..settings });
    for step in 1..=3 {
        let before = rounding.weights();
        let (plain_loss, loss) = (plain.run(&samples, 1), rounding.run(&samples, 1));
        let is_last = step == 3;
        assert_eq!(plain_loss == loss, !is_last, "step {step}");
        let used = if is_last { rounded(&Small::ARCHITECTURE, &before) } else { before };
        // A batch is all of the samples.
        let expected =
            Model::new(Small::ARCHITECTURE, &used).loss(&samples.iter().collect::<Vec<_>>(), TARGET, 1);
        assert!((expected as f32 - loss).abs() < 1e-6, "step {step}");
    }
    assert_ne!(plain.weights(), rounding.weights());
}

/// An L1 penalty on the activations pushes the biases of the feature transformer down.
#[test]
fn a_penalty_lowers_the_biases() {
    let samples = samples(250, 8);
    let biases = |sparsity| -> f32 {
        let objective = Objective { target: TARGET, sparsity };
        let settings = Settings { objective, ..settings(Stacked::ARCHITECTURE, 40) };
        let mut trainer = Trainer::new(settings);
        trainer.run(&samples, u64::MAX);
        trainer.weights()[1].iter().sum()
    };
    let (without, with) = (biases(0.0), biases(0.5));
    assert!(with < without - 0.5, "the biases of the feature transformer fall from {without} to {with}");
}
