//! Tests of the tree search as a whole.
