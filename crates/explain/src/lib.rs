//! What the engine thinks of a game, as facts that others show.
//!
//! Nothing here prints, and nothing knows a file or a page.

#![forbid(unsafe_code)]

pub mod accuracy;
