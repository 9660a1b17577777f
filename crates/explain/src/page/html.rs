//! HTML under way.

use std::fmt::{Arguments, Write};

/// A text that grows.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds a piece that is HTML already; text of others goes through [`escaped`].
    pub(super) fn add(&mut self, what: Arguments<'_>) {
        self.0.write_fmt(what).expect("a string takes all text");
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// A text that is only text, inside an element or an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            sign => safe.push(sign),
        }
    }
    safe
}
