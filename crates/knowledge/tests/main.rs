//! Books and tablebases, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

mod books;
mod tables;
