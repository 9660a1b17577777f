//! Mutation: without a piece that a claim names the claim is gone, for every kind that names pieces.

use crate::examples::{FOUND, line};
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Piece, Position, Setup, Square};
use rukh_engine::Engine;
use rukh_eval::Score;
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::claims::claim::{Claim, NamedPiece};
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::motifs::{MotifLine, detect};
use rukh_explain::claims::question::Question;
use rukh_explain::review::PositionAnalysis;

/// Claims that need a search: kind, FEN, the move.
const SEARCHED: &[(ClaimKind, &str, &str)] = &[
    (ClaimKind::WinsMaterial, "r3k3/4bppp/8/3N4/8/8/5PPP/3R2K1 w - - 0 1", "Nc7+"),
    (ClaimKind::LeavesEnPrise, "3rk3/8/8/8/8/8/5PPP/3R2K1 w - - 0 1", "h3"),
    (ClaimKind::AllowsMate, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6"),
    (ClaimKind::Threat, "rn1q1rk1/pp1b1ppp/4pn2/3p4/1b1P4/2N1P1P1/PP1BNP1P/R2QKB1R w KQ - 1 9", "a3"),
    (ClaimKind::Prevents, "r1bq1r2/ppp1n1k1/3p1npp/3Pp1N1/2P1Pp2/2NB3P/PP1Q1PP1/R3K2R w KQ - 0 15", "Nf3"),
    (ClaimKind::TradesWhenAhead, "6k1/5ppp/4p3/3b4/2B5/8/5PPP/3R2K1 w - - 0 1", "Bxd5"),
];

/// Kinds that name no piece, or only a king.
const WITHOUT_PIECES: &[ClaimKind] = &[
    ClaimKind::Zugzwang,
    ClaimKind::TablebaseFact,
    ClaimKind::OnlyMove,
    ClaimKind::Forced,
    ClaimKind::WhyNot,
    ClaimKind::AsGood,
    ClaimKind::Fortress,
    ClaimKind::PositionalChange,
];

#[test]
fn every_kind_has_an_example() {
    for kind in ClaimKind::ALL {
        let found = FOUND.iter().any(|(known, ..)| known == kind);
        let searched = SEARCHED.iter().any(|(known, ..)| known == kind);
        let is_plan = *kind == ClaimKind::Plan;
        assert!(found || searched || is_plan || WITHOUT_PIECES.contains(kind), "{kind}");
    }
}

/// The position without the piece on a square; `None` if it is not valid.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.board[square.index()] = None;
    setup.validate().ok()
}

/// The same moves in another position; `None` if one is not legal.
fn replayed(position: &Position, moves: &[Move], start: &Position) -> Option<Vec<Move>> {
    let (mut original, mut here) = (position.clone(), start.clone());
    let mut list = Vec::new();
    for &mv in moves {
        let text = original.uci(mv, CastlingNotation::RookSquare);
        original = original.after(mv);
        let own = here.parse_uci(&text).ok()?;
        here = here.after(own);
        list.push(own);
    }
    Some(list)
}

/// Where a named piece stood at the start of a line. It is named as it stands before or after the move `at`, or later.
fn origin(start: &Position, moves: &[Move], named: &NamedPiece, at: usize) -> Option<Square> {
    let positions: Vec<_> = (0..=moves.len())
        .map(|plies| moves[..plies].iter().fold(start.clone(), |here, &mv| here.after(mv)))
        .collect();
    let stands = |plies: &usize| {
        let board = &positions[*plies];
        (board.color_on(named.square), board.piece_on(named.square)) == (Some(named.color), Some(named.piece))
    };
    let plies = [at + 1, at].into_iter().chain(at + 2..=moves.len()).filter(|&plies| plies <= moves.len());
    let plies = plies.into_iter().find(stands)?;
    let mut square = named.square;
    for mv in moves[..plies].iter().rev() {
        if mv.to() == square && !mv.is_castling() {
            square = mv.from();
        }
    }
    // A rook that has castled is not followed.
    start.piece_on(square).map(|_| square)
}

#[test]
fn a_motif_vanishes_without_each_of_its_pieces() {
    let (mut tried, mut with_line) = (0, 0);
    for &(kind, fen, previous, moves) in FOUND {
        let (start, list, line) = line(fen, previous, moves);
        let found = detect(&line).into_iter().find(|finding| finding.kind == kind).expect("it is an example");
        let mut own = 0;
        for named in found.pieces.iter().filter(|named| named.piece != Piece::King) {
            let Some(square) = origin(&start, &list, named, found.at) else { continue };
            let Some(mutated) = without(&start, square) else { continue };
            own += 1;
            // A line that is not legal shows nothing.
            let Some(list) = replayed(&start, &list, &mutated) else { continue };
            with_line += 1;
            let kinds: Vec<_> = detect(&MotifLine::new(None, &mutated, &list))
                .into_iter()
                .map(|finding| finding.kind)
                .collect();
            assert!(!kinds.contains(&kind), "{kind} without the piece on {square}: {mutated}");
        }
        assert!(own > 0, "{kind}: {fen}");
        tried += own;
    }
    assert!(tried >= 60 && with_line >= 15, "{tried} mutations, {with_line} with a legal line");
}

