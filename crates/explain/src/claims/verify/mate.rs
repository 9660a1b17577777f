//! A proof of mate by the rules: every move of the winner is tried, every defence refuted.

use rukh_chess::Position;

/// The result of a proof search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    Proven,
    Disproven,
    /// The limit of positions was reached.
    Open,
}

/// Whether the side to move forces mate in `moves` of its moves, within `limit` positions.
pub(super) fn forced_mate(position: &Position, moves: u32, limit: &mut u64) -> Proof {
    let mut result = Proof::Disproven;
    let mut candidates: Vec<_> = position.legal_moves().iter().map(|&mv| position.after(mv)).collect();
    // Checks first: most mates are found among them.
    candidates.sort_by_key(|after| !after.is_check());
    for after in candidates {
        if moves == 1 && !after.is_check() {
            break;
        }
        match every_defence(&after, moves, limit) {
            Proof::Proven => return Proof::Proven,
            Proof::Open => result = Proof::Open,
            Proof::Disproven => {}
        }
    }
    result
}

/// Whether the side to move is mated in `moves - 1` further moves of the winner, whatever it plays.
fn every_defence(position: &Position, moves: u32, limit: &mut u64) -> Proof {
    if *limit == 0 {
        return Proof::Open;
    }
    *limit -= 1;
    let defences = position.legal_moves();
    if defences.is_empty() {
        return if position.is_check() { Proof::Proven } else { Proof::Disproven };
    }
    if moves <= 1 {
        return Proof::Disproven;
    }
    for &defence in &*defences {
        match forced_mate(&position.after(defence), moves - 1, limit) {
            Proof::Proven => {}
            other => return other,
        }
    }
    Proof::Proven
}
