//! `scripts/teacher`, whose labels of played positions may be means along their games. Only where there is PyTorch.

use std::fs;
use std::path::Path;

use rukh_chess::game::Outcome;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_lab::packed::PackedGame;

use super::common::{python_with_torch, run_script, temporary_folder};

const LAMBDA: f64 = 0.7;
/// The positions that the script takes into a mean.
const POSITIONS: usize = 12;
/// Units of the logistic curve from scores to win probabilities.
const SCALE: f64 = 165.0;

/// Single positions of random games, of which some are left out, and the ply of each in its game.
fn singles() -> Vec<Vec<(PackedGame, i32)>> {
    let mut random = SplitMix64::new(21);
    let outcomes = [Outcome::Win(Color::White), Outcome::Draw, Outcome::Win(Color::Black)];
    let game = |outcome| {
        let (mut position, mut singles) = (Position::default(), Vec::new());
        for ply in 0..40 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len().max(1) as u64) as usize) else { break };
            if random.below(3) > 0 {
                let single = PackedGame { start: position.clone(), outcome, moves: vec![(mv, 0)] };
                singles.push((single, ply));
            }
            position = position.after(mv);
        }
        singles
    };
    outcomes.map(game).into()
}

/// White's expected scores of the labelled positions of a file.
fn expected_scores(path: &Path) -> Vec<f64> {
    let bytes = fs::read(path).expect("it was written");
    let mut rest = bytes.as_slice();
    let games = std::iter::from_fn(|| PackedGame::read(&mut rest).expect("it is whole"));
    games.map(|game| 1.0 / (1.0 + (-f64::from(game.moves[0].1) / SCALE).exp())).collect()
}

#[test]
fn labels_are_means_along_a_game() {
    let Some(python) = python_with_torch() else { return };
    let folder = temporary_folder("teacher");
    let games = singles();
    let mut bytes = Vec::new();
    games.iter().flatten().for_each(|(single, _)| single.write(&mut bytes).expect("it is memory"));
    fs::write(folder.join("singles.vf"), bytes).expect("there is room");
    let teacher = |arguments: &str| run_script(&python, "teacher", &folder, arguments);
    teacher("made --width 8 --layers 2 --out made.pt");
    // Batches end within games.
    teacher("label made.pt singles.vf --batch 7 --out alone.vf");
    teacher(&format!("label made.pt singles.vf --batch 7 --lambda {LAMBDA} --out means.vf"));
    let (mut alone, mut means) =
        (expected_scores(&folder.join("alone.vf")), expected_scores(&folder.join("means.vf")));
    assert_ne!(alone, means);
    for game in &games {
        let rest = (alone.split_off(game.len()), means.split_off(game.len()));
        for at in 0..game.len() {
            let later = &game[at..game.len().min(at + POSITIONS)];
            let weight = |number: usize| LAMBDA.powi(later[number].1 - game[at].1);
            let mean: f64 = (0..later.len())
                .map(|number| {
                    let after = if number + 1 < later.len() { weight(number + 1) } else { 0.0 };
                    (weight(number) - after) * alone[at + number]
                })
                .sum();
            assert!((means[at] - mean).abs() < 0.002, "position {at}: {} is not {mean}", means[at]);
        }
        (alone, means) = rest;
    }
    fs::remove_dir_all(folder).expect("it was made here");
}

/// An evaluation that is right everywhere shares no error with the teacher, and differs from it by the teacher's own error.
#[test]
fn errors_are_compared_with_those_of_an_evaluation() {
    let Some(python) = python_with_torch() else { return };
    let folder = temporary_folder("beside");
    let fens = ["4k3/8/8/8/8/8/8/4K2Q w - - 0 1", "4k2q/8/8/8/8/8/8/4K3 w - - 0 1"];
    let labels = format!("fen\twin\tdraw\tloss\n{}\t1000\t0\t0\n{}\t0\t100\t900\n", fens[0], fens[1]);
    fs::write(folder.join("labels.tsv"), labels).expect("there is room");
    let teacher = |arguments: &str| run_script(&python, "teacher", &folder, arguments);
    teacher("made --width 8 --layers 2 --out made.pt");
    let compared = |values: [f64; 2]| -> Vec<f64> {
        let values = format!("fen\texpected score\n{}\t{}\n{}\t{}\n", fens[0], values[0], fens[1], values[1]);
        fs::write(folder.join("values.tsv"), values).expect("there is room");
        let told = teacher("yardstick made.pt labels.tsv --beside values.tsv");
        let line = told.lines().find(|line| line.starts_with("  values.tsv")).expect("a comparison");
        let numbers = line.split([' ', ',', ';']).filter(|word| word.contains('.'));
        numbers.filter_map(|word| word.parse().ok()).collect()
    };
    let right = compared([1.0, 0.05]);
    assert!(right.len() == 4 && right[1] > 0.0, "{right:?}");
    assert_eq!((right[0], right[2], right[3]), (0.0, 0.0, right[1]), "{right:?}");
    // Errors of 0.5 and -0.45 for a draw everywhere: (0.25 + 0.2025) / 2.
    assert!((compared([0.5, 0.5])[0] - 0.22625).abs() < 1e-5);
    fs::remove_dir_all(folder).expect("it was made here");
}