/// The claims about a move.
fn claims(position: &Position, mv: Move) -> Vec<Claim> {
    const NODES: u64 = 20_000;
    let question = Question { position, previous: None, mv: Some(mv), against: None };
    let mut analyst = EngineAnalyst::new(Engine::new(), NODES);
    explain(&question, &mut analyst).expect("there is a legal move").claims
}

#[test]
fn a_claim_by_search_vanishes_without_each_of_its_pieces() {
    for &(kind, fen, san) in SEARCHED {
        let position: Position = fen.parse().expect("the FEN is valid");
        let mv = position.parse_san(san).expect("the move is legal");
        let found = claims(&position, mv);
        let kinds: Vec<_> = found.iter().map(|claim| claim.kind).collect();
        let claim =
            found.iter().find(|claim| claim.kind == kind).unwrap_or_else(|| panic!("{kind}: {kinds:?}"));
        let mut tried = 0;
        for named in claim.pieces.iter().filter(|named| named.piece != Piece::King) {
            let square = origin(&claim.start, &claim.line, named, claim.at).unwrap_or(named.square);
            let Some(mutated) = without(&position, square) else { continue };
            tried += 1;
            let Some([own]) =
                replayed(&position, &[mv], &mutated).as_deref().and_then(|list| list.first_chunk().copied())
            else {
                continue;
            };
            let kinds: Vec<_> = claims(&mutated, own).iter().map(|claim| claim.kind).collect();
            assert!(!kinds.contains(&kind), "{kind} without the piece on {square}: {mutated}");
        }
        assert!(tried > 0, "{kind}: {:?}", claim.pieces);
    }
}

/// Lines that are known beforehand, all of equal score: from each position the first script that can be played.
struct Scripted {
    start: Position,
    scripts: &'static [&'static [&'static str]],
}

impl Scripted {
    /// The rest of a script from a position; `None` if the script does not lead there or has another move there.
    fn rest(&self, script: &[&str], position: &Position, moves: &[Move]) -> Option<Vec<Move>> {
        let mut here = self.start.clone();
        let mut rest: Option<Vec<Move>> = (here == *position).then(Vec::new);
        for word in script {
            let Ok(mv) = here.parse_san(word) else { break };
            here = here.after(mv);
            match &mut rest {
                Some(rest) => rest.push(mv),
                None => rest = (here == *position).then(Vec::new),
            }
        }
        rest.filter(|rest| rest.first().is_some_and(|first| moves.is_empty() || moves.contains(first)))
    }
}

impl Analyst for Scripted {
    fn analyse(&mut self, position: &Position, moves: &[Move], _: f64) -> Option<PositionAnalysis> {
        let scripted = self.scripts.iter().find_map(|script| self.rest(script, position, moves));
        let any = || moves.first().or(position.legal_moves().first()).map(|&mv| vec![mv]);
        let pv = scripted.or_else(any)?;
        Some(PositionAnalysis { score: Score::DRAW, wdl: [250, 500, 250], pv })
    }

    fn nodes(&self, _: f64) -> Option<u64> {
        Some(1)
    }

    fn network_value(&self, _: &Position) -> Option<i32> {
        Some(0)
    }
}

/// The knight goes to d5 whatever the king does.
const MANOEUVRE: &[&[&str]] =
    &[&["Nc3", "Kd8", "Nd5", "Kc8", "a3", "Kb8", "h3"], &["Nc3", "Kf8", "Nd5", "Kg8", "a3", "Kf8", "h3"]];

#[test]
fn a_plan_vanishes_without_its_piece() {
    let start: Position = "4k3/pppp1ppp/8/8/8/8/PPPP1PPP/1N2K3 w - - 0 1".parse().expect("the FEN is valid");
    let plans = |start: &Position| {
        let mut analyst = Scripted { start: start.clone(), scripts: MANOEUVRE };
        let question = Question { position: start, previous: None, mv: None, against: None };
        let claims = explain(&question, &mut analyst).expect("there is a legal move").claims;
        claims.into_iter().filter(|claim| claim.kind == ClaimKind::Plan).collect::<Vec<_>>()
    };
    let found = plans(&start);
    let [plan] = found.as_slice() else { panic!("there is one plan, not {found:?}") };
    let squares: Vec<_> = plan.pieces.iter().map(|named| named.square).collect();
    assert_eq!(squares, [Square::B1, Square::D5]);
    assert_eq!(plans(&without(&start, Square::B1).expect("the position is valid")), []);
}

/// The rook takes a pawn and goes on: the square where the pawn stood is not the start of a manoeuvre.
const AFTER_CAPTURE: &[&[&str]] =
    &[&["Rxb5", "Kd8", "Rb6", "Kc8", "Rb7", "Kd8", "h3"], &["Rxb5", "Kf8", "Rb6", "Kg8", "Rb7", "Kf8", "h3"]];

#[test]
fn a_plan_is_about_a_piece_of_the_side_that_moves() {
    let start: Position = "4k3/2pp1ppp/8/1p6/8/8/P1PP1PPP/1R2K3 w - - 0 1".parse().expect("the FEN is valid");
    let mut analyst = Scripted { start: start.clone(), scripts: AFTER_CAPTURE };
    let question = Question { position: &start, previous: None, mv: None, against: None };
    let claims = explain(&question, &mut analyst).expect("there is a legal move").claims;
    assert!(claims.iter().all(|claim| claim.kind != ClaimKind::Plan), "{claims:?}");
}
