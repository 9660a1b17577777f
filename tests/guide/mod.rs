//! Checks of the guide and of all console blocks: commands are run and their output compared, included anchors exist, the
//! summary lists every chapter, every chapter has its parts, and the pictures are what `rukh draw` prints.
//!
//! In a console block `[..]` stands for any text within a line, and a line `...` for any number of lines. A block marked
//! `console,norun` is not run; the line before it is a comment that says why: `<!-- norun: REASON -->`.
//!
//! `UPDATE_DOCS=1 cargo test --test integration guide` writes the output of all commands again.

mod chapters;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page of the documentation, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut files = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the documentation can be read") {
            let path = entry.expect("it can be read").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    let text = |file: &PathBuf| fs::read_to_string(file).expect("a page is text");
    files.iter().map(|file| (file.clone(), text(file))).collect()
}

/// A command of a console block with the output that the page shows.
#[derive(Debug, PartialEq)]
struct Shown {
    /// The number of its last line; the output follows.
    line: usize,
    command: String,
    output: Vec<String>,
    /// Why it is not run.
    reason: Option<String>,
}

/// The commands of all console blocks of a page.
fn shown(text: &str) -> Result<Vec<Shown>, String> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut before = "";
    while let Some((_, line)) = lines.next() {
        let Some(marks) = line.trim_start().strip_prefix("```console") else {
            before = line;
            continue;
        };
        let reason = match marks {
            "" => None,
            ",norun" => Some(reason(before).ok_or_else(|| format!("{line} after {before:?} has no reason"))?),
            _ => return Err(format!("{line} is neither console nor console,norun")),
        };
        let (mut is_open, mut has_command) = (false, false);
        for (at, line) in lines.by_ref().take_while(|(_, line)| !line.trim_start().starts_with("```")) {
            if let Some(command) = line.strip_prefix("$ ") {
                let shown = Shown {
                    line: at + 1,
                    command: command.to_owned(),
                    output: Vec::new(),
                    reason: reason.clone(),
                };
                is_open = command.ends_with('\\');
                has_command = true;
                found.push(shown);
            } else {
                // What stands before the first command of a block is the output of another program.
                let Some(last) = found.last_mut().filter(|_| has_command) else { continue };
                if is_open {
                    last.command =
                        format!("{} {}", last.command.trim_end_matches('\\').trim_end(), line.trim());
                    is_open = line.ends_with('\\');
                    last.line = at + 1;
                } else {
                    last.output.push(line.to_owned());
                }
            }
        }
    }
    Ok(found)
}

/// The reason in a comment, if it has at least three words.
fn reason(comment: &str) -> Option<String> {
    let reason = comment.trim().strip_prefix("<!-- norun: ")?.strip_suffix(" -->")?;
    (reason.split_whitespace().count() >= 3).then(|| reason.to_owned())
}

/// The words of a command as a shell splits them. What needs a shell is refused.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '|' | '>' | '<' | ';' | '&' | '$') => return Err(format!("{command}: needs a shell")),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(_) => Err(format!("{command}: a quote is open")),
    }
}

/// Whether a line of output is the shown line, in which `[..]` stands for any text.
fn line_matches(shown: &str, line: &str) -> bool {
    let mut parts = shown.trim_end().split("[..]");
    let Some(mut rest) = line.trim_end().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<_> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether the output is the shown one, in which a line `...` stands for any number of lines.
fn output_matches(shown: &[String], output: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=output.len()).any(|skipped| output_matches(rest, &output[skipped..]))
        }
        Some((first, rest)) => output
            .split_first()
            .is_some_and(|(line, others)| line_matches(first, line) && output_matches(rest, others)),
    }
}

/// What a command prints.
fn printed(command: &str) -> Result<String, String> {
    let words = words(command)?;
    let run = Command::new(env!("CARGO_BIN_EXE_rukh")).args(&words[1..]).current_dir(root()).output();
    let output = run.expect("the binary starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok(text.trim_end().to_owned())
}

/// Runs a command; the fault if its output differs.
fn fault(shown: &Shown) -> Option<String> {
    let text = match printed(&shown.command) {
        Ok(text) => text,
        Err(fault) => return Some(fault),
    };
    let is_same = output_matches(&shown.output, &text.lines().collect::<Vec<_>>());
    (!is_same).then(|| format!("$ {}\nshown:\n{}\nprinted:\n{text}", shown.command, shown.output.join("\n")))
}

/// The page with the output that its commands print now. A line `...` stays: what stands before it are the first lines,
/// what follows it are the last.
fn updated(text: &str) -> Result<String, String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for shown in shown(text)?.iter().rev() {
        let is_run = shown.command.starts_with("rukh") && shown.reason.is_none();
        if !is_run || fault(shown).is_none() {
            continue;
        }
        let printed: Vec<String> = printed(&shown.command)?.lines().map(masked).collect();
        let dots = shown.output.iter().position(|line| line.trim() == "...");
        let new = match dots {
            None => printed,
            Some(first) => {
                let last = printed.len().saturating_sub(shown.output.len() - first - 1);
                let head = printed.iter().take(first.min(last));
                head.chain(["...".to_owned()].iter()).chain(&printed[last..]).cloned().collect()
            }
        };
        lines.splice(shown.line..shown.line + shown.output.len(), new);
    }
    Ok(lines.join("\n") + "\n")
}

