//! Claims: what is said about a move, as data that can be replayed.
//!
//! A claim has a kind, a line from a position, and facts that hold along the line. Detectors find motifs in lines
//! ([`motifs`]), searches come through [`analyst::Analyst`], words come from claims alone ([`words`]), and the verifier
//! checks facts without the detectors ([`mod@verify`]). Only [`engine_analyst`] runs an engine. The modules, each using
//! only those before it: [`fact`], `fact_text`, [`kind`], [`claim`], [`motifs`], [`analyst`], [`mating`], `variations`,
//! `exchange`, `reasons`, `positional`, [`zugzwang`], [`question`], `study`, `passing`, [`mod@explain`], [`level`],
//! `phrases`, [`words`], [`review_reasons`], [`themes`], [`mod@verify`], [`engine_analyst`].

pub mod analyst;
pub mod claim;
pub mod engine_analyst;
mod exchange;
pub mod explain;
pub mod fact;
mod fact_text;
pub mod kind;
pub mod level;
pub mod mating;
pub mod motifs;
mod passing;
mod phrases;
mod positional;
pub mod question;
mod reasons;
pub mod review_reasons;
#[cfg(feature = "serde")]
mod serialize;
mod study;
#[cfg(feature = "serde")]
mod text_form;
pub mod themes;
mod variations;
pub mod verify;
pub mod words;
pub mod zugzwang;
