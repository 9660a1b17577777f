//! Reading a file of labels: every checksum, position and move is checked.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::vec;

use super::error::LabelError;
use super::layout::{Block, Blocks, read_header};
use super::manifest::Manifest;
use super::position::LabelRecord;

/// The labels of a file, one after the other. After an error there are no more.
pub struct LabelReader<R> {
    from: R,
    manifest: Manifest,
    blocks: Blocks,
    /// What is left of the last block.
    left: vec::IntoIter<LabelRecord>,
    is_over: bool,
}

impl LabelReader<BufReader<File>> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, LabelError> {
        const BUFFER: usize = 1 << 18;
        Self::new(BufReader::with_capacity(BUFFER, File::open(path)?))
    }
}

impl<R: Read> LabelReader<R> {
    /// Reads the header.
    pub fn new(mut from: R) -> Result<Self, LabelError> {
        let manifest = read_header(&mut from)?;
        let blocks = Blocks::new(manifest.sources.len());
        Ok(Self { from, manifest, blocks, left: Vec::new().into_iter(), is_over: false })
    }

    /// How the labels were made.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The next block; none at the end. Labels that the iterator has not given yet are skipped.
    pub(crate) fn next_block(&mut self) -> Result<Option<Block>, LabelError> {
        self.left = Vec::new().into_iter();
        let Some(packed) = self.blocks.next(&mut self.from)? else { return Ok(None) };
        let positions = packed.unpack().map_err(|why| self.blocks.damaged(why))?;
        let source = packed.source as usize;
        Ok(Some(Block { source, games: packed.games, next_game: packed.next_game, positions }))
    }
}

impl<R: Read> Iterator for LabelReader<R> {
    type Item = Result<LabelRecord, LabelError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(label) = self.left.next() {
                return Some(Ok(label));
            }
            if self.is_over {
                return None;
            }
            match self.next_block() {
                Ok(Some(block)) => self.left = block.positions.into_iter(),
                Ok(None) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
