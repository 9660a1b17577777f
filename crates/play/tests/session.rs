//! Whole games through a session, with a scripted opponent and advisor, a manual clock and no terminal.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use rukh_chess::game::{Ending, Game, Outcome};
use rukh_chess::notation::pgn::Games;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;
use rukh_explain::review::PositionAnalysis;
use rukh_play::advisor::Advisor;
use rukh_play::archive::Archive;
use rukh_play::conclusion::Conclusion;
use rukh_play::control::TimeControl;
use rukh_play::message::{DrawRefusal, PlayCommand, PlayEvent, Refusal};
use rukh_play::opponent::{Opponent, Turn};
use rukh_play::record::Record;
use rukh_play::session::PlaySession;
use rukh_play::skill::Skill;
use rukh_play::summary::Summary;
use rukh_play::table::{GameTable, Player};
use rukh_play::time::ManualTimeSource;

const SECOND: Duration = Duration::from_secs(1);
const PEOPLE: ByColor<Player> = ByColor([Player::Person; 2]);
const AGAINST_ENGINE: ByColor<Player> = ByColor([Player::Person, Player::Engine]);

/// What the session asked of the opponent, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, what: String) {
        self.0.lock().expect("no test panics with it").push(what);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no test panics with it"))
    }
}

/// Plays the moves of a list. A move that begins with `...` comes only after `move_now`.
struct Script {
    moves: VecDeque<&'static str>,
    present: Option<Move>,
    is_slow: bool,
    log: Log,
}

impl Script {
    fn new(moves: &'static str) -> Self {
        Self { moves: moves.split_whitespace().collect(), present: None, is_slow: false, log: Log::default() }
    }
}

impl Opponent for Script {
    fn start(&mut self, turn: &Turn<'_>) {
        let clock = turn.clocks.map(|clocks| clocks[turn.game.position().side_to_move()].remaining);
        self.log.note(format!("start at {} with {clock:?}", turn.skill));
        let text = self.moves.pop_front().unwrap_or_default();
        self.is_slow = text.starts_with("...");
        self.present = turn.game.position().parse_san(text.trim_start_matches('.')).ok();
    }

    fn poll(&mut self, _: Duration) -> Poll<Option<Move>> {
        if self.is_slow { Poll::Pending } else { Poll::Ready(self.present) }
    }

    fn move_now(&mut self) {
        self.is_slow = false;
    }

    fn cancel(&mut self) {
        self.log.note("cancel".to_owned());
    }
}

/// Answers every question with the same score for the side to move, after one `Pending`.
struct Oracle {
    score: Score,
    game: Game,
    is_asked: bool,
    cancelled: Arc<AtomicUsize>,
}

impl Oracle {
    fn new(centipawns: i32) -> Self {
        let score = Score::new(centipawns);
        Self { score, game: Game::default(), is_asked: false, cancelled: Arc::default() }
    }
}

impl Advisor for Oracle {
    fn start(&mut self, game: &Game, _: Duration) {
        self.game = game.clone();
        self.is_asked = true;
    }

    fn poll(&mut self, _: Duration) -> Poll<Option<PositionAnalysis>> {
        if std::mem::take(&mut self.is_asked) {
            return Poll::Pending;
        }
        let position = self.game.position();
        let pv: Vec<Move> = position.legal_moves().first().copied().into_iter().collect();
        let wdl = rukh_eval::wdl(self.score, position.fullmove_number());
        Poll::Ready((!pv.is_empty()).then_some(PositionAnalysis { score: self.score, wdl, pv }))
    }

    fn cancel(&mut self) {
        self.cancelled.fetch_add(1, Ordering::Relaxed);
    }
}

fn record() -> Record {
    Record { date: "2026.11.15".to_owned(), skill: Skill::Level(3) }
}

fn table(players: ByColor<Player>) -> GameTable {
    GameTable::new(Position::default(), players, None)
}

fn blitz(players: ByColor<Player>) -> GameTable {
    let control = TimeControl { base: 10 * SECOND, increment: 2 * SECOND };
    GameTable::new(Position::default(), players, Some(control))
}

fn session(table: GameTable, moves: &'static str) -> PlaySession {
    PlaySession::new(table, record(), Script::new(moves), Oracle::new(0))
}

