//! A game through UCI: the engine moves for both sides, under another limit each time.

use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::random::SplitMix64;

use super::conversation::{Complaint, Conversation};
use super::facts::{Conditions, Counts, Facts};
use super::report::{InfoLine, ShownBound};
use super::scenario::{Draw, Scenario};
use super::settings::Soak;

/// A game through UCI.
pub(super) struct UciGame<'g> {
    pub(super) soak: &'g Soak,
    pub(super) scenario: &'g Scenario,
    pub(super) talk: &'g mut Conversation,
    pub(super) random: SplitMix64,
    pub(super) facts: Facts<'g>,
    pub(super) counts: &'g mut Counts,
    pub(super) game: Game,
}

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Nodes(u64),
    Depth(u64),
    MoveTime(u64),
    /// Milliseconds left and increment.
    Clock(u64, u64),
    Mate(u64),
    /// Until `stop`.
    Infinite,
    /// Until `ponderhit` or `stop`, then by the clock.
    Ponder,
}

/// A search as it was requested.
struct Search {
    limit: Limit,
    only: Option<Move>,
    begun: Instant,
    /// Answers to `isready` that are due.
    ready_due: usize,
}

/// What a search has said so far.
#[derive(Default)]
struct Said {
    /// The last first line.
    best_line: Option<InfoLine>,
    nodes: u64,
    time: u64,
    is_book_move: bool,
}

/// The answer to a search.
struct Answer {
    best: Option<Move>,
    ponder: Option<Move>,
}

/// Nodes beyond a limit: the first iteration, with every line of it, is finished.
const FIRST_ITERATION_NODES: u64 = 5_000;
/// The clock of a game with clocks, in milliseconds, and that of a search after a ponder hit.
const CLOCK: u64 = 40;

