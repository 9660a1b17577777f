//! Packed files: `.bz2`, `.xz`, and `.tar` archives of them; any other file as it is.
//!
//! The kind is told by the name. This module must not know what the files hold.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use bzip2::read::MultiBzDecoder;

use crate::finish::Failure;

/// What is not unpacked, and would be taken for text.
const UNKNOWN: [&str; 5] = [".gz", ".tgz", ".zip", ".zst", ".7z"];

/// Looks at the content of a file, or, if it is an archive, at each file in it.
pub(crate) fn for_each_file(
    path: &Path,
    mut look: impl FnMut(&str, &[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let name = path.display().to_string();
    unpack(&name, &name.to_lowercase(), Box::new(BufReader::new(file)), &mut look)
}

/// The content of a file packed as `.xz`.
pub(crate) fn unpack_xz(name: &str, packed: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let unpacked = lzma_rs::xz_decompress(&mut BufReader::new(packed), &mut bytes);
    unpacked.map(|()| bytes).map_err(|error| format!("{name} cannot be unpacked: {error}"))
}

/// What is done with the name and the content of a file.
type Look<'l> = dyn FnMut(&str, &[u8]) -> Result<(), Failure> + 'l;

/// `kind` is the name as far as it has not been unpacked yet.
fn unpack(name: &str, kind: &str, mut from: Box<dyn Read + '_>, look: &mut Look<'_>) -> Result<(), Failure> {
    if let Some(suffix) = UNKNOWN.iter().find(|suffix| kind.ends_with(*suffix)) {
        return Err(format!("{name}: {suffix} is not read; .bz2, .xz and .tar are").into());
    }
    if let Some(inner) = kind.strip_suffix(".bz2") {
        return unpack(name, inner, Box::new(MultiBzDecoder::new(from)), look);
    }
    if let Some(inner) = kind.strip_suffix(".xz") {
        return unpack(name, inner, Box::new(unpack_xz(name, from)?.as_slice()), look);
    }
    let cannot_unpack = |error: std::io::Error| format!("{name} cannot be unpacked: {error}");
    if kind.ends_with(".tar") {
        let mut archive = tar::Archive::new(from);
        for entry in archive.entries().map_err(cannot_unpack)? {
            let entry = entry.map_err(cannot_unpack)?;
            if entry.header().entry_type().is_file() {
                let inner = entry.path().map_err(cannot_unpack)?.display().to_string();
                unpack(&format!("{name}, {inner}"), &inner.to_lowercase(), Box::new(entry), look)?;
            }
        }
        return Ok(());
    }
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).map_err(cannot_unpack)?;
    look(name, &bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::PathBuf;

    use bzip2::Compression;
    use bzip2::write::BzEncoder;

    use super::*;

    fn bz2(text: &str) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory takes everything");
        encoder.finish().expect("memory takes everything")
    }

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, *bytes).expect("memory takes everything");
        }
        archive.into_inner().expect("memory takes everything")
    }

    fn file(name: &str, bytes: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rukh-unpack-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// What is found in a file: the ends of the names, and the texts.
    fn found(name: &str, bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
        let path = file(name, bytes);
        let mut found = Vec::new();
        let looked = for_each_file(&path, |name, bytes| {
            let name = name.rsplit_once('-').map_or(name, |(_, end)| end);
            found.push((name.to_owned(), String::from_utf8_lossy(bytes).into_owned()));
            Ok(())
        });
        std::fs::remove_file(&path).expect("it was written");
        match looked {
            Ok(()) => Ok(found),
            Err(Failure::Sentence(sentence)) => Err(sentence),
            Err(Failure::ReaderGone) => panic!("nothing is printed here"),
        }
    }

    #[test]
    fn files_are_unpacked_by_their_names() {
        let one = |name: &str, text: &str| Ok(vec![(name.to_owned(), text.to_owned())]);
        assert_eq!(found("a.pgn", b"plain"), one("a.pgn", "plain"));
        assert_eq!(found("a.PGN.BZ2", &bz2("packed")), one("a.PGN.BZ2", "packed"));
        let mut twice = bz2("one, ");
        twice.extend(bz2("two"));
        assert_eq!(found("a.pgn.bz2", &twice), one("a.pgn.bz2", "one, two"));
        let mut xz = Vec::new();
        lzma_rs::xz_compress(&mut &b"packed"[..], &mut xz).expect("memory takes everything");
        assert_eq!(found("a.pgn.xz", &xz), one("a.pgn.xz", "packed"));
        let archive = tar(&[("PGNs/1.pgn.bz2", &bz2("first")), ("PGNs/2.pgn", b"second")]);
        let both = Ok(vec![
            ("a.pgn.tar, PGNs/1.pgn.bz2".to_owned(), "first".to_owned()),
            ("a.pgn.tar, PGNs/2.pgn".to_owned(), "second".to_owned()),
        ]);
        assert_eq!(found("a.pgn.tar", &archive), both);
    }

    #[test]
    fn what_cannot_be_unpacked_is_named() {
        let says = |name: &str, bytes: &[u8], what: &str| {
            let sentence = found(name, bytes).expect_err("it is refused");
            assert!(sentence.contains(name) && sentence.contains(what), "{sentence}");
        };
        says("a.pgn.gz", b"", ".gz is not read");
        says("a.pgn.bz2", b"plain", "cannot be unpacked");
        says("a.pgn.xz", b"plain", "cannot be unpacked");
        let packed = bz2(&"a long text ".repeat(1000));
        says("a.pgn.bz2", &packed[..packed.len() / 2], "cannot be unpacked");
        says("a.tar", &tar(&[("x.pgn", b"text")])[..515], "cannot be unpacked");
        let missing = for_each_file(Path::new("/nowhere/x.pgn"), |_, _| Ok(()));
        assert!(
            matches!(missing, Err(Failure::Sentence(sentence)) if sentence.starts_with("cannot read /nowhere"))
        );
    }
}
