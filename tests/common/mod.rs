//! The real binary for the tests of several subcommands: its output, its refusals, files of their own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs the binary.
pub(crate) fn rukh(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rukh")).args(args).output().expect("the binary starts")
}

/// The output of a command that succeeds.
pub(crate) fn succeeds(args: &[&str]) -> String {
    let output = rukh(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// The one sentence with which bad input is refused; a hint at the help may follow it.
pub(crate) fn refused(args: &[&str]) -> String {
    let output = rukh(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stderr).expect("output is text");
    let sentence = text.strip_suffix("\n\nFor more information, try '--help'.\n").unwrap_or(&text).to_owned();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

/// A file that does not exist, as a path and as text.
pub(crate) fn path(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let text = path.to_str().expect("the folder for tests has a plain name").to_owned();
    (path, text)
}
