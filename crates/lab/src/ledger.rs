//! Ledger: the state file of interruptible work. The first line is a JSON header that defines the work; each further line is a
//! part that is done: its number, the checksum that chains it to the lines before it, and its text.
//!
//! Work is resumed only if its header is the same and the chain is whole. A ledger must not know what the work is.

use std::fmt;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rukh_eval::checksum::fnv1a;
use serde_json::Value as Json;

use crate::disk::DiskFile;

/// An open ledger. It is locked: no other process can write it meanwhile.
#[derive(Debug)]
pub struct Ledger {
    file: DiskFile,
    chain: Chain,
    /// Bytes of the whole lines.
    len: u64,
}

/// The end of the chain: the number of the last line and its checksum, which covers the header and all lines up to it.
#[derive(Clone, Copy, Debug)]
struct Chain {
    number: u64,
    checksum: u64,
}

impl Chain {
    fn new(header: &str) -> Self {
        Self { number: 0, checksum: fnv1a(header.as_bytes()) }
    }

    /// The chain with one more text.
    fn with(self, text: &str) -> Self {
        let number = self.number + 1;
        Self { number, checksum: fnv1a(format!("{:016x} {number} {text}", self.checksum).as_bytes()) }
    }

    /// The line of the text that ends the chain.
    fn line(self, text: &str) -> String {
        format!("{} {:016x} {text}", self.number, self.checksum)
    }

    /// The chain with one more line, and the text of the line; none if it does not follow.
    fn follow(self, line: &str) -> Option<(Self, &str)> {
        let text = line.splitn(3, ' ').nth(2)?;
        let chain = self.with(text);
        (chain.line(text) == line).then_some((chain, text))
    }
}

/// Why a ledger cannot be opened.
#[derive(Debug)]
pub enum LedgerError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Another process writes it.
    Busy,
    /// It is not a ledger.
    Foreign,
    /// The line of this number in the file does not follow the one before it, or cannot be read.
    Broken(usize),
    /// It is the ledger of different work; the text says what differs first.
    Different(String),
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("another process is using it"),
            Self::Foreign => f.write_str("it is not a state file; name another file"),
            Self::Broken(line) => write!(
                f,
                "line {line} does not follow the one before it: a line is doubled, missing or changed; name another file"
            ),
            Self::Different(difference) => {
                write!(f, "it is the state of a different run: {difference}; name another file")
            }
        }
    }
}

impl std::error::Error for LedgerError {}

impl From<io::Error> for LedgerError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Ledger {
    /// Opens the ledger of the work that `header` defines, or creates it. Returns the lines that are done.
    pub fn open(path: &Path, header: &Json) -> Result<(Self, Vec<String>), LedgerError> {
        let text = header.to_string();
        let mut file = DiskFile::open_exclusive(path)?.ok_or(LedgerError::Busy)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // A last line without its end was cut off by an interruption.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lines = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = (1..).zip(lines.lines());
        let mut done = Vec::new();
        let mut chain = Chain::new(&text);
        let mut len = whole as u64;
        match lines.next() {
            // The file is empty, or the header was cut off.
            None if text.as_bytes().starts_with(&bytes) => {
                let header = format!("{text}\n");
                file.truncate(0)?;
                file.rewind()?;
                file.write_all(header.as_bytes())?;
                len = header.len() as u64;
            }
            Some((_, line)) if line == text => {
                for (number, line) in lines {
                    let (next, text) = chain.follow(line).ok_or(LedgerError::Broken(number))?;
                    chain = next;
                    done.push(text.to_owned());
                }
                file.truncate(len)?;
                file.seek(SeekFrom::End(0))?;
            }
            other => return Err(refusal(other.map_or("", |(_, line)| line), header)),
        }
        file.sync_data()?;
        Ok((Self { file, chain, len }, done))
    }

