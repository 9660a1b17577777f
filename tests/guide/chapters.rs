//! The chapters of the guide: their parts, pictures, included code and links, and the summary of the book.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{pages, printed, root};

/// The pictures of the guide and the command that draws each.
const PICTURES: [(&str, &str); 14] = [
    ("alpha-beta-tree", "rukh draw tree --depth 3 --fen \"k7/p7/P7/8/8/8/6p1/6K1 w - - 0 1\""),
    ("attacks", "rukh draw board --attacks d4 --fen \"4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1\""),
    (
        "generations",
        "rukh draw ladder docs/guide/data/generations.jsonl --title \"generations, Elo above the classical evaluation\"",
    ),
    (
        "king",
        "rukh draw board --fen \"r1bq1rk1/ppp2p1p/2n2p1Q/3p4/3P4/3B4/PP3PPP/R3R1K1 w - - 0 1\" --mark f8,h8,f7,g7,h7,f6,g6,h6,g8 --arrow d3h7,h6h7",
    ),
    (
        "knight",
        "rukh draw board --fen \"4k3/8/8/3N4/8/8/8/4K2N w - - 0 1\" --mark b6,b4,c7,e7,f6,f4,e3,c3,f2,g3",
    ),
    ("levels", "rukh draw ladder docs/guide/data/levels.jsonl --title \"levels, Elo above 800\""),
    ("loss", "rukh draw loss docs/guide/data/train.log"),
    ("magic", "rukh draw board --empty --relevant rook:d4"),
    ("magic-index", "rukh draw magic rook:d4 --fen \"4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1\""),
    (
        "mobility",
        "rukh draw board --attacks f3 --fen \"r1bq1rk1/pppn1ppp/3bpn2/8/2BP4/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 1\"",
    ),
    (
        "passed",
        "rukh draw board --fen \"4k3/p4p2/8/3P4/2P5/8/5P2/4K3 w - - 0 1\" --mark c6,c7,c8,d6,d7,d8,e6,e7,e8 --arrow d5d8",
    ),
    ("search-tree", "rukh draw search --depth 7 --max-nodes 28"),
    (
        "see",
        "rukh draw board --fen \"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1\" --arrow d3e5,e2e5,d7e5,f6e5 --mark e5",
    ),
    ("sprt", "rukh draw sprt docs/guide/data/sprt.state --elo0 0 --elo1 10"),
];

#[test]
fn pictures_are_what_rukh_draws() {
    let folder = root().join("docs/guide/images");
    for (name, command) in PICTURES {
        let (file, svg) =
            (folder.join(format!("{name}.svg")), printed(command).expect("it needs no shell") + "\n");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&file, &svg).expect("a picture can be written");
        }
        let shown = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(shown == svg, "{name}: UPDATE_DOCS=1 cargo test --test integration guide draws it again");
    }
    let count = fs::read_dir(folder).expect("there are pictures").count();
    assert_eq!(count, PICTURES.len(), "every picture has its command");
}

/// The chapters: the pages of the guide besides the summary.
fn chapters() -> Vec<(PathBuf, String)> {
    let is_chapter = |page: &PathBuf| page.starts_with(root().join("docs/guide"));
    pages().into_iter().filter(|(page, _)| is_chapter(page)).collect()
}

/// The fault of an include directive of a page in `folder`, such as `{{#include ../file.rs:anchor}}`.
fn include_fault(folder: &Path, directive: &str) -> Option<String> {
    let (file, anchor) = directive.trim().split_once(':').unwrap_or((directive.trim(), ""));
    let Ok(text) = fs::read_to_string(folder.join(file)) else {
        return Some(format!("{file}: no such file"));
    };
    let has =
        |mark: &str| text.lines().filter(|line| line.trim() == format!("// {mark}: {anchor}")).count() == 1;
    (anchor.is_empty() || !has("ANCHOR") || !has("ANCHOR_END"))
        .then(|| format!("{file}: no anchor {anchor:?}"))
}

