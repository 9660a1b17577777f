//! Limited strength (`UCI_Elo`, `Skill Level`): fewer nodes, evaluation errors and overlooked moves.
//!
//! All three grow as the Elo falls. The error of a position and the oversight of a move depend on position, move and seed
//! alone, so that a deeper search does not average them away. Moves of both sides can be overlooked, except recaptures and
//! check evasions. Against a bare king there are no errors, so that the weakest level still mates with a rook.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};
use rukh_eval::score::PAWN;

/// A playing strength in Elo, on the scale that other engines use for their levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: u32,
    seed: u64,
}

impl Strength {
    /// The weakest level.
    pub const MIN_ELO: u32 = 800;
    /// Full strength.
    pub const MAX_ELO: u32 = 3200;
    /// The highest skill level: full strength.
    pub const MAX_LEVEL: u32 = 20;

    /// The strength of this Elo, clamped to the range.
    pub fn of_elo(elo: u32) -> Self {
        Self { elo: elo.clamp(Self::MIN_ELO, Self::MAX_ELO), seed: 0 }
    }

    /// The strength of a skill level from 0 to [`Self::MAX_LEVEL`], in equal steps of Elo.
    pub fn of_level(level: u32) -> Self {
        let range = Self::MAX_ELO - Self::MIN_ELO;
        Self::of_elo(Self::MIN_ELO + range * level.min(Self::MAX_LEVEL) / Self::MAX_LEVEL)
    }

    /// The same strength with another seed of errors, so that games differ.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The Elo.
    pub fn elo(self) -> u32 {
        self.elo
    }

    /// The seed of its errors.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// Whether this is full strength.
    pub fn is_full(self) -> bool {
        self.elo >= Self::MAX_ELO
    }

    /// The soft node limit for a move; `None` at full strength.
    pub(crate) fn nodes(self, position: &Position) -> Option<u64> {
        let nodes = 2_f64.powf(self.interpolate(|point| point.log_nodes)) as u64;
        (!self.is_full()).then(|| if has_bare_king(position) { nodes.max(BARE_KING_NODES) } else { nodes })
    }

    /// The errors of a search from this position; `None` at full strength and where a side has a bare king.
    pub(crate) fn handicap(self, position: &Position) -> Option<Handicap> {
        let handicap = Handicap {
            seed: SplitMix64::new(self.seed).next(),
            error: (self.interpolate(|point| point.error) * f64::from(PAWN) / 100.0) as i32,
            oversight: (self.interpolate(|point| point.oversight) * f64::from(u32::MAX)) as u32,
        };
        Some(handicap).filter(|_| !has_bare_king(position) && !self.is_full())
    }

    /// Linear interpolation between the points of the calibration.
    fn interpolate(self, number: fn(&Point) -> f64) -> f64 {
        let elo = f64::from(self.elo);
        let after = POINTS.iter().position(|point| point.elo >= elo).unwrap_or(POINTS.len() - 1).max(1);
        let (low, high) = (&POINTS[after - 1], &POINTS[after]);
        let part = ((elo - low.elo) / (high.elo - low.elo)).clamp(0.0, 1.0);
        number(low) + part * (number(high) - number(low))
    }
}

/// Enough nodes to mate with a rook.
const BARE_KING_NODES: u64 = 40_000;

/// A point of the calibration, measured in games: see docs/levels.md.
struct Point {
    elo: f64,
    /// The binary logarithm of the nodes per move.
    log_nodes: f64,
    /// The mean absolute evaluation error in displayed centipawns, which do not depend on the internal units of a network.
    error: f64,
    /// The share of overlooked moves.
    oversight: f64,
}

const fn point(elo: f64, log_nodes: f64, error: f64, oversight: f64) -> Point {
    Point { elo, log_nodes, error, oversight }
}

/// From the weakest to the strongest.
const POINTS: [Point; 12] = [
    point(800.0, 5.7, 125.0, 0.23),
    point(1060.0, 6.4, 100.0, 0.165),
    point(1350.0, 7.7, 77.5, 0.109),
    point(1500.0, 8.02, 73.4, 0.1),
    point(1700.0, 8.95, 61.5, 0.0755),
    point(1850.0, 9.83, 50.4, 0.0583),
    point(2000.0, 10.95, 37.4, 0.035),
    point(2200.0, 12.65, 19.9, 0.0178),
    point(2400.0, 13.02, 16.7, 0.0142),
    point(2600.0, 13.52, 13.5, 0.0111),
    point(2800.0, 13.8, 12.2, 0.0099),
    point(3200.0, 16.5, 0.0, 0.0),
];

