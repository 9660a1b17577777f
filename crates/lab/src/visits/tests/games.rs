//! Games: reproducible, valid, and drawn as the temperature says.

use std::sync::Arc;

use rukh_chess::game::Outcome;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_engine::api::{LeafNetwork, NetworkInput, NetworkOutput};
use rukh_engine::{RootPolicy, RootTarget, TargetMove};

use super::super::census::VisitCensus;
use super::super::game::{End, Resignation, UNITS, VisitGame, VisitPly, in_parts};
use super::super::play::sample;
use super::super::raw::{VISIT_RECORD_BYTES, packed_game, raw_records};
use super::super::settings::VisitPlay;
use super::fixture::{play, settings};
use crate::selfplay::SelfPlay;

#[test]
fn games_follow_from_settings_seed_and_number() {
    for root in [RootPolicy::Improved, RootPolicy::Visits] {
        let settings = settings(root);
        let alone = play(&settings, 0..6, 1);
        assert_eq!(alone.len(), 6, "no game after the last one is begun");
        assert_eq!(play(&settings, 0..6, 3), alone);
        assert_eq!(play(&settings, 4..6, 1), alone[4..]);
        let other = SelfPlay { seed: 12, ..settings.games.clone() };
        assert_ne!(play(&VisitPlay { games: other, ..settings.clone() }, 0..2, 1), alone[..2]);
        for game in &alone {
            game.check().expect("what was played is a game");
            let has_distribution = |ply: &VisitPly| ply.policy.len() > 1;
            assert!(game.plies.iter().filter(|ply| has_distribution(ply)).count() > game.plies.len() / 4);
            let sampled = game.plies.iter().take_while(|ply| ply.is_sampled).count();
            assert_eq!(sampled, game.plies.len().min(settings.temperature_plies as usize));
        }
        assert!(alone.iter().any(|game| game.plays_on) && alone.iter().any(|game| !game.plays_on));
    }
}

