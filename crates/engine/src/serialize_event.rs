//! Serialisation of events with serde (feature `serde`): one flat map for each event.

use rukh_chess::Move;
use serde::{Serialize, Serializer};

use crate::api::{Event, LineInfo, Progress, TreeMoveInfo};
use crate::serialize::{optional_uci, uci};

/// An event as a flat map with its kind in `event`: `line`, `current_move`, `root` or `done`. A line has the fields of
/// [`LineInfo`] and [`Progress`] side by side, as in an `info` line of UCI.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum FlatEvent<'a> {
    Line {
        #[serde(flatten)]
        line: &'a LineInfo,
        #[serde(flatten)]
        progress: &'a Progress,
    },
    CurrentMove {
        depth: u32,
        #[serde(rename = "move", serialize_with = "uci")]
        mv: Move,
        number: usize,
    },
    Root {
        moves: &'a [TreeMoveInfo],
    },
    Done {
        #[serde(serialize_with = "optional_uci")]
        best: Option<Move>,
        #[serde(serialize_with = "optional_uci")]
        ponder: Option<Move>,
    },
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let flat = match self {
            Self::Line(line, progress) => FlatEvent::Line { line, progress },
            &Self::CurrentMove { depth, mv, number } => FlatEvent::CurrentMove { depth, mv, number },
            Self::Root(moves) => FlatEvent::Root { moves },
            &Self::Done { best, ponder } => FlatEvent::Done { best, ponder },
        };
        flat.serialize(serializer)
    }
}
