//! Ledger: the state file of interruptible work. The first line is a JSON header that defines the work; each further line is a
//! part that is done.
//!
//! Work is resumed only if its header is the same. A ledger must not know what the work is.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::Value as Json;

use crate::exclusive;

/// An open ledger. It is locked: no other process can write it meanwhile.
#[derive(Debug)]
pub struct Ledger {
    file: File,
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
    /// It is the ledger of different work; the text says what differs first.
    Different(String),
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("another process is using it"),
            Self::Foreign => f.write_str("it is not a state file; name another file"),
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
        let mut file = exclusive::open(path)?.ok_or(LedgerError::Busy)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // A last line without its end was cut off by an interruption.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lines = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = lines.lines();
        let mut done = Vec::new();
        match lines.next() {
            // The file is empty, or the header was cut off.
            None if text.as_bytes().starts_with(&bytes) => {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(format!("{text}\n").as_bytes())?;
            }
            Some(line) if line == text => {
                done.extend(lines.map(str::to_owned));
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::End(0))?;
            }
            other => return Err(refusal(other.unwrap_or_default(), header)),
        }
        file.sync_data()?;
        Ok((Self { file }, done))
    }

    /// Adds a part that is done. When this returns, it is on the disk.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()
    }
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
                difference(&format!("{path}{dot}{key}"), &value(first), &value(second))
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
    const MAX: usize = 60;
    let text = if value.is_null() { "none".to_owned() } else { value.to_string() };
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
        fs::write(&path, format!("{header}\none\ntw")).expect("it can be written");
        let (mut ledger, done) = open().expect("it is resumed");
        assert_eq!(done, ["one"]);
        ledger.add("two").expect("it can be written");
        drop(ledger);
        assert_eq!(text(), format!("{header}\none\ntwo\n"));
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
        let long = shown(&json!("é".repeat(100)));
        assert!(long.ends_with("...") && long.chars().count() == 63, "{long}");
    }
}
