//! Bounded recorder: a [`Witness`] that keeps the nodes near the root and the heavy subtrees, and counts the rest.

use rukh_chess::Move;
use rukh_eval::Score;

use super::node::{Skipped, Totals, TreeNode};
use super::sample::{SampledNode, Sampler, Samples};
use crate::searchers::InnerNode;
use crate::technique::Technique;
use crate::witness::{Intent, NodeEntry, NodeKind, Purpose, Reason, SkipReason, TableHit, Witness};

/// What a recorded tree may contain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// Greatest number of recorded nodes besides the roots and the nodes of the path.
    pub max_nodes: usize,
    /// Nodes so many plies below the recorded position are kept before heavier ones further below.
    pub near_plies: usize,
    /// The moves from the root to the recorded position. Only the nodes of this path and below it are recorded.
    pub path: Vec<Move>,
    /// The iterations whose nodes are recorded. The others have a root only.
    pub iterations: Iterations,
}

/// Iterations whose nodes are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Iterations {
    /// The last iteration and the one before: the last may have been stopped.
    Last,
    /// All iterations.
    All,
    /// One iteration.
    Only(u32),
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { max_nodes: 1_000, near_plies: 1, path: Vec::new(), iterations: Iterations::Last }
    }
}

/// Where a node is, seen from the recorded position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// So many moves along the path.
    Path(usize),
    /// So many plies below the recorded position.
    Below(usize),
    /// Not recorded.
    Outside,
}

/// A node that has not been left.
struct OpenNode {
    node: TreeNode,
    place: Place,
    /// Moves searched or skipped.
    seen: Vec<Move>,
    /// Child nodes so far.
    searches: u64,
    /// Techniques that were used here.
    used: Vec<Technique>,
}

impl OpenNode {
    fn note_use(&mut self, technique: Technique) {
        if !self.used.contains(&technique) {
            self.used.push(technique);
        }
    }
}

/// Records a search tree.
pub(super) struct Recorder {
    limits: TreeLimits,
    /// Nodes with a subtree of at least this size are kept.
    heavy: u64,
    near_plies: usize,
    intent: Intent,
    open: Vec<OpenNode>,
    roots: Vec<TreeNode>,
    /// Recorded nodes in closed nodes.
    recorded: usize,
    totals: Totals,
    sampler: Sampler,
}

impl Recorder {
    pub(super) fn new(limits: TreeLimits) -> Self {
        Self {
            near_plies: limits.near_plies,
            limits,
            heavy: 1,
            intent: Purpose::Iteration.into(),
            open: Vec::new(),
            roots: Vec::new(),
            recorded: 0,
            totals: Totals::default(),
            sampler: Sampler::new(),
        }
    }

    /// The roots, the totals and the samples.
    pub(super) fn finish(self) -> (Vec<TreeNode>, Totals, Samples) {
        (self.roots, self.totals, self.sampler.finish())
    }

    /// Offers a node that was left to the samples of the techniques that were used there. The root and searches of the
    /// position of their parent cannot be searched again alone.
    fn sample(&mut self, left: &OpenNode) {
        let OpenNode { node, used, .. } = left;
        if node.score.is_none() || node.kind == NodeKind::Root || node.purpose.is_same_position() {
            return;
        }
        for &technique in used {
            let ancestors = self.open.iter().skip(1).map(|open| &open.node);
            self.sampler.offer(technique, || {
                let moved = ancestors.chain([node]).filter(|node| !node.purpose.is_same_position());
                let node = InnerNode {
                    line: moved.map(|node| node.mv).collect(),
                    alpha: node.alpha.unwrap_or(Score::MIN),
                    beta: node.beta.unwrap_or(Score::MAX),
                    depth: node.depth,
                    is_cut: node.kind == NodeKind::Cut,
                };
                SampledNode { node, nodes: left.node.nodes }
            });
        }
    }

    fn place_of(&self, entry: &NodeEntry, purpose: Purpose) -> Place {
        let path = &self.limits.path;
        let at = |moves: usize| if moves == path.len() { Place::Below(0) } else { Place::Path(moves) };
        match self.open.last().map(|parent| parent.place) {
            None => at(0),
            Some(Place::Path(moves)) => {
                let is_next = entry.mv == Some(path[moves]) && !purpose.is_same_position();
                if is_next { at(moves + 1) } else { Place::Outside }
            }
            Some(Place::Below(plies)) => Place::Below(plies + 1),
            Some(Place::Outside) => Place::Outside,
        }
    }

    /// Whether a closed node is kept.
    fn is_kept(node: &TreeNode, heavy: u64, near_plies: usize) -> bool {
        node.below.is_none_or(|plies| plies <= near_plies || node.nodes >= heavy)
    }

    /// Collapses nodes until a quarter of the room is free: first small subtrees, then earlier searches of the root, then nodes
    /// near the root.
    fn make_room(&mut self) {
        let enough = self.limits.max_nodes - self.limits.max_nodes / 4;
        let total: u64 = self.totals.searched.values().sum();
        while self.recorded > enough {
            if self.heavy <= total {
                self.heavy *= 2;
            } else if self.collapse_older_roots() {
                continue;
            } else if self.near_plies > 0 {
                // Of the nodes that are not near any more the heaviest are kept.
                (self.near_plies, self.heavy) = (self.near_plies - 1, 2);
            } else {
                break;
            }
            let (heavy, near_plies) = (self.heavy, self.near_plies);
            let is_kept = |node: &TreeNode| Self::is_kept(node, heavy, near_plies);
            let open = self.open.iter_mut().map(|open| &mut open.node);
            self.recorded = open.chain(&mut self.roots).fold(0, |sum, node| {
                node.retain(&is_kept);
                sum + node.recorded_below()
            });
        }
    }