impl UciGame<'_> {
    /// Plays the game.
    pub(super) fn play(&mut self) -> Result<(), Complaint> {
        self.set_up()?;
        let mut expected = None;
        for _ in 0..self.scenario.plies {
            let is_pondering = self.scenario.ponders && self.random.happens(40);
            if let Some(reply) = expected.take().filter(|_| is_pondering) {
                self.game.play(reply).map_err(|error| format!("the ponder move: {error}"))?;
            }
            let limit = if is_pondering { Limit::Ponder } else { self.draw_limit() };
            let answer = self.search(limit)?;
            let Some(best) = answer.best else { break };
            self.game.play(best).map_err(|error| format!("the best move: {error}"))?;
            if self.game.ending().is_some() && self.random.happens(70) {
                break;
            }
            expected = answer.ponder;
        }
        self.talk.quit()
    }

    fn castling(&self) -> CastlingNotation {
        if self.scenario.is_chess960 { CastlingNotation::RookSquare } else { CastlingNotation::KingTarget }
    }

    /// Sets the options and waits until they are set.
    fn set_up(&mut self) -> Result<(), Complaint> {
        let Scenario { is_chess960, threads, hash, multipv, shows_wdl, .. } = *self.scenario;
        self.talk.send("uci")?;
        while self.talk.receive()? != "uciok" {}
        let mut options = vec![
            ("UCI_Chess960", is_chess960.to_string()),
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
            ("MultiPV", multipv.to_string()),
            ("UCI_ShowWDL", shows_wdl.to_string()),
        ];
        if self.scenario.uses_tables {
            options.extend(self.soak.tables.clone().map(|path| ("SyzygyPath", path)));
        }
        options.extend(self.scenario.options.iter().cloned());
        for (name, value) in options {
            self.talk.send(format!("setoption name {name} value {value}"))?;
        }
        self.talk.send("ucinewgame")?;
        self.talk.send("isready")?;
        loop {
            match self.talk.receive()?.as_str() {
                "readyok" => return Ok(()),
                line => check_message(line)?,
            }
        }
    }

    fn draw_limit(&mut self) -> Limit {
        let (random, bits) = (&mut self.random, self.scenario.node_bits());
        match random.below(100) {
            0..45 => Limit::Nodes(1 << random.between(0, bits)),
            45..65 => Limit::Depth(random.between(1, 5)),
            65..75 => Limit::MoveTime(random.between(0, 4)),
            75..85 => Limit::Clock(random.between(1, CLOCK), random.below(5)),
            85..90 => Limit::Mate(random.between(1, 3)),
            _ => Limit::Infinite,
        }
    }

    /// Searches the current position.
    fn search(&mut self, limit: Limit) -> Result<Answer, Complaint> {
        self.send_position()?;
        let legal = self.game.position().legal_moves();
        let only = (!legal.is_empty() && self.random.happens(8)).then(|| *self.random.one_of(&legal));
        let mut go = format!("go {}", limit_text(limit, self.scenario));
        if let Some(mv) = only {
            go += &format!(" searchmoves {}", self.game.position().uci(mv, self.castling()));
        }
        let mut search = Search { limit, only, begun: Instant::now(), ready_due: 0 };
        self.talk.send(go)?;
        let mut said = Said::default();
        let mut answer = self.disturb(&mut search, &mut said)?;
        while answer.is_none() {
            let line = self.talk.receive()?;
            answer = self.hear(&mut search, &mut said, &line)?;
        }
        while search.ready_due > 0 {
            let line = self.talk.receive()?;
            self.hear(&mut search, &mut said, &line)?;
        }
        self.check_answer(&search, &said, answer.expect("it was awaited"))
    }

    fn send_position(&mut self) -> Result<(), Complaint> {
        let mut text = format!("position fen {}", self.scenario.start);
        let moves = self.game.positions().iter().zip(self.game.moves());
        let moves: Vec<String> = moves.map(|(position, &mv)| position.uci(mv, self.castling())).collect();
        if !moves.is_empty() {
            text += &format!(" moves {}", moves.join(" "));
        }
        self.talk.send(text)
    }

    /// What happens during a search: `isready`, an option, a wait, `stop` or `ponderhit`. The answer, if it came meanwhile.
    fn disturb(&mut self, search: &mut Search, said: &mut Said) -> Result<Option<Answer>, Complaint> {
        if self.random.happens(15) {
            self.talk.send("isready")?;
            search.ready_due += 1;
        }
        if self.random.happens(3) {
            let hash = self.random.between(1, 8);
            self.talk.send(format!("setoption name Hash value {hash}"))?;
        }
        let is_open = matches!(search.limit, Limit::Infinite | Limit::Ponder);
        if !is_open && !self.random.happens(12) {
            return Ok(None);
        }
        let mut answer = None;
        let until = Instant::now() + Duration::from_micros(self.random.below(4_000));
        while let Some(line) = self.talk.receive_before(until)? {
            answer = answer.or(self.hear(search, said, &line)?);
        }
        if is_open && answer.is_some() && !said.is_book_move {
            return Err("the move comes before stop or ponderhit".to_owned());
        }
        let is_hit = search.limit == Limit::Ponder && self.random.happens(50);
        // The time counts from here.
        search.begun = Instant::now();
        self.talk.send(if is_hit { "ponderhit" } else { "stop" })?;
        if is_hit && self.random.happens(30) {
            thread::sleep(Duration::from_micros(self.random.below(2_000)));
            self.talk.send("stop")?;
        }
        Ok(answer)
    }

    /// Checks a line of a search. The answer, if it is that.
    fn hear(
        &mut self,
        search: &mut Search,
        said: &mut Said,
        line: &str,
    ) -> Result<Option<Answer>, Complaint> {
        let root = self.game.position();
        match line {
            "readyok" if search.ready_due > 0 => search.ready_due -= 1,
            "info string book move" => said.is_book_move = true,
            line if line.starts_with("info string ") => check_message(line)?,
            line if line.starts_with("bestmove ") => return self.parse_answer(line).map(Some),
            line if line.contains(" currmove ") => {
                let word = line.split(' ').nth(4).unwrap_or_default();
                root.parse_uci(word).map_err(|error| format!("{error} in {line:?}"))?;
            }
            line => {
                let reported = InfoLine::parse_uci(line, root, self.scenario.shows_wdl)?;
                let conditions = Conditions {
                    is_full_strength: self.scenario.is_full_strength,
                    has_tables: self.scenario.uses_tables,
                    has_full_width: !self.scenario.is_tree_search(),
                    has_all_moves: search.only.is_none(),
                };
                let checked = self.facts.check(&self.game, &reported, conditions, self.counts);
                checked.map_err(|complaint| format!("{complaint}: {line:?}"))?;
                self.check_progress(search, said, &reported).map_err(|what| format!("{what}: {line:?}"))?;
                (said.nodes, said.time) = (reported.nodes, reported.time);
                if reported.multipv == 1 {
                    said.best_line = Some(reported);
                }
            }
        }
        Ok(None)
    }

    fn check_progress(&self, search: &Search, said: &Said, line: &InfoLine) -> Result<(), &'static str> {
        let legal = self.game.position().legal_moves().len();
        let lines = self.scenario.multipv.min(if search.only.is_some() { 1 } else { legal });
        let is_tree = self.scenario.is_tree_search();
        // A tree search ends after a leaf of each thread, and has visited the root and a child of it.
        let most =
            if is_tree { self.scenario.threads + 2 } else { FIRST_ITERATION_NODES * (1 + lines as u64) };
        match search.limit {
            _ if line.multipv > lines => Err("there are more lines than moves or lines requested"),
            _ if line.nodes < said.nodes || line.time < said.time => Err("nodes or time go back"),
            _ if search.only.is_some_and(|only| line.pv.first() != Some(&only)) => {
                Err("a move outside searchmoves")
            }
            // The depth of a tree search is a mean, which may be greater from the start where the tree is reused.
            Limit::Depth(depth) if !is_tree && u64::from(line.depth) > depth => Err("deeper than requested"),
            Limit::Nodes(nodes) if line.nodes > nodes + most => Err("far beyond the node limit"),
            _ => Ok(()),
        }
    }

    fn parse_answer(&self, line: &str) -> Result<Answer, Complaint> {
        let root = self.game.position();
        let complain = |error| format!("{error} in {line:?}");
        let words: Vec<&str> = line.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", "(none)"] => return Ok(Answer { best: None, ponder: None }),
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
            _ => return Err(format!("{line:?} is no answer")),
        };
        let best = root.parse_uci(best).map_err(complain)?;
        let after = root.after(best);
        let ponder = ponder.map(|ponder| after.parse_uci(ponder).map_err(complain)).transpose()?;
        Ok(Answer { best: Some(best), ponder })
    }

    /// Checks the answer against the moves, the last line and the time.
    fn check_answer(&mut self, search: &Search, said: &Said, answer: Answer) -> Result<Answer, Complaint> {
        self.counts.searches += 1;
        let has_moves = !self.game.position().legal_moves().is_empty();
        if has_moves != answer.best.is_some() {
            return Err("a move without legal moves, or none with them".to_owned());
        }
        if search.only.is_some() && answer.best != search.only {
            return Err("the best move is outside searchmoves".to_owned());
        }
        match &said.best_line {
            _ if said.is_book_move || !has_moves => {}
            None => return Err("there is a move and no line".to_owned()),
            Some(line) => {
                let (best, ponder) = (line.pv.first().copied(), line.pv.get(1).copied());
                // After a fail-low of alpha-beta the best move is not known. A tree search knows it: its upper bound is a mate of
                // which the whole line is no longer in a full tree.
                let is_fail_low = line.bound == ShownBound::Upper && !self.scenario.is_tree_search();
                if is_fail_low || (best, ponder) != (answer.best, answer.ponder) {
                    return Err("the last line is not that of the move".to_owned());
                }
            }
        }
        let allowed = match search.limit {
            Limit::MoveTime(time) => Some(time),
            Limit::Clock(time, _) => Some(time),
            Limit::Infinite => Some(0),
            Limit::Ponder => Some(CLOCK),
            Limit::Nodes(_) | Limit::Depth(_) | Limit::Mate(_) => None,
        };
        let spent = search.begun.elapsed();
        match allowed {
            Some(time) if spent > Duration::from_millis(time) + self.soak.slack => {
                Err(format!("{} ms were spent of {time}", spent.as_millis()))
            }
            _ => Ok(answer),
        }
    }
}

