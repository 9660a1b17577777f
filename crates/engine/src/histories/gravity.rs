//! The one law by which all histories learn.

/// A number between -MAX and MAX that a bonus pulls towards itself: the nearer it is to the end, the less it moves. It
/// cannot overflow, and it forgets the old as fast as it learns the new.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gravity<const MAX: i32>(i16);

impl<const MAX: i32> Gravity<MAX> {
    /// The present value.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// Learns from something that went well, or, with a negative bonus, did not.
    #[inline]
    pub fn learn(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.value();
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_in_range_and_approaches_the_end() {
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
    fn what_is_known_already_teaches_less() {
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
