//! Every weight of the classical evaluation, declared once; 100 is about a pawn in the endgame.
//!
//! Tables by square have a row for each rank, the own first rank on top, and the files a to d; the other wing is the
//! mirror image. Tables by rank begin with the own first rank. Tables by kind of man go from pawn to king.

use super::declare::{Group, GroupInfo, Term, WeightIndex, start_of, weights};
use super::tapered::Tapered;

weights! {
    /// What each kind of man is worth.
    MATERIAL in Material = [(72, 100), (362, 384), (380, 408), (540, 640), (1115, 1220), (0, 0)];

    /// Where a pawn stands.
    PAWN_SQUARES in Squares = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-3, 4), (4, 2), (2, 4), (-4, 4),
        (-7, 2), (-3, 0), (4, -2), (7, -1),
        (-6, 6), (-4, 2), (6, -4), (17, -6),
        (-2, 9), (2, 6), (7, 0), (14, -4),
        (-2, 16), (4, 14), (8, 10), (10, 8),
        (0, 20), (0, 18), (4, 16), (6, 14),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Where a knight stands.
    KNIGHT_SQUARES in Squares = [
        (-70, -44), (-40, -32), (-32, -22), (-28, -12),
        (-36, -30), (-22, -22), (-12, -10), (-6, 2),
        (-24, -20), (-8, -12), (4, -4), (8, 10),
        (-14, -16), (4, 0), (16, 8), (20, 16),
        (-12, -18), (8, -2), (20, 8), (24, 18),
        (-10, -22), (10, -10), (24, 0), (26, 10),
        (-32, -32), (-14, -20), (6, -16), (14, 2),
        (-95, -46), (-42, -40), (-26, -26), (-14, -10),
    ];
    /// Where a bishop stands.
    BISHOP_SQUARES in Squares = [
        (-18, -20), (-4, -12), (-8, -14), (-14, -8),
        (-6, -14), (6, -8), (4, -6), (-2, -2),
        (-2, -8), (6, -2), (6, 0), (4, 4),
        (-4, -6), (2, 0), (8, 2), (14, 6),
        (-6, -6), (6, 2), (4, 2), (14, 6),
        (-4, -8), (4, 2), (4, 2), (6, 4),
        (-10, -12), (-8, -8), (-2, -4), (-4, -2),
        (-20, -16), (-6, -14), (-10, -12), (-14, -8),
    ];
    /// Where a rook stands.
    ROOK_SQUARES in Squares = [
        (-14, -4), (-10, -4), (-4, -4), (2, -4),
        (-14, -4), (-8, -4), (-4, -2), (2, -2),
        (-12, 0), (-6, -2), (-2, 0), (0, -2),
        (-10, 2), (-4, 2), (-2, 0), (0, 0),
        (-8, 2), (-2, 4), (0, 4), (2, 2),
        (-6, 4), (2, 4), (4, 2), (6, 2),
        (0, 6), (6, 8), (8, 8), (10, 6),
        (-4, 8), (-2, 6), (0, 8), (4, 6),
    ];
    /// Where a queen stands.
    QUEEN_SQUARES in Squares = [
        (-2, -30), (-2, -26), (-2, -22), (2, -14),
        (-2, -26), (2, -16), (4, -12), (5, -4),
        (0, -18), (3, -8), (4, -4), (4, 2),
        (0, -10), (3, -2), (4, 6), (2, 10),
        (0, -12), (2, 0), (4, 6), (2, 12),
        (-2, -16), (2, -8), (4, -4), (2, 2),
        (-4, -22), (0, -12), (2, -10), (2, -4),
        (-4, -32), (-2, -24), (-2, -20), (-2, -14),
    ];
    /// Where the king stands.
    KING_SQUARES in Squares = [
        (60, -40), (72, -18), (40, -4), (18, 0),
        (56, -16), (60, 4), (32, 18), (8, 22),
        (10, 4), (24, 22), (-4, 34), (-24, 38),
        (-10, 14), (0, 34), (-24, 46), (-44, 48),
        (-20, 16), (-10, 38), (-34, 50), (-52, 52),
        (-28, 14), (-20, 40), (-40, 48), (-56, 50),
        (-36, 2), (-30, 22), (-44, 28), (-60, 32),
        (-40, -28), (-36, -8), (-48, 0), (-62, 4),
    ];

    /// Two bishops reach the squares of both colours.
    BISHOP_PAIR in Imbalance = [(24, 52)];
    /// A knight likes closed boards: for each own pawn beyond five.
    KNIGHT_PER_PAWN in Imbalance = [(3, 4)];
    /// A rook likes open boards: for each own pawn beyond five.
    ROOK_PER_PAWN in Imbalance = [(-4, -2)];
    /// Two rooks do in part the same work.
    ROOK_PAIR in Imbalance = [(-10, -16)];
    /// Two knights do in part the same work.
    KNIGHT_PAIR in Imbalance = [(-4, -6)];

    /// A pawn with another of its colour before it on the file.
    DOUBLED in Pawns = [(-6, -24)];
    /// A pawn without pawns of its colour on the files beside it.
    ISOLATED in Pawns = [(-4, -8)];
    /// An isolated pawn on a file without enemy pawns before it.
    ISOLATED_OPEN in Pawns = [(-10, -6)];
    /// A pawn that no other can protect any more and that cannot safely advance.
    BACKWARD in Pawns = [(-5, -10)];
    /// A backward pawn on a file without enemy pawns before it.
    BACKWARD_OPEN in Pawns = [(-10, -8)];
    /// A pawn beside another, by rank.
    PHALANX in Pawns = [(0, 0), (3, 0), (7, 3), (12, 9), (28, 26), (56, 60), (80, 90), (0, 0)];
    /// A pawn protected by pawns, by rank.
    SUPPORTED in Pawns = [(0, 0), (0, 0), (11, 6), (9, 6), (16, 14), (34, 36), (70, 70), (0, 0)];
    /// A pawn attacked by two pawns and protected by none.
    PAWN_UNDER_LEVER in Pawns = [(0, -22)];
    /// A pawn that will have passed if the pawns around it are exchanged, by rank.
    CANDIDATE in Pawns = [(0, 0), (2, 4), (2, 6), (6, 12), (14, 26), (30, 44), (0, 0), (0, 0)];
    /// A pawn that has passed, by rank.
    PASSED in PassedPawns = [(0, 0), (2, 10), (4, 12), (2, 18), (16, 34), (44, 66), (92, 112), (0, 0)];

    /// A passed pawn protected by a pawn, by rank.
    PASSED_SUPPORTED in PassedPawns = [(0, 0), (0, 0), (2, 2), (4, 6), (8, 12), (12, 18), (16, 24), (0, 0)];
    /// The square before a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_STOP in PassedPawns = [(0, 0), (0, 2), (0, 4), (4, 10), (12, 24), (26, 42), (40, 60), (0, 0)];
    /// The whole way of a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_PATH in PassedPawns = [(0, 0), (0, 4), (0, 6), (4, 12), (14, 30), (32, 54), (60, 80), (0, 0)];
    /// The square before a passed pawn is protected, by rank.
    PASSED_HELPED_STOP in PassedPawns = [(0, 0), (0, 0), (0, 0), (2, 4), (6, 10), (12, 20), (24, 32), (0, 0)];
    /// An enemy man stands before a passed pawn, by rank.
    PASSED_BLOCKED in PassedPawns = [(0, 0), (0, 0), (-2, -2), (-4, -8), (-8, -20), (-14, -36), (-20, -54), (0, 0)];
    /// For each step between the own king and the square before a passed pawn, by rank.
    PASSED_OWN_KING in PassedPawns = [(0, 0), (0, 0), (0, 0), (0, -3), (0, -7), (0, -10), (0, -12), (0, 0)];
    /// For each step between the enemy king and the square before a passed pawn, by rank.
    PASSED_ENEMY_KING in PassedPawns = [(0, 0), (0, 0), (0, 2), (0, 5), (0, 13), (0, 20), (0, 25), (0, 0)];
    /// An own rook or queen drives a passed pawn from behind.
    PASSED_DRIVEN in PassedPawns = [(4, 14)];
    /// For each file between a passed pawn and the edge: outside passed pawns distract.
    PASSED_INSIDE in PassedPawns = [(-3, -5)];
    /// The enemy has but king and pawns, and his king cannot catch the passed pawn.
    PASSED_UNSTOPPABLE in PassedPawns = [(0, 420)];

    /// A knight, by the number of squares it can use.
    KNIGHT_MOBILITY in Mobility = [
        (-32, -42), (-24, -28), (-7, -14), (-2, -5), (3, 3), (8, 8), (12, 10), (15, 12), (18, 13),
    ];
    /// A bishop, by the number of squares it can use.
    BISHOP_MOBILITY in Mobility = [
        (-26, -34), (-12, -16), (6, -4), (11, 6), (17, 13), (22, 20), (25, 25), (28, 28), (30, 31), (32, 33),
        (37, 34), (40, 36), (44, 38), (48, 40),
    ];
    /// A rook, by the number of squares it can use.
    ROOK_MOBILITY in Mobility = [
        (-28, -40), (-14, -14), (-5, 6), (-1, 18), (1, 30), (4, 40), (8, 47), (12, 54), (16, 60), (19, 65),
        (21, 69), (24, 73), (27, 76), (30, 78), (33, 80),
    ];
    /// A queen, by the number of squares it can use.
    QUEEN_MOBILITY in Mobility = [
        (-18, -28), (-10, -18), (-4, -10), (-2, 0), (3, 8), (6, 16), (9, 23), (12, 29), (15, 34), (17, 39),
        (20, 43), (22, 47), (24, 51), (26, 54), (27, 57), (28, 60), (29, 63), (30, 66), (31, 68), (32, 71),
        (34, 73), (36, 75), (38, 78), (40, 81), (43, 84), (46, 87), (49, 90), (52, 93),
    ];

    /// A knight that no pawn can chase from a square a pawn protects.
    KNIGHT_OUTPOST in Minors = [(28, 18)];
    /// A bishop that no pawn can chase from a square a pawn protects.
    BISHOP_OUTPOST in Minors = [(16, 10)];
    /// A knight that can go to an outpost.
    KNIGHT_REACHES_OUTPOST in Minors = [(15, 8)];
    /// A knight or bishop with a pawn before it.
    MINOR_BEHIND_PAWN in Minors = [(9, 2)];
    /// For each step between a knight and the own king.
    KNIGHT_FROM_KING in Minors = [(-3, -3)];
    /// For each step between a bishop and the own king.
    BISHOP_FROM_KING in Minors = [(-3, -2)];
    /// For each own pawn on the squares of a bishop, counted once more for each blocked pawn of the centre.
    BISHOP_PAWNS in Minors = [(-1, -3)];
    /// For each enemy pawn on the lines of a bishop, whatever is between.
    BISHOP_ENEMY_PAWNS in Minors = [(-2, -2)];
    /// A bishop that sees both central squares of a long diagonal through the pawns.
    BISHOP_LONG_DIAGONAL in Minors = [(19, 0)];
    /// A bishop shut in by a pawn in the far corner.
    BISHOP_TRAPPED in Minors = [(-90, -90)];

    /// A rook on a file without pawns.
    ROOK_OPEN_FILE in Rooks = [(23, 12)];
    /// A rook on a file with enemy pawns alone.
    ROOK_HALF_OPEN_FILE in Rooks = [(10, 8)];
    /// A rook on the seventh rank, the enemy king behind it or enemy pawns on it.
    ROOK_SEVENTH in Rooks = [(6, 24)];
    /// A rook shut in by its own king that cannot castle any more.
    ROOK_TRAPPED in Rooks = [(-24, -6)];
    /// A rook on the file of a queen.
    ROOK_ON_QUEEN_FILE in Rooks = [(3, 4)];

    /// A queen with an enemy rook or bishop on its line and a single man between.
    QUEEN_EYED in Queens = [(-25, -7)];
    /// A queen in the enemy half where no pawn can chase it.
    QUEEN_INFILTRATION in Queens = [(-1, 8)];

    /// The most advanced own pawn before the king on a file, by distance of the file from the edge, then by rank; the
    /// first rank stands for no pawn.
    SHELTER in Shelter = [
        (-4, 0), (32, 0), (36, 0), (20, 0), (12, 0), (8, 0), (6, 0),
        (-22, 0), (26, 0), (16, 0), (-18, 0), (-12, 0), (-6, 0), (-20, 0),
        (-8, 0), (34, 0), (12, 0), (-2, 0), (12, 0), (2, 0), (-14, 0),
        (-18, 0), (6, 0), (-4, 0), (-18, 0), (-12, 0), (-20, 0), (-30, 0),
    ];
    /// The nearest enemy pawn on a file at the king, by distance of the file from the edge, then by rank.
    STORM in Shelter = [
        (4, 0), (-40, 0), (-52, 0), (-30, -2), (-16, 0), (-10, 0), (-6, 0),
        (4, 0), (-14, 0), (-46, 0), (-28, -2), (-10, 0), (2, 0), (2, 0),
        (2, 0), (-4, 0), (-54, 0), (-22, -2), (-4, 0), (4, 0), (6, 0),
        (4, 0), (0, 0), (-40, 0), (-20, -2), (-2, 0), (0, 0), (2, 0),
    ];
    /// A storming pawn that stands right before a sheltering one, by rank.
    STORM_BLOCKED in Shelter = [(0, 0), (0, 0), (-26, -22), (2, -6), (2, -4), (2, -2), (0, 0)];
    /// The king on a file without pawns of either side.
    KING_OPEN_FILE in Shelter = [(-24, 4)];
    /// The king on a file without own pawns.
    KING_HALF_OPEN_FILE in Shelter = [(-10, 6)];
    /// No pawn of either side on the wing of the king.
    KING_PAWNLESS_FLANK in Shelter = [(-8, -42)];
    /// In the endgame the king belongs to the pawns: for each step to the nearest.
    KING_FROM_PAWNS in Shelter = [(0, -7)];

    /// Danger: a knight, bishop, rook or queen that attacks squares around the king, by kind.
    DANGER_ATTACKER in KingDanger = [(0, 0), (48, 6), (38, 5), (36, 5), (30, 4)];
    /// Danger: how many such men there are.
    DANGER_ATTACKERS in KingDanger = [(-70, 0), (-40, 0), (0, 6), (45, 12), (100, 18), (150, 24)];
    /// Danger: an attack on a square beside the king.
    DANGER_RING_ATTACK in KingDanger = [(26, 3)];
    /// Danger: a square around the king that is attacked and not well protected.
    DANGER_WEAK_SQUARE in KingDanger = [(66, 5)];
    /// Danger: a check that costs the attacker nothing, by kind of man.
    DANGER_SAFE_CHECK in KingDanger = [(0, 0), (270, 14), (190, 10), (300, 14), (250, 16)];
    /// Danger: a check by a man that can be taken.
    DANGER_UNSAFE_CHECK in KingDanger = [(48, 3)];
    /// Danger: a man that is pinned to the king or whose move gives a discovered check.
    DANGER_BLOCKER in KingDanger = [(40, 3)];
    /// Danger: a file beside or under the king without own pawns.
    DANGER_OPEN_FILE in KingDanger = [(22, 0)];
    /// Danger: a square of the king's wing that the enemy attacks, once more if twice.
    DANGER_FLANK_ATTACK in KingDanger = [(7, 0)];
    /// Danger: a square of the king's wing that is protected.
    DANGER_FLANK_DEFENCE in KingDanger = [(-6, 0)];
    /// Danger: the enemy has no queen.
    DANGER_NO_QUEEN in KingDanger = [(-260, -20)];
    /// Danger: a knight beside the king protects it.
    DANGER_KNIGHT_DEFENDER in KingDanger = [(-36, 0)];
    /// Danger: what there is of it always.
    DANGER_BASE in KingDanger = [(30, 0)];

    /// A man attacked by a pawn that is protected or not attacked, by kind of the victim.
    THREAT_BY_PAWN in Threats = [(0, 0), (62, 34), (62, 44), (82, 34), (72, 28), (0, 0)];
    /// A man attacked by a knight or bishop, by kind of the victim.
    THREAT_BY_MINOR in Threats = [(2, 14), (24, 20), (30, 24), (46, 52), (40, 62), (0, 0)];
    /// A badly protected man attacked by a rook, by kind of the victim.
    THREAT_BY_ROOK in Threats = [(2, 20), (18, 28), (20, 26), (0, 16), (32, 20), (0, 0)];
    /// A badly protected man attacked by the king.
    THREAT_BY_KING in Threats = [(10, 38)];
    /// A badly protected man that is not protected at all, or is attacked twice.
    HANGING in Threats = [(30, 16)];
    /// A badly protected man whose only protector is the queen.
    PROTECTED_BY_QUEEN in Threats = [(6, 0)];
    /// A pawn that can safely advance and then attacks a piece.
    PAWN_PUSH_THREAT in Threats = [(21, 17)];
    /// A square that the enemy uses but that is also attacked.
    RESTRICTED in Threats = [(3, 3)];
    /// A knight that can safely attack the queen.
    KNIGHT_ON_QUEEN in Threats = [(8, 6)];
    /// A bishop or rook that can safely attack the queen with support.
    SLIDER_ON_QUEEN in Threats = [(26, 10)];

    /// Safe squares behind and between the own pawns of the centre, more with many men on the board.
    SPACE in Space = [(2, 0)];

    /// Initiative: for each passed pawn.
    INITIATIVE_PASSED in Initiative = [(0, 4)];
    /// Initiative: for each pawn.
    INITIATIVE_PAWN in Initiative = [(0, 5)];
    /// Initiative: how far the kings are from facing each other.
    INITIATIVE_OUTFLANKING in Initiative = [(0, 4)];
    /// Initiative: pawns on both wings.
    INITIATIVE_BOTH_WINGS in Initiative = [(0, 12)];
    /// Initiative: a king in the enemy half.
    INITIATIVE_INFILTRATION in Initiative = [(0, 10)];
    /// Initiative: only kings and pawns are left.
    INITIATIVE_PAWN_ENDING in Initiative = [(0, 24)];
    /// Initiative: what is missing in a quiet position.
    INITIATIVE_BASE in Initiative = [(0, -52)];

    /// The right to move.
    TEMPO in Tempo = [(16, 12)];
}

impl WeightIndex {
    /// The weight in play.
    #[inline(always)]
    pub fn value(self) -> Tapered {
        DEFAULT[self.get()]
    }

    /// The group the weight belongs to.
    pub fn group(self) -> &'static GroupInfo {
        let after = GROUPS.partition_point(|group| group.start <= self.get());
        &GROUPS[after - 1]
    }

    /// The weight at a place in the flat list.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < COUNT).then_some(Self(index))
    }

    /// The term the weight belongs to.
    pub fn term(self) -> Term {
        self.group().term
    }

    /// The name of the weight: that of its group, with its place there if the group has several.
    pub fn name(self) -> String {
        let group = self.group();
        match group.len {
            1 => group.name.to_owned(),
            _ => format!("{}[{}]", group.name, self.get() - group.start),
        }
    }
}

/// The values of the weights at compile time, for tables made from them.
pub(super) const fn constant(weight: WeightIndex) -> Tapered {
    PAIRS[weight.get()]
}
