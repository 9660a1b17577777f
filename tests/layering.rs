//! Layering: a crate depends only on the crates listed before it, and the modules of a crate have no dependency cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates from top to bottom; each may use those before it.
const FLOORS: [&str; 11] = [
    "chess",
    "eval",
    "engine",
    "leaf-network",
    "knowledge",
    "explain",
    "protocol",
    "play",
    "lab",
    "train",
    "web",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("there is a folder of crates");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are plain"))
        .collect();
    names.sort();
    names
}

/// The crates of this project that the manifest of `name` depends on, without those of tests.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"))
        .expect("a crate has a manifest");
    dependencies_in(&manifest)
}

fn dependencies_in(manifest: &str) -> Vec<String> {
    let name_of = |rest: &str| rest.split(['.', ' ', '=', ']']).next().map(str::to_owned);
    let mut is_wanted = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_wanted = line.contains("dependencies") && !line.contains("dev-dependencies");
            // A dependency may have a section of its own.
            let (_, own) = line.split_once("dependencies.rukh-").unwrap_or_default();
            found.extend(Some(own).filter(|own| is_wanted && !own.is_empty()).and_then(name_of));
        } else if is_wanted {
            found.extend(line.strip_prefix("rukh-").and_then(name_of));
        }
    }
    found
}

#[test]
fn dependencies_are_found_however_they_are_written() {
    let manifest = "[dependencies]\nrukh-a.workspace = true\nrukh-b = { path = \"../b\" }\nclap = \"4\"\n\
                    [dependencies.rukh-c]\npath = \"../c\"\n[target.'cfg(unix)'.dependencies.rukh-d]\n\
                    [dev-dependencies]\nrukh-e = \"1\"\n[dev-dependencies.rukh-f]\n[build-dependencies]\nrukh-g = \"1\"\n";
    assert_eq!(dependencies_in(manifest), ["a", "b", "c", "d", "g"]);
}

#[test]
fn a_crate_uses_only_the_crates_above_it() {
    for name in crates() {
        let floor = FLOORS.iter().position(|floor| *floor == name);
        let floor = floor.unwrap_or_else(|| panic!("the crate {name} has no floor"));
        for used in dependencies(&name) {
            let above = FLOORS.iter().position(|floor| *floor == used);
            assert!(above.is_some_and(|above| above < floor), "{name} must not use {used}");
        }
    }
}

#[test]
fn the_rules_depend_on_nothing() {
    assert_eq!(dependencies("chess"), Vec::<String>::new());
    let manifest =
        fs::read_to_string(root().join("crates/chess/Cargo.toml")).expect("the crate has a manifest");
    assert!(!manifest.contains("[dependencies"), "chess has no dependency at all");
}

#[test]
fn the_play_session_knows_no_protocol() {
    assert!(!dependencies("play").contains(&"protocol".to_owned()));
}

/// Which module each module names in `use` declarations and paths, by module path such as `attacks::magics`.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn source_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a source folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            source_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The module a file holds: `attacks/mod.rs` and `attacks.rs` are `attacks`; the root is the empty path.
fn module_of(source: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(source).expect("the file is in the folder").with_extension("");
    let mut parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// Every path in the code of `text` that begins with `crate::` or `super::`, resolved from `module`.
fn paths_in(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let code =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_word_start =
                !code[..at].ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ':' | '$'));
            if !is_word_start {
                continue;
            }
            let mut path = if start == "crate::" { Vec::new() } else { module.to_vec() };
            for (i, segment) in code[at..].split("::").enumerate() {
                let name = segment.trim_end_matches(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
                let name = name
                    .split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
                    .next()
                    .unwrap_or_default();
                match name {
                    "crate" if i == 0 => {}
                    "super" => drop(path.pop()),
                    "" => break,
                    name => path.push(name.to_owned()),
                }
                if segment != name {
                    break;
                }
            }
            found.push(path);
        }
    }
    found
}

fn uses_of(source: &Path) -> Uses {
    let mut files = Vec::new();
    source_files(source, &mut files);
    // A file of tests names the module that it tests.
    files.retain(|file| file.file_name().is_some_and(|name| name != "tests.rs"));
    let modules: BTreeSet<_> = files.iter().map(|file| module_of(source, file)).collect();
    let mut uses = Uses::new();
    for file in &files {
        let module = module_of(source, file);
        let text = fs::read_to_string(file).expect("sources are text");
        // The tests at the end of a file may name the file.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut targets: BTreeSet<String> = BTreeSet::new();
        for mut path in paths_in(text, &module) {
            // The longest beginning of the path that is a module; the rest names something in it.
            while !modules.contains(&path) {
                path.pop();
            }
            targets.insert(path.join("::"));
        }
        // A module re-exports its children: it stands on them.
        for child in
            modules.iter().filter(|child| child.len() == module.len() + 1 && child.starts_with(&module))
        {
            targets.insert(child.join("::"));
        }
        targets.remove(&module.join("::"));
        uses.insert(module.join("::"), targets);
    }
    uses
}

/// A way from `module` through what it uses back to itself.
fn circle_through(uses: &Uses, module: &str) -> Option<Vec<String>> {
    let mut stack = vec![vec![module.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(path) = stack.pop() {
        for next in &uses[path.last().expect("a path has its first module")] {
            let longer = [path.clone(), vec![next.clone()]].concat();
            if next == module {
                return Some(longer);
            }
            if seen.insert(next.clone()) {
                stack.push(longer);
            }
        }
    }
    None
}

/// No module may be used by what it uses. A file names the files beside it, not the folder they are all in.
#[test]
fn modules_form_no_circle() {
    let of_crates = crates().into_iter().map(|name| root().join("crates").join(name).join("src"));
    for source in of_crates.chain([root().join("src")]) {
        let uses = uses_of(&source);
        assert!(uses.len() > 1, "{} has modules", source.display());
        for module in uses.keys().filter(|module| !module.is_empty()) {
            let circle = circle_through(&uses, module);
            assert_eq!(circle, None, "in {}", source.display());
        }
    }
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let uses: Uses = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
        .map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])))
        .into();
    assert!(circle_through(&uses, "a").is_some_and(|circle| circle == ["a", "b", "c", "a"]));
    assert_eq!(circle_through(&uses, "d"), None);
    let paths = paths_in(
        "use crate::types::{Square, Move}; fn f() { super::b::g() } // crate::no",
        &["x".to_owned(), "a".to_owned()],
    );
    assert_eq!(paths, [vec!["types"], vec!["x", "b", "g"]]);
}

/// `cargo test` from a fresh clone tests every crate but the trainer, whose tests take a minute and which only who trains needs.
#[test]
fn all_crates_but_the_trainer_are_default_members() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let (_, list) = manifest.split_once("default-members = [").expect("the manifest lists default members");
    let (list, _) = list.split_once(']').expect("the list ends");
    let listed: BTreeSet<String> = list
        .split(',')
        .map(|name| name.trim().trim_matches('"').to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let expected = crates().into_iter().filter(|name| name != "train").map(|name| format!("crates/{name}"));
    assert_eq!(listed, expected.chain([".".to_owned()]).collect());
}