/// A line of output with wildcards for what differs from run to run: times and speeds.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if ["nps", "time"].contains(&words[at - 1]) && words[at].parse::<u64>().is_ok() {
            words[at] = "[..]";
        }
    }
    let line = words.join(" ");
    match line.find(" million nodes per second") {
        None => line,
        Some(end) => {
            let head = line[..end].trim_end_matches(|letter: char| letter.is_ascii_digit());
            let head = head
                .trim_end_matches(" s, ")
                .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            format!("{head}[..]{}", &line[end..])
        }
    }
}

#[test]
fn console_blocks_show_what_the_commands_print() {
    let pages = Mutex::new(pages().into_iter());
    let next = || pages.lock().expect("no page panics").next();
    let check = || {
        let (mut faults, mut count) = (Vec::new(), 0);
        while let Some((page, text)) = next() {
            let (found, commands) = check_page(&page, text);
            faults.extend(found);
            count += commands;
        }
        (faults, count)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let checked: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(check)).collect();
        workers.into_iter().map(|worker| worker.join().expect("pages are checked")).collect()
    });
    let faults: Vec<_> = checked.iter().flat_map(|(faults, _)| faults.clone()).collect();
    let count: usize = checked.iter().map(|(_, count)| count).sum();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(count > 30, "only {count} commands were run");
}

/// What a page shows wrongly, and how many commands it has.
fn check_page(page: &Path, mut text: String) -> (Vec<String>, usize) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        text = updated(&text).unwrap_or_else(|fault| panic!("{}: {fault}", page.display()));
        fs::write(page, &text).expect("a page can be written");
    }
    let shown = shown(&text).unwrap_or_else(|fault| panic!("{}: {fault}", page.display()));
    let is_run = |shown: &&Shown| shown.command.starts_with("rukh") && shown.reason.is_none();
    let run: Vec<_> = shown.iter().filter(is_run).collect();
    let told =
        |shown: &&Shown| fault(shown).map(|fault| format!("{}:{}: {fault}", page.display(), shown.line));
    (run.iter().filter_map(told).collect(), run.len())
}

#[test]
fn a_wrong_console_block_is_found() {
    let page = "```console\n$ rukh --version\nrukh [..]\n$ rukh perft 1 \\\n    --json\n...\n```\n\
                <!-- norun: it takes an hour -->\n```console,norun\n$ rukh bench 40\n```\n";
    let found = shown(page).expect("the blocks are well-formed");
    assert_eq!(found.len(), 3);
    assert_eq!(found[1].command, "rukh perft 1 --json");
    assert_eq!(found[2].reason.as_deref(), Some("it takes an hour"));
    assert_eq!(fault(&found[0]), None);
    assert_eq!(fault(&found[1]), None);
    let wrong = shown("```console\n$ rukh --version\nrook\n```\n").expect("it is well-formed");
    assert!(fault(&wrong[0]).is_some_and(|fault| fault.contains("printed:\nrukh")));
    assert!(shown("```console,norun\n$ rukh\n```\n").is_err(), "without a reason");
    assert!(shown("<!-- norun: slow -->\n```console,norun\n$ rukh\n```\n").is_err(), "one word is no reason");
    assert!(words("rukh bench | tail").is_err() && words("rukh \"a").is_err());
    assert_eq!(words("rukh \"a b\" 'c'"), Ok(vec!["rukh".to_owned(), "a b".to_owned(), "c".to_owned()]));
}

#[test]
fn outputs_are_updated() {
    let page = "# A\n```console\n$ rukh perft 2 --divide\nold\n...\nold\n```\nend\n";
    let new = updated(page).expect("the block is well-formed");
    let expected = "# A\n```console\n$ rukh perft 2 --divide\na2a3: 20\n...\n400 nodes ([..] million nodes per second)\n\
                    ```\nend\n";
    assert_eq!(new, expected);
    assert_eq!(updated(&new).as_deref(), Ok(expected), "what matches stays");
    assert_eq!(masked("info nodes 5 nps 77 time 8 pv"), "info nodes 5 nps [..] time [..] pv");
}

#[test]
fn wildcards_stand_for_text_and_lines() {
    assert!(line_matches("a [..] c", "a b b c") && !line_matches("a [..] c", "a b d"));
    assert!(line_matches("[..]", "") && line_matches("x", "x ") && !line_matches("x", "xy"));
    assert!(line_matches("a[..]b[..]c", "a1b2c") && !line_matches("a[..]b[..]c", "a1c"));
    let shown = ["a", "...", "z"].map(str::to_owned);
    assert!(output_matches(&shown, &["a", "z"]) && output_matches(&shown, &["a", "b", "c", "z"]));
    assert!(!output_matches(&shown, &["a", "b"]) && !output_matches(&shown, &["b", "z"]));
}
