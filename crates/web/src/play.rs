//! Play: a thread with a game between a person and the engine. Orders go in, snapshots are published.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_engine::api::Algorithm;
use rukh_explain::review::PositionAnalysis;
use rukh_explain::white_score::WhiteScore;
use rukh_play::advisor::EngineAdvisor;
use rukh_play::message::{DrawRefusal, PlayCommand, PlayEvent};
use rukh_play::opponent::Opponent;
use rukh_play::record::Record;
use rukh_play::session::PlaySession;
use rukh_play::skill::Skill;
use rukh_play::table::{GameTable, Player};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::lock::lock;
use crate::records::Records;
use crate::rules;
use crate::topics::{Topic, Topics};

/// How long the thread waits for the engine before it looks for orders.
const PATIENCE: Duration = Duration::from_millis(20);
/// How often the clocks are looked at while a person thinks.
const CLOCK_POLL: Duration = Duration::from_millis(100);
/// How often running clocks are published.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);
/// The wait for an order where nothing else can happen.
const REST: Duration = Duration::from_secs(3600);
/// Engines that may end unexpectedly in one game.
const MAX_FAILURES: usize = 3;

/// What a person wants.
pub(crate) enum Order {
    /// A move, and the number of moves before it.
    Move(String, usize),
    /// The person resigns.
    Resign,
    /// A command without text.
    Command(PlayCommand),
}

/// Why an order was refused.
pub(crate) enum Refused {
    /// The order cannot be read.
    BadInput(String),
    /// It is out of order.
    Conflict(String),
}

/// The answer to an order.
pub(crate) type Reply = Result<Value, Refused>;

/// The snapshot of a session without a game.
pub(crate) fn none() -> Value {
    json!({ "state": "none", "game": 0, "moves": [], "legal": [] })
}

/// The way to the thread of a game. The thread ends when this is dropped.
#[derive(Debug)]
pub(crate) struct PlayHandle(Sender<(Order, oneshot::Sender<Reply>)>);

impl PlayHandle {
    /// Sends an order; the receiver gets the answer, or nothing if the game is gone.
    pub(crate) fn send(&self, order: Order) -> oneshot::Receiver<Reply> {
        let (sender, receiver) = oneshot::channel();
        // A thread that has ended drops the sender, which the receiver notices.
        let _ = self.0.send((order, sender));
        receiver
    }
}

/// What a new game is.
pub(crate) struct NewGame {
    pub(crate) number: u64,
    pub(crate) table: GameTable,
    pub(crate) record: Record,
    pub(crate) algorithm: Algorithm,
    pub(crate) topics: Arc<Topics>,
    pub(crate) records: Arc<Mutex<Records>>,
}

/// Starts the thread of a game. `opponent` makes the engine, and another one if it ends unexpectedly.
pub(crate) fn start<O: Opponent + 'static>(
    game: NewGame,
    opponent: impl Fn() -> O + Send + 'static,
) -> Result<(PlayHandle, Value), String> {
    let (sender, orders) = channel();
    let NewGame { number, table, record, algorithm, topics, records } = game;
    let session = PlaySession::new(table, record, opponent(), EngineAdvisor::default());
    let play = Play { session, number, algorithm, topics, records, hint: None, message: None, failures: 0 };
    let json = play.publish();
    thread::Builder::new()
        .name("play".to_owned())
        .spawn(move || play.run(&orders, opponent))
        .map_err(|error| format!("the system gives no thread for the game: {error}"))?;
    Ok((PlayHandle(sender), json))
}

/// A game with what is shown beside it.
struct Play {
    session: PlaySession,
    number: u64,
    algorithm: Algorithm,
    topics: Arc<Topics>,
    records: Arc<Mutex<Records>>,
    hint: Option<Value>,
    message: Option<String>,
    failures: usize,
}

