//! Tree view: nodes of the tree by the moves that lead to them, during and after a search.
//!
//! Reading changes nothing and waits for no search. A running search may overwrite a block while it is read: a move that is
//! not legal in its position is left out.

use std::sync::{Arc, Weak};

use rukh_chess::{Move, Position};

use super::arena::ROOT;
use super::report::move_info;
use super::tree::{Tree, ranked};
use crate::api::TreeMoveInfo;

/// A view of the tree of an engine. It does not keep the tree: an engine that frees its memory ends the view.
#[derive(Clone, Debug)]
pub struct MctsTree(Weak<Tree>);

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MctsNode {
    /// Its position.
    pub position: Position,
    /// Its visits. The first one evaluates the node, each other one goes to a child.
    pub visits: u32,
    /// Its moves, the best first; empty if the node is not expanded.
    pub moves: Vec<TreeMoveInfo>,
}

impl MctsTree {
    pub(crate) fn new(tree: &Arc<Tree>) -> Self {
        Self(Arc::downgrade(tree))
    }

    /// The node after these moves from the root; `None` if the tree does not contain it or is gone.
    pub fn node(&self, line: &[Move]) -> Option<MctsNode> {
        let tree = self.0.upgrade()?;
        tree.with_root(|root| {
            let (mut position, mut at) = (root.clone(), ROOT);
            for &mv in line {
                let (first, children) = tree.arena.children_of(at)?;
                let index = children.iter().position(|child| child.mv() == Some(mv))?;
                if !position.is_legal(mv) {
                    return None;
                }
                (position, at) = (position.after(mv), first + index as u32);
            }
            let children = tree.arena.children_of(at).map_or(&[][..], |(_, children)| children);
            let infos = ranked(children).into_iter().filter_map(|index| move_info(&children[index]));
            let moves = infos.filter(|info| position.is_legal(info.mv)).collect();
            Some(MctsNode { visits: tree.slot(at).visits(), position, moves })
        })
    }
}