fn san(session: &PlaySession, text: &str) -> Move {
    session.table().position().parse_san(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays moves of people and lets the engine answer; all events.
fn play(session: &mut PlaySession, moves: &str) -> Vec<PlayEvent> {
    let mut events = Vec::new();
    for text in moves.split_whitespace() {
        let mv = san(session, text);
        events.extend(session.command(PlayCommand::Move(mv)).expect("the move is accepted"));
        while session.is_busy() {
            events.extend(session.advance(SECOND));
        }
    }
    events
}

/// Sends a command and waits for what follows.
fn ask(session: &mut PlaySession, command: PlayCommand) -> Vec<PlayEvent> {
    let mut events = session.command(command).expect("the command is accepted");
    while session.is_busy() {
        events.extend(session.advance(SECOND));
    }
    events
}

#[test]
fn two_people_play_to_mate() {
    let mut session = session(table(PEOPLE), "");
    let events = play(&mut session, "f3 e5 g4 Qh4#");
    let mate = Conclusion::Rules(Ending::Checkmate { winner: Color::Black });
    assert_eq!(events.len(), 5);
    assert!(matches!(events[3], PlayEvent::Moved { by: Color::Black, .. }));
    assert_eq!(events[4], PlayEvent::Ended(mate));
    assert_eq!(session.command(PlayCommand::TakeBack), Err(Refusal::GameOver));
    assert_eq!(session.advance(SECOND), []);
    assert!(session.pgn().to_string().contains("1. f3 e5 2. g4 Qh4# 0-1"));
    assert_eq!(session.opening().map(|opening| opening.code), Some("A00"));
}

#[test]
fn the_engine_answers_a_person() {
    let opponent = Script::new("e5 Nc6");
    let log = opponent.log.clone();
    let mut session = PlaySession::new(blitz(AGAINST_ENGINE), record(), opponent, Oracle::new(0))
        .with_time_source(ManualTimeSource::default());
    assert!(!session.is_busy(), "a person is to move");
    let events = play(&mut session, "e4 Nf3");
    let movers: Vec<_> = events
        .iter()
        .map(|event| match event {
            PlayEvent::Moved { by, .. } => *by,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(movers, [Color::White, Color::Black, Color::White, Color::Black]);
    assert_eq!(log.take(), ["start at level 3 with Some(10s)", "start at level 3 with Some(12s)"]);
}

#[test]
fn a_command_out_of_turn_is_refused_and_changes_nothing() {
    let mut session = session(table(AGAINST_ENGINE), "...e5 Nc6");
    let e5 = Position::default().parse_uci("e2e4").expect("it is legal");
    session.command(PlayCommand::Move(e5)).expect("it is White's turn");
    let before = session.pgn();
    for command in [PlayCommand::Move(e5), PlayCommand::OfferDraw, PlayCommand::Hint, PlayCommand::Evaluate] {
        assert_eq!(session.command(command), Err(Refusal::NotYourTurn));
    }
    assert_eq!(session.command(PlayCommand::Resign(Color::Black)), Err(Refusal::NotYourSide));
    assert_eq!(session.pgn(), before);
    // The engine is slow until it is told to move.
    assert_eq!(session.advance(SECOND), []);
    assert_eq!(session.command(PlayCommand::MoveNow), Ok(Vec::new()));
    assert!(matches!(session.advance(SECOND)[..], [PlayEvent::Moved { by: Color::Black, .. }]));
    let illegal = session.command(PlayCommand::Move(e5));
    assert!(matches!(illegal, Err(Refusal::Illegal(_))), "the pawn is gone: {illegal:?}");
}

#[test]
fn a_flag_falls_by_the_time_source() {
    let time = ManualTimeSource::default();
    let mut session = session(blitz(PEOPLE), "").with_time_source(time.clone());
    time.advance(4 * SECOND);
    assert_eq!(session.time_left(Color::White), Some(6 * SECOND));
    assert_eq!(session.time_left(Color::Black), Some(10 * SECOND));
    play(&mut session, "e4");
    assert_eq!(session.time_left(Color::White), Some(8 * SECOND), "four seconds taken, two added");
    time.advance(9 * SECOND);
    assert_eq!(session.advance(Duration::ZERO), []);
    time.advance(SECOND);
    assert_eq!(session.advance(Duration::ZERO), [PlayEvent::Ended(Conclusion::Time(Color::Black))]);
    assert_eq!(session.time_left(Color::Black), Some(Duration::ZERO));
    assert_eq!(session.pgn().outcome, Some(Outcome::Win(Color::White)));
}

#[test]
fn a_move_that_comes_too_late_is_not_played() {
    let time = ManualTimeSource::default();
    let mut session = session(blitz(PEOPLE), "").with_time_source(time.clone());
    time.advance(11 * SECOND);
    let e4 = san(&session, "e4");
    let events = session.command(PlayCommand::Move(e4)).expect("it is heard");
    assert_eq!(events, [PlayEvent::Ended(Conclusion::Time(Color::White))]);
    assert!(session.table().game().moves().is_empty());
}

#[test]
fn the_engine_loses_on_time_too() {
    let opponent = Script::new("...e5");
    let log = opponent.log.clone();
    let time = ManualTimeSource::default();
    let mut session = PlaySession::new(blitz(AGAINST_ENGINE), record(), opponent, Oracle::new(0))
        .with_time_source(time.clone());
    let e4 = san(&session, "e4");
    session.command(PlayCommand::Move(e4)).expect("it is legal");
    assert_eq!(session.advance(SECOND), []);
    time.advance(10 * SECOND);
    assert_eq!(session.advance(SECOND), [PlayEvent::Ended(Conclusion::Time(Color::Black))]);
    assert_eq!(log.take().last().map(String::as_str), Some("cancel"));
}

#[test]
fn a_takeback_gives_the_turn_and_the_time_back() {
    let time = ManualTimeSource::default();
    let mut session = session(blitz(AGAINST_ENGINE), "e5 c5").with_time_source(time.clone());
    assert_eq!(session.command(PlayCommand::TakeBack), Err(Refusal::NothingToTakeBack));
    time.advance(5 * SECOND);
    play(&mut session, "e4");
    assert_eq!(ask(&mut session, PlayCommand::TakeBack), [PlayEvent::TakenBack { plies: 2 }]);
    assert_eq!(session.time_left(Color::White), Some(10 * SECOND));
    assert_eq!(session.table().side_to_move(), Color::White);
}

#[test]
fn a_takeback_while_the_engine_thinks_stops_it() {
    let opponent = Script::new("...e5 c5");
    let log = opponent.log.clone();
    let mut session = PlaySession::new(table(AGAINST_ENGINE), record(), opponent, Oracle::new(0));
    let e4 = san(&session, "e4");
    session.command(PlayCommand::Move(e4)).expect("it is legal");
    assert_eq!(session.advance(SECOND), []);
    assert_eq!(session.command(PlayCommand::TakeBack), Ok(vec![PlayEvent::TakenBack { plies: 1 }]));
    assert_eq!(log.take(), ["start at level 3 with None", "cancel"]);
    play(&mut session, "d4");
    assert!(session.pgn().to_string().contains("1. d4 c5 *"), "{}", session.pgn());
}

#[test]
fn two_people_agree_to_a_draw() {
    let mut session = session(table(PEOPLE), "");
    play(&mut session, "e4");
    for _ in 0..2 {
        let events = ask(&mut session, PlayCommand::OfferDraw);
        assert_eq!(events, [PlayEvent::DrawOffered { by: Color::Black }], "one side alone cannot agree");
    }
    play(&mut session, "e5");
    assert_eq!(ask(&mut session, PlayCommand::OfferDraw), [PlayEvent::Ended(Conclusion::Agreement)]);
}

#[test]
fn the_engine_accepts_a_draw_unless_it_stands_better() {
    let late = "4k3/8/8/8/8/8/3QP3/4K3 w - - 0 40";
    let offered = |fen: &str, centipawns_for_person: i32| {
        let table = GameTable::new(fen.parse().expect("the position is valid"), AGAINST_ENGINE, None);
        let advisor = Oracle::new(centipawns_for_person);
        let mut session = PlaySession::new(table, record(), Script::new(""), advisor);
        ask(&mut session, PlayCommand::OfferDraw)
    };
    assert_eq!(offered(late, 300), [PlayEvent::Ended(Conclusion::Agreement)]);
    assert_eq!(offered(late, 0), [PlayEvent::Ended(Conclusion::Agreement)]);
    assert_eq!(offered(late, -300), [PlayEvent::DrawDeclined(DrawRefusal::StandsBetter)]);
    let early = "4k3/8/8/8/8/8/3QP3/4K3 w - - 0 19";
    let too_early = DrawRefusal::TooEarly { from_move: 20 };
    assert_eq!(offered(early, 300), [PlayEvent::DrawDeclined(too_early)]);
}

#[test]
fn hints_and_evaluations_come_from_the_advisor() {
    let advisor = Oracle::new(70);
    let cancelled = advisor.cancelled.clone();
    let mut session = PlaySession::new(table(AGAINST_ENGINE), record(), Script::new("e5"), advisor);
    let hint = ask(&mut session, PlayCommand::Hint);
    assert!(matches!(&hint[..], [PlayEvent::Hint(analysis)] if analysis.score == Score::new(70)));
    let evaluation = ask(&mut session, PlayCommand::Evaluate);
    assert!(matches!(&evaluation[..], [PlayEvent::Evaluation(_)]));
    assert_eq!(cancelled.load(Ordering::Relaxed), 0);
    session.command(PlayCommand::Hint).expect("it is the person's turn");
    let events = play(&mut session, "e4");
    assert_eq!(events.len(), 2, "the move drops the question: {events:?}");
    assert_eq!(cancelled.load(Ordering::Relaxed), 1);
}

#[test]
fn a_person_resigns() {
    let mut session = session(table(AGAINST_ENGINE), "e5");
    play(&mut session, "e4");
    let events = ask(&mut session, PlayCommand::Resign(Color::White));
    assert_eq!(events, [PlayEvent::Ended(Conclusion::Resignation(Color::White))]);
    let summary = Summary::of(&session.review(|_, _| true).expect("nobody stops it"));
    assert!(summary.accuracy[Color::White].is_some() && summary.accuracy[Color::Black].is_some());
    assert!(session.review(|_, _| false).is_none());
}

#[test]
fn another_skill_holds_from_the_next_move() {
    let opponent = Script::new("e5");
    let log = opponent.log.clone();
    let mut session = PlaySession::new(table(AGAINST_ENGINE), record(), opponent, Oracle::new(0));
    let skill = Skill::Elo(1_500);
    assert_eq!(ask(&mut session, PlayCommand::SetSkill(skill)), [PlayEvent::SkillChanged(skill)]);
    play(&mut session, "e4");
    assert_eq!(log.take(), ["start at 1500 Elo with None"]);
    assert!(session.pgn().to_string().contains("[EngineStrength \"1500 Elo\"]"));
}

#[test]
fn an_opponent_without_a_move_is_reported() {
    let mut session = session(table(AGAINST_ENGINE), "");
    let e4 = san(&session, "e4");
    session.command(PlayCommand::Move(e4)).expect("it is legal");
    assert_eq!(session.advance(SECOND), [PlayEvent::OpponentFailed]);
}

fn archive_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{name}.pgn"));
    // An earlier run may have left it.
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn games_are_saved_after_every_change_and_resumed() {
    let path = archive_path("resume");
    let mut session = session(blitz(PEOPLE), "")
        .with_time_source(ManualTimeSource::default())
        .saved_in(Archive::new(&path));
    play(&mut session, "e4 e5");
    let text = fs::read_to_string(&path).expect("it is saved");
    assert!(text.contains("1. e4 {[%clk 0:00:12.000]} 1... e5"), "{text}");
    ask(&mut session, PlayCommand::TakeBack);
    assert!(!fs::read_to_string(&path).expect("it is saved").contains("e5"));
    let saved = Games::new(&text).next().expect("there is a game").expect("it can be read");
    assert_eq!(
        ask(&mut session, PlayCommand::NewGame { date: "2026.11.16".to_owned() }),
        [PlayEvent::GameStarted]
    );
    play(&mut session, "d4");
    assert_eq!(ask(&mut session, PlayCommand::Resume(Box::new(saved))), [PlayEvent::GameStarted]);
    assert_eq!(session.table().game().moves().len(), 2);
    assert_eq!(session.time_left(Color::White), Some(12 * SECOND));
    play(&mut session, "Nf3");
    let text = fs::read_to_string(&path).expect("it is saved");
    let games = Games::new(&text).map(|game| game.expect("it can be read").moves().count());
    assert_eq!(games.collect::<Vec<_>>(), [1, 1, 3], "{text}");
    let mated = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let mated = Games::new(mated).next().expect("there is a game").expect("it can be read");
    let refused = session.command(PlayCommand::Resume(Box::new(mated)));
    assert!(matches!(refused, Err(Refusal::CannotResume(_))), "{refused:?}");
    assert_eq!(session.table().game().moves().len(), 3, "nothing changed");
}

#[test]
fn a_game_that_cannot_be_saved_goes_on() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("games.pgn");
    let mut session = session(table(PEOPLE), "").saved_in(Archive::new(&path));
    let events = play(&mut session, "e4 e5");
    assert!(
        matches!(&events[..], [PlayEvent::Moved { .. }, PlayEvent::NotSaved(why), PlayEvent::Moved { .. }] if why.contains("cannot write")),
        "{events:?}"
    );
    assert!(session.archive().is_none());
}

#[test]
fn engines_play_each_other() {
    let mut session = session(table(ByColor([Player::Engine; 2])), "f3 e5 g4 Qh4#");
    let mut events = Vec::new();
    while session.is_busy() {
        events.extend(session.advance(SECOND));
    }
    assert_eq!(events.len(), 5, "{events:?}");
    assert!(session.table().conclusion().is_some());
}
