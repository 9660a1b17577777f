//! Tests of the tree search as a whole.

mod bandit;
mod endings;
mod fixture;
mod invariants;
mod limits;
mod retrograde;
mod target;
mod view;