    /// Adds a part that is done, a text of one line. When this returns, it is on the disk. After an error the file is as before.
    pub fn add(&mut self, text: &str) -> io::Result<()> {
        let chain = self.chain.with(text);
        let line = format!("{}\n", chain.line(text));
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // What cannot be cut off here is cut off when the file is opened again.
            let _ = self.file.truncate(self.len).and_then(|()| self.file.seek(SeekFrom::End(0)));
            return Err(error);
        }
        (self.chain, self.len) = (chain, self.len + line.len() as u64);
        Ok(())
    }
}

/// The header and the lines of a ledger, which is left as it is. A last line that was cut off is ignored.
pub fn read(path: &Path) -> Result<(Json, Vec<String>), LedgerError> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = (1..).zip(text[..whole].lines());
    let first = lines.next().map_or("", |(_, line)| line);
    let header = serde_json::from_str(first).ok().filter(Json::is_object).ok_or(LedgerError::Foreign)?;
    let (mut chain, mut done) = (Chain::new(first), Vec::new());
    for (number, line) in lines {
        let (next, text) = chain.follow(line).ok_or(LedgerError::Broken(number))?;
        chain = next;
        done.push(text.to_owned());
    }
    Ok((header, done))
}

/// Why the work of `header` cannot be resumed from a file with this first line.
fn refusal(line: &str, header: &Json) -> LedgerError {
    let found = serde_json::from_str(line).ok().filter(Json::is_object);
    let difference = found.and_then(|found: Json| difference("", &found, header));
    difference.map_or(LedgerError::Foreign, LedgerError::Different)
}

/// The first difference of two JSON values, with its path: `engines[1].protocol is "uci" there and "xboard" here`.
fn difference(path: &str, there: &Json, here: &Json) -> Option<String> {
    match (there, here) {
        (Json::Object(first), Json::Object(second)) => {
            let mut keys: Vec<_> = first.keys().chain(second.keys()).collect();
            keys.sort();
            keys.dedup();
            let dot = if path.is_empty() { "" } else { "." };
            keys.into_iter().find_map(|key| {
                let value = |map: &serde_json::Map<String, Json>| map.get(key).cloned().unwrap_or_default();
                difference(&format!("{path}{dot}{}", shown_key(key)), &value(first), &value(second))
            })
        }
        (Json::Array(first), Json::Array(second)) if first.len() == second.len() => {
            let mut pairs = first.iter().zip(second).enumerate();
            pairs.find_map(|(place, (first, second))| difference(&format!("{path}[{place}]"), first, second))
        }
        _ if there == here => None,
        _ => Some(format!("{path} is {} there and {} here", shown(there), shown(here))),
    }
}

/// A value as it is written, cut to a length that fits in a sentence; an absent one is `none`.
fn shown(value: &Json) -> String {
    cut(if value.is_null() { "none".to_owned() } else { value.to_string() })
}

/// A key on one line, whatever a file has in its place.
fn shown_key(key: &str) -> String {
    cut(key.escape_debug().to_string())
}

