//! Reading a file of visit distributions: every checksum, move and distribution is checked.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::vec;

use super::error::VisitError;
use super::game::VisitGame;
use super::layout::{Blocks, read_header};
use super::manifest::VisitManifest;

/// The games of a file, one after the other. After an error there are no more.
pub struct VisitReader<R> {
    from: R,
    manifest: VisitManifest,
    blocks: Blocks,
    /// What is left of the last block.
    left: vec::IntoIter<VisitGame>,
    is_over: bool,
}

impl VisitReader<BufReader<File>> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, VisitError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> VisitReader<R> {
    /// Reads the header.
    pub fn new(mut from: R) -> Result<Self, VisitError> {
        let (manifest, _) = read_header(&mut from)?;
        Ok(Self { from, manifest, blocks: Blocks::default(), left: Vec::new().into_iter(), is_over: false })
    }

    /// How the games were played.
    pub fn manifest(&self) -> &VisitManifest {
        &self.manifest
    }
}

impl<R: Read> Iterator for VisitReader<R> {
    type Item = Result<VisitGame, VisitError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.left.next() {
                return Some(Ok(game));
            }
            if self.is_over {
                return None;
            }
            match self
                .blocks
                .next(&mut self.from)
                .and_then(|block| block.map(|block| block.unpack()).transpose())
            {
                Ok(Some(games)) => self.left = games.into_iter(),
                Ok(None) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
