//! Relative pin and its use: an opponent's piece is the only one between a slider of the hero and a piece behind it that
//! is worth more than the pinned one and is not the king; if the pinned piece left, the slider would win material.
//!
//! What leaving costs: the value of the piece behind, less that of the slider if the piece behind is then protected. It
//! must be above zero. The uses: the pinned piece is en prise and captured by the hero's next move; it leaves the line
//! and the slider captures the piece behind; or it cannot take a piece of the hero that it attacks and that gains less
//! than leaving costs. The value of such a gain is counted in the same way.

use rukh_chess::{Bitboard, Piece, Position, Square, attacks};

use super::super::claim::Finding;
use super::super::fact::{Fact, Predicate};
use super::super::kind::ClaimKind;
use super::board::{attackers, attacks_from, is_en_prise, is_slider, value};
use super::line::{MotifLine, Step};

/// A pinned piece, the slider that pins it and the piece behind it.
#[derive(Clone, Copy, Debug)]
struct RelativePin {
    by: Square,
    pinned: Square,
    behind: Square,
}

/// The first used relative pin of the line.
pub(super) fn relative_pin(line: &MotifLine) -> Option<Finding> {
    line.own().find_map(|step| pins(step.after).find_map(|pin| used(line, &step, pin)))
}

/// The relative pins against the side to move.
fn pins(board: &Position) -> impl Iterator<Item = RelativePin> {
    let them = board.side_to_move();
    let heroes = board.color(!them);
    let sliders = heroes.into_iter().filter(|&by| board.piece_on(by).is_some_and(is_slider));
    sliders.flat_map(move |by| {
        let front = attacks_from(board, by) & board.color(them);
        front.into_iter().filter_map(move |pinned| {
            let behind = piece_behind(board, by, pinned)?;
            let pin = RelativePin { by, pinned, behind };
            (cost_of_leaving(board, pin) > 0).then_some(pin)
        })
    })
}

/// The first piece behind `front` as seen by the slider on `by`, if it is a piece of the same colour as `front`, is worth
/// more and is not the king.
fn piece_behind(board: &Position, by: Square, front: Square) -> Option<Square> {
    let [slider, pinned] = [by, front].map(|square| board.piece_on(square));
    let (slider, pinned) = (slider?, pinned?);
    let occupied = board.occupied() & !Bitboard::of(front);
    let seen = attacks::of_piece(board.color_on(by)?, slider, by, occupied);
    let further = (seen & board.color(board.side_to_move()) & !attacks_from(board, by)).into_iter();
    let behind = further.into_iter().find(|&square| attacks::between(by, square).contains(front))?;
    let is_more = |piece: Piece| piece != Piece::King && value(piece) > value(pinned);
    board.piece_on(behind).is_some_and(is_more).then_some(behind)
}

/// What the side of the pinned piece loses if that piece leaves the line, in pawns.
fn cost_of_leaving(board: &Position, pin: RelativePin) -> i32 {
    let [slider, behind] = [pin.by, pin.behind].map(|square| board.piece_on(square).map_or(0, value));
    let occupied = board.occupied() & !Bitboard::of(pin.pinned);
    let protectors = board.attackers_to(pin.behind, occupied) & board.color(board.side_to_move()) & occupied;
    if protectors.is_empty() { behind } else { behind - slider }
}

/// The use of a pin in the line after the step that makes it visible.
fn used(line: &MotifLine, step: &Step<'_>, pin: RelativePin) -> Option<Finding> {
    captured(line, step, pin).or_else(|| won_behind(line, step, pin)).or_else(|| kept_from_taking(step, pin))
}

/// The pinned piece stays and is captured.
fn captured(line: &MotifLine, step: &Step<'_>, pin: RelativePin) -> Option<Finding> {
    let [reply, capture] = [1, 2].map(|later| line.step(step.at + later));
    let (reply, capture) = (reply?, capture?);
    let stays = reply.from() != pin.pinned && reply.to() != pin.pinned && capture.to() == pin.pinned;
    if !stays || !is_en_prise(step.after, pin.pinned) || !capture.mv.is_capture() {
        return None;
    }
    let facts = [Predicate::EnPrise { square: pin.pinned }.at(step.plies())];
    let facts = facts.into_iter().chain(capture.capture_fact()).collect();
    Some(finding(step, pin, None, facts, capture.plies()))
}

/// The pinned piece leaves the line, and the slider captures the piece behind.
fn won_behind(line: &MotifLine, step: &Step<'_>, pin: RelativePin) -> Option<Finding> {
    let [reply, capture] = [1, 2].map(|later| line.step(step.at + later));
    let (reply, capture) = (reply?, capture?);
    let leaves = reply.from() == pin.pinned && !attacks::between(pin.by, pin.behind).contains(reply.to());
    let wins = capture.from() == pin.by && capture.to() == pin.behind && capture.mv.is_capture();
    let facts = || capture.capture_fact().into_iter().collect();
    (leaves && wins && reply.to() != pin.by).then(|| finding(step, pin, None, facts(), capture.plies()))
}

/// The pinned piece attacks a piece that it would win, but leaving costs more.
fn kept_from_taking(step: &Step<'_>, pin: RelativePin) -> Option<Finding> {
    let board = step.after;
    let cost = cost_of_leaving(board, pin);
    let attacker = board.piece_on(pin.pinned)?;
    let targets = attacks_from(board, pin.pinned) & board.color(!board.side_to_move());
    let gain = |target: Square| {
        let taken = board.piece_on(target).map_or(0, value);
        let is_protected = !attackers(board, !board.side_to_move(), target).is_empty();
        if is_protected { taken - value(attacker) } else { taken }
    };
    let is_kept = |target: &Square| *target != pin.by && gain(*target) > 0 && gain(*target) < cost;
    let target = targets.into_iter().find(is_kept)?;
    let facts = vec![Predicate::Attacks { from: pin.pinned, to: target }.at(step.plies())];
    Some(finding(step, pin, Some(target), facts, step.plies()))
}

fn finding(
    step: &Step<'_>,
    pin: RelativePin,
    target: Option<Square>,
    facts: Vec<Fact>,
    plies: usize,
) -> Finding {
    let RelativePin { by, pinned, behind } = pin;
    let is_pin = Predicate::Pin { pinned, by, target: behind }.at(step.plies());
    let squares: Vec<_> = [by, pinned, behind].into_iter().chain(target).collect();
    let facts = [is_pin].into_iter().chain(facts).collect();
    let mut finding = step.finding(ClaimKind::RelativePin, &squares, facts);
    finding.plies = plies;
    finding
}
