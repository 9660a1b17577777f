//! Samples to learn from, architectures other than the current one, and the scripts for a GPU.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::description::{Layer, Quantisation, Stored};
use rukh_eval::nnue::features::InputSet;
use rukh_eval::nnue::simd::AlignedRow;
use rukh_eval::nnue::{Activation, Architecture, NetworkKind};
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator};
use rukh_train::sample::Sample;

/// Positions of random games with the score of the classical evaluation for the side to move.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<(Position, i16)> {
    let mut random = SplitMix64::new(seed);
    let mut positions = Vec::new();
    let mut evaluator = AnyEvaluator::new(&Evaluation::Classical);
    while positions.len() < count {
        let mut position = Position::default();
        for ply in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len() as u64) as usize]);
            if ply % 4 == 3 && !position.is_check() && positions.len() < count {
                evaluator.reset(&position);
                let score = evaluator.evaluate(&position).value().clamp(-2_000, 2_000);
                positions.push((position.clone(), score as i16));
            }
        }
    }
    positions
}

/// The same as samples, with a random result that follows the score.
pub(crate) fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = SplitMix64::new(!seed);
    let sample = |(position, score): (Position, i16)| {
        let result = match i32::from(score) + random.below(600) as i32 - 300 {
            ..-200 => 0,
            -200..=200 => 1,
            _ => 2,
        };
        Sample::new(&position, score, result)
    };
    positions(count, seed).into_iter().map(sample).collect()
}

/// Two king buckets: the first two ranks, and the others.
const TWO_BUCKETS: InputSet = {
    let mut king_buckets = [1; InputSet::KING_SQUARES];
    let mut at = 0;
    while at < 8 {
        king_buckets[at] = 0;
        at += 1;
    }
    InputSet { king_buckets }
};

const fn transformer(width: usize, activation: Activation) -> Layer {
    let one = if matches!(activation, Activation::Pairwise) { 256 } else { 255 };
    let quantisation = Quantisation { one, max: 505, stored: Stored::I16 };
    Layer { name: "feature transformer", width, activation, weights: quantisation, bias: quantisation }
}

/// A dense layer whose inputs have this unit.
const fn dense(name: &'static str, width: usize, activation: Activation, inputs_one: i32) -> Layer {
    let is_first = inputs_one < 8_192;
    let (one, max) = if is_first { (64, 127) } else { (256, 2_047) };
    let weights = Quantisation { one, max, stored: if is_first { Stored::I8 } else { Stored::I16 } };
    let bias = Quantisation { one: inputs_one * one, max: 1 << 24, stored: Stored::I32 };
    Layer { name, width, activation, weights, bias }
}

/// The current layers in other sizes: two king buckets, width 32, three output buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Small;

impl NetworkKind for Small {
    type Row = AlignedRow<32>;
    const ARCHITECTURE: Architecture = Architecture {
        inputs: TWO_BUCKETS,
        transformer: transformer(32, Activation::Screlu),
        dense: &[dense("output", 1, Activation::Linear, 255)],
        output_buckets: 3,
        scale: 165,
    };
}

/// Pairwise products and two hidden layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stacked;

impl NetworkKind for Stacked {
    type Row = AlignedRow<128>;
    const ARCHITECTURE: Architecture = Architecture {
        inputs: TWO_BUCKETS,
        transformer: transformer(128, Activation::Pairwise),
        dense: &[
            dense("first hidden layer", 16, Activation::Crelu, 128),
            dense("second hidden layer", 32, Activation::Screlu, 8_192),
            dense("output", 1, Activation::Linear, 8_192),
        ],
        output_buckets: 8,
        scale: 200,
    };
}

/// An interpreter that has PyTorch, if there is one; the variable `PYTHON` may name it.
pub(crate) fn python_with_torch() -> Option<String> {
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&python).args(["-c", "import torch, numpy"]).output();
    let has_torch = output.is_ok_and(|output| output.status.success());
    if !has_torch {
        eprintln!("there is no PyTorch; not tested");
    }
    has_torch.then_some(python)
}

/// What a script prints that runs in a folder.
pub(crate) fn run_script(python: &str, name: &str, folder: &Path, arguments: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name);
    let command = Command::new(python).arg(script).args(arguments.split(' ')).current_dir(folder).output();
    let output = command.expect("the interpreter has run before");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// A new folder for the files of a test.
pub(crate) fn temporary_folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("rukh-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    folder
}
