//! Appending to a file of labels: what is finished is kept, whatever happens.

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::error::LabelError;
use super::layout::{Block, Blocks, header, read_header};
use super::manifest::Manifest;
use crate::disk::{DiskFile, is_start_of, remove_unstarted};

/// An open file of labels; nobody else can write it meanwhile.
#[derive(Debug)]
pub struct LabelWriter {
    file: DiskFile,
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
        remove_unstarted(path, || Self::open_existing(path, manifest))
    }

    fn open_existing(path: &Path, manifest: &Manifest) -> Result<(Self, Written), LabelError> {
        let mut file = DiskFile::open_exclusive(path)?.ok_or(LabelError::Busy)?;
        let next_games = vec![0; manifest.sources.len()];
        let mut written = Written { next_games, ..Written::default() };
        let header = header(manifest);
        if is_start_of(&header, &mut file)? {
            file.truncate(0)?;
            file.rewind()?;
            file.write_all(&header)?;
            file.sync_data()?;
            return Ok((Self { file }, written));
        }
        file.rewind()?;
        let mut reader = BufReader::new(&mut file);
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
        file.truncate(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, written))
    }

    /// Appends a block. When this returns, it survives the end of the process and of the machine.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        self.file.write_all(&block.to_bytes())?;
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::labels::manifest::Source;
    use crate::labels::position::LabelRecord;
    use crate::labels::reader::LabelReader;
    use crate::labels::record::tests::random_labels;

    fn manifest() -> Manifest {
        let source = |name: &str| Source { name: name.to_owned(), first_game: 5 };
        Manifest {
            program: "1".to_owned(),
            network: "classical".to_owned(),
            nodes: 10,
            seed: 2,
            played: 1.0,
            perturbed: 0.0,
            tree: 0.5,
            sources: vec![source("a.vf"), source("b.vf")],
        }
    }

    fn blocks() -> Vec<Block> {
        let mut labels = random_labels(7, 9);
        let mut block = |source, games, next_game, count| {
            let positions = labels.drain(..count).collect();
            Block { source, games, next_game, positions }
        };
        vec![block(0, 3, 3, 4), block(0, 2, 5, 0), block(1, 4, 4, 5)]
    }

    fn labels_of(blocks: &[Block]) -> Vec<LabelRecord> {
        blocks.iter().flat_map(|block| block.positions.clone()).collect()
    }

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("rukh-labels-{name}-{}.rkl", std::process::id()))
    }

    /// A file of all blocks, and its length after the header and after each block.
    fn whole(path: &Path) -> (Vec<u8>, Vec<u64>) {
        let _ = fs::remove_file(path);
        let (mut writer, written) = LabelWriter::open(path, &manifest()).expect("it can be started");
        assert_eq!(written, Written { next_games: vec![0, 0], ..Written::default() });
        let mut lengths = vec![fs::metadata(path).expect("it exists").len()];
        for block in blocks() {
            writer.append(&block).expect("it can be written");
            lengths.push(fs::metadata(path).expect("it exists").len());
        }
        (fs::read(path).expect("it exists"), lengths)
    }

    fn read(bytes: &[u8]) -> Result<Vec<LabelRecord>, LabelError> {
        LabelReader::new(bytes)?.collect()
    }

    #[test]
    fn what_was_written_is_read() {
        let path = path("read");
        let (bytes, _) = whole(&path);
        assert_eq!(read(&bytes).expect("it is whole"), labels_of(&blocks()));
        let mut reader = LabelReader::open(&path).expect("it is whole");
        assert_eq!(reader.manifest(), &manifest());
        for block in blocks() {
            assert_eq!(reader.next_block().expect("it is whole"), Some(block));
        }
        assert_eq!(reader.next_block().expect("it is whole"), None);
        let other = Manifest { seed: 3, ..manifest() };
        assert!(matches!(LabelWriter::open(&path, &other), Err(LabelError::Different { part: "seed", .. })));
        let first = LabelWriter::open(&path, &manifest()).expect("it is free");
        assert!(matches!(LabelWriter::open(&path, &manifest()), Err(LabelError::Busy)));
        assert_eq!(first.1, Written { positions: 9, games: 9, next_games: vec![5, 4] });
        assert_eq!(fs::read(&path).expect("it exists"), bytes, "what is refused is not changed");
        fs::remove_file(&path).expect("it exists");
    }

    /// Killed at any byte, the file is resumed with its whole blocks and becomes the same file.
    #[test]
    fn a_file_that_is_cut_anywhere_is_resumed() {
        let path = path("cut");
        let (bytes, lengths) = whole(&path);
        let blocks = blocks();
        for cut in 0..=bytes.len() {
            fs::write(&path, &bytes[..cut]).expect("it can be written");
            let (mut writer, written) = LabelWriter::open(&path, &manifest()).expect("it is resumed");
            let kept = lengths[1..].iter().filter(|&&length| length <= cut as u64).count();
            assert_eq!(written.positions, labels_of(&blocks[..kept]).len() as u64, "cut at {cut}");
            assert_eq!(fs::metadata(&path).expect("it exists").len(), lengths[kept], "cut at {cut}");
            blocks[kept..].iter().for_each(|block| writer.append(block).expect("it can be written"));
            drop(writer);
            assert_eq!(fs::read(&path).expect("it exists"), bytes, "cut at {cut}");
            let is_whole = lengths.contains(&(cut as u64));
            assert_eq!(read(&bytes[..cut]).is_ok(), is_whole, "cut at {cut}");
        }
        fs::remove_file(&path).expect("it exists");
    }

    /// No damaged byte is overlooked, and a damaged file is left as it is.
    #[test]
    fn every_damaged_byte_is_found() {
        let path = path("damaged");
        let (bytes, _) = whole(&path);
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                read(&damaged).expect_err("it is damaged");
                fs::write(&path, &damaged).expect("it can be written");
                LabelWriter::open(&path, &manifest()).expect_err("it is damaged");
                assert_eq!(fs::read(&path).expect("it exists"), damaged, "byte {at}");
            }
        }
        fs::remove_file(&path).expect("it exists");
    }

    #[test]
    fn each_fault_has_its_sentence() {
        let path = path("faults");
        let (bytes, lengths) = whole(&path);
        let header = lengths[0] as usize;
        let refused = |bytes: &[u8]| read(bytes).expect_err("it is wrong").to_string();
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            refused(&bytes)
        };
        assert_eq!(refused(b""), "it is no file of labels");
        assert_eq!(refused(b"hello, this is text"), "it is no file of labels");
        assert_eq!(with(8, 2), "it is a file of labels of version 2; this program reads version 1");
        assert_eq!(refused(&bytes[..header - 1]), "it ends within the header");
        assert_eq!(with(header - 1, 0), "the header is damaged");
        assert_eq!(with(15, 0xff), "the header is damaged");
        assert!(refused(&bytes[..header + 1]).starts_with("it ends within block 1;"));
        assert!(with(header + 1, 7).starts_with("block 1 is damaged: the checksum of its head"));
        assert!(with(header + 40, 7).starts_with("block 1 is damaged: its checksum"));
        let missing = [&bytes[..header], &bytes[lengths[1] as usize..]].concat();
        assert!(refused(&missing).ends_with("it does not follow the blocks before it"));
        let twice = [&bytes[..lengths[1] as usize], &bytes[header..]].concat();
        assert!(refused(&twice).ends_with("it does not follow the blocks before it"));
        fs::write(&path, "something else").expect("it can be written");
        assert!(matches!(LabelWriter::open(&path, &manifest()), Err(LabelError::Foreign)));
        // A header that was cut, but of other labels.
        fs::write(&path, &super::header(&Manifest { seed: 3, ..manifest() })[..header - 3])
            .expect("it can be");
        assert!(matches!(LabelWriter::open(&path, &manifest()), Err(LabelError::CutHeader)));
        fs::remove_file(&path).expect("it exists");
        let nowhere = Path::new("/nowhere/labels.rkl");
        assert!(matches!(LabelWriter::open(nowhere, &manifest()), Err(LabelError::Io(_))));
    }
}
