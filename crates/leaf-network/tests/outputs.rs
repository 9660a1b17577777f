//! Outputs: the same as those of PyTorch, in every batch, and for both colours.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use crate::common;
use crate::common::{network, position};
use rukh_chess::{Move, Position};
use rukh_engine::api::{LeafNetwork, NetworkInput, NetworkOutput};
use rukh_leaf_network::encoding::LESSER_PROMOTION;
use rukh_leaf_network::{Backend, LargeNetwork};

/// What `scripts/teacher reference` prints for the network of `scripts/teacher made`.
const REFERENCE: &str = include_str!("reference.tsv");

struct Expected {
    position: Position,
    wdl: Vec<f32>,
    /// The logits of pairs of squares.
    logits: HashMap<String, f32>,
}

fn expected(text: &str) -> Vec<Expected> {
    let line = |line: &str| {
        let [fen, wdl, logits] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let logit = |text: &str| {
            let (pair, logit) = text.split_once('=').expect("pair and logit");
            (pair.to_owned(), logit.parse().expect("it is a number"))
        };
        Expected {
            position: position(fen),
            wdl: wdl.split(' ').map(|share| share.parse().expect("it is a number")).collect(),
            logits: logits.split(' ').map(logit).collect(),
        }
    };
    text.lines().map(line).collect()
}

fn evaluate(network: &Arc<LargeNetwork>, positions: &[Position]) -> Vec<NetworkOutput> {
    let moves: Vec<_> = positions.iter().map(Position::legal_moves).collect();
    let inputs = positions.iter().zip(&moves);
    let inputs: Vec<_> = inputs.map(|(position, moves)| NetworkInput { position, moves }).collect();
    network.evaluate(&inputs)
}

fn assert_as_expected(network: &Arc<LargeNetwork>, reference: &str) {
    let expected = expected(reference);
    assert!(expected.len() >= 6);
    let positions: Vec<_> = expected.iter().map(|expected| expected.position.clone()).collect();
    for (Expected { position, wdl, logits }, output) in expected.iter().zip(evaluate(network, &positions)) {
        for (found, wanted) in output.wdl.iter().zip(wdl) {
            assert!((found - wanted).abs() < 1e-4, "{position}: {output:?}, not {wdl:?}");
        }
        for (mv, found) in position.legal_moves().iter().zip(&output.logits) {
            let wanted = logits[&format!("{}{}", mv.from(), mv.to())] - lesser(*mv);
            assert!((found - wanted).abs() < 1e-3, "{position}: {mv:?} has {found}, not {wanted}");
        }
    }
}

fn lesser(mv: Move) -> f32 {
    let is_lesser = mv.promotion().is_some_and(|piece| piece != rukh_chess::Piece::Queen);
    if is_lesser { LESSER_PROMOTION } else { 0.0 }
}

#[test]
fn outputs_are_those_of_pytorch() {
    assert_as_expected(&network("outputs"), REFERENCE);
}

/// The whole way: PyTorch makes and exports a network and evaluates positions with it. Only where there is PyTorch; the
/// variable `PYTHON` names an interpreter that has it.
#[test]
fn a_network_exported_by_the_script_gives_the_same() {
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_torch = Command::new(&python).args(["-c", "import torch, numpy"]).output();
    if !has_torch.is_ok_and(|output| output.status.success()) {
        eprintln!("there is no PyTorch; not tested");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/teacher");
    let folder = env::temp_dir().join(format!("rukh-teacher-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    let path = |name: &str| -> PathBuf { folder.join(name) };
    let run = |args: &[&str]| {
        let output = Command::new(&python).arg(&script).args(args).current_dir(&folder).output();
        let output = output.expect("it was started before");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is text")
    };
    let fens: Vec<&str> = REFERENCE.lines().map(|line| line.split('\t').next().expect("a FEN")).collect();
    fs::write(path("positions.txt"), fens.join("\n")).expect("there is room");
    run(&["made", "--width", "12", "--layers", "3", "--out", "made.pt"]);
    run(&["export", "made.pt", "--description", "by the script", "--out", "made.rkt"]);
    let reference = run(&["reference", "made.pt", "positions.txt"]);
    let network = LargeNetwork::load(&path("made.rkt"), Backend::Cpu, |_| {}).expect("it is a network");
    assert_eq!(network.name(), "12 x 3 network, by the script");
    assert_as_expected(&network, &reference);
    fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_batch_gives_what_single_positions_give() {
    let network = network("batches");
    let positions: Vec<_> = expected(REFERENCE).into_iter().map(|expected| expected.position).collect();
    let together = evaluate(&network, &[&positions[..], &positions[..]].concat());
    let alone: Vec<_> =
        positions.iter().flat_map(|one| evaluate(&network, std::slice::from_ref(one))).collect();
    assert_eq!(together, [&alone[..], &alone[..]].concat());
    assert_eq!(evaluate(&network, &[]), []);
}

#[test]
fn mirrored_positions_get_mirrored_outputs() {
    let network = network("mirrored");
    let white = position("rn2k2r/P6p/8/3pP3/8/8/7P/R3K3 w Qkq d6 0 30");
    let black = position("r3k3/7p/8/8/3Pp3/8/p6P/RN2K2R b KQq d3 0 30");
    let outputs = evaluate(&network, &[white.clone(), black.clone()]);
    assert_eq!(outputs[0].wdl, outputs[1].wdl);
    let logits =
        |position: &Position, output: &NetworkOutput| -> HashMap<(usize, usize, Option<usize>), f32> {
            let turn = if position.side_to_move() == rukh_chess::Color::Black { 56 } else { 0 };
            let key = |mv: &Move| {
                let promotion = mv.promotion().map(rukh_chess::Piece::index);
                (mv.from().index() ^ turn, mv.to().index() ^ turn, promotion)
            };
            position.legal_moves().iter().map(key).zip(output.logits.iter().copied()).collect()
        };
    let white_logits = logits(&white, &outputs[0]);
    assert!(white_logits.len() > 15);
    assert_eq!(white_logits, logits(&black, &outputs[1]));
}

#[test]
fn cuda_without_a_gpu_is_the_cpu_with_a_sentence() {
    let file = common::file(common::SMALL, "without a GPU");
    let network = LargeNetwork::open(file, Backend::Cuda, |_| {}).expect("it can be opened");
    match network.notice() {
        Some(notice) => {
            assert!(
                notice.starts_with("CUDA cannot be used (") && notice.ends_with("runs on the CPU"),
                "{notice}"
            );
            assert!(!notice.contains('\n') && notice.len() < 250, "{notice}");
            assert_as_expected(&network, REFERENCE);
        }
        None => assert!(cfg!(feature = "cuda") && network.batch_size() > 1, "there is a GPU"),
    }
}
