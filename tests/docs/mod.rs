//! Checks of the documentation: conflict markers, dead links, old words, and what is generated from the code.
//!
//! `UPDATE_DOCS=1 cargo test --test integration docs` writes the generated parts again.

mod ablation;
mod generated;
mod glossary;
mod guide;
mod links;
mod modules;
mod options;
mod techniques;
mod text;
mod tree;
