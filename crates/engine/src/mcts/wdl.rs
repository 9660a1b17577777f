//! WDL: the probabilities of win, draw and loss of one position.
//!
//! It knows nothing of where they come from.

/// The probabilities of win, draw and loss for the side to move; they add up to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WinDrawLoss {
    pub(super) win: f32,
    pub(super) draw: f32,
    pub(super) loss: f32,
}

impl WinDrawLoss {
    /// A certain draw.
    pub(super) const DRAW: Self = Self { win: 0.0, draw: 1.0, loss: 0.0 };

    /// Win less loss probability.
    pub(super) fn value(self) -> f64 {
        f64::from(self.win) - f64::from(self.loss)
    }

    /// The probabilities for the other side.
    pub(super) fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}
