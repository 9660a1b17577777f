//! One game between two players.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::game::{Ending, Game, Outcome};
use rukh_chess::types::ByColor;

use super::adjudicate::{Adjudication, Agreement, Record};
use super::control::Control;
use super::player::{Player, PlayerFault, SearchInfo, Turn};

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By the rules of chess.
    Rules(Ending),
    /// By adjudication.
    Agreed(Agreement),
    /// By a fault of a side: it loses.
    Fault(Color, Fault),
}

/// The fault of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The engine exited or could not be started.
    Crash(String),
    /// It exceeded its time; the time it took.
    Time(Duration),
    /// It played something that is no legal move.
    Illegal(String),
    /// It resigned, or claimed a result that the rules do not give.
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

/// The search info and the time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The info of the engine's search.
    pub info: SearchInfo,
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
    /// The result.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
}

/// The settings of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameRules<'t> {
    pub(super) controls: ByColor<&'t Control>,
    pub(super) adjudication: &'t Adjudication,
    /// The time limit of a move for an engine without a clock.
    pub(super) patience: Duration,
    /// The game is interrupted when one is set.
    pub(super) is_over: &'t [&'t AtomicBool],
}

impl GameRules<'_> {
    fn is_over(&self) -> bool {
        self.is_over.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Played {
    /// A game that a side lost because its engine did not start.
    pub(super) fn unplayed(game: Game, side: Color, fault: PlayerFault) -> Self {
        let (outcome, reason) = broken(side, fault);
        Self { book_moves: game.moves().len(), game, remarks: Vec::new(), outcome, reason }
    }
}

/// Plays a game on from the position of `game`; none if it is interrupted.
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
        if let Err(fault) = players[side].begin(game) {
            return Some(broken(side, fault));
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
        let answer = match players[side].search(&turn) {
            Ok(answer) => answer,
            Err(fault) => return Some(broken(side, fault)),
        };
        if clocks[side].spend(rules.controls[side], answer.taken).is_err() {
            return Some(broken(side, PlayerFault::Late(answer.taken)));
        }
        record.note(side, answer.info.score);
        remarks.push(Remark { info: answer.info, taken: answer.taken });
        game.play(answer.mv).expect("the player has read it as a legal move");
    }
    None
}

/// The side at fault loses.
fn broken(side: Color, fault: PlayerFault) -> (Outcome, Reason) {
    let fault = match fault {
        PlayerFault::Crash(why) => Fault::Crash(why),
        PlayerFault::Late(taken) => Fault::Time(taken),
        PlayerFault::Illegal(text) => Fault::Illegal(text),
        PlayerFault::Claim(text) => Fault::Claim(text),
    };
    (Outcome::Win(!side), Reason::Fault(side, fault))
}
