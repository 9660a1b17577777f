//! `scripts/pupil`, the trainer for a GPU, against this one. Only where there is PyTorch.

use std::fs;
use std::path::Path;

use rukh_chess::game::Outcome;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_eval::nnue::{Activation, Current, NetworkKind, QuantisedNetwork};
use rukh_lab::architecture::described;
use rukh_lab::packed::PackedGame;
use rukh_train::batch::Target;
use rukh_train::export::{quantise, restore};
use rukh_train::model::Model;
use rukh_train::parameters;
use rukh_train::sample::{NO_RESULT, Sample};

use super::common::{Small, Stacked, positions, python_with_torch, run_script, temporary_folder};

const POSITIONS: usize = 500;
/// The last of every fifty positions are those that the script validates on.
const VALIDATED: usize = POSITIONS / 50;

/// The position as a game of one move.
fn single((start, score): &(Position, i16)) -> PackedGame {
    let sign = if start.side_to_move() == Color::White { 1 } else { -1 };
    let moves = vec![(start.legal_moves()[0], sign * score)];
    PackedGame { start: start.clone(), outcome: Outcome::Draw, moves }
}

/// The script reads a network, has the same loss, and writes it again byte for byte: features, king buckets, layers and file
/// are the same.
fn the_script_agrees<K: NetworkKind>(python: &str, folder: &Path) {
    let architecture = K::ARCHITECTURE;
    let positions: Vec<_> = positions(2 * POSITIONS, 5)
        .into_iter()
        .filter(|(position, _)| !position.legal_moves().is_empty())
        .collect();
    let positions = &positions[..POSITIONS];
    let mut games = Vec::new();
    positions.iter().for_each(|position| single(position).write(&mut games).expect("it is memory"));
    let mut random = SplitMix64::new(8);
    let mut numbers = parameters::random(&architecture, 7);
    numbers.iter_mut().flatten().for_each(|number| *number += 0.1 * (random.share() as f32 - 0.5));
    let network = quantise::<K>(&numbers, "test").expect("no weight is too great");
    fs::write(folder.join("games.vf"), games).expect("there is room");
    fs::write(folder.join("first.net"), network.to_bytes()).expect("there is room");
    fs::write(folder.join("architecture.json"), described(&architecture).to_string()).expect("there is room");
    let told = trained(python, folder, "--out same.net");
    assert!(
        fs::read(folder.join("same.net")).expect("it was written") == network.to_bytes(),
        "{architecture}"
    );

    let loss =
        told.split("validation loss ").nth(1).and_then(|rest| rest.split(',').next()?.parse::<f64>().ok());
    let loss = loss.unwrap_or_else(|| panic!("{told}"));
    let samples: Vec<Sample> = positions[POSITIONS - VALIDATED..]
        .iter()
        .map(|(position, score)| Sample::new(position, *score, NO_RESULT))
        .collect();
    let target = Target { scale: architecture.scale as f32, result_share: 0.0 };
    let restored = restore(&network);
    let expected = Model::new(architecture, &restored).loss(&samples.iter().collect::<Vec<_>>(), target, 1);
    assert!((loss - expected).abs() < 2e-6, "{architecture}: {loss} is not {expected}");

    if architecture.transformer.activation == Activation::Pairwise {
        trained(python, folder, "--out other.net --permute");
        let other = fs::read(folder.join("other.net")).expect("it was written");
        assert!(other != network.to_bytes(), "nothing was permuted");
        let other = QuantisedNetwork::<K>::read(&other).expect("it has the same architecture");
        assert!(samples.iter().all(|sample| sample.evaluate(&other) == sample.evaluate(&network)));
    }
}

/// What the script prints when it trains the first network for a step with a learning rate of 0.
fn trained(python: &str, folder: &Path, more: &str) -> String {
    let arguments = "games.vf --architecture architecture.json --begin first.net --rate 0 --end-rate 0 --steps 1 --batch 16 --description test";
    run_script(python, "pupil", folder, &format!("{arguments} {more}"))
}

#[test]
fn the_trainer_for_a_gpu_agrees() {
    let Some(python) = python_with_torch() else { return };
    let folder = temporary_folder("pupil");
    the_script_agrees::<Current>(&python, &folder);
    the_script_agrees::<Small>(&python, &folder);
    the_script_agrees::<Stacked>(&python, &folder);
    fs::remove_dir_all(&folder).expect("it was made here");
}