impl Play {
    fn run<O: Opponent + 'static>(
        mut self,
        orders: &Receiver<(Order, oneshot::Sender<Reply>)>,
        opponent: impl Fn() -> O,
    ) {
        let mut published = Instant::now();
        loop {
            let is_busy = self.session.is_busy() && self.failures < MAX_FAILURES;
            let wait = if is_busy { Duration::ZERO } else { self.rest() };
            match orders.recv_timeout(wait) {
                Ok((order, reply)) => {
                    let answer = self.obey(order);
                    // Nobody may wait for the answer any more.
                    let _ = reply.send(answer.map(|()| self.publish()));
                    published = Instant::now();
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let events = match is_busy {
                true => self.session.advance(PATIENCE),
                false if self.session.is_busy() => Vec::new(),
                false => self.session.advance(Duration::ZERO),
            };
            let is_changed = !events.is_empty();
            if events.contains(&PlayEvent::OpponentFailed) {
                self.replace_opponent(opponent());
            }
            events.into_iter().for_each(|event| self.note(event));
            let is_due = self.has_running_clock() && published.elapsed() >= CLOCK_INTERVAL;
            if is_changed || is_due {
                self.publish();
                published = Instant::now();
            }
        }
    }

    fn has_running_clock(&self) -> bool {
        let table = self.session.table();
        table.control().is_some() && table.conclusion().is_none()
    }

    fn rest(&self) -> Duration {
        if self.has_running_clock() { CLOCK_POLL } else { REST }
    }

    /// The same game with another engine: the thread of the one before has ended.
    fn replace_opponent(&mut self, opponent: impl Opponent + 'static) {
        self.failures += 1;
        let table = self.session.table();
        let (record, table) = Record::read(&self.session.pgn(), table.players(), self.session.record().skill);
        self.session = PlaySession::new(table, record, opponent, EngineAdvisor::default());
    }

    fn obey(&mut self, order: Order) -> Result<(), Refused> {
        let table = self.session.table();
        let command = match order {
            Order::Move(text, ply) => {
                let plies = table.game().moves().len();
                if plies != ply {
                    let sentence =
                        format!("the game has {plies} moves, not {ply}: another tab may have moved");
                    return Err(Refused::Conflict(sentence));
                }
                // Only a legal move of the person can be read; whose turn it is, is checked by the game.
                let mv = match table.mover() {
                    Player::Person => {
                        rules::parse_move(table.position(), &text).map_err(Refused::BadInput)?
                    }
                    Player::Engine => return Err(Refused::Conflict("it is the engine's turn".to_owned())),
                };
                PlayCommand::Move(mv)
            }
            Order::Resign => PlayCommand::Resign(table.lone_person().unwrap_or(Color::White)),
            Order::Command(command) => command,
        };
        self.message = None;
        self.failures = 0;
        let events =
            self.session.command(command).map_err(|refusal| Refused::Conflict(refusal.to_string()))?;
        events.into_iter().for_each(|event| self.note(event));
        Ok(())
    }

    /// Notes what the page shows of an event beside the game itself.
    fn note(&mut self, event: PlayEvent) {
        match event {
            PlayEvent::Moved { .. } | PlayEvent::GameStarted | PlayEvent::TakenBack { .. } => {
                self.hint = None;
            }
            PlayEvent::Hint(analysis) | PlayEvent::Evaluation(analysis) => {
                self.hint = Some(self.hint_json(&analysis));
            }
            PlayEvent::NoAdvice => self.message = Some("there is no hint for this position".to_owned()),
            PlayEvent::DrawDeclined(DrawRefusal::TooEarly { from_move }) => {
                self.message =
                    Some(format!("the engine declines: it accepts draws from move {from_move} on"));
            }
            PlayEvent::DrawDeclined(DrawRefusal::StandsBetter) => {
                self.message = Some("the engine declines the draw: it stands better".to_owned());
            }
            PlayEvent::DrawOffered { .. } | PlayEvent::Ended(_) => {}
            PlayEvent::SkillChanged(skill) => self.message = Some(format!("the engine now plays at {skill}")),
            PlayEvent::NotSaved(sentence) => self.message = Some(sentence),
            PlayEvent::OpponentFailed => {
                let sentence = match self.failures < MAX_FAILURES {
                    true => "the engine ended unexpectedly; another one plays on",
                    false => {
                        "the engine ended unexpectedly several times; take back a move or start another game"
                    }
                };
                self.message = Some(sentence.to_owned());
            }
        }
    }

    fn hint_json(&self, analysis: &PositionAnalysis) -> Value {
        let position = self.session.table().position();
        let score = WhiteScore::new(analysis.score, position.side_to_move());
        let line = rules::line_json(position, &analysis.pv);
        json!({
            "uci": line[0]["uci"],
            "san": line[0]["san"],
            "score": score,
            "text": score.to_string(),
            "line": line,
        })
    }

    /// Publishes the game, unless another one has begun, and saves its record.
    fn publish(&self) -> Value {
        let json = self.json();
        let mut records = lock(&self.records);
        if records.is_newest(self.number) {
            self.topics.publish(Topic::Play, &json);
        }
        if !self.session.table().game().moves().is_empty() {
            records.save(self.number, self.session.pgn().to_string());
        }
        json
    }

    fn json(&self) -> Value {
        let table = self.session.table();
        let (game, position) = (table.game(), table.position());
        let conclusion = table.conclusion();
        let is_persons_turn = conclusion.is_none() && table.mover() == Player::Person;
        let moves = game.moves().iter().zip(game.positions()).map(|(&mv, before)| {
            let mut value = rules::move_json(before, mv);
            value["fen"] = json!(before.after(mv).to_string());
            value
        });
        let skill = self.session.record().skill;
        json!({
            "state": if conclusion.is_some() { "over" } else { "playing" },
            "game": self.number,
            "start": game.start().to_string(),
            "fen": position.to_string(),
            "ply": game.moves().len(),
            "moves": moves.collect::<Vec<_>>(),
            "color": table.lone_person().map(rules::side_name),
            "side": rules::side_name(table.side_to_move()),
            "check": position.is_check().then(|| position.king(table.side_to_move()).to_string()),
            "is_thinking": conclusion.is_none() && table.mover() == Player::Engine && self.failures < MAX_FAILURES,
            "skill": skill.to_string(),
            "level": match skill { Skill::Level(level) => Some(level), _ => None },
            "elo": match skill { Skill::Elo(elo) => Some(elo), _ => None },
            "search": self.algorithm.name(),
            "clock": self.clock_json(),
            "hint": self.hint,
            "message": self.message,
            "offer": null,
            "ending": conclusion.map(|it| json!({ "text": it.to_string(), "result": it.outcome().to_string() })),
            "opening": rules::opening_json(self.session.opening()),
            "legal": if is_persons_turn { rules::legal_json(position) } else { json!([]) },
        })
    }

    fn clock_json(&self) -> Option<Value> {
        let control = self.session.table().control()?;
        let left = |side| self.session.time_left(side).map(|time| time.as_millis() as u64);
        let running = self.has_running_clock().then(|| rules::side_name(self.session.table().side_to_move()));
        Some(json!({
            "control": control.to_string(),
            "white_ms": left(Color::White),
            "black_ms": left(Color::Black),
            "running": running,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use rukh_chess::types::ByColor;
    use rukh_chess::{Move, Position};
    use rukh_play::opponent::Turn;

    use super::*;

    /// An opponent whose engine ends `failures` times, and then plays the first legal move.
    struct Failing {
        failures: Arc<Mutex<usize>>,
        first: Option<Move>,
    }

    impl Opponent for Failing {
        fn start(&mut self, turn: &Turn<'_>) {
            let mut left = lock(&self.failures);
            let legal = turn.game.position().legal_moves();
            self.first = legal.iter().next().copied().filter(|_| *left == 0);
            *left = left.saturating_sub(1);
        }

        fn poll(&mut self, _: Duration) -> Poll<Option<Move>> {
            Poll::Ready(self.first.take())
        }

        fn move_now(&mut self) {}

        fn cancel(&mut self) {}
    }

    /// A game in which White has moved and the engine of Black ends so many times.
    fn play_against(failures: usize) -> (Arc<Topics>, PlayHandle) {
        let topics = Arc::new(Topics::new());
        let records = Arc::new(Mutex::new(Records::default()));
        let number = lock(&records).begin();
        let table = GameTable::new(Position::default(), ByColor([Player::Person, Player::Engine]), None);
        let record = Record { date: "2026.11.17".to_owned(), skill: Skill::Level(3) };
        let algorithm = Algorithm::default();
        let game = NewGame { number, table, record, algorithm, topics: topics.clone(), records };
        let failures = Arc::new(Mutex::new(failures));
        let opponent = move || Failing { failures: failures.clone(), first: None };
        let (handle, _) = start(game, opponent).expect("a thread");
        let moved = handle.send(Order::Move("e4".to_owned(), 0)).blocking_recv().expect("the game goes on");
        assert!(moved.is_ok());
        (topics, handle)
    }

    fn wait(topics: &Topics, is_wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..2_000 {
            let snapshot: Value = serde_json::from_str(&topics.get(Topic::Play)).expect("JSON");
            if is_wanted(&snapshot) {
                return snapshot;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("no such snapshot: {}", topics.get(Topic::Play));
    }

    #[test]
    fn an_engine_that_ends_is_replaced() {
        let (topics, _handle) = play_against(2);
        let played = wait(&topics, |play| play["ply"] == 2);
        assert_eq!((&played["moves"][0]["san"], &played["skill"]), (&json!("e4"), &json!("level 3")));
    }

    #[test]
    fn engines_that_always_end_do_not_end_the_game() {
        let (topics, handle) = play_against(usize::MAX);
        let failed =
            wait(&topics, |play| play["message"].as_str().is_some_and(|text| text.contains("several times")));
        assert_eq!((&failed["ply"], &failed["is_thinking"]), (&json!(1), &json!(false)));
        let back =
            handle.send(Order::Command(PlayCommand::TakeBack)).blocking_recv().expect("the game goes on");
        assert!(back.is_ok_and(|play| play["ply"] == 0));
    }
}
