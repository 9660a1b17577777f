//! History gravity: the update rule of all histories.

/// A history value between -MAX and MAX. An update adds the bonus and takes off `value * |bonus| / MAX`: the nearer the
/// value is to its limit, the less it changes. It cannot overflow, and old results fade as new ones arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Gravity<const MAX: i32>(i16);

impl<const MAX: i32> Gravity<MAX> {
    /// The value.
    #[inline]
    pub(crate) const fn value(self) -> i32 {
        self.0 as i32
    }

    // ANCHOR: learn
    /// Updates the value with a bonus or, if negative, a malus.
    #[inline]
    pub(crate) fn learn(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.value();
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
    // ANCHOR_END: learn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range_and_approach_the_limit() {
        let mut history = Gravity::<1000>::default();
        for _ in 0..1000 {
            history.learn(i32::MAX);
            assert!(history.value() <= 1000);
        }
        assert_eq!(history.value(), 1000);
        for bonus in [-5000, 3, -1, 999, -1000, 77] {
            history.learn(bonus);
            assert!(history.value().abs() <= 1000);
        }
    }

    #[test]
    fn a_bonus_changes_a_high_value_less() {
        let (mut fresh, mut known) = (Gravity::<8192>::default(), Gravity::<8192>::default());
        for _ in 0..20 {
            known.learn(1000);
        }
        let before = known.value();
        fresh.learn(1000);
        known.learn(1000);
        assert!(known.value() - before < fresh.value());
    }
}
