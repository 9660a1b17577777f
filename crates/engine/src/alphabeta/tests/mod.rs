//! Every technique by itself: where it must fire, where it must not, and that it does not when it is switched off.
//!
//! There is one file for each room of the search. Thresholds come from the tunables, so that tuning breaks nothing here.

mod deepen;
mod enter;
mod extend;
mod fixture;
mod learn;
mod move_pruning;
mod picker;
mod prune;
mod quiesce;
mod reduce;
mod search;
