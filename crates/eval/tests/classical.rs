//! The classical evaluation as a whole: symmetry, incremental updates, and a trace that adds up to the score.

use crate::common::{flipped, position, random_games};
use proptest::prelude::*;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_eval::hce::psqt::Psqt;
use rukh_eval::hce::{Tapered, Term, WeightIndex, evaluate, trace, weights};
use rukh_eval::{Classical, Evaluator, Score};

fn score(classical: &mut Classical, position: &Position) -> Score {
    classical.reset(position);
    classical.evaluate(position)
}

#[test]
fn the_evaluation_is_symmetric() {
    let mut classical = Classical::new();
    random_games(1, 120, 200, |position| {
        let mirror = flipped(position);
        let scores = (score(&mut classical, position), score(&mut classical, &mirror));
        assert_eq!(scores.0, scores.1, "{position}");
        for term in Term::ALL {
            let (here, there) = (trace(position), trace(&mirror));
            assert_eq!(here.difference(term), -there.difference(term), "{term} of {position}");
        }
    });
}

#[test]
fn an_evaluation_is_never_a_proven_score() {
    let mut classical = Classical::new();
    random_games(2, 60, 300, |position| assert!(!score(&mut classical, position).is_decisive()));
    let crowded = position("1QQQQQQQ/1QQQQQQ1/1Q6/8/8/8/8/k5K1 b - - 0 1");
    let score = score(&mut classical, &crowded);
    assert!(!score.is_decisive() && score < Score::new(-10_000), "{score}");
}

/// Makes and unmakes random moves and null moves down a random tree.
fn walk(
    classical: &mut Classical,
    position: &Position,
    random: &mut SplitMix64,
    depth: usize,
    budget: &mut usize,
) {
    if depth == 0 || *budget == 0 {
        return;
    }
    for _ in 0..2 {
        *budget = budget.saturating_sub(1);
        let moves = position.legal_moves();
        let mut next = position.clone();
        if random.below(8) == 0 && !position.is_check() {
            let _ = classical.push();
            next.make_null();
        } else if !moves.is_empty() {
            let mv = moves[random.below(moves.len() as u64) as usize];
            next.make(mv, &mut classical.push());
        } else {
            return;
        }
        assert_eq!(classical.psqt(), Psqt::of(&next), "{next}");
        if !next.is_check() {
            let incremental = classical.evaluate(&next);
            let from_scratch = evaluate(&next, &mut ()).value_for(next.side_to_move());
            assert_eq!(incremental, Score::new(from_scratch), "{next}");
        }
        walk(classical, &next, random, depth - 1, budget);
        classical.pop();
        assert_eq!(classical.psqt(), Psqt::of(position));
    }
}

#[test]
fn incremental_evaluation_equals_evaluation_from_scratch() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let mut classical = Classical::new();
    let mut random = SplitMix64::new(3);
    for start in starts {
        let position = position(start);
        for _ in 0..20 {
            classical.reset(&position);
            walk(&mut classical, &position, &mut random, 60, &mut 400);
        }
    }
}

#[test]
fn the_trace_sums_to_the_score() {
    let mut classical = Classical::new();
    random_games(4, 60, 250, |position| {
        let traced = trace(position);
        assert_eq!(traced.score, score(&mut classical, position), "{position}");
        if traced.summary.endgame.is_none() {
            let sum = Term::ALL.iter().fold(Tapered::ZERO, |sum, &term| sum + traced.difference(term));
            assert_eq!(sum, traced.summary.sum, "{position}");
        }
    });
    let table = trace(&position("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"));
    let text = table.to_string();
    for part in ["Mobility", "King danger", "Sum", "Scale", "Fifty moves", "Score", "+0.", "White"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(trace(&position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")).to_string().contains("king and pawn"));
}

#[test]
fn every_weight_has_an_index_and_a_name() {
    let mut next = 0;
    for group in &weights::GROUPS {
        assert_eq!(group.start, next, "{}", group.name);
        assert!(group.sentence.trim().ends_with('.'), "{}", group.name);
        next += group.len;
    }
    assert_eq!(next, weights::COUNT);
    let pair = weights::BISHOP_PAIR.one();
    assert_eq!((pair.name().as_str(), pair.term()), ("BISHOP_PAIR", Term::Imbalance));
    let second = weights::PASSED.at(1);
    assert_eq!((second.name().as_str(), second.term()), ("PASSED[1]", Term::PassedPawns));
    assert_eq!(weights::PASSED.at(99), weights::PASSED.at(7), "beyond the end is the last");
    assert_eq!(WeightIndex::from_index(weights::COUNT), None);
}

#[test]
fn the_fifty_move_rule_damps_advantages() {
    let at = |clock| trace(&position(&format!("4k3/8/8/8/8/8/PPP5/R3K3 w - - {clock} 90"))).score;
    assert!(at(0) > at(30) && at(30) > at(99) && at(99) > Score::DRAW);
}

#[test]
fn material_is_valued_plausibly() {
    let score = |fen: &str| trace(&position(fen)).score.value();
    let start = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((1..50).contains(&start), "{start}");
    let queen_up = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((900..1800).contains(&queen_up), "{queen_up}");
    let pawn_up = score("rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((40..220).contains(&pawn_up), "{pawn_up}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The weights and values that are reported to a trace add up to the sum of the ledger.
    #[test]
    fn a_trace_can_rebuild_the_sum(seed in any::<u64>()) {
        struct Coefficients { counts: Vec<(Color, WeightIndex, i32)>, values: Tapered }
        impl rukh_eval::hce::Trace for Coefficients {
            fn weight(&mut self, side: Color, weight: WeightIndex, count: i32) {
                self.counts.push((side, weight, count));
            }
            fn value(&mut self, _: Term, side: Color, value: Tapered) {
                match side {
                    Color::White => self.values += value,
                    Color::Black => self.values -= value,
                }
            }
        }
        random_games(seed, 1, 60, |position| {
            let mut coefficients = Coefficients { counts: Vec::new(), values: Tapered::ZERO };
            let summary = evaluate(position, &mut coefficients);
            let (mut midgame, mut endgame) = (coefficients.values.midgame(), coefficients.values.endgame());
            for (side, weight, count) in coefficients.counts {
                let sign = if side == Color::White { count } else { -count };
                midgame += weight.value().midgame() * sign;
                endgame += weight.value().endgame() * sign;
            }
            assert_eq!((midgame, endgame), (summary.sum.midgame(), summary.sum.endgame()));
        });
    }
}
