//! Fifty-move damping: a score shrinks towards a draw as the halfmove clock runs.
//!
//! It knows the clock alone, not where the score comes from.

/// The damping factor is this less the halfmove clock, divided by this.
const SPAN: i32 = 200;
/// The halfmove clock at which the game is drawn; a longer one damps no further.
const CLOCK_MAX: i32 = 100;

/// The value that is left with this halfmove clock: all of it at 0, half of it at 100.
#[inline]
pub fn damp(value: i32, halfmove_clock: u16) -> i32 {
    value * (SPAN - i32::from(halfmove_clock).min(CLOCK_MAX)) / SPAN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_shrink_to_half_by_the_fiftieth_move() {
        assert_eq!([0, 50, 100, 400].map(|clock| damp(1_000, clock)), [1_000, 750, 500, 500]);
        assert_eq!(damp(-1_000, 50), -750);
    }
}
