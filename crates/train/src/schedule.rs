//! The learning rate schedule: linear warm-up, then cosine decay.

/// A learning rate schedule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The greatest rate.
    pub peak: f64,
    /// The last rate.
    pub end: f64,
    /// Steps of the warm-up.
    pub warm_up: u64,
    /// All steps.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f64 / self.warm_up as f64;
        }
        let decay_steps = self.steps.saturating_sub(self.warm_up).max(1);
        let progress = (step - self.warm_up) as f64 / decay_steps as f64;
        let cosine = (1.0 + (std::f64::consts::PI * progress.min(1.0)).cos()) / 2.0;
        self.end + (self.peak - self.end) * cosine
    }
}

/// The steps that fit into so many seconds, at the speed of `steps` that took `took` seconds.
pub fn steps_in(seconds: f64, steps: u64, took: f64) -> u64 {
    // The cast saturates.
    (seconds / took * steps as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_turned_into_steps() {
        assert_eq!(steps_in(60.0, 500, 20.0), 1_500);
        assert_eq!(steps_in(19.9, 500, 20.0), 497);
        assert_eq!(steps_in(-3.0, 500, 20.0), 0, "the time is over");
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule { peak: 1e-3, end: 1e-5, warm_up: 10, steps: 110 };
        assert!((schedule.rate(0) - 1e-4).abs() < 1e-12);
        assert!((schedule.rate(9) - 1e-3).abs() < 1e-12);
        assert!((schedule.rate(60) - (1e-3 + 1e-5) / 2.0).abs() < 1e-12);
        assert!((schedule.rate(110) - 1e-5).abs() < 1e-12);
        assert!((10..110).all(|step| schedule.rate(step + 1) < schedule.rate(step)));
    }
}
