//! Play session: the state machine of a game between people and engines. Commands go in, events come out.
//!
//! It never blocks for longer than its caller allows, prints nothing and reads no input. Terminal and web page are front ends.

use std::task::Poll;
use std::time::Duration;

use rukh_chess::notation::pgn::PgnGame;
use rukh_chess::{Color, Move};
use rukh_engine::draw_policy::DrawPolicy;
use rukh_eval::Score;
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_knowledge::openings::{Opening, Openings};

use crate::advisor::Advisor;
use crate::archive::Archive;
use crate::message::{DrawRefusal, PlayCommand, PlayEvent, Refusal};
use crate::opponent::{Opponent, Turn};
use crate::record::Record;
use crate::summary;
use crate::table::{GameTable, Player};
use crate::time::{SystemTimeSource, TimeSource};

/// The time of the advisor for a hint, an evaluation or a draw offer.
const ADVICE_TIME: Duration = Duration::from_secs(1);

/// When the engine accepts a draw.
const DRAWS: DrawPolicy = DrawPolicy::OFFERS;

/// What the advisor is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Hint,
    Evaluation,
    /// The engine answers a draw offer.
    DrawOffer,
}

/// A game with its clocks, record, archive, opponent and advisor.
///
/// A front end sends [`PlayCommand`]s with [`Self::command`], and calls [`Self::advance`] while the engine is to move or an
/// answer is due.
pub struct PlaySession {
    table: GameTable,
    record: Record,
    archive: Option<Archive>,
    opponent: Box<dyn Opponent>,
    advisor: Box<dyn Advisor>,
    openings: Openings,
    time: Box<dyn TimeSource>,
    /// When the present turn began.
    turn_began: Duration,
    /// Whether the opponent thinks about the present turn.
    is_thinking: bool,
    question: Option<Question>,
}

impl PlaySession {
    /// A session that is not saved and uses the clock of the system. The clock of the side to move runs at once.
    pub fn new(
        table: GameTable,
        record: Record,
        opponent: impl Opponent + 'static,
        advisor: impl Advisor + 'static,
    ) -> Self {
        let time = SystemTimeSource::default();
        Self {
            table,
            record,
            archive: None,
            opponent: Box::new(opponent),
            advisor: Box::new(advisor),
            openings: Openings::new(),
            turn_began: time.now(),
            time: Box::new(time),
            is_thinking: false,
            question: None,
        }
    }

    /// Saves the game in `archive` after every change.
    #[must_use]
    pub fn saved_in(mut self, archive: Archive) -> Self {
        self.archive = Some(archive);
        self
    }

    /// Measures time with `time`.
    #[must_use]
    pub fn with_time_source(mut self, time: impl TimeSource + 'static) -> Self {
        self.turn_began = time.now();
        self.time = Box::new(time);
        self
    }

    /// The game, the players and the clocks at the start of the turn.
    pub fn table(&self) -> &GameTable {
        &self.table
    }

    /// Date and skill.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Where the game is saved, if it is.
    pub fn archive(&self) -> Option<&Archive> {
        self.archive.as_ref()
    }

    /// The opening of the game, if it has a name.
    pub fn opening(&self) -> Option<Opening> {
        self.openings.of_game(self.table.game())
    }

    /// The game so far as PGN.
    pub fn pgn(&self) -> PgnGame {
        self.record.write(&self.table, self.opening())
    }

