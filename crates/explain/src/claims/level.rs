//! Levels: which claims are told, in which order, and how long lines are. A level never changes what is true.

use super::claim::Claim;
use super::kind::ClaimKind;

/// The reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Level {
    /// Mates, material and the basic motifs; lines of four plies.
    Beginner,
    /// All tactics, threats and only moves; lines of eight plies.
    #[default]
    Club,
    /// Everything; lines of twelve plies.
    Expert,
}

/// The order of usefulness: the first kind that applies is told first.
const ORDER: &[ClaimKind] = &[
    ClaimKind::Forced,
    ClaimKind::AllowsMate,
    ClaimKind::MateIn,
    ClaimKind::TablebaseFact,
    ClaimKind::LeavesEnPrise,
    ClaimKind::Fork,
    ClaimKind::Skewer,
    ClaimKind::DoubleCheck,
    ClaimKind::DiscoveredCheck,
    ClaimKind::DiscoveredAttack,
    ClaimKind::TrappedPiece,
    ClaimKind::HangingPiece,
    ClaimKind::CapturesDefender,
    ClaimKind::Pin,
    ClaimKind::RelativePin,
    ClaimKind::Deflection,
    ClaimKind::Attraction,
    ClaimKind::Interference,
    ClaimKind::Intermezzo,
    ClaimKind::Overload,
    ClaimKind::UnstoppablePawn,
    ClaimKind::Underpromotion,
    ClaimKind::Promotion,
    ClaimKind::WinsMaterial,
    ClaimKind::Zugzwang,
    ClaimKind::OnlyMove,
    ClaimKind::Threat,
    ClaimKind::Prevents,
    ClaimKind::Sacrifice,
    ClaimKind::Clearance,
    ClaimKind::XRay,
    ClaimKind::Fortress,
    ClaimKind::TradesWhenAhead,
    ClaimKind::Plan,
    ClaimKind::WhyNot,
    ClaimKind::PositionalChange,
    ClaimKind::AsGood,
];

/// Whether the line of a claim leaves the line that wins, with another answer to its first move.
fn is_side_line(claim: &Claim, claims: &[Claim]) -> bool {
    let wins = |claim: &&Claim| {
        matches!(claim.kind, ClaimKind::MateIn | ClaimKind::AllowsMate | ClaimKind::WinsMaterial)
    };
    claims.iter().find(wins).is_some_and(|main| {
        let is_same_move = main.start == claim.start && main.line.first() == claim.line.first();
        let answers = [main, claim].map(|claim| claim.line.get(1));
        is_same_move && matches!(answers, [Some(best), Some(other)] if best != other)
    })
}

impl Level {
    /// The longest line that is shown.
    pub fn plies(self) -> usize {
        match self {
            Self::Beginner => 4,
            Self::Club => 8,
            Self::Expert => 12,
        }
    }

    /// Whether claims of this kind are told.
    pub fn tells(self, kind: ClaimKind) -> bool {
        match self {
            Self::Expert => true,
            Self::Club => !matches!(kind, ClaimKind::Clearance | ClaimKind::XRay),
            Self::Beginner => matches!(
                kind,
                ClaimKind::MateIn
                    | ClaimKind::AllowsMate
                    | ClaimKind::WinsMaterial
                    | ClaimKind::LeavesEnPrise
                    | ClaimKind::HangingPiece
                    | ClaimKind::Fork
                    | ClaimKind::Pin
                    | ClaimKind::RelativePin
                    | ClaimKind::UnstoppablePawn
                    | ClaimKind::Skewer
                    | ClaimKind::Promotion
                    | ClaimKind::DoubleCheck
                    | ClaimKind::TrappedPiece
                    | ClaimKind::Forced
                    | ClaimKind::Threat
                    | ClaimKind::Prevents
                    | ClaimKind::AsGood
                    | ClaimKind::WhyNot
            ),
        }
    }

    /// The claims that are told, the most useful first, one of each kind. Named mates follow the mate.
    pub fn choose(self, claims: &[Claim]) -> Vec<&Claim> {
        let place = |kind: ClaimKind| match ORDER.iter().position(|known| *known == kind) {
            Some(place) => 2 * place,
            // The name of a mate directly after the mate.
            None => 5,
        };
        let mut told: Vec<&Claim> = Vec::new();
        for claim in claims.iter().filter(|claim| self.tells(claim.kind)) {
            // A mate has one name, the most specific.
            let is_same =
                |other: ClaimKind| other == claim.kind || other.is_named_mate() && claim.kind.is_named_mate();
            let is_said = |other: &&Claim| is_same(other.kind) && other.side == claim.side;
            if !told.iter().any(is_said) {
                told.push(claim);
            }
        }
        // The line with the best defence first: what shows only after another defence is told last.
        told.sort_by_key(|claim| (is_side_line(claim, claims), place(claim.kind)));
        // A discovered check says more than a discovered attack on the king; what hangs says more than that material is won.
        let has = |kind: ClaimKind| claims.iter().any(|claim| claim.kind == kind);
        let is_repeated = |kind: ClaimKind| match kind {
            ClaimKind::DiscoveredAttack => has(ClaimKind::DiscoveredCheck),
            ClaimKind::DiscoveredCheck => has(ClaimKind::DoubleCheck),
            ClaimKind::WhyNot => claims
                .iter()
                .any(|claim| !matches!(claim.kind, ClaimKind::WhyNot | ClaimKind::PositionalChange)),
            ClaimKind::Promotion => has(ClaimKind::Underpromotion),
            ClaimKind::WinsMaterial => has(ClaimKind::LeavesEnPrise),
            _ => false,
        };
        told.retain(|claim| !is_repeated(claim.kind));
        told
    }
}
