//! Play: a game between people and engines, without a terminal, a browser or any printing.
//!
//! A front end builds a [`PlaySession`](session::PlaySession) from a table, a record, an opponent and an advisor, sends it
//! commands, and shows the events that come back:
//!
//! ```
//! use std::time::Duration;
//!
//! use rukh_chess::Position;
//! use rukh_chess::types::ByColor;
//! use rukh_play::advisor::EngineAdvisor;
//! use rukh_play::message::{PlayCommand, PlayEvent};
//! use rukh_play::opponent::EngineOpponent;
//! use rukh_play::record::Record;
//! use rukh_play::session::PlaySession;
//! use rukh_play::skill::Skill;
//! use rukh_play::table::{GameTable, Player};
//!
//! let players = ByColor([Player::Person, Player::Engine]);
//! let table = GameTable::new(Position::default(), players, None);
//! let record = Record { date: "2026.11.15".to_owned(), skill: Skill::Level(3) };
//! let opponent = EngineOpponent::new(Duration::from_millis(20), None, 1);
//! let mut session = PlaySession::new(table, record, opponent, EngineAdvisor::default());
//!
//! let e4 = session.table().position().parse_san("e4")?;
//! let mut events = session.command(PlayCommand::Move(e4))?;
//! while session.is_busy() {
//!     events.extend(session.advance(Duration::from_millis(50)));
//! }
//! assert!(matches!(events[..], [PlayEvent::Moved { .. }, PlayEvent::Moved { .. }]));
//! println!("{}", session.pgn());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules, each using only those before it: [`time`], [`control`], [`conclusion`], [`skill`], [`table`], [`record`],
//! [`archive`], `background`, [`opponent`], [`advisor`], [`summary`], [`message`], [`session`].

#![forbid(unsafe_code)]

pub mod advisor;
pub mod archive;
mod background;
pub mod conclusion;
pub mod control;
pub mod message;
pub mod opponent;
pub mod record;
pub mod session;
pub mod skill;
pub mod summary;
pub mod table;
pub mod time;
