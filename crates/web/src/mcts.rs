//! Monte Carlo tree as JSON: a node with its moves, read from the engine on demand.

use std::sync::{Arc, Mutex};

use rukh_chess::Position;
use rukh_engine::api::TreeMoveInfo;
use rukh_engine::serialize::uci_text;
use rukh_engine::{MctsNode, MctsTree};
use serde_json::{Value, json};

use crate::rules::parse_move;

/// The tree of the last Monte Carlo search of a session, with the number of the search.
pub(crate) type LastTree = Arc<Mutex<Option<(u64, MctsTree)>>>;

/// Why a node is not shown.
pub(crate) enum Missing {
    /// The line has an illegal move.
    BadLine(String),
    /// The tree does not contain the node, or is gone.
    Node,
}

/// The node after these moves from the root.
pub(crate) fn mcts_json(tree: &MctsTree, line: &str) -> Result<Value, Missing> {
    let mut moves = Vec::new();
    let mut node = tree.node(&moves).ok_or(Missing::Node)?;
    for text in line.split('.').filter(|text| !text.is_empty()) {
        moves.push(parse_move(&node.position, text).map_err(Missing::BadLine)?);
        node = tree.node(&moves).ok_or(Missing::Node)?;
    }
    let MctsNode { position, visits, moves } = node;
    let with_position = |info: &TreeMoveInfo| {
        let mut json = tree_move_json(&position, info);
        json["fen"] = json!(position.after(info.mv).to_string());
        json
    };
    let moves: Vec<Value> = moves.iter().map(with_position).collect();
    Ok(json!({ "line": line, "fen": position.to_string(), "visits": visits, "moves": moves }))
}

/// A move of a node; its values are for the side that makes it.
pub(crate) fn tree_move_json(position: &Position, info: &TreeMoveInfo) -> Value {
    json!({
        "uci": uci_text(info.mv),
        "san": position.san(info.mv),
        "visits": info.visits,
        "prior": f64::from(info.prior) / 1e4,
        "value": info.value.map(|value| f64::from(value) / 1e4),
        "wdl": info.wdl,
        "bounds": info.bounds,
    })
}
