//! The file of a store: a header with a manifest, then blocks of games, all with checksums.

use std::fmt;
use std::io::{self, Read, Write};

use rukh_eval::checksum::fnv1a;
use serde_json::{Value, json};

use super::coder::{Decoder, Encoder};
use super::game::GameModel;
use crate::packed::{PackedError, PackedGame};

const MAGIC: [u8; 8] = *b"RUKH rkg";
/// The version of the format.
const VERSION: u32 = 1;
/// No manifest is longer.
const MANIFEST_MAX: u32 = 1 << 20;
/// No block is longer.
const BLOCK_MAX: u32 = 1 << 28;
/// Games of a block. The model starts anew with each, so that damage stays where it is.
pub(crate) const GAMES_PER_BLOCK: usize = 4_096;

/// How the games of a store were made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreManifest {
    /// The version of the program that played them.
    pub program: String,
    /// The fingerprint of its network.
    pub network: String,
    /// Nodes of a move.
    pub nodes: u64,
    /// The seed of self-play.
    pub seed: u64,
    /// Anything else that is worth knowing.
    pub comment: String,
}

impl StoreManifest {
    fn to_json(&self) -> String {
        json!({
            "program": self.program, "network": self.network, "nodes": self.nodes, "seed": self.seed, "comment": self.comment,
        })
        .to_string()
    }

    fn from_json(text: &[u8]) -> Result<Self, StoreError> {
        let object: Value = serde_json::from_slice(text).map_err(|_| StoreError::DamagedHeader)?;
        let text = |name: &str| object[name].as_str().map(str::to_owned).ok_or(StoreError::DamagedHeader);
        let number = |name: &str| object[name].as_u64().ok_or(StoreError::DamagedHeader);
        Ok(Self {
            program: text("program")?,
            network: text("network")?,
            nodes: number("nodes")?,
            seed: number("seed")?,
            comment: text("comment")?,
        })
    }
}

/// What is wrong with a store.
#[derive(Debug)]
pub enum StoreError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no store of games.
    Foreign,
    /// It is of another version of the format.
    Version(u32),
    /// It ends within the header.
    CutHeader,
    /// The header is not what was written.
    DamagedHeader,
    /// It ends within a block: its number from 1.
    CutBlock(u64),
    /// A block is not what was written: its number from 1.
    DamagedBlock(u64),
    /// A block has a game that is none: its number from 1, and what is wrong.
    BadGame(u64, PackedError),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Foreign => f.write_str("it is no store of games"),
            Self::Version(found) => {
                write!(f, "it is a store of version {found}; this program reads version {VERSION}")
            }
            Self::CutHeader => f.write_str("it ends within the header"),
            Self::DamagedHeader => f.write_str("the header is damaged"),
            Self::CutBlock(number) => write!(f, "it ends within block {number}"),
            Self::DamagedBlock(number) => write!(f, "block {number} is damaged"),
            Self::BadGame(number, error) => write!(f, "block {number} has a bad game: {error}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes a store.
pub struct StoreWriter<W> {
    to: W,
    waiting: Vec<PackedGame>,
}

impl<W: Write> StoreWriter<W> {
    /// Starts a store.
    pub fn new(mut to: W, manifest: &StoreManifest) -> io::Result<Self> {
        let text = manifest.to_json();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        to.write_all(&bytes)?;
        Ok(Self { to, waiting: Vec::new() })
    }

    /// Adds a game.
    pub fn add(&mut self, game: PackedGame) -> io::Result<()> {
        self.waiting.push(game);
        if self.waiting.len() == GAMES_PER_BLOCK { self.write_block() } else { Ok(()) }
    }

    /// Writes what is left and returns what it wrote to.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.waiting.is_empty() {
            self.write_block()?;
        }
        Ok(self.to)
    }

    fn write_block(&mut self) -> io::Result<()> {
        let (mut model, mut encoder) = (GameModel::default(), Encoder::new());
        for game in &self.waiting {
            model.code(&mut encoder, Some(game)).expect("a game that was played can be packed");
        }
        let payload = encoder.finish();
        let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
        bytes.extend((self.waiting.len() as u32).to_le_bytes());
        bytes.extend(payload);
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        self.waiting.clear();
        self.to.write_all(&bytes)
    }
}

