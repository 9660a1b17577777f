//! The architecture page names every module of every crate.

use std::collections::BTreeSet;
use std::path::Path;

use crate::tree;

/// The modules directly below the `src` folder `source`: files and folders, without the root of the crate.
fn modules(source: &Path) -> BTreeSet<String> {
    let name_of = |file: &Path| {
        let first = file.strip_prefix(source).ok()?.components().next()?.as_os_str().to_str()?.to_owned();
        let name = first.strip_suffix(".rs").unwrap_or(&first);
        let is_module = first.ends_with(".rs") || !first.contains('.');
        (is_module && !matches!(name, "lib" | "main" | "bin")).then(|| name.to_owned())
    };
    tree::files().iter().filter_map(|file| name_of(file)).collect()
}

/// The crates by folder name.
fn crates() -> BTreeSet<String> {
    let name_of = |file: &Path| {
        let mut parts = file.components().map(|part| part.as_os_str().to_str());
        let is_crate = parts.next() == Some(Some("crates"));
        parts.next().flatten().filter(|_| is_crate).map(str::to_owned)
    };
    tree::files().iter().filter_map(|file| name_of(file)).collect()
}

/// The modules that the section `Inside NAME` of the page does not link to; none if there is no such section.
fn missing(page: &str, name: &str, source: &str, modules: &BTreeSet<String>) -> Option<Vec<String>> {
    let (_, section) = page.split_once(&format!("\n## Inside `{name}`\n"))?;
    let section = section.split("\n## ").next().unwrap_or_default();
    let is_named = |module: &&String| {
        let link = format!("](../{source}/{module}");
        let rest = section.split(&link).skip(1);
        !rest
            .into_iter()
            .any(|rest| rest.starts_with(".rs)") || rest.starts_with(')') || rest.starts_with('/'))
    };
    Some(modules.iter().filter(is_named).cloned().collect())
}

#[test]
fn every_module_is_on_the_architecture_page() {
    let page = tree::text_of(Path::new("docs/architecture.md")).expect("there is the page");
    let of_crates = crates().into_iter().map(|name| (format!("crates/{name}/src"), name));
    for (source, name) in of_crates.chain([("src".to_owned(), "rukh".to_owned())]) {
        let modules = modules(Path::new(&source));
        assert!(!modules.is_empty(), "{name} has modules");
        let missing = missing(&page, &name, &source, &modules);
        let missing = missing.unwrap_or_else(|| panic!("architecture.md has no section \"Inside `{name}`\""));
        assert!(
            missing.is_empty(),
            "architecture.md does not name these modules of {name}: {}",
            missing.join(", ")
        );
    }
}

#[test]
fn a_module_that_is_not_named_is_found() {
    let page = "# A\n## Inside `x`\n[`a`](../x/src/a.rs) [`b`](../x/src/b/mod.rs) [`c`](../x/src/c)\n## Inside `y`\n[`d`](../x/src/d.rs)\n";
    let modules: BTreeSet<_> = ["a", "b", "c", "d"].map(str::to_owned).into();
    assert_eq!(missing(page, "x", "x/src", &modules), Some(vec!["d".to_owned()]));
    assert_eq!(missing(page, "z", "x/src", &modules), None);
}
