//! Explanations with the real engine, the verifier, levels and words.

use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::claims::claim::{Claim, Evidence};
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::fact::Predicate;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::level::Level;
use rukh_explain::claims::mating::mate_by_checks;
use rukh_explain::claims::question::{Explanation, Question};
use rukh_explain::claims::verify::{Outcome, verify};
use rukh_explain::claims::words;

const NODES: u64 = 20_000;

fn analyst(nodes: u64) -> EngineAnalyst {
    EngineAnalyst::new(Engine::new(), nodes)
}

fn read(position: &Position, text: &str) -> Move {
    position.parse_san(text).expect("the move is legal")
}

fn explained(fen: &str, mv: Option<&str>, against: Option<&str>) -> Explanation {
    let position: Position = fen.parse().expect("the FEN is valid");
    let question = Question {
        position: &position,
        previous: None,
        mv: mv.map(|text| read(&position, text)),
        against: against.map(|text| read(&position, text)),
    };
    explain(&question, &mut analyst(NODES)).expect("there is a legal move")
}

fn kinds(explanation: &Explanation) -> Vec<ClaimKind> {
    explanation.claims.iter().map(|claim| claim.kind).collect()
}

fn text(explanation: &Explanation) -> String {
    words::sentences(explanation, Level::Club, 3).join(" ")
}

/// The scholar's mate, one move before it.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

#[test]
fn a_move_that_allows_mate_says_so() {
    let answer = explained(SCHOLAR, Some("Nf6"), None);
    assert!(answer.judgement().is_some());
    assert_eq!(kinds(&answer)[0], ClaimKind::AllowsMate);
    assert!(text(&answer).starts_with("Nf6 allows mate in 1: 3... Nf6 4. Qxf7#."), "{}", text(&answer));
}

#[test]
fn a_mate_is_the_first_claim() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let answer = explained(fen, None, None);
    assert!(kinds(&answer).contains(&ClaimKind::MateIn));
    assert!(text(&answer).starts_with("Qxf7# is mate."), "{}", text(&answer));
}

#[test]
fn a_fork_that_wins_a_rook_is_told() {
    let answer = explained("r3k3/4bppp/8/3N4/8/8/5PPP/3R2K1 w - - 0 1", None, None);
    let found = kinds(&answer);
    assert!(found.contains(&ClaimKind::Fork) && found.contains(&ClaimKind::WinsMaterial), "{found:?}");
    assert!(
        text(&answer).contains("The knight on c7 forks the rook on a8 and the king on e8."),
        "{}",
        text(&answer)
    );
}

#[test]
fn the_opponents_refutation_answers_why_not() {
    let answer = explained(SCHOLAR, Some("g6"), Some("Nf6"));
    assert!(answer.judgement().is_none(), "{answer:?}");
    let why = answer.claims.iter().find(|claim| claim.kind == ClaimKind::AllowsMate).expect("it is refuted");
    assert_eq!(why.position_at(0).san(why.line[0]), "Nf6");
}

#[test]
fn the_only_legal_move_needs_no_search() {
    let answer = explained("k7/8/1K6/8/8/8/7R/8 b - - 0 1", None, None);
    assert_eq!(kinds(&answer), [ClaimKind::Forced]);
    assert_eq!(answer.claims[0].evidence, Evidence::Rules);
}

#[test]
fn a_quiet_position_gets_no_tactical_claim_and_equal_moves_are_no_mistakes() {
    let start = Position::default().to_string();
    for mv in ["e4", "d4", "Nf3", "c4"] {
        let answer = explained(&start, Some(mv), None);
        assert_eq!(answer.judgement(), None, "{mv}");
        let tactical = [ClaimKind::Fork, ClaimKind::Pin, ClaimKind::WinsMaterial, ClaimKind::MateIn];
        assert!(kinds(&answer).iter().all(|kind| !tactical.contains(kind)), "{mv}: {:?}", kinds(&answer));
    }
}

#[test]
fn a_pawn_endgame_has_a_zugzwang() {
    // Trébuchet: the side to move loses its pawn.
    let position: Position = "8/8/8/8/1pK5/kP6/8/8 b - - 0 1".parse().expect("the FEN is valid");
    let mut analyst = analyst(NODES);
    let analysis = analyst.analyse(&position, &[], 1.0).expect("there is a move");
    let found = rukh_explain::claims::zugzwang::zugzwang(&position, &analysis, &mut analyst, 1.0);
    let claim = found.flatten().expect("it is zugzwang");
    assert_eq!((claim.kind, claim.side), (ClaimKind::Zugzwang, rukh_chess::Color::White));
}

