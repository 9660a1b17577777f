#![doc = include_str!("../README.md")]
//!
//! A front end builds a [`PlaySession`](session::PlaySession) from a table, a record, an opponent and an advisor, sends it
//! commands, and shows the events that come back. Nothing here prints, reads a terminal or knows a browser; the only file is
//! the archive. The modules, each using only those before it: [`time`], [`control`], [`conclusion`], [`skill`], [`table`],
//! [`record`], [`archive`], `background`, [`opponent`], [`advisor`], [`summary`], [`message`], [`session`].

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
