//! Header and blocks of a file of labels. What is in a record is not known here.

use std::io::{self, Read};

use rukh_eval::checksum::fnv1a;

use super::error::LabelError;
use super::manifest::Manifest;
use super::position::LabelRecord;
use super::record::{decode, encode};

pub(super) const MAGIC: [u8; 8] = *b"RUKH rkl";
/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// No manifest is longer.
const MANIFEST_MAX: u32 = 1 << 20;
/// Bytes of a checksum.
const SUM: usize = size_of::<u64>();
/// Bytes of the head of a block without its checksum.
const HEAD: usize = 24;

/// The labels of some games of one source, which are written at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The number of the source in the manifest, from 0.
    pub source: usize,
    /// How many games were looked at.
    pub games: u32,
    /// The number of the game after them, from 0.
    pub next_game: u64,
    /// What was labelled in these games.
    pub positions: Vec<LabelRecord>,
}

impl Block {
    /// The bytes of the block.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        self.positions.iter().for_each(|label| encode(label, &mut payload));
        let mut bytes = Vec::with_capacity(HEAD + SUM + payload.len() + SUM);
        let counts = [payload.len() as u32, self.positions.len() as u32, self.source as u32, self.games];
        counts.into_iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.extend(self.next_game.to_le_bytes());
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes.extend(&payload);
        bytes.extend(fnv1a(&payload).to_le_bytes());
        bytes
    }
}

/// The header of a file with this manifest.
pub(super) fn header(manifest: &Manifest) -> Vec<u8> {
    let text = manifest.to_json();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes
}

/// Reads a header.
pub(super) fn read_header(from: &mut impl Read) -> Result<Manifest, LabelError> {
    let mut bytes = Vec::new();
    read_up_to(from, MAGIC.len(), &mut bytes)?;
    if bytes.is_empty() || !MAGIC.starts_with(&bytes) {
        return Err(LabelError::Foreign);
    }
    let number = |from: &mut _, bytes: &mut Vec<u8>| {
        let at = bytes.len();
        let is_whole = read_up_to(from, size_of::<u32>(), bytes)?;
        let number = bytes[at..].try_into().map(u32::from_le_bytes);
        number.ok().filter(|_| is_whole).ok_or(LabelError::CutHeader)
    };
    let found = number(from, &mut bytes)?;
    if found != VERSION {
        return Err(LabelError::Version { found, expected: VERSION });
    }
    let length = number(from, &mut bytes)?;
    if length > MANIFEST_MAX {
        return Err(LabelError::DamagedHeader);
    }
    let at = bytes.len();
    if !read_up_to(from, length as usize + SUM, &mut bytes)? {
        return Err(LabelError::CutHeader);
    }
    let (content, sum) = bytes.split_at(bytes.len() - SUM);
    if fnv1a(content).to_le_bytes() != sum {
        return Err(LabelError::DamagedHeader);
    }
    Manifest::from_json(&content[at..])
}

/// A block whose checksums are right; its records are not looked at yet.
pub(super) struct PackedBlock {
    pub(super) records: u32,
    pub(super) source: u32,
    pub(super) games: u32,
    pub(super) next_game: u64,
    payload: Vec<u8>,
}

impl PackedBlock {
    /// How many bytes it takes in the file.
    pub(super) fn bytes(&self) -> u64 {
        (HEAD + SUM + self.payload.len() + SUM) as u64
    }

    /// Its labels, or what is wrong with them.
    pub(super) fn unpack(&self) -> Result<Vec<LabelRecord>, String> {
        let mut rest = self.payload.as_slice();
        let labels = (0..self.records).map(|_| decode(&mut rest)).collect::<Result<Vec<_>, _>>()?;
        if rest.is_empty() { Ok(labels) } else { Err("it has more than its records".to_owned()) }
    }
}

/// The blocks of a file, one after the other: it knows what may come next.
pub(super) struct Blocks {
    /// Blocks so far.
    count: u64,
    /// The number of the next game of each source.
    next_games: Vec<u64>,
}

impl Blocks {
    /// The blocks after a header with so many sources.
    pub(super) fn new(sources: usize) -> Self {
        Self { count: 0, next_games: vec![0; sources] }
    }

    /// The number of the next game of each source.
    pub(super) fn next_games(&self) -> &[u64] {
        &self.next_games
    }

    /// What is wrong with the block that was read last.
    pub(super) fn damaged(&self, why: impl Into<String>) -> LabelError {
        LabelError::DamagedBlock(self.count, why.into())
    }

    /// Reads the next one; none at the end.
    pub(super) fn next(&mut self, from: &mut impl Read) -> Result<Option<PackedBlock>, LabelError> {
        let mut head = Vec::new();
        let is_whole = read_up_to(from, HEAD + SUM, &mut head)?;
        if head.is_empty() {
            return Ok(None);
        }
        self.count += 1;
        if !is_whole {
            return Err(LabelError::CutBlock(self.count));
        }
        if fnv1a(&head[..HEAD]).to_le_bytes() != head[HEAD..] {
            return Err(self.damaged("the checksum of its head is wrong"));
        }
        let word =
            |at: usize| u32::from_le_bytes(head[4 * at..4 * at + 4].try_into().expect("it is four bytes"));
        let next_game = u64::from(word(4)) | u64::from(word(5)) << 32;
        let (length, records, source, games) = (word(0), word(1), word(2), word(3));
        let mut payload = Vec::new();
        if !read_up_to(from, length as usize + SUM, &mut payload)? {
            return Err(LabelError::CutBlock(self.count));
        }
        let sum = payload.split_off(length as usize);
        if fnv1a(&payload).to_le_bytes() != sum[..] {
            return Err(self.damaged("its checksum is wrong"));
        }
        let due = self.next_games.get_mut(source as usize);
        match due.filter(|due| **due + u64::from(games) == next_game) {
            Some(due) => *due = next_game,
            None => return Err(self.damaged("it does not follow the blocks before it")),
        }
        Ok(Some(PackedBlock { records, source, games, next_game, payload }))
    }
}

/// Appends up to `count` bytes; whether there were as many.
fn read_up_to(from: &mut impl Read, count: usize, to: &mut Vec<u8>) -> io::Result<bool> {
    let read = from.by_ref().take(count as u64).read_to_end(to)?;
    Ok(read == count)
}