#[test]
fn the_verifier_confirms_what_is_true_and_refutes_what_is_not() {
    let answer = explained("r3k3/4bppp/8/3N4/8/8/5PPP/3R2K1 w - - 0 1", None, None);
    let mut strong = analyst(10 * NODES);
    for claim in &answer.claims {
        let check = verify(claim, &mut strong);
        assert_eq!(check.outcome, Outcome::Confirmed, "{claim:?}: {:?}", check.reason);
    }
    let fork = answer.claims.iter().find(|claim| claim.kind == ClaimKind::Fork).expect("there is a fork");
    let changed = |change: fn(&mut Claim)| {
        let mut claim = fork.clone();
        change(&mut claim);
        verify(&claim, &mut analyst(NODES)).outcome
    };
    let false_attack = |claim: &mut Claim| {
        claim.facts =
            vec![Predicate::Attacks { from: rukh_chess::Square::C7, to: rukh_chess::Square::H8 }.at(1)];
    };
    assert_eq!(changed(false_attack), Outcome::Refuted);
    assert_eq!(changed(|claim| claim.facts = vec![Predicate::Checkmate.at(1)]), Outcome::Refuted);
    assert_eq!(changed(|claim| claim.facts = vec![Predicate::Checkmate.at(99)]), Outcome::Refuted);
    assert_eq!(changed(|claim| claim.facts.clear()), Outcome::Undecided);
    let no_mate = |claim: &mut Claim| {
        claim.facts = vec![Predicate::ForcedMate { side: rukh_chess::Color::White, moves: 2 }.at(0)];
    };
    assert_eq!(changed(no_mate), Outcome::Refuted);
    let too_good = |claim: &mut Claim| {
        claim.facts = vec![Predicate::AtLeast { side: rukh_chess::Color::Black, expected: 0.9 }.at(0)];
    };
    assert_eq!(changed(too_good), Outcome::Refuted);
}

/// A pawn that runs: White moves it to a6. The king of Black stands on the square.
fn runner(king: &str) -> Claim {
    let start: Position = format!("{king} w - - 0 1").parse().expect("the FEN is valid");
    let line = [read(&start, "a6")];
    let fact = Predicate::Unstoppable { square: rukh_chess::Square::A6 }.at(1);
    Claim::new(ClaimKind::UnstoppablePawn, rukh_chess::Color::White, &start, &line, Evidence::Rules)
        .with_facts([fact])
}

#[test]
fn a_pawn_is_unstoppable_against_every_defence_or_not_at_all() {
    let outcome = |board: &str| verify(&runner(board), &mut analyst(1)).outcome;
    assert_eq!(outcome("8/8/8/P6k/8/8/8/K7"), Outcome::Confirmed);
    // In the square; a rook behind the pawn; a pawn that checks on its way; stalemate after the first step.
    for board in
        ["8/8/8/P2k4/8/8/8/K7", "8/8/8/P6k/8/7K/8/r7", "8/8/8/P6k/6p1/8/5K2/8", "7k/7P/6K1/P7/8/8/8/8"]
    {
        assert_eq!(outcome(board), Outcome::Refuted, "{board}");
    }
}