    /// The time a side has left now, if there are clocks.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        let left = self.table.remaining(side)?;
        let is_running = side == self.table.side_to_move() && self.table.conclusion().is_none();
        Some(if is_running { left.saturating_sub(self.elapsed()) } else { left })
    }

    /// Whether [`Self::advance`] has something to wait for: a move of the engine or an answer of the advisor.
    pub fn is_busy(&self) -> bool {
        let is_over = self.table.conclusion().is_some();
        !is_over && (self.question.is_some() || self.table.mover() == Player::Engine)
    }

    /// Obeys a command and returns what happened, or why nothing did.
    pub fn command(&mut self, command: PlayCommand) -> Result<Vec<PlayEvent>, Refusal> {
        let needs_game = !matches!(command, PlayCommand::NewGame { .. } | PlayCommand::Resume(_));
        if needs_game && self.table.conclusion().is_some() {
            return Err(Refusal::GameOver);
        }
        let needs_turn = matches!(
            command,
            PlayCommand::Move(_) | PlayCommand::OfferDraw | PlayCommand::Hint | PlayCommand::Evaluate
        );
        if needs_turn && self.table.mover() == Player::Engine {
            return Err(Refusal::NotYourTurn);
        }
        match command {
            PlayCommand::Move(mv) => self.play(mv),
            PlayCommand::TakeBack => self.take_back(),
            PlayCommand::OfferDraw => Ok(self.offer_draw()),
            PlayCommand::Resign(side) if self.table.players()[side] == Player::Engine => {
                Err(Refusal::NotYourSide)
            }
            PlayCommand::Resign(side) => {
                self.table.resign(side);
                Ok(self.changed(Vec::new()))
            }
            PlayCommand::MoveNow => {
                if self.is_thinking {
                    self.opponent.move_now();
                }
                Ok(Vec::new())
            }
            PlayCommand::Hint => Ok(self.ask(Question::Hint)),
            PlayCommand::Evaluate => Ok(self.ask(Question::Evaluation)),
            PlayCommand::SetSkill(skill) => {
                self.record.skill = skill;
                let mut events = vec![PlayEvent::SkillChanged(skill)];
                events.extend(self.save());
                Ok(events)
            }
            PlayCommand::NewGame { date } => {
                self.record.date = date;
                let start = self.table.game().start().clone();
                let table = GameTable::new(start, self.table.players(), self.table.control());
                Ok(self.start_game(table))
            }
            PlayCommand::Resume(game) => self.resume(&game),
        }
    }

    /// Checks the clocks and waits at most `patience` for the engine's move or the advisor's answer. Returns at once if
    /// [`Self::is_busy`] is false.
    pub fn advance(&mut self, patience: Duration) -> Vec<PlayEvent> {
        if self.table.conclusion().is_some() {
            return Vec::new();
        }
        let left = self.time_left(self.table.side_to_move());
        if left == Some(Duration::ZERO) {
            self.table.run_out_of_time();
            return self.changed(Vec::new());
        }
        let patience = left.map_or(patience, |left| left.min(patience));
        match self.question {
            Some(question) => match self.advisor.poll(patience) {
                Poll::Pending => Vec::new(),
                Poll::Ready(analysis) => {
                    self.question = None;
                    self.answer(question, analysis)
                }
            },
            None if self.table.mover() == Player::Engine => self.think(patience),
            None => Vec::new(),
        }
    }

    /// Reviews the game so far; see [`summary::review`]. It blocks until the review ends or `continues` returns false.
    pub fn review(&mut self, continues: impl FnMut(usize, usize) -> bool) -> Option<Review> {
        self.question = None;
        summary::review(self.table.game(), self.advisor.as_mut(), continues)
    }

    fn elapsed(&self) -> Duration {
        self.time.now().saturating_sub(self.turn_began)
    }

    /// The engine's turn.
    fn think(&mut self, patience: Duration) -> Vec<PlayEvent> {
        if !self.is_thinking {
            self.is_thinking = true;
            self.opponent.start(&Turn::of(&self.table, self.record.skill));
        }
        match self.opponent.poll(patience) {
            Poll::Pending => Vec::new(),
            Poll::Ready(mv) => {
                self.is_thinking = false;
                let played = mv.and_then(|mv| self.play(mv).ok());
                played.unwrap_or_else(|| vec![PlayEvent::OpponentFailed])
            }
        }
    }

    fn play(&mut self, mv: Move) -> Result<Vec<PlayEvent>, Refusal> {
        let by = self.table.side_to_move();
        let moves = self.table.game().moves().len();
        self.table.play(mv, self.elapsed()).map_err(Refusal::Illegal)?;
        // A move that came too late is not in the game.
        let is_played = self.table.game().moves().len() > moves;
        Ok(self.changed(Vec::from_iter(is_played.then_some(PlayEvent::Moved { by, mv }))))
    }

    fn take_back(&mut self) -> Result<Vec<PlayEvent>, Refusal> {
        match self.table.take_back() {
            0 => Err(Refusal::NothingToTakeBack),
            plies => Ok(self.changed(vec![PlayEvent::TakenBack { plies }])),
        }
    }

    /// Two people agree between them; the engine answers after an evaluation.
    fn offer_draw(&mut self) -> Vec<PlayEvent> {
        if self.table.lone_person().is_none() {
            let by = self.table.side_to_move();
            return match self.table.offer_draw() {
                true => self.changed(Vec::new()),
                false => vec![PlayEvent::DrawOffered { by }],
            };
        }
        if !DRAWS.is_due(self.table.position().fullmove_number()) {
            return vec![PlayEvent::DrawDeclined(DrawRefusal::TooEarly { from_move: DRAWS.from_move })];
        }
        self.ask(Question::DrawOffer)
    }

    fn ask(&mut self, question: Question) -> Vec<PlayEvent> {
        self.question = Some(question);
        self.advisor.start(self.table.game(), ADVICE_TIME);
        Vec::new()
    }

    fn answer(&mut self, question: Question, analysis: Option<PositionAnalysis>) -> Vec<PlayEvent> {
        match (question, analysis) {
            (Question::Hint, Some(analysis)) => vec![PlayEvent::Hint(analysis)],
            (Question::Evaluation, Some(analysis)) => vec![PlayEvent::Evaluation(analysis)],
            (Question::Hint | Question::Evaluation, None) => vec![PlayEvent::NoAdvice],
            (Question::DrawOffer, analysis) => {
                // The person is to move: the engine has the opposite score.
                let engine = analysis.map_or(Score::DRAW, |analysis| -analysis.score);
                if !DRAWS.accepts_score(engine) {
                    return vec![PlayEvent::DrawDeclined(DrawRefusal::StandsBetter)];
                }
                self.table.agree_to_draw();
                self.changed(Vec::new())
            }
        }
    }

    fn resume(&mut self, game: &PgnGame) -> Result<Vec<PlayEvent>, Refusal> {
        let (record, table) = Record::read(game, self.table.players(), self.record.skill);
        if let Some(conclusion) = table.conclusion() {
            return Err(Refusal::CannotResume(conclusion));
        }
        self.record = record;
        Ok(self.start_game(table))
    }

    /// Puts another game on the board; the one before stays saved as it is.
    fn start_game(&mut self, table: GameTable) -> Vec<PlayEvent> {
        if let Some(archive) = &mut self.archive {
            archive.begin_new_game();
        }
        self.table = table;
        self.begin_turn();
        vec![PlayEvent::GameStarted]
    }

    /// Another turn: thoughts about the one before are dropped, and the clock of the side to move starts.
    fn begin_turn(&mut self) {
        if std::mem::take(&mut self.is_thinking) {
            self.opponent.cancel();
        }
        if self.question.take().is_some() {
            self.advisor.cancel();
        }
        self.turn_began = self.time.now();
    }

    /// The game has changed: another turn begins, the end is reported, and the game is saved.
    fn changed(&mut self, mut events: Vec<PlayEvent>) -> Vec<PlayEvent> {
        self.begin_turn();
        events.extend(self.table.conclusion().map(PlayEvent::Ended));
        events.extend(self.save());
        events
    }

    /// Saves the game; where that fails, it is not saved any more.
    fn save(&mut self) -> Option<PlayEvent> {
        let game = self.pgn();
        let error = self.archive.as_mut()?.save(&game).err()?;
        self.archive = None;
        Some(PlayEvent::NotSaved(error))
    }
}
