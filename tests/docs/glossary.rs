//! The glossary: every entry says where to read on.

use std::path::Path;

use super::tree;

/// The entries of a glossary that have no link.
fn without_link(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("- **") && !line.contains("](")).collect()
}

#[test]
fn every_entry_of_the_glossary_has_a_link() {
    let text = tree::text_of(Path::new("docs/glossary.md")).expect("there is a glossary");
    assert!(text.matches("\n- **").count() > 100, "it has entries");
    assert_eq!(without_link(&text), Vec::<&str>::new());
}

#[test]
fn an_entry_without_a_link_is_found() {
    assert_eq!(without_link("- **A**: b. [c](c.rs)\n- **D**: e.\nf"), ["- **D**: e."]);
}
