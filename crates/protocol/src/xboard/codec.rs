//! The XBoard codec.

use std::sync::{Mutex, PoisonError};

use super::decode;
use super::edit_mode::EditMode;
use super::encode;
use crate::codec::{Codec, DecodedLine, OutputFormat, Reply};
use crate::command::{Command, GameCommand};

/// The Chess Engine Communication Protocol (CECP) of XBoard, version 2.
#[derive(Debug, Default)]
pub struct Xboard {
    /// The board of edit mode, while it is active.
    edit_mode: Mutex<Option<EditMode>>,
}

impl Codec for Xboard {
    fn decode(&self, line: &str) -> DecodedLine {
        let mut edit_mode = self.edit_mode.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edited) = edit_mode.as_mut() {
            if !edited.execute(line.trim()) {
                return DecodedLine::default();
            }
            let board = edited.board();
            *edit_mode = None;
            let command = Command::Game(GameCommand::SetPieces(board));
            return DecodedLine { commands: vec![command], errors: Vec::new() };
        }
        if line.trim() == "edit" {
            *edit_mode = Some(EditMode::default());
            return DecodedLine::default();
        }
        decode::decode(line)
    }

    fn encode(&self, reply: &Reply, format: &OutputFormat) -> Option<String> {
        encode::encode(reply, format)
    }
}
