//! Session: one game tree, one engine, one play, one review and one search tree, shared by the tabs of a person.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rukh_chess::Position;
use rukh_chess::notation::pgn::{PgnGame, Variation};
use rukh_engine::MctsTree;
use rukh_engine::api::{Algorithm, Limits};
use rukh_play::opponent::EngineOpponent;
use rukh_play::record::Record;
use rukh_play::table::GameTable;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use crate::analysis::{self, Analysis, Found, Question};
use crate::audience::{Audience, OpenStream};
use crate::config::Config;
use crate::engine_slot::EngineSettings;
use crate::error::{ApiError, ApiResult};
use crate::game_tree::game_json;
use crate::lock::lock;
use crate::mcts::LastTree;
use crate::measurement::Measurement;
use crate::play::{self, NewGame, Order, PlayHandle, Reply};
use crate::recording::{self, LastRecorded, Recorded, Recording, Spec};
use crate::records::Records;
use crate::review::{self, Progress, ReviewTask, Reviewed};
use crate::token;
use crate::topics::{Topic, Topics};
use crate::worker::{Task, TaskKind, Worker};

/// The game tree and what the page wants to find again with it.
struct StoredGame {
    revision: u64,
    game: PgnGame,
    view: Value,
}

impl StoredGame {
    fn json(&self) -> Value {
        json!({ "revision": self.revision, "game": game_json(&self.game), "view": self.view })
    }
}

/// A game that a person wants to play.
pub(crate) struct NewPlay {
    pub(crate) table: GameTable,
    pub(crate) record: Record,
    pub(crate) algorithm: Algorithm,
    /// The time for a move without clocks.
    pub(crate) move_time: Duration,
}

/// A session.
pub(crate) struct Session {
    config: Arc<Config>,
    pub(crate) topics: Arc<Topics>,
    audience: Arc<Audience>,
    worker: Worker,
    settings: Mutex<EngineSettings>,
    game: Mutex<StoredGame>,
    /// The question of the last analysis.
    question: Mutex<Option<Question>>,
    /// The number of the last analysis, review or recording.
    searches: AtomicU64,
    play: Mutex<Option<PlayHandle>>,
    records: Arc<Mutex<Records>>,
    reviewed: Arc<Mutex<Reviewed>>,
    recorded: LastRecorded,
    mcts: LastTree,
    /// Set when the session ends, so that its streams end.
    end: watch::Sender<bool>,
}

impl Session {
    /// A session with the start position.
    pub(crate) fn new(config: Arc<Config>) -> Result<Self, String> {
        let game = PgnGame {
            tags: Vec::new(),
            start: Position::default(),
            main_line: Variation::default(),
            outcome: None,
        };
        let stored = StoredGame { revision: 1, game, view: Value::Null };
        let settings = EngineSettings::new(&config);
        let topics = Topics::new();
        topics.publish(Topic::Game, &stored.json());
        topics.publish(Topic::Settings, &json!(settings));
        topics.publish(Topic::Analysis, &analysis::none());
        topics.publish(Topic::Play, &play::none());
        topics.publish(Topic::Review, &review::none());
        topics.publish(Topic::Tree, &recording::none());
        Ok(Self {
            worker: Worker::start(config.clone())?,
            config,
            topics: Arc::new(topics),
            audience: Arc::new(Audience::new()),
            settings: Mutex::new(settings),
            game: Mutex::new(stored),
            question: Mutex::new(None),
            searches: AtomicU64::new(0),
            play: Mutex::default(),
            records: Arc::default(),
            reviewed: Arc::default(),
            recorded: LastRecorded::default(),
            mcts: LastTree::default(),
            end: watch::Sender::new(false),
        })
    }

    /// A stream of the session; `None` if there are too many.
    pub(crate) fn listen(&self) -> Option<(OpenStream, watch::Receiver<bool>)> {
        Some((self.audience.join()?, self.end.subscribe()))
    }

    /// A request shows that somebody is there.
    pub(crate) fn notice(&self) {
        self.audience.notice();
    }

    /// How long nobody has used the session; zero while it works.
    pub(crate) fn idle(&self) -> Duration {
        if self.worker.busy_with().is_some() { Duration::ZERO } else { self.audience.absence() }
    }

    /// Ends the session: its work and its streams.
    pub(crate) fn close(&self) {
        self.worker.stop();
        *lock(&self.play) = None;
        self.end.send_replace(true);
    }

    /// The game as PGN.
    pub(crate) fn pgn(&self) -> String {
        lock(&self.game).game.to_string()
    }

    /// Replaces the game tree, if `revision` is that of the server.
    pub(crate) fn set_game(
        &self,
        revision: u64,
        game: Option<PgnGame>,
        view: Option<Value>,
    ) -> ApiResult<Value> {
        let mut stored = lock(&self.game);
        if stored.revision != revision {
            let sentence = "another tab changed the game first";
            return Err(ApiError::conflict(sentence).with_snapshot(stored.json()));
        }
        if let Some(game) = game {
            stored.game = game;
        }
        if let Some(view) = view {
            stored.view = view;
        }
        stored.revision += 1;
        let json = stored.json();
        // Published under the lock: streams see the revisions in their order.
        self.topics.publish(Topic::Game, &json);
        Ok(json)
    }

