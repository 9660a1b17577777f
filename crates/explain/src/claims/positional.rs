//! Positional claims: terms of the classical evaluation at the end of a line, and manoeuvres.
//!
//! *Positional change*: along a line in which the material stays equal, a term changes by at least a fifth of a pawn at
//! the last quiet position, and the network's value changes in the same direction. *Plan*: the best line and that after
//! another defence, or that of another move, bring the same piece in two or more moves to the same square, and a term
//! rises by a tenth of a pawn.

use rukh_chess::{Color, Move, Piece, Position, Square, attacks};
use rukh_eval::hce::evaluate::interpolate;
use rukh_eval::hce::{EvalTrace, Term, trace};
use rukh_eval::knowledge::scale::SCALE_NORMAL;

use super::analyst::Analyst;
use super::claim::{Claim, Evidence, NamedPiece};
use super::exchange::settled;
use super::fact::Predicate;
use super::kind::ClaimKind;
use super::reasons::MAX_PLIES;

/// The least change of a term that is claimed, in hundredths of a pawn.
const LEAST_CHANGE: i32 = 20;
/// The least change of a term that is the reason of a plan, in hundredths of a pawn.
const LEAST_PLAN_CHANGE: i32 = 10;
/// The least change of the network's value in the same direction.
const LEAST_NETWORK_CHANGE: i32 = 10;

/// The terms that can be said in words.
const TERMS: [Term; 9] = [
    Term::Pawns,
    Term::PassedPawns,
    Term::Mobility,
    Term::Minors,
    Term::Rooks,
    Term::Shelter,
    Term::KingDanger,
    Term::Threats,
    Term::Space,
];

/// The value of a term for a side, in centipawns at the phase of the position.
pub(super) fn term_value(trace: &EvalTrace, term: Term, side: Color) -> i32 {
    let white = interpolate(trace.difference(term), trace.summary.midgame_share, SCALE_NORMAL);
    if side == Color::White { white } else { -white }
}

/// The static value of the network for a side.
fn network_value(position: &Position, side: Color, analyst: &impl Analyst) -> Option<i32> {
    let value = analyst.network_value(position)?;
    Some(if position.side_to_move() == side { value } else { -value })
}

/// The term that rises most for a side between two positions. A king that nobody attacks is in no danger, whatever the
/// term says: two pieces of the side must attack squares next to it.
fn greatest_change(start: &Position, end: &Position, side: Color) -> Option<(Term, i32)> {
    let (before, after) = (trace(start), trace(end));
    let change = |term: Term| term_value(&after, term, side) - term_value(&before, term, side);
    let field = attacks::king(end.king(!side));
    let attacks_field = |square: &Square| {
        let piece = end.piece_on(*square).unwrap_or(Piece::Pawn);
        attacks::of_piece(side, piece, *square, end.occupied()).intersects(field)
    };
    let is_attacked = end.color(side).into_iter().filter(attacks_field).count() >= 2;
    let terms = TERMS.into_iter().filter(|&term| term != Term::KingDanger || is_attacked);
    terms.map(|term| (term, change(term))).max_by_key(|(_, by)| *by)
}

/// The greatest change of a term along a line in favour of `side`, if there is one worth a claim.
pub(super) fn changes(
    position: &Position,
    pv: &[Move],
    side: Color,
    nodes: Option<u64>,
    analyst: &impl Analyst,
) -> Option<Claim> {
    let line = &pv[..pv.len().min(MAX_PLIES)];
    let (plies, pawns) = settled(position, line, side)?;
    if pawns != 0 {
        return None;
    }
    let end = line[..plies].iter().fold(position.clone(), |here, &mv| here.after(mv));
    let network = network_value(&end, side, analyst)? - network_value(position, side, analyst)?;
    if network < LEAST_NETWORK_CHANGE {
        return None;
    }
    let (term, by) = greatest_change(position, &end, side).filter(|&(_, by)| by >= LEAST_CHANGE)?;
    let fact = Predicate::TermChange { side, term: term.to_string(), by }.at(plies);
    let claim =
        Claim::new(ClaimKind::PositionalChange, side, position, &line[..plies], Evidence::Trace { nodes });
    Some(claim.with_facts([fact]))
}

/// A piece that goes from one square to another in several moves of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Manoeuvre {
    from: Square,
    to: Square,
    moves: u32,
    plies: usize,
}

/// The manoeuvres of the side that moves first, without captures.
fn manoeuvres(line: &[Move]) -> Vec<Manoeuvre> {
    let mut found: Vec<Manoeuvre> = Vec::new();
    for (at, mv) in line.iter().enumerate().step_by(2).filter(|(_, mv)| !mv.is_capture() && !mv.is_castling())
    {
        match found.iter_mut().find(|known| known.to == mv.from()) {
            Some(known) => {
                *known = Manoeuvre { to: mv.to(), moves: known.moves + 1, plies: at + 1, ..*known }
            }
            None => found.push(Manoeuvre { from: mv.from(), to: mv.to(), moves: 1, plies: at + 1 }),
        }
    }
    found.retain(|manoeuvre| manoeuvre.moves > 1 && manoeuvre.from != manoeuvre.to);
    found
}

/// A manoeuvre that two lines share.
pub(super) fn plan(
    position: &Position,
    [first, second]: [&[Move]; 2],
    nodes: Option<u64>,
    analyst: &impl Analyst,
) -> Option<Claim> {
    const LONGEST: usize = 12;
    let side = position.side_to_move();
    let line = &first[..first.len().min(LONGEST)];
    let shared = manoeuvres(&second[..second.len().min(LONGEST)]);
    let is_shared = |own: &Manoeuvre| shared.iter().any(|other| (other.from, other.to) == (own.from, own.to));
    let Manoeuvre { from, to, plies, .. } = manoeuvres(line).into_iter().find(is_shared)?;
    let piece = NamedPiece::on(position, from).filter(|piece| piece.color == side)?;
    let end = line[..plies].iter().fold(position.clone(), |here, &mv| here.after(mv));
    // The piece must arrive, and the evaluation must not fall.
    let arrived =
        NamedPiece::on(&end, to).filter(|arrived| (arrived.color, arrived.piece) == (side, piece.piece))?;
    let network = network_value(&end, side, analyst)? - network_value(position, side, analyst)?;
    let (term, by) = greatest_change(position, &end, side)?;
    (network >= 0 && by >= LEAST_PLAN_CHANGE).then(|| {
        let reason = Predicate::TermChange { side, term: term.to_string(), by }.at(plies);
        let stands = |square| Predicate::Piece { color: side, piece: piece.piece, square };
        Claim::new(ClaimKind::Plan, side, position, &line[..plies], Evidence::Trace { nodes })
            .with_facts([stands(from).at(0), stands(to).at(plies), reason])
            .with_pieces([piece, arrived])
    })
}
