//! Scores as other programs take them: centipawns, or moves to mate.

use rukh_eval::{MAX_PLY, Score, Verdict};

/// A tablebase win at the root, in centipawns; one further away counts a centipawn less for each move on the way.
const TABLEBASE_CENTIPAWNS: i32 = 20_000;
/// The greatest evaluation that is shown, so that it is not taken for a tablebase win.
const MAX_CENTIPAWNS: i32 = TABLEBASE_CENTIPAWNS - MAX_PLY as i32 - 1;

/// What is shown of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, negative if the side to move is mated.
    Mate(i32),
}

impl From<Score> for Shown {
    fn from(score: Score) -> Self {
        match score.verdict() {
            Verdict::Mate(moves) => Self::Mate(moves),
            Verdict::Tablebase(plies) => {
                let nearness = TABLEBASE_CENTIPAWNS - plies.abs();
                Self::Centipawns(if score.is_loss() { -nearness } else { nearness })
            }
            Verdict::Centipawns(centipawns) => {
                Self::Centipawns(centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
            }
        }
    }
}