    /// The settings of the engine.
    pub(crate) fn settings(&self) -> EngineSettings {
        lock(&self.settings).clone()
    }

    /// Changes the settings; a running analysis starts again.
    pub(crate) fn set_settings(&self, change: impl FnOnce(&mut EngineSettings)) -> ApiResult<Value> {
        let busy = self.worker.busy_with();
        if busy.is_some_and(TaskKind::is_exclusive) {
            return Err(ApiError::conflict(
                "the engine is busy; the settings can be changed when its work is done",
            ));
        }
        let json = {
            let mut settings = lock(&self.settings);
            change(&mut settings);
            let json = json!(*settings);
            self.topics.publish(Topic::Settings, &json);
            json
        };
        let question = lock(&self.question).clone().filter(|_| busy == Some(TaskKind::Analysis));
        if let Some(question) = question {
            self.analyse(question)?;
        }
        Ok(json)
    }

    /// Starts an analysis in place of the running one.
    pub(crate) fn analyse(&self, question: Question) -> ApiResult<Value> {
        let mut last = lock(&self.question);
        let analysis = Analysis {
            number: self.next_number(),
            question: question.clone(),
            settings: self.settings(),
            topics: self.topics.clone(),
            audience: self.audience.clone(),
            mcts: self.mcts.clone(),
            found: Found::default(),
        };
        let json = analysis.json("running", None);
        self.give(Box::new(analysis))?;
        *last = Some(question);
        Ok(json)
    }

    fn next_number(&self) -> u64 {
        self.searches.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Starts a review of games, each with its place in the PGN.
    pub(crate) fn review(
        &self,
        games: Vec<(usize, PgnGame)>,
        faults: Vec<Value>,
        limits: Limits,
    ) -> ApiResult<Value> {
        let task = ReviewTask {
            number: self.next_number(),
            progress: Progress::over(&games),
            games,
            faults,
            limits,
            settings: EngineSettings { multipv: 1, ..self.settings() },
            topics: self.topics.clone(),
            reviewed: self.reviewed.clone(),
        };
        let json = task.json("running", None);
        self.give(Box::new(task))?;
        Ok(json)
    }

    /// The finished games of the last review.
    pub(crate) fn reviewed(&self) -> Arc<Mutex<Reviewed>> {
        self.reviewed.clone()
    }

    /// Starts the recording of a search.
    pub(crate) fn record(&self, spec: Spec) -> ApiResult<Value> {
        let (topics, last) = (self.topics.clone(), self.recorded.clone());
        let task = Recording { number: self.next_number(), spec, topics, last };
        let json = task.json("running", None);
        self.give(Box::new(task))?;
        Ok(json)
    }

    /// The last recorded search.
    pub(crate) fn recorded(&self) -> Option<Arc<Recorded>> {
        lock(&self.recorded).clone()
    }

    /// Starts to measure what each technique saved in a recorded search.
    pub(crate) fn measure(&self, recorded: Arc<Recorded>) -> ApiResult<Value> {
        let json = lock(&recorded.snapshot).clone();
        self.give(Box::new(Measurement { recorded, topics: self.topics.clone() }))?;
        Ok(json)
    }

    /// The tree of the Monte Carlo search with this number.
    pub(crate) fn mcts_tree(&self, search: u64) -> Option<MctsTree> {
        lock(&self.mcts).as_ref().filter(|(number, _)| *number == search).map(|(_, tree)| tree.clone())
    }

    /// Starts a game in place of the running one, whose record is kept.
    pub(crate) fn new_play(&self, new: NewPlay) -> ApiResult<Value> {
        let NewPlay { table, record, algorithm, move_time } = new;
        let mut play = lock(&self.play);
        let number = lock(&self.records).begin();
        let (topics, records) = (self.topics.clone(), self.records.clone());
        let game = NewGame { number, table, record, algorithm, topics, records };
        let book = self.config.book.clone();
        let opponent =
            move || EngineOpponent::new(move_time, book.clone(), token::seed()).with_algorithm(algorithm);
        let (handle, json) = play::start(game, opponent).map_err(ApiError::engine_failed)?;
        *play = Some(handle);
        Ok(json)
    }

    /// Sends an order to the running game.
    pub(crate) fn order(&self, order: Order) -> ApiResult<oneshot::Receiver<Reply>> {
        let play = lock(&self.play);
        let handle = play.as_ref().ok_or_else(|| ApiError::conflict("no game is being played; start one"))?;
        Ok(handle.send(order))
    }

    /// The game of this number, or all games of the session, as PGN.
    pub(crate) fn play_pgn(&self, game: Option<u64>) -> String {
        lock(&self.records).pgn(game)
    }

    /// Gives the engine a task.
    fn give(&self, task: Box<dyn Task>) -> ApiResult<()> {
        self.audience.notice();
        self.worker.give(task).map_err(ApiError::conflict)
    }

    /// Stops the work of the engine.
    pub(crate) fn stop(&self) {
        self.worker.stop();
    }
}
