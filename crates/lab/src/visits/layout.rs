//! Header and blocks of a file of visit distributions. What is in a game is not known here.

use std::io::{self, Read};

use rukh_eval::checksum::fnv1a;

use super::code::VisitModel;
use super::error::VisitError;
use super::game::VisitGame;
use super::manifest::VisitManifest;
use crate::store::coder::{Decoder, Encoder};

const MAGIC: [u8; 8] = *b"RUKH rkv";
/// The version of the format.
const VERSION: u32 = 1;
/// No manifest is longer.
const MANIFEST_MAX: u32 = 1 << 20;
/// No block is longer.
const BLOCK_MAX: u32 = 1 << 26;
/// Bytes of a checksum.
const SUM: usize = size_of::<u64>();
/// Bytes of the head of a block without its checksum.
const HEAD: usize = 16;
/// Games of a block; only the last one has fewer. The models start anew with each.
pub(crate) const GAMES_PER_BLOCK: usize = 64;

/// The header of a file with this manifest.
pub(super) fn header(manifest: &VisitManifest) -> Vec<u8> {
    let text = manifest.to_bytes();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes
}

/// Reads a header; its manifest and its length.
pub(super) fn read_header(from: &mut impl Read) -> Result<(VisitManifest, u64), VisitError> {
    let mut bytes = Vec::new();
    read_up_to(from, MAGIC.len(), &mut bytes)?;
    if bytes.is_empty() || !MAGIC.starts_with(&bytes) {
        return Err(VisitError::Foreign);
    }
    if !read_up_to(from, 2 * size_of::<u32>(), &mut bytes)? {
        return Err(VisitError::CutHeader);
    }
    let (version, length) = (word(&bytes, MAGIC.len()), word(&bytes, MAGIC.len() + 4));
    if version != VERSION {
        return Err(VisitError::Version { found: version, expected: VERSION });
    }
    if length > MANIFEST_MAX {
        return Err(VisitError::DamagedHeader);
    }
    let at = bytes.len();
    if !read_up_to(from, length as usize + SUM, &mut bytes)? {
        return Err(VisitError::CutHeader);
    }
    let (content, sum) = bytes.split_at(bytes.len() - SUM);
    if fnv1a(content).to_le_bytes() != sum {
        return Err(VisitError::DamagedHeader);
    }
    Ok((VisitManifest::from_bytes(&content[at..])?, bytes.len() as u64))
}

/// The bytes of a block: games from number `first` on.
pub(super) fn block(first: u64, games: &[VisitGame]) -> Vec<u8> {
    let (mut model, mut encoder) = (VisitModel::default(), Encoder::new());
    for game in games {
        model.code(&mut encoder, Some(game)).expect("a game that was played can be coded");
    }
    let payload = encoder.finish();
    let mut bytes = Vec::with_capacity(HEAD + SUM + payload.len() + SUM);
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes.extend(&payload);
    bytes.extend(fnv1a(&payload).to_le_bytes());
    bytes
}

/// A block whose checksums are right; its games are not looked at yet.
pub(super) struct PackedBlock {
    first: u64,
    games: u32,
    payload: Vec<u8>,
}

impl PackedBlock {
    /// How many games it has.
    pub(super) fn count(&self) -> usize {
        self.games as usize
    }

    /// How many bytes it takes in the file.
    pub(super) fn bytes(&self) -> u64 {
        (HEAD + SUM + self.payload.len() + SUM) as u64
    }

    /// Its games, each of which is checked.
    pub(super) fn unpack(&self) -> Result<Vec<VisitGame>, VisitError> {
        let (mut model, mut decoder) = (VisitModel::default(), Decoder::new(&self.payload));
        let mut unpack = |at| {
            let game = model.code(&mut decoder, None);
            let game = game.and_then(|game| game.check().map(|()| game));
            game.map_err(|why| VisitError::BadGame(self.first + u64::from(at) + 1, why))
        };
        (0..self.games).map(&mut unpack).collect()
    }
}

/// The blocks of a file, one after the other: it knows what may come next.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Blocks so far.
    count: u64,
    /// Games so far.
    games: u64,
}

impl Blocks {
    /// Reads the next one; none at the end.
    pub(super) fn next(&mut self, from: &mut impl Read) -> Result<Option<PackedBlock>, VisitError> {
        let mut head = Vec::new();
        let is_whole = read_up_to(from, HEAD + SUM, &mut head)?;
        if head.is_empty() {
            return Ok(None);
        }
        let is_after_whole = self.games == self.count * GAMES_PER_BLOCK as u64;
        self.count += 1;
        let number = self.count;
        if !is_whole {
            return Err(VisitError::CutBlock(number));
        }
        let damaged = |why: &str| Err(VisitError::DamagedBlock(number, why.to_owned()));
        if fnv1a(&head[..HEAD]).to_le_bytes() != head[HEAD..] {
            return damaged("the checksum of its head is wrong");
        }
        let (length, games) = (word(&head, 0), word(&head, 4));
        let first = u64::from(word(&head, 8)) | u64::from(word(&head, 12)) << 32;
        if length > BLOCK_MAX || games == 0 || games as usize > GAMES_PER_BLOCK {
            return damaged("its size is none");
        }
        if !is_after_whole || first != self.games {
            return damaged("it does not follow the blocks before it");
        }
        let mut payload = Vec::new();
        if !read_up_to(from, length as usize + SUM, &mut payload)? {
            return Err(VisitError::CutBlock(number));
        }
        let sum = payload.split_off(length as usize);
        if fnv1a(&payload).to_le_bytes() != sum[..] {
            return damaged("its checksum is wrong");
        }
        self.games += u64::from(games);
        Ok(Some(PackedBlock { first, games, payload }))
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("it is four bytes"))
}

/// Appends up to `count` bytes; whether there were as many.
fn read_up_to(from: &mut impl Read, count: usize, to: &mut Vec<u8>) -> io::Result<bool> {
    let read = from.by_ref().take(count as u64).read_to_end(to)?;
    Ok(read == count)
}
