//! What must not stand in any text: conflict markers; and in documents: the words of the changelog's list.

use std::path::Path;

use crate::tree;

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

/// The text with single spaces between its words.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn documents_and_scripts_use_the_new_words() {
    let changelog = tree::text_of(Path::new("CHANGELOG.md")).expect("there is a changelog");
    let words = old_words(&changelog);
    assert!(words.len() > 20, "{words:?}");
    let is_prose = |file: &Path| {
        let is_page = file.extension().is_some_and(|extension| extension == "md");
        (is_page && file != Path::new("CHANGELOG.md")) || file.starts_with("scripts")
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
    assert!(has_word("(x --frob 3)", "`--frob`") && !has_word("(x --Frob 3)", "`--frob`"));
    assert!(!has_word("frobscure", "frobs") && !has_word("bluck", "luck") && !has_word("frobs_x", "frobs"));
}