impl StoreWriter<Vec<u8>> {
    /// The bytes that are finished; they are not returned again.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.to)
    }
}

/// Reads a store, block by block.
pub struct StoreReader<R> {
    from: R,
    manifest: StoreManifest,
    blocks: u64,
}

impl<R: Read> StoreReader<R> {
    /// Reads the header.
    pub fn new(mut from: R) -> Result<Self, StoreError> {
        let mut bytes = read_up_to(&mut from, MAGIC.len())?;
        if bytes.is_empty() || !MAGIC.starts_with(&bytes) {
            return Err(StoreError::Foreign);
        }
        let mut number = |bytes: &mut Vec<u8>| {
            let read = read_up_to(&mut from, size_of::<u32>())?;
            bytes.extend(&read);
            read.try_into().map(u32::from_le_bytes).map_err(|_| StoreError::CutHeader)
        };
        let version = number(&mut bytes)?;
        if version != VERSION {
            return Err(StoreError::Version(version));
        }
        let length = number(&mut bytes)?;
        if length > MANIFEST_MAX {
            return Err(StoreError::DamagedHeader);
        }
        let text = read_up_to(&mut from, length as usize)?;
        bytes.extend(&text);
        let sum = read_up_to(&mut from, size_of::<u64>())?;
        match sum.try_into().map(u64::from_le_bytes) {
            Ok(sum) if sum == fnv1a(&bytes) => {}
            Ok(_) => return Err(StoreError::DamagedHeader),
            Err(_) => return Err(StoreError::CutHeader),
        }
        Ok(Self { from, manifest: StoreManifest::from_json(&text)?, blocks: 0 })
    }

    /// How the games were made.
    pub fn manifest(&self) -> &StoreManifest {
        &self.manifest
    }

    /// The games of the next block; none at the end.
    pub fn next_block(&mut self) -> Result<Option<Vec<PackedGame>>, StoreError> {
        let mut bytes = read_up_to(&mut self.from, 2 * size_of::<u32>())?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.blocks += 1;
        let number = |at: usize| bytes.get(at..at + 4)?.try_into().map(u32::from_le_bytes).ok();
        let (length, games) = number(0).zip(number(4)).ok_or(StoreError::CutBlock(self.blocks))?;
        if length > BLOCK_MAX || games as usize > GAMES_PER_BLOCK {
            return Err(StoreError::DamagedBlock(self.blocks));
        }
        let payload = read_up_to(&mut self.from, length as usize)?;
        bytes.extend(&payload);
        let sum = read_up_to(&mut self.from, size_of::<u64>())?;
        match sum.try_into().map(u64::from_le_bytes) {
            Ok(sum) if sum == fnv1a(&bytes) => {}
            Ok(_) => return Err(StoreError::DamagedBlock(self.blocks)),
            Err(_) => return Err(StoreError::CutBlock(self.blocks)),
        }
        let (mut model, mut decoder) = (GameModel::default(), Decoder::new(&payload));
        let decoded = (0..games).map(|_| model.code(&mut decoder, None)).collect::<Result<_, _>>();
        decoded.map(Some).map_err(|error| StoreError::BadGame(self.blocks, error))
    }
}