fn limit_text(limit: Limit, scenario: &Scenario) -> String {
    // A search for a mate needs another limit to end, and so does a tree whose mean depth grows slowly.
    let (most, is_tree) = (1 << scenario.node_bits(), scenario.is_tree_search());
    match limit {
        Limit::Nodes(nodes) => format!("nodes {nodes}"),
        Limit::Depth(depth) if is_tree => format!("depth {depth} nodes {most}"),
        Limit::Depth(depth) => format!("depth {depth}"),
        Limit::MoveTime(time) => format!("movetime {time}"),
        Limit::Clock(time, increment) => {
            format!("wtime {time} btime {time} winc {increment} binc {increment}")
        }
        Limit::Mate(moves) => format!("mate {moves} nodes {most}"),
        Limit::Infinite => "infinite".to_owned(),
        Limit::Ponder => format!("ponder wtime {CLOCK} btime {CLOCK}"),
    }
}

/// Messages that right commands may cause. Any other is a complaint of the session about a right command.
fn check_message(line: &str) -> Result<(), Complaint> {
    const EXPECTED: [&str; 4] =
        ["is set when the search has ended", "threads are set and", "tablebases with up to", "is missing"];
    let message =
        line.strip_prefix("info string ").filter(|text| EXPECTED.iter().any(|part| text.contains(part)));
    message.map(drop).ok_or_else(|| format!("an unexpected line: {line:?}"))
}
