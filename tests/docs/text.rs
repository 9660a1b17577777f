//! What must not stand in any text: conflict markers, the words of the changelog's list, comments wider than a screen.

use std::path::Path;

use super::tree;

/// The line number of the first conflict marker of a text.
fn conflict_marker(text: &str) -> Option<usize> {
    let is_marker = |line: &str| {
        let mark = |sign: &str| {
            line.strip_prefix(&sign.repeat(7)).filter(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        mark("<").is_some()
            || mark(">").is_some()
            || mark("|").is_some()
            || mark("=").is_some_and(str::is_empty)
    };
    text.lines().position(is_marker).map(|line| line + 1)
}

#[test]
fn no_file_has_conflict_markers() {
    let marked =
        |file: &Path| Some(format!("{}:{}", file.display(), conflict_marker(&tree::text_of(file)?)?));
    let found: Vec<_> = tree::files().iter().filter_map(|file| marked(file)).collect();
    assert!(found.is_empty(), "conflict markers: {}", found.join(", "));
}

#[test]
fn a_conflict_marker_is_found() {
    for sign in ["<", ">", "|", "="] {
        let marker = sign.repeat(7);
        assert_eq!(conflict_marker(&format!("text\n{marker}\n")), Some(2), "{marker}");
        assert_eq!(conflict_marker(&format!("text\n{marker}{sign}\n")), None);
    }
    assert_eq!(conflict_marker(&format!("{} HEAD", "<".repeat(7))), Some(1));
    assert_eq!(conflict_marker("a table\n| a | b |\n|---|---|\n"), None);
}

/// The words that the changelog lists as replaced: what stands in its table below the heading, before the first bar.
fn old_words(changelog: &str) -> Vec<String> {
    let (_, section) = changelog.split_once("## Words").expect("the changelog has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")).skip(1);
    let first = rows.filter_map(|row| row.split(" |").next());
    first.flat_map(|cell| cell.split(", ")).map(str::to_owned).collect()
}

/// Whether a text, lines joined, has a word or several in a row. Case matters for words in backticks: they are names.
fn has_word(text: &str, word: &str) -> bool {
    let name = word.strip_prefix('`').and_then(|word| word.strip_suffix('`'));
    let (text, word) = match name {
        Some(name) => (text.to_owned(), name.to_owned()),
        None => (text.to_lowercase(), word.to_lowercase()),
    };
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(&word).any(|(at, found)| {
        !text[..at].ends_with(is_letter) && !text[at + found.len()..].starts_with(is_letter)
    })
}

/// The text with single spaces between its words, without the marks of comments at the start of lines.
fn joined(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn documents_scripts_and_sources_use_the_new_words() {
    let changelog = tree::text_of(Path::new("CHANGELOG.md")).expect("there is a changelog");
    let words = old_words(&changelog);
    assert!(words.len() > 20, "{words:?}");
    let is_prose = |file: &Path| {
        let is_text = file.extension().is_some_and(|extension| extension == "md" || extension == "rs");
        (is_text && file != Path::new("CHANGELOG.md")) || file.starts_with("scripts")
    };
    let mut found = Vec::new();
    for file in tree::files().iter().filter(|file| is_prose(file)) {
        let Some(text) = tree::text_of(file).map(|text| joined(&text)) else { continue };
        let has = words.iter().filter(|word| has_word(&text, word));
        found.extend(has.map(|word| format!("{}: {word}", file.display())));
    }
    assert!(found.is_empty(), "CHANGELOG.md says what to write instead of:\n{}", found.join("\n"));
}

#[test]
fn an_old_word_is_found() {
    let changelog = "# Changes\n## Words\n| old | new |\n|---|---|\n| frobs, `--frob` | things |\n| by luck | x |\n## Next\n| a | b |\n";
    let words = old_words(changelog);
    assert_eq!(words, ["frobs", "`--frob`", "by luck"]);
    assert!(has_word("many Frobs here", "frobs") && has_word(&joined("so by\nluck"), "by luck"));
    assert!(has_word(&joined("    /// so by\n    /// luck"), "by luck"));
    assert!(has_word("(x --frob 3)", "`--frob`") && !has_word("(x --Frob 3)", "`--frob`"));
    assert!(!has_word("frobscure", "frobs") && !has_word("bluck", "luck") && !has_word("frobs_x", "frobs"));
}

/// Columns of the widest comment.
const COMMENT_COLUMNS: usize = 130;

/// The numbers of the lines whose comment is too wide. Rows of a table cannot be broken.
fn wide_comments(source: &str) -> Vec<usize> {
    let is_wide = |line: &str| {
        let comment =
            line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!', ' ']));
        comment.is_some_and(|text| !text.starts_with('|')) && line.chars().count() > COMMENT_COLUMNS
    };
    source.lines().enumerate().filter(|(_, line)| is_wide(line)).map(|(at, _)| at + 1).collect()
}

#[test]
fn comments_are_not_wider_than_a_screen() {
    let mut found = Vec::new();
    for file in tree::files().iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let wide = tree::text_of(file).map(|text| wide_comments(&text)).unwrap_or_default();
        found.extend(wide.iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(found.is_empty(), "comments beyond {COMMENT_COLUMNS} columns: {}", found.join(", "));
}

#[test]
fn a_wide_comment_is_found() {
    let long = "a ".repeat(70);
    let source = format!("//! {long}\n    // {long}\nlet text = \"{long}\";\n/// | {long}|\n/// short\n");
    assert_eq!(wide_comments(&source), [1, 2]);
}