/// Without noise and temperature all games from one opening are the same; with either they differ.
#[test]
fn noise_and_temperature_make_games_differ() {
    let base = settings(RootPolicy::Improved);
    let games = SelfPlay { random_plies: 0..=0, chess960: 0.0, ..base.games.clone() };
    let still = VisitPlay { games, gumbel_scale: 0.0, temperature_plies: 0, max_plies: 16, ..base };
    let moves = |settings: &VisitPlay| {
        let games = play(settings, 0..3, 1);
        games.iter().map(|game| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let alike = moves(&still);
    assert!(alike[0] == alike[1] && alike[1] == alike[2]);
    let warm = moves(&VisitPlay { temperature_plies: 8, ..still.clone() });
    assert!(warm[0] != warm[1] || warm[1] != warm[2]);
    let noisy = moves(&VisitPlay { gumbel_scale: 1.0, ..still.clone() });
    assert!(noisy[0] != noisy[1] || noisy[1] != noisy[2]);
    let puct = moves(&VisitPlay { root: RootPolicy::Visits, ..still });
    assert!(puct[0] != puct[1] || puct[1] != puct[2]);
}

/// A network with two heads that counts pawns and likes all moves the same.
#[derive(Debug)]
struct Pawns;

impl LeafNetwork for Pawns {
    fn name(&self) -> &str {
        "pawns"
    }

    fn batch_size(&self) -> usize {
        4
    }

    fn evaluate(&self, inputs: &[NetworkInput<'_>]) -> Vec<NetworkOutput> {
        let output = |input: &NetworkInput<'_>| {
            let side = input.position.side_to_move();
            let count =
                |side| (input.position.color(side) & input.position.pieces(Piece::Pawn)).count() as f32;
            let lead = ((count(side) - count(!side)) / 10.0).clamp(-0.8, 0.8);
            let wdl = [0.1 + lead.max(0.0), 0.8 - lead.abs(), 0.1 + (-lead).max(0.0)];
            NetworkOutput { wdl, logits: vec![0.0; input.moves.len()] }
        };
        inputs.iter().map(output).collect()
    }
}

/// A leaf network takes the place of the evaluation and the policy network.
#[test]
fn a_network_with_two_heads_plays() {
    let base = settings(RootPolicy::Improved);
    let settings = VisitPlay { leaf_network: Some((Arc::new(Pawns), "pawns".to_owned())), ..base.clone() };
    let games = play(&settings, 0..3, 1);
    assert_eq!(play(&settings, 0..3, 3), games);
    assert_ne!(play(&base, 0..3, 1), games);
    games.iter().for_each(|game| game.check().expect("what was played is a game"));
    assert!(base.manifest().to_json() != settings.manifest().to_json());
}

fn target(shares: &[f64]) -> RootTarget {
    let legal = Position::default().legal_moves();
    let moves = shares.iter().zip(&legal);
    let moves = moves.map(|(&target, &mv)| TargetMove { mv, visits: 1, prior: 0.1, target });
    RootTarget { moves: moves.collect(), wdl: [0.0, 1.0, 0.0], is_proven: false }
}

#[test]
fn moves_are_drawn_by_the_temperature() {
    const COUNT: u32 = 10_000;
    let target = target(&[0.2, 0.5, 0.3, 0.0]);
    for (temperature, expected) in [
        (1.0, [0.2, 0.5, 0.3, 0.0]),
        (0.5, [4.0 / 38.0, 25.0 / 38.0, 9.0 / 38.0, 0.0]),
        (0.0, [0.0, 1.0, 0.0, 0.0]),
    ] {
        let mut counts = [0; 4];
        (0..COUNT).for_each(|at| counts[sample(&target, temperature, f64::from(at) / f64::from(COUNT))] += 1);
        for (count, expected) in counts.into_iter().zip(expected) {
            assert!(
                (f64::from(count) / f64::from(COUNT) - expected).abs() < 0.001,
                "{temperature}: {counts:?}"
            );
        }
    }
    assert_eq!(sample(&target, 1.0, 1.0), 2, "not a move without a part");
}

#[test]
fn parts_add_up_and_are_near() {
    let thirds = in_parts(&[1.0 / 3.0; 3]);
    assert_eq!(thirds, [85, 85, 85]);
    assert_eq!(in_parts(&[0.0, 1.0]), [0, UNITS]);
    let shares: Vec<f64> = (1..=40).map(|at| f64::from(at) / 820.0).collect();
    let parts = in_parts(&shares);
    assert_eq!(parts.iter().map(|&part| u32::from(part)).sum::<u32>(), u32::from(UNITS));
    assert!(parts.iter().zip(&shares).all(|(&part, share)| (f64::from(part) - 255.0 * share).abs() < 1.0));
}

/// A game of king moves with these expected scores, in 255ths to win.
fn shuffle(wins: &[u8], outcome: Outcome, plays_on: bool) -> VisitGame {
    let start: Position = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1".parse().expect("valid");
    let mut position = start.clone();
    let mut plies = Vec::new();
    for &win in wins {
        let mv: Move = position.legal_moves()[0];
        let policy = vec![(mv, UNITS)];
        plies.push(VisitPly { mv, policy, win, loss: UNITS - win, is_sampled: false, is_proven: false });
        position = position.after(mv);
    }
    VisitGame { start, outcome, end: End::Length, plays_on, plies }
}

#[test]
fn a_side_resigns_after_enough_low_scores_in_a_row() {
    let rule = Resignation { below: 0.05, moves: 2 };
    let of = |wins: &[u8]| shuffle(wins, Outcome::Draw, true).resigner(rule);
    assert_eq!(of(&[5, 100, 5, 100]), Some((Color::White, 3)));
    assert_eq!(of(&[100, 5, 100, 100, 100, 5, 100, 5]), Some((Color::Black, 8)));
    assert_eq!(of(&[5, 5, 100, 100, 5, 100]), None);
    let mut census = VisitCensus::default();
    census.add(&shuffle(&[5, 100, 5], Outcome::Draw, true), Some(rule));
    census.add(&shuffle(&[5, 100, 5], Outcome::Win(Color::Black), true), Some(rule));
    census.add(&shuffle(&[5, 100, 5], Outcome::Draw, false), Some(rule));
    census.add(&shuffle(&[50, 100, 50], Outcome::Draw, true), Some(rule));
    assert_eq!(census.played_on, [3, 2, 1], "one of two resignations was false");
}

/// Where every score is low the side to move resigns, except in games that play on.
#[test]
fn games_end_by_resignation_unless_they_play_on() {
    let base = settings(RootPolicy::Improved);
    let rule = Resignation { below: 0.7, moves: 2 };
    let games = play(&VisitPlay { resignation: Some(rule), ..base }, 0..8, 1);
    for game in &games {
        assert_eq!(game.end == End::Resignation, !game.plays_on, "{game:?}");
        if game.end == End::Resignation {
            let (loser, plies) = game.resigner(rule).expect("it ended so");
            assert_eq!((game.outcome, plies), (Outcome::Win(!loser), game.plies.len()));
        }
    }
    assert!(games.iter().any(|game| game.plays_on) && games.iter().any(|game| !game.plays_on));
}

/// A record has the distribution of its position, seen through the outputs of the policy network.
#[test]
fn records_have_the_parts_of_the_legal_moves() {
    let game = &play(&settings(RootPolicy::Improved), 0..1, 1)[0];
    let records = raw_records(game);
    assert_eq!(records.len(), game.plies.len() * VISIT_RECORD_BYTES);
    let packed = packed_game(game);
    for ((record, (position, ply)), &(mv, score)) in
        records.chunks_exact(VISIT_RECORD_BYTES).zip(game.positions()).zip(&packed.moves)
    {
        let legal = position.legal_moves();
        let parts = &record[320..];
        assert_eq!((record[38], record[39], usize::from(record[50])), (ply.win, ply.loss, legal.len()));
        assert_eq!(Some(legal[usize::from(record[51])]), ply.best());
        assert_eq!(parts.iter().map(|&part| u32::from(part)).sum::<u32>(), u32::from(UNITS));
        for (at, &mv) in legal.iter().enumerate() {
            assert_eq!(parts[at] > 0, ply.policy.contains(&(mv, parts[at])));
        }
        let for_side = if position.side_to_move() == Color::White { score } else { -score };
        assert_eq!(mv, ply.mv);
        assert!(ply.win.abs_diff(ply.loss) < 4 || (for_side > 0) == (ply.win > ply.loss), "{score} {ply:?}");
    }
}
