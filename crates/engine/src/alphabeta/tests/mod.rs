//! Unit tests of every technique: where it must fire, where it must not, and that it does not fire when switched off.
//!
//! One file for each module of the search. Thresholds come from the tunables, so that tuning does not break a test.

mod candidates;
mod deepen;
mod enter;
mod extend;
mod fixture;
mod learn;
mod learn_candidates;
mod move_pruning;
mod picker;
mod prune;
mod quiesce;
mod reduce;
mod search;
