//! Writing a file of visit distributions: what is finished is kept, and nothing is counted twice.
//!
//! A block is written when it has its number of games. The last one may have fewer: it is taken back into memory when the file
//! is resumed, and written again when it is full. So a file that was interrupted becomes the file of an undisturbed run.

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::error::VisitError;
use super::game::VisitGame;
use super::layout::{Blocks, GAMES_PER_BLOCK, block, header, read_header};
use super::manifest::VisitManifest;
use crate::disk::{DiskFile, is_start_of, remove_unstarted};

/// An open file of visit distributions; nobody else can write it meanwhile.
#[derive(Debug)]
pub struct VisitWriter {
    file: DiskFile,
    /// The end of the last block that is full.
    end: u64,
    /// Games of the blocks that are full.
    whole: u64,
    /// Games of the next block.
    waiting: Vec<VisitGame>,
    /// Whether the file ends with the waiting games.
    is_flushed: bool,
}

/// What is in a file already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

impl Written {
    /// Counts another game.
    pub fn add(&mut self, game: &VisitGame) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
    }
}

impl VisitWriter {
    /// Opens a file to append games to, or starts one; what is in it. Its manifest must be this one.
    ///
    /// What is left of a header or a block that was being written when the writer was killed is removed.
    pub fn open(path: &Path, manifest: &VisitManifest) -> Result<(Self, Written), VisitError> {
        remove_unstarted(path, || Self::open_existing(path, manifest))
    }

    fn open_existing(path: &Path, manifest: &VisitManifest) -> Result<(Self, Written), VisitError> {
        let mut file = DiskFile::open_exclusive(path)?.ok_or(VisitError::Busy)?;
        let header = header(manifest);
        if is_start_of(&header, &mut file)? {
            file.truncate(0)?;
            file.rewind()?;
            file.write_all(&header)?;
            file.sync_data()?;
            let end = header.len() as u64;
            return Ok((
                Self { file, end, whole: 0, waiting: Vec::new(), is_flushed: true },
                Written::default(),
            ));
        }
        file.rewind()?;
        let mut reader = BufReader::new(&mut file);
        let (found, length) = read_header(&mut reader)?;
        found.agrees(manifest)?;
        let (mut end, mut whole, mut rest) = (length, 0, 0);
        let (mut blocks, mut written, mut waiting) = (Blocks::default(), Written::default(), Vec::new());
        loop {
            match blocks.next(&mut reader) {
                Ok(Some(block)) => {
                    let games = block.unpack()?;
                    games.iter().for_each(|game| written.add(game));
                    if block.count() == GAMES_PER_BLOCK {
                        end += block.bytes();
                        whole += GAMES_PER_BLOCK as u64;
                    } else {
                        rest = block.bytes();
                        waiting = games;
                    }
                }
                Ok(None) | Err(VisitError::CutBlock(_)) => break,
                Err(error) => return Err(error),
            }
        }
        file.truncate(end + rest)?;
        Ok((Self { file, end, whole, waiting, is_flushed: true }, written))
    }

    /// Adds a game. A block that is full is written, and survives the end of the process and of the machine.
    pub fn add(&mut self, game: VisitGame) -> io::Result<()> {
        self.waiting.push(game);
        self.is_flushed = false;
        if self.waiting.len() < GAMES_PER_BLOCK {
            return Ok(());
        }
        self.flush()?;
        self.end = self.file.stream_position()?;
        self.whole += GAMES_PER_BLOCK as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Writes the games of the last block, which is not full.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.is_flushed {
            return Ok(());
        }
        self.file.truncate(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&block(self.whole, &self.waiting))?;
        self.file.sync_data()?;
        self.is_flushed = true;
        Ok(())
    }
}
