//! Review task: analyses the games of a PGN position by position, with progress; finished games stay readable.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_chess::game::Game;
use rukh_chess::notation::pgn::PgnGame;
use rukh_engine::api::{Event, Limits, Request};
use rukh_explain::annotate::annotate;
use rukh_explain::claims::level::Level;
use rukh_explain::claims::review_reasons::reasons;
use rukh_explain::claims::words::sentence;
use rukh_explain::page::page;
use rukh_explain::review::{PositionAnalysis, Review, ReviewedMove};
use rukh_explain::text;
use serde_json::{Value, json};

use crate::engine_slot::{End, EngineSettings, EngineSlot, Failure, Report, search};
use crate::lock::lock;
use crate::rules::line_json;
use crate::topics::{Topic, Topics};
use crate::worker::{Cancel, Task, TaskKind};

/// The least time between two snapshots.
const INTERVAL: Duration = Duration::from_millis(67);

/// The finished games of the last review.
#[derive(Default)]
pub(crate) struct Reviewed {
    pub(crate) number: u64,
    games: Vec<(PgnGame, Review)>,
    /// The places of the games in the PGN, from 1.
    places: Vec<usize>,
}

/// A review.
pub(crate) struct ReviewTask {
    pub(crate) number: u64,
    /// The games with their places in the PGN.
    pub(crate) games: Vec<(usize, PgnGame)>,
    /// The games that could not be read.
    pub(crate) faults: Vec<Value>,
    pub(crate) limits: Limits,
    pub(crate) settings: EngineSettings,
    pub(crate) topics: Arc<Topics>,
    pub(crate) reviewed: Arc<Mutex<Reviewed>>,
    pub(crate) progress: Progress,
}

/// How far a review is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    game: usize,
    games: usize,
    position: usize,
    positions: usize,
}

impl Progress {
    /// Before the review of these games.
    pub(crate) fn over(games: &[(usize, PgnGame)]) -> Self {
        let positions = games.iter().map(|(_, game)| game.moves().count() + 1).sum();
        Self { game: 0, games: games.len(), position: 0, positions }
    }
}

/// Why the review of a game has no result.
enum Stop {
    Cancelled,
    Failed(Failure),
}

/// The snapshot of a session without a review.
pub(crate) fn none() -> Value {
    json!({ "state": "none", "review": 0, "game": 0, "games": 0, "position": 0, "positions": 0, "message": null, "faults": [] })
}

impl Task for ReviewTask {
    fn kind(&self) -> TaskKind {
        TaskKind::Review
    }

    fn run(&mut self, slot: &mut EngineSlot, cancel: &Cancel) -> Result<Value, Failure> {
        *lock(&self.reviewed) = Reviewed { number: self.number, ..Reviewed::default() };
        for (place, game) in std::mem::take(&mut self.games) {
            self.progress.game += 1;
            match self.review(&game.game(), slot, cancel) {
                Ok(review) => {
                    let mut reviewed = lock(&self.reviewed);
                    reviewed.games.push((game, review));
                    reviewed.places.push(place);
                }
                Err(Stop::Cancelled) => return Ok(self.json("stopped", None)),
                Err(Stop::Failed(failure)) => return Err(failure),
            }
        }
        Ok(self.json("done", None))
    }

    fn failed(&mut self, failure: &Failure) -> Value {
        self.json("failed", Some(&failure.to_string()))
    }

    fn publish(&self, snapshot: &Value) {
        self.topics.publish(Topic::Review, snapshot);
    }
}

impl ReviewTask {
    fn review(&mut self, game: &Game, slot: &mut EngineSlot, cancel: &Cancel) -> Result<Review, Stop> {
        // With an empty transposition table a game has the same review in any PGN.
        slot.ready(&self.settings).map_err(Stop::Failed)?.clear();
        let mut last = None;
        Review::new(game, |game| {
            if last.is_none_or(|last: Instant| last.elapsed() >= INTERVAL) {
                self.publish(&self.json("running", None));
                last = Some(Instant::now());
            }
            let analysis = self.analyse(game, slot, cancel)?;
            self.progress.position += 1;
            Ok(analysis)
        })
    }

    fn analyse(&self, game: &Game, slot: &mut EngineSlot, cancel: &Cancel) -> Result<PositionAnalysis, Stop> {
        let engine = slot.ready(&self.settings).map_err(Stop::Failed)?;
        let request = Request { game: game.clone(), limits: self.limits.clone() };
        let mut line = None;
        let end = search(
            engine,
            request,
            || cancel.is_set(),
            |report| {
                if let Report::Event(Event::Line(info, _)) = report {
                    line = Some(info);
                }
            },
        );
        match (end.map_err(Stop::Failed)?, line) {
            (End::Cancelled, _) => Err(Stop::Cancelled),
            (End::Done, Some(line)) => Ok(PositionAnalysis { score: line.score, wdl: line.wdl, pv: line.pv }),
            (End::Done, None) => Err(Stop::Failed(Failure::Refused("the engine found no line".to_owned()))),
        }
    }

    /// The snapshot.
    pub(crate) fn json(&self, state: &str, message: Option<&str>) -> Value {
        let Progress { game, games, position, positions } = self.progress;
        json!({
            "state": state,
            "review": self.number,
            "game": game,
            "games": games,
            "position": position,
            "positions": positions,
            "message": message,
            "faults": self.faults,
        })
    }
}

impl Reviewed {
    /// The finished games.
    pub(crate) fn json(&self) -> Value {
        let games = self
            .places
            .iter()
            .zip(&self.games)
            .map(|(&place, (game, review))| game_json(place, game, review));
        json!({ "review": self.number, "games": games.collect::<Vec<_>>() })
    }

    /// The annotated games.
    pub(crate) fn pgn(&self, annotator: &str) -> String {
        let annotated = self.games.iter().map(|(game, review)| {
            let mut game = game.clone();
            annotate(&mut game, review, annotator);
            format!("{game}\n")
        });
        annotated.collect()
    }

    /// The standing page.
    pub(crate) fn html(&self) -> String {
        page("Review", &self.games)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }
}

fn game_json(place: usize, game: &PgnGame, review: &Review) -> Value {
    let mut value = json!(review);
    value["number"] = json!(place);
    value["result"] = json!(game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
    for (side, name) in [(Color::White, "white"), (Color::Black, "black")] {
        value[name]["name"] = json!(text::player_name(game, side));
    }
    let white = |side: Color, expected: f64| if side == Color::White { expected } else { 1.0 - expected };
    let mut expected = Vec::new();
    for (at, played) in review.moves().enumerate() {
        let [before, after] = played.expected_scores().map(|score| white(played.mover(), score.value()));
        if at == 0 {
            expected.push(before);
        }
        expected.push(after);
        let fields = &mut value["moves"][at];
        fields["fen"] = json!(played.position.to_string());
        fields["fen_after"] = json!(played.position.after(played.mv).to_string());
        fields["best"] = line_json(played.position, played.best_line());
        fields["reasons"] = json!(reasons_of(&played));
    }
    value["expected"] = json!(expected);
    value
}

/// The sentences about a bad move.
fn reasons_of(played: &ReviewedMove<'_>) -> Vec<String> {
    let Some(judgement) = played.judgement() else { return Vec::new() };
    let claims = reasons(played).into_iter().map(|claim| sentence(&claim, Level::Club));
    [text::comment(played, judgement)].into_iter().chain(claims).collect()
}
