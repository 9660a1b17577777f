//! Play that is weaker on purpose, and weak as people are.
//!
//! Three things make it so, all the more the weaker it is: it looks at fewer positions; it misjudges each of them a little, the
//! same one always alike; and it overlooks moves, its own and those of the other side, but never the recapture of a piece that
//! has just been taken, never an answer to a check, and nothing at all against a bare king. So it hangs a piece because it did not
//! see who attacks it, not because a die fell so, and it can still mate with a rook.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};
use rukh_eval::score::PAWN;

/// How strong the engine plays, on the scale of the rating that other engines use for their levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: u32,
    seed: u64,
}

impl Strength {
    /// The weakest play.
    pub const MIN_ELO: u32 = 800;
    /// The strongest; beyond it nothing is held back.
    pub const MAX_ELO: u32 = 3200;
    /// The highest level: nothing is held back.
    pub const MAX_LEVEL: u32 = 20;

    /// Play of this rating, or the nearest that there is.
    pub fn of_elo(elo: u32) -> Self {
        Self { elo: elo.clamp(Self::MIN_ELO, Self::MAX_ELO), seed: 0 }
    }

    /// Play of a level from 0 to [`Self::MAX_LEVEL`], in equal steps of rating.
    pub fn of_level(level: u32) -> Self {
        let range = Self::MAX_ELO - Self::MIN_ELO;
        Self::of_elo(Self::MIN_ELO + range * level.min(Self::MAX_LEVEL) / Self::MAX_LEVEL)
    }

    /// The same strength with other errors: two games then differ.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The rating.
    pub fn elo(self) -> u32 {
        self.elo
    }

    /// The seed of its errors.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// Whether nothing is held back.
    pub fn is_full(self) -> bool {
        self.elo >= Self::MAX_ELO
    }

    /// Positions that are looked at for a move, after which no other iteration is begun; none if nothing is held back.
    pub(crate) fn nodes(self, position: &Position) -> Option<u64> {
        let nodes = 2_f64.powf(self.curve(|point| point.log_nodes)) as u64;
        (!self.is_full()).then(|| if is_plain(position) { nodes.max(PLAIN_NODES) } else { nodes })
    }

    /// What goes wrong in a search that begins in this position; nothing where one side has its king alone, or nothing is
    /// held back.
    pub(crate) fn handicap(self, position: &Position) -> Option<Handicap> {
        let handicap = Handicap {
            seed: SplitMix64::new(self.seed).next(),
            error: (self.curve(|point| point.error) * f64::from(PAWN) / 100.0) as i32,
            oversight: (self.curve(|point| point.oversight) * f64::from(u32::MAX)) as u32,
        };
        Some(handicap).filter(|_| !is_plain(position) && !self.is_full())
    }

    /// A number that changes evenly between the points of the calibration.
    fn curve(self, number: fn(&Point) -> f64) -> f64 {
        let elo = f64::from(self.elo);
        let after = POINTS.iter().position(|point| point.elo >= elo).unwrap_or(POINTS.len() - 1).max(1);
        let (low, high) = (&POINTS[after - 1], &POINTS[after]);
        let part = ((elo - low.elo) / (high.elo - low.elo)).clamp(0.0, 1.0);
        number(low) + part * (number(high) - number(low))
    }
}

/// What it takes to mate with a rook.
const PLAIN_NODES: u64 = 40_000;

/// What a rating means, as found by games: see docs/levels.md.
struct Point {
    elo: f64,
    /// The binary logarithm of the positions looked at for a move.
    log_nodes: f64,
    /// The mean misjudgement, in hundredths of a pawn as they are shown: what that is worth in games stays the same when a
    /// network counts in other units.
    error: f64,
    /// The share of moves that are overlooked.
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

/// Whether a side has its king alone: what is left then is to mate it.
fn is_plain(position: &Position) -> bool {
    Color::ALL.iter().any(|color| !position.color(*color).has_many())
}

/// What goes wrong in a weak search. The same position is always misjudged alike, and the same move always overlooked: a
/// search that is deeper does not average it away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    seed: u64,
    error: i32,
    /// Of 2^32 moves.
    oversight: u32,
}

impl Handicap {
    /// The misjudgement of a position, for the side to move: a triangle about zero, so that small ones are frequent.
    pub(crate) fn error(&self, position: &Position) -> i32 {
        /// What lies between -1 and 1 in a triangle is a third from zero in the mean.
        const WHOLE: f64 = 3.0;
        let mut lots = SplitMix64::new(self.seed ^ position.key());
        ((lots.share() + lots.share() - 1.0) * WHOLE * f64::from(self.error)) as i32
    }

    /// Whether a move is overlooked after `last`.
    pub(crate) fn overlooks(&self, position: &Position, mv: Move, last: Option<Move>) -> bool {
        let is_recapture = last.is_some_and(|last| last.to() == mv.to());
        let lot = SplitMix64::new(self.seed ^ position.key() ^ u64::from(mv.bits()) << 48).next();
        !is_recapture && !position.is_check() && ((lot >> 32) as u32) < self.oversight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_strength_is_more_of_everything() {
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
    fn errors_are_the_same_every_time_and_about_zero() {
        let handicap = Strength::of_elo(1500).handicap(&Position::default()).expect("it is weak");
        let other = Strength::of_elo(1500).seeded(1).handicap(&Position::default()).expect("it is weak");
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
    fn recaptures_and_answers_to_checks_are_seen() {
        let blind = Handicap { seed: 1, error: 0, oversight: u32::MAX };
        let position: Position =
            "r1bqkbnr/pppp1ppp/2N5/4p3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3".parse().expect("it is valid");
        let [recapture, other] = ["d7c6", "d7d6"].map(|text| position.parse_uci(text).expect("it is legal"));
        // Whatever it was, it went to the square that is now taken.
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
        assert_eq!(Strength::of_elo(800).nodes(&rook), Some(PLAIN_NODES));
    }
}
