//! Attraction: the hero offers a piece, a king, queen or rook takes it, and the next move attacks it on its new square.
//! The king is checked by the piece that moved; a queen or rook is then captured there.

use rukh_chess::Piece;

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::attackers;
use super::line::MotifLine;

/// The first attraction of the line.
pub(super) fn attraction(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(offer, reply, step)| {
        let is_drawn = reply.to() == offer.to();
        if !is_drawn || !matches!(reply.piece(), Piece::King | Piece::Queen | Piece::Rook) {
            return None;
        }
        let square = reply.to();
        if !attackers(step.after, line.hero(), square).contains(step.to()) {
            return None;
        }
        let attack = Predicate::Attacks { from: step.to(), to: square }.at(step.plies());
        let mut facts: Vec<_> = reply.capture_fact().into_iter().chain([attack]).collect();
        let mut plies = step.plies();
        if reply.piece() != Piece::King {
            let last = line.step(step.at + 2).filter(|last| last.to() == square)?;
            facts.extend(last.capture_fact());
            plies = last.plies();
        }
        let mut finding = offer.finding(ClaimKind::Attraction, &[offer.to(), reply.from()], facts);
        finding.plies = plies;
        Some(finding)
    })
}
