//! X-ray: three captures on one square in a row, where the hero's second capture goes through the square that the opponent's
//! capturing piece left. The opponent's piece is no king.

use rukh_chess::{Piece, attacks};

use super::super::claim::Finding;
use super::super::kind::ClaimKind;
use super::line::MotifLine;

/// The first x-ray of the line.
pub(super) fn x_ray(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(first, reply, step)| {
        let capture = step.capture_fact()?;
        let is_x_ray = reply.to() == step.to()
            && reply.piece() != Piece::King
            && first.to() == reply.to()
            && attacks::between(step.from(), step.to()).contains(reply.from());
        is_x_ray.then(|| {
            let facts = reply.capture_fact().into_iter().chain([capture]).collect();
            let mut finding = first.finding(ClaimKind::XRay, &[step.from(), reply.from(), step.to()], facts);
            finding.plies = step.plies();
            finding
        })
    })
}
