//! Pawn structure, with a pawn hash table.
//!
//! Nothing here may depend on anything but the pawns: the key of an entry is the pawn key.

use rukh_chess::types::{Black, ByColor, Side, White};
use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};

use super::tapered::Tapered;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{adjacent, fill_forward, forward, forward_file, passed_span, relative_rank};

/// An entry of the pawn hash table: what follows from the pawns alone.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct PawnEntry {
    key: u64,
    /// The value of the structure, White's less Black's.
    pub sum: Tapered,
    /// Passed pawns.
    pub passed: ByColor<Bitboard>,
    /// Squares that the pawns of a colour attack now or can attack after advancing.
    pub attack_span: ByColor<Bitboard>,
}

impl PawnEntry {
    /// Evaluates the pawns of `position` and reports every term to `trace`.
    pub(crate) fn new(position: &Position, trace: &mut impl Trace) -> Self {
        let mut entry = Self { key: position.keys().pawns(), ..Self::default() };
        entry.attack_span = ByColor([
            attack_span::<White>(position.colored_pieces(Color::White, Piece::Pawn)),
            attack_span::<Black>(position.colored_pieces(Color::Black, Piece::Pawn)),
        ]);
        let mut ledger = Ledger::new(Tapered::ZERO, trace);
        entry.passed[Color::White] = structure::<White>(position, &mut ledger);
        entry.passed[Color::Black] = structure::<Black>(position, &mut ledger);
        entry.sum = ledger.sum();
        entry
    }
}

/// The squares that pawns attack now or can attack after advancing.
fn attack_span<Us: Side>(pawns: Bitboard) -> Bitboard {
    fill_forward::<Us>(pawns.pawn_attacks(Us::COLOR))
}

/// Evaluates the pawns of one side and returns the passed pawns.
fn structure<Us: Side>(position: &Position, ledger: &mut Ledger<'_, impl Trace>) -> Bitboard {
    let ours = position.colored_pieces(Us::COLOR, Piece::Pawn);
    let theirs = position.colored_pieces(!Us::COLOR, Piece::Pawn);
    let mut passed = Bitboard::EMPTY;
    for pawn in ours {
        if single_pawn::<Us>(pawn, ours, theirs, ledger) {
            passed |= Bitboard::of(pawn);
        }
    }
    passed
}

// ANCHOR: single_pawn
/// Evaluates one pawn and returns whether it is passed.
fn single_pawn<Us: Side>(
    pawn: Square,
    ours: Bitboard,
    theirs: Bitboard,
    ledger: &mut Ledger<'_, impl Trace>,
) -> bool {
    let us = Us::COLOR;
    let rank = relative_rank(us, pawn).index();
    let neighbours = ours & adjacent(pawn.file());
    let supporters = ours & attacks::pawn(!us, pawn);
    let phalanx = neighbours & Bitboard::rank(pawn.rank());
    let levers = theirs & attacks::pawn(us, pawn);
    let stop = forward::<Us>(Bitboard::of(pawn));
    let way = forward_file(us, pawn);
    let is_open = !way.intersects(theirs);
    let stoppers = theirs & passed_span(us, pawn);

    if way.intersects(ours) {
        ledger.add::<Us>(weights::DOUBLED.one(), 1);
    }
    if neighbours.is_empty() {
        ledger.add::<Us>(weights::ISOLATED.one(), 1);
        ledger.add_if::<Us>(is_open, weights::ISOLATED_OPEN.one());
    } else {
        // A neighbour that is not in front of the pawn is beside or behind it.
        let is_last = neighbours.is_subset_of(passed_span(us, pawn));
        let stop_is_held = stop.intersects(theirs | theirs.pawn_attacks(!us));
        if is_last && stop_is_held && levers.is_empty() {
            ledger.add::<Us>(weights::BACKWARD.one(), 1);
            ledger.add_if::<Us>(is_open, weights::BACKWARD_OPEN.one());
        }
    }
    ledger.add_if::<Us>(!phalanx.is_empty(), weights::PHALANX.at(rank));
    if !supporters.is_empty() {
        ledger.add::<Us>(weights::SUPPORTED.at(rank), 1);
    } else if levers.has_many() {
        ledger.add::<Us>(weights::PAWN_UNDER_LEVER.one(), 1);
    }

    let is_passed = stoppers.is_empty() && !way.intersects(ours);
    if is_passed {
        ledger.add::<Us>(weights::PASSED.at(rank), 1);
        ledger.add_if::<Us>(!supporters.is_empty(), weights::PASSED_SUPPORTED.at(rank));
    } else if is_open && !way.intersects(ours) {
        let helpers = neighbours & !passed_span(us, pawn);
        ledger.add_if::<Us>(helpers.count() >= stoppers.count(), weights::CANDIDATE.at(rank));
    }
    is_passed
}
// ANCHOR_END: single_pawn

/// The pawn hash table.
#[derive(Clone, Debug)]
pub(crate) struct PawnTable {
    entries: Box<[PawnEntry]>,
}

/// The table fits in a second-level cache and holds nearly all pawn structures of a search.
const ENTRIES: usize = 8 * 1024;

impl Default for PawnTable {
    /// A table whose entries are those of a board without pawns, whose key is zero.
    fn default() -> Self {
        Self { entries: vec![PawnEntry::default(); ENTRIES].into_boxed_slice() }
    }
}

impl PawnTable {
    /// The entry of the pawns of `position`, evaluated now if it is not in the table.
    #[inline]
    pub(crate) fn get(&mut self, position: &Position) -> &PawnEntry {
        let key = position.keys().pawns();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = PawnEntry::new(position, &mut ());
        }
        entry
    }
}