/// Whether a side has a bare king.
fn has_bare_king(position: &Position) -> bool {
    Color::ALL.iter().any(|color| !position.color(*color).has_many())
}

/// The errors of a search with limited strength. They are deterministic: a position always has the same error, and a move is
/// always or never overlooked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    seed: u64,
    error: i32,
    /// Overlooked moves out of 2^32.
    oversight: u32,
}

impl Handicap {
    /// The evaluation error of a position for the side to move: triangular distribution around zero.
    pub(crate) fn error(&self, position: &Position) -> i32 {
        /// The triangular distribution on -1..1 has a mean absolute value of 1/3.
        const SCALE: f64 = 3.0;
        let mut random = SplitMix64::new(self.seed ^ position.key());
        ((random.share() + random.share() - 1.0) * SCALE * f64::from(self.error)) as i32
    }

    /// Whether a move is overlooked after `last`.
    pub(crate) fn overlooks(&self, position: &Position, mv: Move, last: Option<Move>) -> bool {
        let is_recapture = last.is_some_and(|last| last.to() == mv.to());
        let random = SplitMix64::new(self.seed ^ position.key() ^ u64::from(mv.bits()) << 48).next();
        !is_recapture && !position.is_check() && ((random >> 32) as u32) < self.oversight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_means_more_nodes_and_fewer_errors() {
        let position = Position::default();
        let all: Vec<Strength> = (800..=3200).step_by(100).map(Strength::of_elo).collect();
        for pair in all.windows(2) {
            let nodes = |strength: Strength| strength.nodes(&position).unwrap_or(u64::MAX);
            assert!(nodes(pair[0]) < nodes(pair[1]));
            let errors = |strength: Strength| {
                strength.handicap(&position).map_or((0, 0), |handicap| (handicap.error, handicap.oversight))
            };
            let ((error, oversight), (less, fewer)) = (errors(pair[0]), errors(pair[1]));
            assert!(error >= less && oversight > fewer);
        }
        assert_eq!(Strength::of_level(20), Strength::of_elo(3200));
        assert!(Strength::of_level(20).is_full() && Strength::of_level(20).handicap(&position).is_none());
        assert_eq!((Strength::of_level(0).elo(), Strength::of_elo(5).elo()), (800, 800));
    }

    #[test]
    fn errors_are_deterministic_and_centred_on_zero() {
        let handicap =
            Strength::of_elo(1500).handicap(&Position::default()).expect("the strength is limited");
        let other =
            Strength::of_elo(1500).seeded(1).handicap(&Position::default()).expect("the strength is limited");
        let (mut sum, mut size, mut differ) = (0, 0, 0);
        let mut position = Position::default();
        let mut random = SplitMix64::new(3);
        let count = 2_000;
        for _ in 0..count {
            let legal = position.legal_moves();
            position = match legal.len() {
                0 => Position::default(),
                moves => position.after(legal[random.below(moves as u64) as usize]),
            };
            let error = handicap.error(&position);
            assert_eq!(error, handicap.error(&position));
            sum += error;
            size += error.abs();
            differ += i32::from(error != other.error(&position));
        }
        assert!((sum / count).abs() < 10, "{sum}");
        assert!((size / count - handicap.error).abs() < 10, "{size}");
        assert!(differ > count / 2);
    }

    #[test]
    fn recaptures_and_check_evasions_are_never_overlooked() {
        let blind = Handicap { seed: 1, error: 0, oversight: u32::MAX };
        let position: Position =
            "r1bqkbnr/pppp1ppp/2N5/4p3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3".parse().expect("it is valid");
        let [recapture, other] = ["d7c6", "d7d6"].map(|text| position.parse_uci(text).expect("it is legal"));
        // Any last move to the square of the recapture will do.
        let last = Some(recapture);
        assert!(!blind.overlooks(&position, recapture, last));
        assert!(blind.overlooks(&position, other, last));
        let check: Position = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().expect("it is valid");
        assert!(check.legal_moves().iter().all(|mv| !blind.overlooks(&check, *mv, None)));
    }

    #[test]
    fn against_a_bare_king_nothing_is_overlooked() {
        let rook: Position = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1".parse().expect("it is valid");
        assert!(Strength::of_elo(800).handicap(&rook).is_none());
        assert_eq!(Strength::of_elo(800).nodes(&rook), Some(BARE_KING_NODES));
    }
}
