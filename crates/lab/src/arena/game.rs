//! One game between two players.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::game::{Ending, Game, Outcome};
use rukh_chess::types::ByColor;

use super::adjudicate::{Adjudication, Agreement, Record};
use super::control::Control;
use super::player::{Player, Thought, Trouble, Turn};

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By the rules of chess.
    Rules(Ending),
    /// Early, since the result was plain.
    Agreed(Agreement),
    /// A side broke down.
    Fault(Color, Fault),
}

/// How a side broke down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The engine ended or could not be used.
    Crash(String),
    /// It answered too late, or not at all; so long it had taken.
    Time(Duration),
    /// It played something that is no legal move.
    Illegal(String),
    /// It gave up, or said that the game was over.
    Claim(String),
}

impl Fault {
    /// Its kind.
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Crash(_) => FaultKind::Crash,
            Self::Time(_) => FaultKind::Time,
            Self::Illegal(_) => FaultKind::Illegal,
            Self::Claim(_) => FaultKind::Claim,
        }
    }
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A crash.
    Crash,
    /// A loss on time.
    Time,
    /// An illegal move.
    Illegal,
    /// A claim.
    Claim,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Crash, Self::Time, Self::Illegal, Self::Claim];

    /// The name it has in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Time => "time",
            Self::Illegal => "illegal",
            Self::Claim => "claim",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(ending) => ending.fmt(f),
            Self::Agreed(Agreement::Draw) => f.write_str("draw by adjudication: level scores"),
            Self::Agreed(Agreement::Resignation) => f.write_str("win by adjudication: both sides agree"),
            Self::Agreed(Agreement::TooLong) => f.write_str("draw by adjudication: too many moves"),
            Self::Fault(side, Fault::Crash(why)) => write!(f, "{side} crashes: {why}"),
            Self::Fault(side, Fault::Time(taken)) => {
                write!(f, "{side} loses on time after {:.3} s", taken.as_secs_f64())
            }
            Self::Fault(side, Fault::Illegal(text)) => write!(f, "{side} makes an illegal move: {text:?}"),
            Self::Fault(side, Fault::Claim(text)) => write!(f, "{side} ends the game: {text:?}"),
        }
    }
}

/// What is known of a move beside itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remark {
    /// What the engine said.
    pub thought: Thought,
    /// How long it took.
    pub taken: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, the moves of the opening included.
    pub game: Game,
    /// Moves of the opening.
    pub book_moves: usize,
    /// A remark to each move after the opening.
    pub remarks: Vec<Remark>,
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameRules<'t> {
    pub(super) controls: ByColor<&'t Control>,
    pub(super) adjudication: &'t Adjudication,
    /// How long an engine without a limit in time may take.
    pub(super) patience: Duration,
    /// One is set when nobody waits for the game any more.
    pub(super) is_over: &'t [&'t AtomicBool],
}

impl GameRules<'_> {
    fn is_over(&self) -> bool {
        self.is_over.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Played {
    /// A game that one side could not begin.
    pub(super) fn unplayed(game: Game, side: Color, trouble: Trouble) -> Self {
        let (outcome, reason) = broken(side, trouble);
        Self { book_moves: game.moves().len(), game, remarks: Vec::new(), outcome, reason }
    }
}

/// Plays a game from where `game` stands; none if it is broken off.
pub(super) fn play(
    players: &mut ByColor<&mut dyn Player>,
    mut game: Game,
    rules: &GameRules<'_>,
) -> Option<Played> {
    let (book_moves, mut remarks) = (game.moves().len(), Vec::new());
    let (outcome, reason) = play_on(players, &mut game, &mut remarks, rules)?;
    Some(Played { game, book_moves, remarks, outcome, reason })
}

fn play_on(
    players: &mut ByColor<&mut dyn Player>,
    game: &mut Game,
    remarks: &mut Vec<Remark>,
    rules: &GameRules<'_>,
) -> Option<(Outcome, Reason)> {
    for side in [Color::White, Color::Black] {
        if let Err(trouble) = players[side].begin(game) {
            return Some(broken(side, trouble));
        }
    }
    let mut clocks = ByColor([Color::White, Color::Black].map(|side| rules.controls[side].start()));
    let mut record = Record::default();
    let first_mover = game.position().side_to_move();
    while !rules.is_over() {
        if let Some(ending) = game.ending() {
            return Some((ending.outcome(), Reason::Rules(ending)));
        }
        let number = game.position().fullmove_number();
        if let Some((outcome, agreement)) = record.agree(rules.adjudication, first_mover, number) {
            return Some((outcome, Reason::Agreed(agreement)));
        }
        let side = game.position().side_to_move();
        let turn = Turn { game, clocks, controls: rules.controls, patience: rules.patience };
        let answer = match players[side].think(&turn) {
            Ok(answer) => answer,
            Err(trouble) => return Some(broken(side, trouble)),
        };
        if clocks[side].spend(rules.controls[side], answer.taken).is_err() {
            return Some(broken(side, Trouble::Late(answer.taken)));
        }
        record.note(side, answer.thought.score);
        remarks.push(Remark { thought: answer.thought, taken: answer.taken });
        game.play(answer.mv).expect("the player has read it as a legal move");
    }
    None
}

/// A side that breaks down loses.
fn broken(side: Color, trouble: Trouble) -> (Outcome, Reason) {
    let fault = match trouble {
        Trouble::Gone(why) => Fault::Crash(why),
        Trouble::Late(taken) => Fault::Time(taken),
        Trouble::Illegal(text) => Fault::Illegal(text),
        Trouble::Claim(text) => Fault::Claim(text),
    };
    (Outcome::Win(!side), Reason::Fault(side, fault))
}