/// Up to `count` bytes: fewer at the end.
fn read_up_to(from: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.by_ref().take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use rukh_eval::Evaluation;

    use super::*;
    use crate::packed::NO_SCORE;
    use crate::selfplay::SelfPlay;

    fn manifest() -> StoreManifest {
        StoreManifest {
            program: "1".to_owned(),
            network: "classical".to_owned(),
            nodes: 40,
            seed: 3,
            comment: "a \"b\"".to_owned(),
        }
    }

    /// Games with random moves, of Chess960 too, and one without a move.
    fn games(count: usize) -> Vec<PackedGame> {
        let settings = SelfPlay {
            evaluation: Evaluation::Classical,
            nodes: 40,
            chess960: 0.3,
            random_move_rate: 0.05,
            ..SelfPlay::default()
        };
        let mut games = Vec::new();
        let played = settings.run(0, 1, &AtomicBool::new(false), |played| {
            games.push(played.game);
            if games.len() == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        played.expect("a thread is given");
        games[1].moves.clear();
        games
    }

    fn stored(games: &[PackedGame]) -> Vec<u8> {
        let mut writer = StoreWriter::new(Vec::new(), &manifest()).expect("memory takes it");
        games.iter().for_each(|game| writer.add(game.clone()).expect("memory takes it"));
        writer.finish().expect("memory takes it")
    }

    fn read(bytes: &[u8]) -> Result<Vec<PackedGame>, StoreError> {
        let mut reader = StoreReader::new(bytes)?;
        let mut games = Vec::new();
        while let Some(block) = reader.next_block()? {
            games.extend(block);
        }
        Ok(games)
    }

    #[test]
    fn games_come_back_from_a_third_of_the_bytes() {
        let games = games(60);
        assert!(games.iter().any(|game| game.moves.iter().any(|&(_, score)| score == NO_SCORE)));
        let bytes = stored(&games);
        assert_eq!(read(&bytes).expect("it is whole"), games);
        assert_eq!(StoreReader::new(bytes.as_slice()).expect("it is whole").manifest(), &manifest());
        let plain: u64 = games.iter().map(PackedGame::bytes).sum();
        assert!(3 * (bytes.len() as u64) < 2 * plain, "{} of {plain}", bytes.len());
        assert_eq!(read(&stored(&[])).expect("it is whole"), []);
    }

    #[test]
    fn scores_of_every_size_come_back() {
        let mut game = games(2).swap_remove(0);
        let sizes = [0, 1, -1, 32_000, -32_000, NO_SCORE, 31_999, i16::MIN, 7, NO_SCORE - 1];
        for (at, (_, score)) in game.moves.iter_mut().enumerate() {
            *score = sizes[at % sizes.len()];
        }
        let games = [game];
        assert_eq!(read(&stored(&games)).expect("it is whole"), games);
    }

    #[test]
    fn what_is_cut_or_damaged_is_refused() {
        let bytes = stored(&games(3));
        let header = bytes.len() - stored_block_bytes(&bytes);
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes[..cut]).is_ok(), cut == header, "cut at {cut}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            read(&damaged).expect_err("it is damaged");
        }
        let sentence = |bytes: &[u8]| read(bytes).expect_err("it is wrong").to_string();
        assert_eq!(sentence(b""), "it is no store of games");
        assert_eq!(sentence(b"some text"), "it is no store of games");
        let other = [&bytes[..8], &[9, 0, 0, 0], &bytes[12..]].concat();
        assert_eq!(sentence(&other), "it is a store of version 9; this program reads version 1");
        assert_eq!(sentence(&bytes[..bytes.len() - 1]), "it ends within block 1");
    }

    /// The bytes of the only block.
    fn stored_block_bytes(bytes: &[u8]) -> usize {
        let text = u32::from_le_bytes(bytes[12..16].try_into().expect("it is four bytes")) as usize;
        bytes.len() - (16 + text + size_of::<u64>())
    }

    /// A checksum that is right does not make a game: nonsense is refused or read as some legal game, never more.
    #[test]
    fn nonsense_with_a_right_checksum_is_harmless() {
        let mut random = rukh_chess::random::SplitMix64::new(5);
        let header = &stored(&[])[..];
        for _ in 0..50 {
            let payload: Vec<u8> = (0..60).map(|_| random.next() as u8).collect();
            let mut block = 60_u32.to_le_bytes().to_vec();
            block.extend(2_u32.to_le_bytes());
            block.extend(&payload);
            block.extend(fnv1a(&block).to_le_bytes());
            _ = read(&[header, &block].concat());
        }
    }
}