/// The text, cut to a length that fits in a sentence.
fn cut(text: String) -> String {
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn work_is_resumed_after_its_last_whole_line() {
        let path = std::env::temp_dir().join(format!("rukh-ledger-{}", std::process::id()));
        let header = json!({ "kind": "work" });
        let open = || Ledger::open(&path, &header);
        let text = || fs::read_to_string(&path).expect("it is there");
        let (mut ledger, done) = open().expect("it is new");
        assert!(done.is_empty());
        assert!(matches!(open(), Err(LedgerError::Busy)));
        ledger.add("one").expect("it can be written");
        drop(ledger);
        let one = text();
        assert_eq!(one, format!("{header}\n{}\n", Chain::new(&header.to_string()).with("one").line("one")));
        fs::write(&path, format!("{one}2 0123 tw")).expect("it can be written");
        let (mut ledger, done) = open().expect("it is resumed");
        assert_eq!(done, ["one"]);
        ledger.add("two words").expect("it can be written");
        drop(ledger);
        assert_eq!(text().strip_prefix(&one).and_then(|line| line.split_once(' ')).map(|it| it.0), Some("2"));
        assert_eq!(open().expect("it is resumed").1, ["one", "two words"]);
        fs::write(&path, "{\"ki").expect("it can be written");
        assert_eq!(open().expect("the header was cut off").1, [""; 0]);
        assert_eq!(text(), format!("{header}\n"));
        for foreign in ["no JSON\none\n", "other", "3\n"] {
            fs::write(&path, foreign).expect("it can be written");
            assert!(matches!(open(), Err(LedgerError::Foreign)), "{foreign}");
            assert_eq!(text(), foreign, "it is unchanged");
        }
        fs::write(&path, "{\"kind\":\"play\"}\none\n").expect("it can be written");
        let error = open().expect_err("it is other work").to_string();
        assert_eq!(
            error,
            "it is the state of a different run: kind is \"play\" there and \"work\" here; name another file"
        );
        assert_eq!(text(), "{\"kind\":\"play\"}\none\n", "it is unchanged");
        fs::remove_file(&path).expect("it is there");
    }

    /// Every line follows the one before it: none can be doubled, left out, exchanged, renumbered or changed.
    #[test]
    fn a_broken_chain_is_refused() {
        let path = std::env::temp_dir().join(format!("rukh-ledger-chain-{}", std::process::id()));
        let header = json!({ "kind": "work" });
        let (mut ledger, _) = Ledger::open(&path, &header).expect("it is new");
        for text in ["one", "two", "two", "three"] {
            ledger.add(text).expect("it can be written");
        }
        drop(ledger);
        let whole = fs::read_to_string(&path).expect("it is there");
        let lines: Vec<&str> = whole.lines().collect();
        let [header_line, one, two, again, three] = lines[..] else { panic!("{whole}") };
        let renumbered = two.replacen('2', "3", 1);
        let changed = two.replace("two", "twa");
        for (broken, at) in [
            (vec![header_line, one, one, two, again, three], 3),
            (vec![header_line, two, again, three], 2),
            (vec![header_line, one, two, three], 4),
            (vec![header_line, one, again, two, three], 3),
            (vec![header_line, one, &renumbered, again, three], 3),
            (vec![header_line, one, &changed], 3),
            (vec![header_line, one, "", two], 3),
            (vec![header_line, "one"], 2),
        ] {
            let text = broken.join("\n") + "\n";
            fs::write(&path, &text).expect("it can be written");
            let error = Ledger::open(&path, &header).expect_err(&text);
            assert!(matches!(error, LedgerError::Broken(line) if line == at), "{text}{error}");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text, "it is unchanged");
        }
        fs::write(&path, &whole).expect("it can be written");
        assert_eq!(Ledger::open(&path, &header).expect("it is whole").1, ["one", "two", "two", "three"]);
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn the_first_difference_is_named_with_its_path() {
        let there = json!({ "a": [1, { "b": "x", "c": null }], "d": 2 });
        let cases = [
            (json!({ "a": [1, { "b": "y", "c": null }], "d": 2 }), "a[1].b is \"x\" there and \"y\" here"),
            (json!({ "a": [1, { "b": "x", "c": true }], "d": 3 }), "a[1].c is none there and true here"),
            (json!({ "a": [1], "d": 2 }), "a is [1,{\"b\":\"x\",\"c\":null}] there and [1] here"),
            (json!({ "a": [1, { "b": "x" }] }), "d is 2 there and none here"),
        ];
        for (here, sentence) in cases {
            assert_eq!(difference("", &there, &here).as_deref(), Some(sentence));
        }
        assert_eq!(difference("", &there, &there), None);
        let foreign = json!({ "a\nb": 3 });
        let sentence = difference("", &foreign, &json!({}));
        assert_eq!(sentence.as_deref(), Some("a\\nb is 3 there and none here"));
        let long = shown(&json!("é".repeat(100)));
        assert!(long.ends_with("...") && long.chars().count() == 63, "{long}");
    }
}
