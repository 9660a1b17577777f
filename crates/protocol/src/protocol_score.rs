//! Scores as both protocols send them: centipawns or moves to mate. Tablebase wins become large centipawn values.

use rukh_eval::{Centipawns, MAX_PLY, Score, ScoreKind};

/// A tablebase win at the root, in centipawns; each ply to the probed position costs one centipawn.
const TABLEBASE_CENTIPAWNS: i32 = 20_000;
/// The greatest evaluation sent: below every tablebase win.
const MAX_CENTIPAWNS: i32 = TABLEBASE_CENTIPAWNS - MAX_PLY as i32 - 1;

/// A score as sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProtocolScore {
    /// Centipawns.
    Centipawns(Centipawns),
    /// Moves to mate; negative if the side to move is mated.
    Mate(i32),
}

impl From<Score> for ProtocolScore {
    fn from(score: Score) -> Self {
        match score.kind() {
            ScoreKind::Mate(moves) => Self::Mate(moves),
            ScoreKind::Tablebase(plies) => {
                let value = TABLEBASE_CENTIPAWNS - plies.abs();
                Self::Centipawns(Centipawns(if score.is_loss() { -value } else { value }))
            }
            ScoreKind::Centipawns(Centipawns(value)) => {
                Self::Centipawns(Centipawns(value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)))
            }
        }
    }
}