#[test]
fn every_included_anchor_exists() {
    let (mut faults, mut used) = (Vec::new(), BTreeSet::new());
    for (page, text) in chapters() {
        let folder = page.parent().expect("a page is in a folder");
        for part in text.split("{{#include ").skip(1) {
            let directive = part.split("}}").next().unwrap_or_default();
            faults
                .extend(include_fault(folder, directive).map(|fault| format!("{}: {fault}", page.display())));
            let file = directive.split(':').next().unwrap_or_default();
            let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !text.contains(&format!("]({file})")) {
                faults.push(format!("{}: {name} is included and not linked", page.display()));
            }
            used.insert(directive.to_owned());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(used.len() > 20, "only {} parts are included", used.len());
}

#[test]
fn a_missing_anchor_is_found() {
    let folder = root().join("docs/guide");
    let good = "../../crates/engine/src/teaching/searches.rs:minimax";
    assert_eq!(include_fault(&folder, good), None);
    assert!(include_fault(&folder, "../../crates/engine/src/teaching/searches.rs:none").is_some());
    assert!(include_fault(&folder, "../../crates/none.rs:minimax").is_some());
    assert!(
        include_fault(&folder, "../../crates/engine/src/teaching/searches.rs").is_some(),
        "without an anchor"
    );
}

/// The pages of the documentation that a page links to, relative to `docs`.
fn linked_pages(page: &Path, text: &str) -> Vec<PathBuf> {
    let folder = page.parent().expect("a page is in a folder");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let pages = targets.filter(|target| target.ends_with(".md") && !target.contains("://"));
    let files = pages.filter_map(|target| folder.join(target).canonicalize().ok());
    let docs = root().join("docs").canonicalize().expect("the documentation is there");
    files.filter_map(|file| file.strip_prefix(&docs).ok().map(Path::to_owned)).collect()
}

#[test]
fn the_summary_lists_every_chapter_and_what_it_links_to() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the book has a summary");
    for (page, text) in chapters() {
        let name = page.file_name().and_then(|name| name.to_str()).expect("names are plain");
        let title =
            text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a chapter has a title");
        let entry = format!("[{title}](guide/{name})");
        assert_eq!(summary.matches(&entry).count(), 1, "{entry} in the summary");
        for linked in linked_pages(&page, &text).iter().filter(|linked| !linked.ends_with("SUMMARY.md")) {
            let target = format!("]({})", linked.display());
            assert!(
                summary.contains(&target),
                "{name} links to {}, which is not in the book",
                linked.display()
            );
        }
    }
    assert!(chapters().len() > 25, "{} chapters", chapters().len());
}

#[test]
fn every_diagram_is_of_a_kind_that_the_book_draws() {
    let mut count = 0;
    for (page, text) in pages() {
        for block in text.split("```mermaid\n").skip(1) {
            let kind = block.lines().next().unwrap_or_default();
            count += 1;
            let is_known = ["graph TD", "graph LR", "sequenceDiagram"].contains(&kind);
            assert!(is_known, "{}: docs/book.js does not draw {kind:?}", page.display());
        }
    }
    assert!(count > 20, "only {count} diagrams");
}

/// Chapters without a technique to run: they have no exercises.
const FRAME: [&str; 4] = ["introduction.md", "further-reading.md", "history.md", "at-a-glance.md"];

/// The parts that every chapter has.
const PARTS: [&str; 4] = ["## See it at work", "## What it is worth", "## When it fails", "## Exercises"];

/// Whether a text has a position: a word with the seven strokes of a FEN and at least one king.
fn has_position(text: &str) -> bool {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == '`' || letter == '"');
    words.into_iter().any(|word| word.matches('/').count() == 7 && word.contains('k'))
}

#[test]
fn every_chapter_has_its_parts() {
    let mut faults = Vec::new();
    for (page, text) in chapters() {
        let name = page.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let words = text.split_whitespace().count();
        if FRAME.contains(&name.as_str()) {
            continue;
        }
        faults.extend(
            PARTS.iter().filter(|part| !text.contains(**part)).map(|part| format!("{name}: no {part:?}")),
        );
        if text.matches("<details>").count() != 2 || text.matches("</details>").count() != 2 {
            faults.push(format!("{name}: not two exercises with solutions"));
        }
        if !text.contains("```mermaid") && !text.contains(".svg)") {
            faults.push(format!("{name}: no diagram"));
        }
        if !(600..=1_500).contains(&words) {
            faults.push(format!("{name}: {words} words"));
        }
        let failure = text.split("## When it fails").nth(1).unwrap_or_default();
        if !failure.split("## Exercises").next().is_some_and(has_position) || !text.contains("{{#include ") {
            faults.push(format!("{name}: no position in which it fails, or no code by inclusion"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
