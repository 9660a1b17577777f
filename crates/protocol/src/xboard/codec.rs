//! XBoard as a codec.

use std::sync::{Mutex, PoisonError};

use super::edit::Edit;
use super::read;
use super::write;
use crate::codec::{Codec, OutputFormat, Reading, Reply};
use crate::command::{Command, Conduct};

/// The protocol of XBoard, version 2.
#[derive(Debug, Default)]
pub struct Xboard {
    /// A position that is being put together, line by line.
    edit: Mutex<Option<Edit>>,
}

impl Codec for Xboard {
    fn read(&self, line: &str) -> Reading {
        let mut edit = self.edit.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pieces) = edit.as_mut() {
            if !pieces.hear(line.trim()) {
                return Reading::default();
            }
            let board = pieces.board();
            *edit = None;
            let command = Command::Game(Conduct::PutMen(board));
            return Reading { commands: vec![command], complaints: Vec::new() };
        }
        if line.trim() == "edit" {
            *edit = Some(Edit::default());
            return Reading::default();
        }
        read::read(line)
    }

    fn write(&self, reply: &Reply, view: &OutputFormat) -> Option<String> {
        write::write(reply, view)
    }
}
