//! Every technique can be switched off, and each changes the search tree.

use rukh_chess::Position;
use rukh_engine::api::{Algorithm, Limits, Request};
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_engine::{SearchResult, search_once, search_once_with};
use rukh_eval::{Evaluation, PolicyNetwork};

/// A search with all techniques on, including those off by default, except one. The classical evaluation is used
/// because it does not change: whether a technique fires in so small a tree depends on the scores.
fn nodes(algorithm: Algorithm, fen: &str, limits: &Limits, without: Option<Technique>) -> SearchResult {
    let position: Position = fen.parse().expect("the positions are valid");
    let request = Request::from_position(position, limits.clone());
    let used: Vec<_> = Technique::ALL.iter().copied().filter(|&used| Some(used) != without).collect();
    let techniques = TechniqueOverrides::only(&used);
    search_once_with(algorithm, techniques, &Evaluation::Classical, request, 4).expect("there is memory")
}

const POSITIONS: [&str; 6] = [
    "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8",
    "3r2k1/2R2pp1/2b1p2p/2r5/4PB1P/8/P4PP1/4KB1R w K - 3 26",
    "8/1p6/p7/P1b1k3/2Pp1p2/3P1Pp1/1K1B2P1/8 w - - 13 51",
    "r1b1kb1r/p1qp2pp/2n1pn2/1pp1Pp2/2N2B2/2PP4/PP3PPP/R2QKBNR w KQkq - 0 8",
    "7k/8/R7/1R6/8/8/8/K7 w - - 0 1",
    "8/2n5/1P4k1/2P5/5p2/6p1/5N2/1K6 w - - 0 1",
];

#[test]
fn every_technique_changes_the_tree_and_none_is_needed_to_finish() {
    let limits = Limits { depth: Some(10), ..Limits::default() };
    let count =
        |fen: &str, without: Option<Technique>| nodes(Algorithm::AlphaBeta, fen, &limits, without).nodes;
    let with_all = POSITIONS.map(|fen| count(fen, None));
    // The clock does not count here.
    let timing = [Technique::TimeMoveNumber, Technique::TimeTrend, Technique::TimeMoveChanges];
    for &technique in Technique::ALL {
        let is_expected = technique.algorithm() == Algorithm::AlphaBeta && !timing.contains(&technique);
        let is_changed =
            POSITIONS.iter().zip(with_all).any(|(fen, nodes)| count(fen, Some(technique)) != nodes);
        assert_eq!(is_changed, is_expected, "{technique}");
    }
}

/// A tree search with every technique on finds something else than without one of them, be it a line or a score. Tree reuse
/// needs a second search and has a test of its own.
#[test]
fn every_technique_of_the_tree_search_changes_it() {
    let limits = Limits { nodes: Some(800), ..Limits::default() };
    // Static leaves and PUCT at the root: the tree is then large enough for all techniques. A policy network takes the place
    // of the handcrafted prior.
    let is_base = |technique: Technique| {
        !matches!(technique, Technique::LeafSearch | Technique::GumbelRoot | Technique::PolicyNetwork)
    };
    let all = |switched: Option<Technique>| {
        let is_used = |&technique: &Technique| is_base(technique) != (Some(technique) == switched);
        let used: Vec<_> = Technique::ALL.iter().copied().filter(is_used).collect();
        [POSITIONS[0], POSITIONS[2], POSITIONS[4]].map(|fen| {
            let request =
                Request::from_position(fen.parse().expect("the positions are valid"), limits.clone());
            let techniques = TechniqueOverrides::only(&used);
            search_once_with(Algorithm::Mcts, techniques, &Evaluation::Classical, request, 4)
                .expect("there is memory")
        })
    };
    let base = all(None);
    let own = Technique::ALL.iter().filter(|technique| technique.algorithm() == Algorithm::Mcts);
    for &technique in own.filter(|&&technique| technique != Technique::TreeReuse) {
        // The program may have been built without a policy network.
        if technique == Technique::PolicyNetwork && PolicyNetwork::built_in().is_none() {
            continue;
        }
        assert_ne!(base, all(Some(technique)), "{technique} does nothing");
    }
}

#[test]
fn a_search_with_default_techniques_is_reproducible() {
    let position: Position = POSITIONS[0].parse().expect("the positions are valid");
    let request = Request::from_position(position, Limits { depth: Some(9), ..Limits::default() });
    let first = search_once(TechniqueOverrides::default(), &Evaluation::default(), request.clone(), 4)
        .expect("there is memory");
    let second = search_once(TechniqueOverrides::default(), &Evaluation::default(), request, 4)
        .expect("there is memory");
    assert_eq!(first, second);
}

#[test]
fn technique_names_parse_back() {
    for &technique in Technique::ALL {
        assert_eq!(technique.name().parse(), Ok(technique));
        assert!(!technique.sentence().trim().is_empty());
    }
    let error = "magic".parse::<Technique>().expect_err("the name is unknown").to_string();
    assert!(error.contains("\"magic\"") && error.contains("null-move"), "{error}");
}
