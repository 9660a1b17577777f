//! Motifs: detectors of tactical patterns in a line.
//!
//! A detector is a pure function from a [`MotifLine`] to findings. The hero is the side that moves first in the line.
//! Detectors describe what happens in the line; whether the line is good is not their business. They know no engine.

mod attraction;
pub(super) mod board;
mod capture;
mod clearance;
mod defender;
mod deflection;
mod discovered;
mod fork;
mod interference;
mod intermezzo;
mod line;
mod mate;
mod mate_pairs;
mod mate_patterns;
mod overload;
mod pawns;
mod pin;
mod quiet;
mod relative_pin;
mod sacrifice;
mod skewer;
mod trapped;
mod unstoppable;
mod xray;

pub use line::MotifLine;

use super::claim::Finding;

/// A detector.
type Detector = fn(&MotifLine) -> Option<Finding>;

const DETECTORS: &[Detector] = &[
    mate::mate_in,
    capture::hanging_piece,
    fork::fork,
    pin::pin,
    relative_pin::relative_pin,
    skewer::skewer,
    discovered::discovered_attack,
    discovered::discovered_check,
    discovered::double_check,
    deflection::deflection,
    attraction::attraction,
    overload::overload,
    interference::interference,
    clearance::clearance,
    intermezzo::intermezzo,
    xray::x_ray,
    trapped::trapped_piece,
    defender::captures_defender,
    sacrifice::sacrifice,
    pawns::advanced_pawn,
    unstoppable::unstoppable_pawn,
    pawns::promotion,
    pawns::underpromotion,
    pawns::en_passant,
    quiet::quiet_move,
    quiet::defensive_move,
];

/// The moves of the hero, by their index, that are neither check nor capture and either answer a check or attack nothing
/// and are no far pawn moves.
pub fn calm_moves(line: &MotifLine) -> Vec<usize> {
    line.own().filter(|step| quiet::is_calm(step) || quiet::is_escape(step)).map(|step| step.at).collect()
}

/// All findings in a line, at most one of each kind.
pub fn detect(line: &MotifLine) -> Vec<Finding> {
    let single = DETECTORS.iter().filter_map(|detector| detector(line));
    single.chain(mate_patterns::named_mates(line)).collect()
}
