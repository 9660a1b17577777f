//! Appending to a file of labels: what is finished is kept, whatever happens.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::error::LabelError;
use super::layout::{Block, Blocks, header, read_header};
use super::manifest::Manifest;
use crate::exclusive;

/// An open file of labels; nobody else can write it meanwhile.
#[derive(Debug)]
pub struct LabelWriter {
    file: File,
}

/// What is in a file already.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Labelled positions.
    pub positions: u64,
    /// Games that were looked at.
    pub games: u64,
    /// The number of the next game of each source.
    pub next_games: Vec<u64>,
}

impl Written {
    /// Counts another block.
    pub fn add(&mut self, block: &Block) {
        self.positions += block.positions.len() as u64;
        self.games += u64::from(block.games);
        self.next_games[block.source] = block.next_game;
    }
}

impl LabelWriter {
    /// Opens a file to append labels to, or starts one; what is in it. Its manifest must be this one.
    ///
    /// What is left of a header or a block that was being written when the writer was killed is removed.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<(Self, Written), LabelError> {
        let is_new = !path.exists();
        let opened = Self::open_existing(path, manifest);
        if is_new && opened.is_err() {
            // What could not be started leaves nothing behind; the error is worth more than a failure to remove it.
            let _ = std::fs::remove_file(path);
        }
        opened
    }

    fn open_existing(path: &Path, manifest: &Manifest) -> Result<(Self, Written), LabelError> {
        let mut file = exclusive::open(path)?.ok_or(LabelError::Busy)?;
        let next_games = vec![0; manifest.sources.len()];
        let mut written = Written { next_games, ..Written::default() };
        let header = header(manifest);
        if is_start_of(&header, &mut file)? {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&header)?;
            file.sync_data()?;
            return Ok((Self { file }, written));
        }
        file.rewind()?;
        let mut reader = BufReader::new(&file);
        read_header(&mut reader)?.agrees(manifest)?;
        let mut whole = reader.stream_position()?;
        let mut blocks = Blocks::new(manifest.sources.len());
        loop {
            match blocks.next(&mut reader) {
                Ok(Some(block)) => {
                    whole += block.bytes();
                    written.positions += u64::from(block.records);
                    written.games += u64::from(block.games);
                }
                Ok(None) | Err(LabelError::CutBlock(_)) => break,
                Err(error) => return Err(error),
            }
        }
        written.next_games = blocks.next_games().to_vec();
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, written))
    }

    /// Appends a block. When this returns, it survives the end of the process and of the machine.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        self.file.write_all(&block.to_bytes())?;
        self.file.sync_data()
    }
}

/// Whether a file is empty or the first part of `header`: it was being started when the writer was killed.
fn is_start_of(header: &[u8], file: &mut File) -> io::Result<bool> {
    let mut bytes = Vec::new();
    Read::take(file, header.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes.len() < header.len() && header.starts_with(&bytes))
}
