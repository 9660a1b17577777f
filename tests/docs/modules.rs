//! The architecture page: a table of the modules of every crate, made from the first sentence of each module's comment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{generated, tree};

const PAGE: &str = "docs/architecture.md";

/// A module: its name, and its file relative to the root.
type Module = (String, PathBuf);

/// The modules directly below a folder of sources, without the root of the crate and tests.
fn modules(folder: &Path, files: &[PathBuf]) -> Vec<Module> {
    let mut found = Vec::new();
    for file in files {
        let Ok(below) = file.strip_prefix(folder) else { continue };
        let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
        let name = match parts[..] {
            ["lib.rs" | "main.rs" | "mod.rs"] => continue,
            [file] => file.strip_suffix(".rs"),
            ["bin" | "tests", "mod.rs"] => continue,
            [folder, "mod.rs"] => Some(folder),
            _ => None,
        };
        found.extend(name.map(|name| (name.to_owned(), file.clone())));
    }
    found
}

/// The first sentence of the comment of a module, without links.
fn sentence(text: &str) -> Option<String> {
    let comment = text.lines().map_while(|line| line.strip_prefix("//!"));
    let paragraph: Vec<_> = comment.map(str::trim).take_while(|line| !line.is_empty()).collect();
    let paragraph = without_links(&paragraph.join(" "));
    let end = paragraph.find(". ").map_or(paragraph.len(), |end| end + 1);
    let sentence = paragraph[..end].replace('|', "\\|");
    (!sentence.is_empty()).then_some(sentence)
}

/// Links to items, [`Name`] and [`Name`](path), as names.
fn without_links(text: &str) -> String {
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").unwrap_or((part, ""));
        let after =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, after)| after);
        let name = name.rsplit("::").next().unwrap_or(name);
        plain += &format!("`{name}`{after}");
    }
    plain
}

fn table(modules: &[Module], text_of: impl Fn(&Path) -> String) -> String {
    let mut table = "| module | contents |\n|---|---|\n".to_owned();
    for (name, file) in modules {
        let sentence =
            sentence(&text_of(file)).unwrap_or_else(|| panic!("{} has no comment", file.display()));
        table += &format!("| [`{name}`](../{}) | {sentence} |\n", file.display());
    }
    table
}

/// The folders whose tables the page has.
fn tables(page: &str) -> BTreeSet<String> {
    let begins = page.lines().filter_map(|line| line.strip_prefix("<!-- modules "));
    begins.filter_map(|line| line.strip_suffix(": generated -->")).map(str::to_owned).collect()
}

/// The folders that must have a table: the sources of each crate and of the program.
fn sources(files: &[PathBuf]) -> BTreeSet<String> {
    let is_root =
        |file: &&PathBuf| file.ends_with("src/lib.rs") || file.as_path() == Path::new("src/main.rs");
    let folder = |file: &PathBuf| file.parent().map(|folder| folder.display().to_string().replace('\\', "/"));
    files.iter().filter(is_root).filter_map(folder).collect()
}

#[test]
fn every_module_is_on_the_architecture_page() {
    let files = tree::files();
    let old = tree::text_of(Path::new(PAGE)).expect("there is the page");
    let tables = tables(&old);
    let missing: Vec<_> = sources(&files).difference(&tables).cloned().collect();
    assert!(missing.is_empty(), "{PAGE} has no part \"<!-- modules FOLDER: generated -->\" for {missing:?}");
    let mut new = old.clone();
    for folder in tables {
        let modules = modules(Path::new(&folder), &files);
        assert!(!modules.is_empty(), "{PAGE}: there are no modules in {folder}");
        let table = table(&modules, |file| tree::text_of(file).expect("sources are text"));
        let part = format!("modules {folder}");
        new = generated::with_part(&new, &part, &table)
            .unwrap_or_else(|| panic!("{PAGE}: {part} does not end"));
    }
    generated::settle(Path::new(PAGE), &old, &new);
}

/// Whether the page of a crate has an example, which is a doctest: in its comment or in its README, which is then a part of it.
fn has_example(root: &str, readme: Option<&str>) -> bool {
    let is_begin = |line: &str| line == "//! ```";
    let includes_readme = root.contains("#![doc = include_str!(\"../README.md\")]");
    root.lines().any(is_begin) || includes_readme && readme.is_some_and(|text| text.contains("\n```rust\n"))
}

#[test]
fn every_crate_has_an_example() {
    let files = tree::files();
    let roots: Vec<_> =
        files.iter().filter(|file| file.starts_with("crates") && file.ends_with("src/lib.rs")).collect();
    assert!(roots.len() > 5, "{roots:?}");
    for root in roots {
        let readme = root.parent().and_then(Path::parent).map(|folder| folder.join("README.md"));
        let readme = readme.filter(|file| files.contains(file)).and_then(|file| tree::text_of(&file));
        let text = tree::text_of(root).expect("sources are text");
        assert!(has_example(&text, readme.as_deref()), "{} has no example", root.display());
    }
}

#[test]
fn examples_are_found() {
    let with_readme = "#![doc = include_str!(\"../README.md\")]\n";
    assert!(has_example("//! A crate.\n//!\n//! ```\n//! one();\n//! ```\n", None));
    assert!(has_example(with_readme, Some("# a\n\n```rust\none();\n```\n")));
    assert!(!has_example(with_readme, Some("# a\n\n```sh\none\n```\n")));
    assert!(!has_example(with_readme, None));
    assert!(
        !has_example("//! A crate.\n", Some("# a\n\n```rust\none();\n```\n")),
        "the README is no part of the page"
    );
}

#[test]
fn modules_and_their_sentences_are_found() {
    let files =
        ["x/src/lib.rs", "x/src/a.rs", "x/src/b/mod.rs", "x/src/b/c.rs", "x/src/tests/mod.rs", "x/src/d.bin"];
    let files = files.map(PathBuf::from);
    let found = modules(Path::new("x/src"), &files);
    assert_eq!(found, [("a".to_owned(), files[1].clone()), ("b".to_owned(), files[2].clone())]);
    assert_eq!(sources(&files), BTreeSet::from(["x/src".to_owned()]));
    let text =
        "//! The [`Table`](crate::t::Table) of\n//! [`x::Y`]s: a|b. More.\n//!\n//! Even more.\nuse x;\n";
    assert_eq!(sentence(text).as_deref(), Some("The `Table` of `Y`s: a\\|b."));
    assert_eq!(sentence("use x;\n"), None);
    let row = "| module | contents |\n|---|---|\n| [`a`](../x/src/a.rs) | The `Table` of `Y`s: a\\|b. |\n";
    assert_eq!(table(&found[..1], |_| text.to_owned()), row);
    let page = "# A\n<!-- modules x/src: generated -->\n<!-- /modules x/src -->\n";
    assert_eq!(tables(page), BTreeSet::from(["x/src".to_owned()]));
}