    /// Collapses what is recorded in earlier searches of the root. Returns whether there was anything to collapse.
    fn collapse_older_roots(&mut self) -> bool {
        let newest = if self.open.is_empty() { self.roots.len().saturating_sub(1) } else { self.roots.len() };
        let before = self.recorded;
        for root in &mut self.roots[..newest] {
            self.recorded -= root.recorded_below();
            // The path and the recorded position stay.
            root.retain(&|node| node.below.is_none_or(|plies| plies == 0));
            self.recorded += root.recorded_below();
        }
        self.recorded < before
    }

    /// Collapses the iterations that are not wanted any more when `iteration` begins.
    fn begin_iteration(&mut self, iteration: i32) {
        if self.limits.iterations != Iterations::Last {
            return;
        }
        for root in self.roots.iter_mut().filter(|root| root.iteration < iteration - 1) {
            self.recorded -= root.recorded_below();
            root.retain(&|_| false);
        }
        // A new iteration is larger than the last: its bound is found anew.
        (self.heavy, self.near_plies) = (1, self.limits.near_plies);
    }

    fn is_wanted(&self, iteration: i32) -> bool {
        match self.limits.iterations {
            Iterations::Only(wanted) => i64::from(iteration) == i64::from(wanted),
            Iterations::Last | Iterations::All => true,
        }
    }

    fn close(&mut self, mut open: OpenNode) {
        open.node.skipped.shrink_to_fit();
        let Some(parent) = self.open.last_mut() else {
            self.roots.push(open.node);
            return;
        };
        parent.searches += 1;
        parent.node.nodes += open.node.nodes;
        parent.seen.extend(open.node.mv);
        let is_kept = open.place != Place::Outside && Self::is_kept(&open.node, self.heavy, self.near_plies);
        if !is_kept {
            self.recorded -= open.node.recorded_below();
            parent.node.collapse(&open.node);
            return;
        }
        parent.node.children.push(open.node);
        self.recorded += 1;
        if self.recorded > self.limits.max_nodes {
            self.make_room();
        }
    }
}

impl Witness for Recorder {
    const IS_ACTIVE: bool = true;

    fn intend(&mut self, intent: Intent) {
        self.intent = intent;
    }

    fn enter(&mut self, entry: NodeEntry) {
        let intent = self.intent;
        let is_root = self.open.is_empty();
        if is_root && self.roots.last().is_some_and(|root| root.iteration < entry.iteration) {
            self.begin_iteration(entry.iteration);
        }
        let mut place = self.place_of(&entry, intent.purpose);
        if is_root && !self.is_wanted(entry.iteration) {
            place = Place::Outside;
        }
        *self.totals.searched.entry(intent.purpose).or_default() += 1;
        let Intent { extension, reduction, .. } = intent;
        match extension {
            0 => {}
            1.. => self.totals.extensions.add(extension),
            _ => self.totals.negative_extensions.add(extension),
        }
        if reduction > 0 {
            let technique = Technique::LateMoveReductions;
            self.totals.depth_changes.entry(technique).or_default().add(-reduction);
        }
        let below = match place {
            Place::Below(plies) => Some(plies),
            Place::Path(_) | Place::Outside => None,
        };
        if let (Some(parent), Some(technique)) = (self.open.last_mut(), intent.purpose.technique()) {
            parent.note_use(technique);
        }
        let node = TreeNode::entered(entry, intent, below);
        self.open.push(OpenNode { node, place, seen: Vec::new(), searches: 0, used: Vec::new() });
    }

    fn table_hit(&mut self, hit: TableHit) {
        self.totals.table_hits += 1;
        if let Some(open) = self.open.last_mut() {
            open.node.table = Some(hit);
        }
    }

    fn evaluated(&mut self, eval: Score) {
        if let Some(open) = self.open.last_mut() {
            open.node.static_eval = Some(eval);
        }
    }

    fn depth_changed(&mut self, technique: Technique, plies: i32) {
        self.totals.depth_changes.entry(technique).or_default().add(plies);
        if let Some(open) = self.open.last_mut() {
            open.node.depth_changes.push((technique, plies));
            open.note_use(technique);
        }
    }

    fn skipped(&mut self, mv: Move, reason: SkipReason) {
        *self.totals.skipped.entry(reason).or_default() += 1;
        if let Some(open) = self.open.last_mut() {
            open.seen.push(mv);
            open.node.skipped.push(Skipped { mv, reason });
            if let SkipReason::Technique(technique) = reason {
                open.note_use(technique);
            }
        }
    }

    fn skipped_others(&mut self, moves: &[Move], reason: SkipReason) {
        let Some(open) = self.open.last() else { return };
        let others: Vec<Move> = moves.iter().copied().filter(|mv| !open.seen.contains(mv)).collect();
        for mv in others {
            self.skipped(mv, reason);
        }
    }

    fn decided(&mut self, reason: Reason, best: Option<Move>) {
        if let Some(open) = self.open.last_mut() {
            (open.node.reason, open.node.best) = (reason, best);
        }
    }

    fn leave(&mut self, score: Option<Score>) {
        let Some(mut open) = self.open.pop() else { return };
        let delta = SkipReason::Technique(Technique::DeltaPruning);
        let is_delta = open.node.kind == NodeKind::Quiescence
            && open.node.reason == Reason::FailedLow
            && open.searches == 0
            && open.node.skipped.iter().any(|skipped| skipped.reason == delta);
        if is_delta {
            open.node.reason = Reason::DeltaPruning;
        }
        open.node.conclude(score);
        if let Some(technique) = open.node.reason.technique() {
            open.note_use(technique);
        }
        self.sample(&open);
        *self.totals.decided.entry(open.node.reason).or_default() += 1;
        self.close(open);
    }
}
