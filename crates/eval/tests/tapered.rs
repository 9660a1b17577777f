//! Packed middlegame and endgame values behave as two values.

use rukh_eval::hce::Tapered;

const SAMPLES: [i32; 9] = [-16_000, -1_001, -2, -1, 0, 1, 3, 999, 16_000];

fn pairs() -> impl Iterator<Item = (i32, i32)> {
    SAMPLES.into_iter().flat_map(|midgame| SAMPLES.map(|endgame| (midgame, endgame)))
}

#[test]
fn both_halves_come_back() {
    for (midgame, endgame) in pairs() {
        let value = Tapered::new(midgame, endgame);
        assert_eq!((value.midgame(), value.endgame()), (midgame, endgame));
        assert_eq!(((-value).midgame(), (-value).endgame()), (-midgame, -endgame));
    }
}

#[test]
fn arithmetic_is_that_of_both_halves() {
    for (a, b) in pairs() {
        for (c, d) in pairs() {
            let sum = Tapered::new(a, b) + Tapered::new(c, d);
            let difference = Tapered::new(a, b) - Tapered::new(c, d);
            assert_eq!((sum.midgame(), sum.endgame()), (a + c, b + d));
            assert_eq!((difference.midgame(), difference.endgame()), (a - c, b - d));
        }
    }
    for count in [-3, -1, 0, 2, 20] {
        let product = Tapered::new(-70, 95) * count;
        assert_eq!((product.midgame(), product.endgame()), (-70 * count, 95 * count));
    }
}
