//! Search options and helpers that the searching subcommands share.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Algorithm, Event, Limits, LineInfo, Request, Settings};
use rukh_eval::Evaluation;

use crate::evaluation::EvaluationArgs;
use crate::leaf_network::LeafNetworkArgs;

/// Limits and resources of a search.
#[derive(clap::Args, Clone)]
#[group(multiple = true)]
pub(crate) struct SearchArgs {
    /// Search time for each position in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Search depth for each position
    #[arg(long)]
    depth: Option<u32>,

    /// Number of nodes for each position
    #[arg(long)]
    nodes: Option<u64>,

    /// Number of search threads
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// The search: alphabeta, mcts or uct
    #[arg(long, value_name = "NAME", default_value_t)]
    search: Algorithm,

    /// Size of the transposition table, or of the tree, in MiB
    #[arg(long, value_name = "MB", default_value = "64")]
    hash: usize,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    #[command(flatten)]
    leaf_network: LeafNetworkArgs,
}

impl SearchArgs {
    /// The limits; `default_time` if none is given.
    pub(crate) fn limits(&self, default_time: Duration) -> Limits {
        let is_limited = self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        let movetime = self.movetime.map(Duration::from_millis);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: movetime.or((!is_limited).then_some(default_time)),
            ..Limits::default()
        }
    }

    /// Everything the results of `engine` depend on, as text: equal settings give equal text.
    pub(crate) fn settings(&self, engine: &Engine, default_time: Duration) -> String {
        let Limits { depth, nodes, movetime, .. } = self.limits(default_time);
        let limits = [
            depth.map(|depth| format!("depth {depth}")),
            nodes.map(|nodes| format!("nodes {nodes}")),
            movetime.map(|time| format!("movetime {}", time.as_millis())),
        ];
        let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let evaluation = match (engine.leaf_network(), engine.evaluation()) {
            (Some(network), _) => format!("leaf network {}", network.name()),
            (None, Evaluation::Classical) => "classical".to_owned(),
            (None, Evaluation::Network(network)) => format!("network {}", network.description()),
        };
        let Self { threads, hash, search, .. } = self;
        // Files of interrupted reviews name the search only where it is not the usual one.
        let search =
            if *search == Algorithm::default() { String::new() } else { format!("search {search}, ") };
        format!("{search}{limits}, threads {threads}, hash {hash}, {evaluation}")
    }

    /// An engine with these settings.
    pub(crate) fn engine(&self, multipv: usize) -> Result<Engine, String> {
        let mut engine = Engine::try_new()?;
        let overhead = Duration::ZERO;
        engine.set(Settings {
            algorithm: self.search,
            threads: usize::from(self.threads),
            multipv,
            move_overhead: overhead,
            ..Settings::default()
        });
        engine.resize_hash(self.hash).map_err(|error| error.to_string())?;
        engine.set_evaluation(self.evaluation.evaluation()?);
        if let Some(network) = self.leaf_network.network(self.search)? {
            engine.set_leaf_network(Some(network));
        }
        Ok(engine)
    }
}

/// Starts a search and returns its events.
pub(crate) fn start(engine: &mut Engine, request: Request) -> Receiver<Event> {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let listener = move |event| {
        // A receiver that is gone needs no events.
        let _ = sender.lock().unwrap_or_else(PoisonError::into_inner).send(event);
    };
    engine.start(request, Arc::new(listener));
    receiver
}

/// Searches to the end: the best move and every reported line.
pub(crate) fn search(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
) -> (Option<Move>, Vec<LineInfo>) {
    let mut lines = Vec::new();
    for event in start(engine, Request::from_position(position.clone(), limits.clone())) {
        match event {
            Event::Line(line, _) => lines.push(line),
            Event::CurrentMove { .. } | Event::Root(_) => {}
            Event::Done { best, .. } => return (best, lines),
        }
    }
    (None, lines)
}
