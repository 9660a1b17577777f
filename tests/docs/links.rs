//! Relative links between documents: the file and the heading must exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::tree;

/// The text without code: fenced blocks and spans are blanked.
pub(crate) fn without_code(text: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut kept = String::new();
    for line in text.lines() {
        let start = line.trim_start();
        match fence {
            Some(mark) if start.starts_with(mark) => fence = None,
            Some(_) => {}
            None if start.starts_with("```") => fence = Some("```"),
            None if start.starts_with("~~~") => fence = Some("~~~"),
            None => kept.push_str(line),
        }
        kept.push('\n');
    }
    blank_spans(&kept)
}

/// Blanks what stands between backticks, one paragraph at a time: an odd backtick must not swallow the rest.
fn blank_spans(text: &str) -> String {
    let blank = |paragraph: &str| {
        let parts: Vec<&str> = paragraph.split('`').collect();
        let last = parts.len() - 1;
        let is_code = |at: usize| at % 2 == 1 && at < last;
        parts.iter().enumerate().map(|(at, part)| if is_code(at) { "" } else { part }).collect::<String>()
    };
    text.split("\n\n").map(blank).collect::<Vec<_>>().join("\n\n")
}

/// The targets of all links and images of a page.
fn targets(text: &str) -> Vec<String> {
    let text = without_code(text);
    let mut found = Vec::new();
    for (start, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in text.match_indices(start) {
            let rest = &text[at + start.len()..];
            let target = rest.split(end).next().unwrap_or_default();
            // A title may follow the address.
            found.extend(target.split_whitespace().next().map(str::to_owned));
        }
    }
    for line in text.lines().filter(|line| line.starts_with('[')) {
        if let Some((_, target)) = line.split_once("]: ") {
            found.push(target.trim().to_owned());
        }
    }
    found
}

/// The anchors of the headings of a page, as forges make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let slug = slug(title.trim());
        let count = counts.entry(slug.clone()).or_default();
        found.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    found
}

fn slug(title: &str) -> String {
    let is_kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    title
        .to_lowercase()
        .chars()
        .filter(is_kept)
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// The file a link of `page` names, without `.` and `..`; none if it leaves the repository.
fn resolve(page: &Path, target: &str) -> Option<PathBuf> {
    let mut path = page.parent()?.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop().then_some(())?),
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// What is wrong with the links of a page. `text_of` gives the text of a file of the repository, and an empty text for a folder.
fn faults(page: &Path, text: &str, text_of: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for target in targets(text) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let linked = match file {
            "" => Some(text.to_owned()),
            file => resolve(page, file).and_then(|path| text_of(&path)),
        };
        match linked {
            None => faults.push(format!("{}: {target}: there is no such file", page.display())),
            Some(linked) if !anchor.is_empty() && !anchors(&linked).contains(anchor) => {
                faults.push(format!("{}: {target}: there is no such heading", page.display()));
            }
            Some(_) => {}
        }
    }
    faults
}

#[test]
fn no_link_is_dead() {
    let files: BTreeSet<PathBuf> = tree::files().into_iter().collect();
    let folders: BTreeSet<&Path> = files.iter().flat_map(|file| file.ancestors().skip(1)).collect();
    let text_of = |path: &Path| match path {
        path if files.contains(path) => Some(tree::text_of(path).unwrap_or_default()),
        path => folders.contains(path).then(String::new),
    };
    let pages = tree::pages();
    let faults: Vec<_> = pages.iter().flat_map(|(page, text)| faults(page, text, text_of)).collect();
    assert!(faults.is_empty(), "dead links:\n{}", faults.join("\n"));
    let count: usize = pages.iter().map(|(_, text)| targets(text).len()).sum();
    assert!(count > 200, "only {count} links were found");
}

#[test]
fn a_dead_link_is_found() {
    let text_of = |path: &Path| match path.to_str() {
        Some("docs/a.md") => Some("# The first\n\n## `go mate N`\n\n## Same\n\n## Same\n".to_owned()),
        Some("src") => Some(String::new()),
        _ => None,
    };
    let count = |text: &str| faults(Path::new("docs/page.md"), text, text_of).len();
    let good = "[a](a.md) [b](a.md#the-first) [c](a.md#go-mate-n) ![d](../src) [e](a.md#same-1)\n\
                [f](https://nowhere.example/x.md) `[code](none.md)`\n```\n[block](none.md)\n```\n\n# Own\n[g](#own)\n";
    assert_eq!(count(good), 0);
    for bad in
        ["[x](none.md)", "![x](a.png)", "[x](a.md#second)", "[x](#nothing)", "[x](../../a.md)", "[x](/a.md)"]
    {
        assert_eq!(count(bad), 1, "{bad}");
    }
    assert_eq!(count("one ` backtick\n\n[x](none.md) `code`"), 1);
    assert_eq!(count("<img src=\"images/none.svg\">"), 1);
    assert_eq!(count("[x]: none.md"), 1);
}
