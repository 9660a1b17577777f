//! Parts of documents that are made from the code, between two comments: `<!-- NAME: generated -->` and `<!-- /NAME -->`.

use std::fs;
use std::path::Path;

use super::tree;

/// How to make the generated parts again.
pub(crate) const COMMAND: &str = "UPDATE_DOCS=1 cargo test --test integration docs";

/// Whether the documents are to be written.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1")
}

/// The text with the part of that name replaced; none if there is no such part.
pub(crate) fn with_part(text: &str, name: &str, content: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name}: generated -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{content}{end}{after}"))
}

/// Writes the file if documents are being updated; otherwise it must have this text already.
pub(crate) fn settle(file: &Path, old: &str, new: &str) {
    if is_updating() {
        if old != new {
            fs::write(tree::root().join(file), new).expect("a document can be written");
        }
        return;
    }
    let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    let (is, should_be) = differs.unwrap_or(("", ""));
    assert!(
        old == new,
        "{} is not what the code says; run {COMMAND}\n  is:        {is}\n  should be: {should_be}",
        file.display()
    );
}

#[test]
fn a_part_is_replaced_and_nothing_else() {
    let text = "a\n<!-- x: generated -->\nold\n<!-- /x -->\nb\n";
    assert_eq!(
        with_part(text, "x", "new\n").as_deref(),
        Some("a\n<!-- x: generated -->\nnew\n<!-- /x -->\nb\n")
    );
    assert_eq!(with_part(text, "y", "new\n"), None);
    assert_eq!(with_part("<!-- x: generated -->\n", "x", ""), None);
}

#[test]
#[should_panic(expected = "should be: b")]
fn a_stale_document_is_refused() {
    assert!(!is_updating(), "should be: b (nothing is refused while documents are written)");
    settle(Path::new("docs/none.md"), "x\na\n", "x\nb\n");
}