#[test]
fn special_moves_get_claims_that_hold() {
    // Stalemate and mate end the game at once; Chess960 castling; en passant; double check; promotions.
    for (fen, mv) in [
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "Kg6"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#"),
        ("1r2k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6"),
        ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nf6+"),
        ("8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "b8=Q"),
        ("8/1P6/8/8/8/8/k7/6K1 w - - 0 1", "b8=N"),
    ] {
        let answer = explained(fen, Some(mv), None);
        for claim in &answer.claims {
            let check = verify(claim, &mut analyst(10 * NODES));
            assert_ne!(check.outcome, Outcome::Refuted, "{fen}, {mv}: {claim:?}: {:?}", check.reason);
        }
        for level in [Level::Beginner, Level::Club, Level::Expert] {
            assert!(!words::sentences(&answer, level, 3).is_empty(), "{fen}, {mv}");
        }
    }
    let stalemate = explained("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", Some("Kg6"), None);
    assert!(stalemate.judgement().is_some(), "{stalemate:?}");
}

#[test]
fn short_mates_by_checks_are_found_whatever_the_search_sees() {
    let smothered = "r4rk1/p4Npp/1q6/2bQ4/1p3n2/1B6/PPP2PPP/R4K2 w - - 3 20";
    let position: Position = smothered.parse().expect("the FEN is valid");
    let line = mate_by_checks(&position).expect("there is a mate in three");
    let end = line.iter().fold(position.clone(), |here, &mv| here.after(mv));
    assert!(line.len() == 5 && end.is_checkmate(), "{end}");
    let answer = explained(smothered, None, None);
    assert!(kinds(&answer).contains(&ClaimKind::SmotheredMate), "{:?}", kinds(&answer));
    // The knight takes the queen; a queen alone does not mate; stalemate is no mate; the game is over.
    for fen in [
        "r4rk1/p4Npp/1q3n2/2bQ4/1p6/1B6/PPP2PPP/R4K2 w - - 3 20",
        "7k/8/8/8/8/8/8/KQ6 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ] {
        assert_eq!(mate_by_checks(&fen.parse().expect("the FEN is valid")), None, "{fen}");
    }
}

/// Tablebases that know every position: White wins in seven plies.
struct Tables;

impl Analyst for Tables {
    fn analyse(
        &mut self,
        _: &Position,
        _: &[Move],
        _: f64,
    ) -> Option<rukh_explain::review::PositionAnalysis> {
        None
    }

    fn nodes(&self, _: f64) -> Option<u64> {
        None
    }

    fn tablebase(&self, position: &Position) -> Option<f64> {
        Some(if position.side_to_move() == rukh_chess::Color::White { 1.0 } else { 0.0 })
    }

    fn distance(&self, _: &Position) -> Option<u32> {
        Some(7)
    }
}

#[test]
fn tablebase_facts_have_a_result_and_a_distance() {
    let start: Position = "8/8/8/P6k/8/8/8/K7 w - - 0 1".parse().expect("the FEN is valid");
    let side = rukh_chess::Color::White;
    let outcome = |result: f64, distance: Option<u32>| {
        let fact = Predicate::Tablebase { side, result, distance }.at(0);
        let claim = Claim::new(ClaimKind::TablebaseFact, side, &start, &[], Evidence::Tablebase);
        verify(&claim.with_facts([fact]), &mut Tables).outcome
    };
    assert_eq!(outcome(1.0, Some(7)), Outcome::Confirmed);
    assert_eq!(outcome(0.5, Some(7)), Outcome::Refuted);
    assert_eq!(outcome(1.0, Some(8)), Outcome::Refuted);
}

#[test]
fn levels_choose_claims_and_shorten_lines_but_change_no_truth() {
    let answer = explained(SCHOLAR, Some("Nf6"), None);
    for level in [Level::Beginner, Level::Club, Level::Expert] {
        let told = level.choose(&answer.claims);
        assert!(told.iter().all(|claim| answer.claims.contains(claim)), "{level:?}");
        assert_eq!(told[0].kind, ClaimKind::AllowsMate, "{level:?}");
    }
    assert!(Level::Beginner.plies() < Level::Expert.plies());
    assert!(!Level::Beginner.tells(ClaimKind::Interference) && Level::Expert.tells(ClaimKind::Interference));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let [first, second] = [0, 1].map(|_| explained(SCHOLAR, Some("g6"), None));
    assert_eq!(first.claims, second.claims);
}

#[cfg(feature = "serde")]
#[test]
fn claims_survive_json() {
    let answer = explained(SCHOLAR, Some("Nf6"), Some("g6"));
    let json = serde_json::to_string(&answer.claims).expect("all keys are text");
    let back: Vec<Claim> = serde_json::from_str(&json).expect("it was written here");
    assert_eq!(back.len(), answer.claims.len());
    for (own, read) in answer.claims.iter().zip(&back) {
        assert_eq!(
            (own.kind, &own.line, &own.start, &own.facts.len()),
            (read.kind, &read.line, &read.start, &read.facts.len())
        );
    }
    let illegal = json.replacen("g8f6", "g8g6", 1);
    assert!(serde_json::from_str::<Vec<Claim>>(&illegal).is_err());
}
