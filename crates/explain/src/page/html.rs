//! An HTML writer.

use std::fmt::{Arguments, Write};

/// An HTML document in progress.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends HTML. Foreign text must be [`escaped`] first.
    pub(super) fn add(&mut self, arguments: Arguments<'_>) {
        self.0.write_fmt(arguments).expect("writing to a string cannot fail");
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// Escapes text for an element or an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            character => safe.push(character),
        }
    }
    safe
}
