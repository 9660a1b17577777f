//! The position that the experiments use by default.

/// An open middlegame with captures, the default of the experiments: "Kiwipete" of the perft tables.
pub(super) const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
