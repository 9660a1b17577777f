//! Skewer: a slider attacks a piece, which moves off the line, and the slider takes a less valuable piece behind it,
//! which was en prise. A capture that mates is no skewer.

use rukh_chess::attacks;

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{is_en_prise, is_slider, value};
use super::line::MotifLine;

/// The first skewer of the line.
pub(super) fn skewer(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(before, reply, step)| {
        let captured = step.captured()?;
        let crosses = attacks::between(step.from(), step.to()).contains(reply.from());
        let is_skewer = is_slider(step.piece())
            && !step.after.is_checkmate()
            && reply.to() != step.to()
            && crosses
            && value(reply.piece()) > value(captured)
            && is_en_prise(step.before, step.to());
        let ply = before.plies();
        let facts = || {
            let attack = Predicate::Attacks { from: step.from(), to: reply.from() }.at(ply);
            [attack].into_iter().chain(step.capture_fact()).collect()
        };
        is_skewer.then(|| {
            let mut finding =
                before.finding(ClaimKind::Skewer, &[step.from(), reply.from(), step.to()], facts());
            finding.plies = step.plies();
            finding
        })
    })
}
