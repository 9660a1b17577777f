//! Every weight of the classical evaluation, declared once; 100 is about a pawn in the endgame.
//!
//! Tables by square have a row for each rank, the own first rank on top, and the files a to d; the other wing is the
//! mirror image. Tables by rank begin with the own first rank. Tables by kind of man go from pawn to king.

use super::declare::{Group, GroupInfo, Term, WeightIndex, start_of, weights};
use super::tapered::Tapered;

weights! {
    /// What each kind of man is worth.
    MATERIAL in Material = [(74, 100), (332, 366), (346, 386), (484, 584), (1015, 1130), (0, 0)];

    /// Where a pawn stands.
    PAWN_SQUARES in Squares = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-2, 6), (3, 3), (1, 6), (-3, 6),
        (-5, 3), (-2, 0), (3, -3), (5, -1),
        (-4, 8), (-3, 3), (4, -6), (11, -8),
        (-1, 13), (1, 8), (5, 0), (9, -6),
        (-1, 22), (3, 20), (5, 14), (7, 11),
        (0, 28), (0, 25), (3, 22), (4, 20),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Where a knight stands.
    KNIGHT_SQUARES in Squares = [
        (-63, -44), (-36, -32), (-29, -22), (-25, -12),
        (-32, -30), (-20, -22), (-11, -10), (-5, 2),
        (-22, -20), (-7, -12), (4, -4), (7, 10),
        (-13, -16), (4, 0), (14, 8), (18, 16),
        (-11, -18), (7, -2), (18, 8), (22, 18),
        (-9, -22), (9, -10), (22, 0), (23, 10),
        (-29, -32), (-13, -20), (5, -16), (13, 2),
        (-86, -46), (-38, -40), (-23, -26), (-13, -10),
    ];
    /// Where a bishop stands.
    BISHOP_SQUARES in Squares = [
        (-14, -20), (-3, -12), (-6, -14), (-11, -8),
        (-5, -14), (5, -8), (3, -6), (-2, -2),
        (-2, -8), (5, -2), (5, 0), (3, 4),
        (-3, -6), (2, 0), (6, 2), (11, 6),
        (-5, -6), (5, 2), (3, 2), (11, 6),
        (-3, -8), (3, 2), (3, 2), (5, 4),
        (-8, -12), (-6, -8), (-2, -4), (-3, -2),
        (-16, -16), (-5, -14), (-8, -12), (-11, -8),
    ];
    /// Where a rook stands.
    ROOK_SQUARES in Squares = [
        (-11, -4), (-8, -4), (-3, -4), (2, -4),
        (-11, -4), (-6, -4), (-3, -2), (2, -2),
        (-10, 0), (-5, -2), (-2, 0), (0, -2),
        (-8, 2), (-3, 2), (-2, 0), (0, 0),
        (-6, 2), (-2, 4), (0, 4), (2, 2),
        (-5, 4), (2, 4), (3, 2), (5, 2),
        (0, 6), (5, 8), (6, 8), (8, 6),
        (-3, 8), (-2, 6), (0, 8), (3, 6),
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
        (45, -46), (54, -21), (30, -5), (14, 0),
        (42, -18), (45, 5), (24, 21), (6, 25),
        (8, 5), (18, 25), (-3, 39), (-18, 44),
        (-8, 16), (0, 39), (-18, 53), (-33, 55),
        (-15, 18), (-8, 44), (-26, 57), (-39, 60),
        (-21, 16), (-15, 46), (-30, 55), (-42, 57),
        (-27, 2), (-23, 25), (-33, 32), (-45, 37),
        (-30, -32), (-27, -9), (-36, 0), (-47, 5),
    ];

    /// Two bishops reach the squares of both colours.
    BISHOP_PAIR in Imbalance = [(26, 54)];
    /// A knight likes closed boards: for each own pawn beyond five.
    KNIGHT_PER_PAWN in Imbalance = [(0, 0)];
    /// A rook likes open boards: for each own pawn beyond five.
    ROOK_PER_PAWN in Imbalance = [(-3, -1)];
    /// Two rooks do in part the same work.
    ROOK_PAIR in Imbalance = [(-14, -24)];
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
    PHALANX in Pawns = [(0, 0), (2, 0), (6, 5), (10, 15), (22, 44), (45, 102), (64, 153), (0, 0)];
    /// A pawn protected by pawns, by rank.
    SUPPORTED in Pawns = [(0, 0), (0, 0), (14, 11), (12, 11), (21, 27), (44, 68), (91, 133), (0, 0)];
    /// A pawn attacked by two pawns and protected by none.
    PAWN_UNDER_LEVER in Pawns = [(0, -22)];
    /// A pawn that will have passed if the pawns around it are exchanged, by rank.
    CANDIDATE in Pawns = [(0, 0), (2, 6), (2, 8), (7, 17), (17, 36), (36, 62), (0, 0), (0, 0)];
    /// A pawn that has passed, by rank.
    PASSED in PassedPawns = [(0, 0), (2, 12), (4, 14), (2, 20), (16, 39), (43, 76), (91, 128), (0, 0)];

    /// A passed pawn protected by a pawn, by rank.
    PASSED_SUPPORTED in PassedPawns = [(0, 0), (0, 0), (2, 3), (4, 8), (8, 15), (12, 22), (16, 30), (0, 0)];
    /// The square before a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_STOP in PassedPawns = [(0, 0), (0, 2), (0, 4), (4, 10), (11, 25), (23, 44), (36, 62), (0, 0)];
    /// The whole way of a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_PATH in PassedPawns = [(0, 0), (0, 4), (0, 5), (4, 11), (14, 27), (32, 49), (60, 72), (0, 0)];
    /// The square before a passed pawn is protected, by rank.
    PASSED_HELPED_STOP in PassedPawns = [(0, 0), (0, 0), (0, 0), (3, 8), (8, 20), (17, 40), (34, 64), (0, 0)];
    /// An enemy man stands before a passed pawn, by rank.
    PASSED_BLOCKED in PassedPawns = [(0, 0), (0, 0), (-1, -1), (-2, -5), (-5, -12), (-8, -22), (-12, -32), (0, 0)];
    /// For each step between the own king and the square before a passed pawn, by rank.
    PASSED_OWN_KING in PassedPawns = [(0, 0), (0, 0), (0, 0), (0, -3), (0, -6), (0, -8), (0, -10), (0, 0)];
    /// For each step between the enemy king and the square before a passed pawn, by rank.
    PASSED_ENEMY_KING in PassedPawns = [(0, 0), (0, 0), (0, 2), (0, 5), (0, 14), (0, 20), (0, 26), (0, 0)];
    /// An own rook or queen drives a passed pawn from behind.
    PASSED_DRIVEN in PassedPawns = [(0, 14)];
    /// For each file between a passed pawn and the edge: outside passed pawns distract.
    PASSED_INSIDE in PassedPawns = [(-4, -2)];
    /// The enemy has but king and pawns, and his king cannot catch the passed pawn.
    PASSED_UNSTOPPABLE in PassedPawns = [(0, 200)];

    /// A knight, by the number of squares it can use.
    KNIGHT_MOBILITY in Mobility = [
        (-22, -50), (-17, -34), (-5, -17), (-1, -6), (2, 4), (6, 10), (8, 12), (11, 14), (13, 16),
    ];
    /// A bishop, by the number of squares it can use.
    BISHOP_MOBILITY in Mobility = [
        (-17, -37), (-8, -18), (4, -4), (7, 7), (11, 14), (14, 22), (16, 28), (18, 31), (20, 34), (21, 36),
        (24, 37), (26, 40), (29, 42), (31, 44),
    ];
    /// A rook, by the number of squares it can use.
    ROOK_MOBILITY in Mobility = [
        (-17, -24), (-8, -8), (-3, 4), (-1, 11), (1, 18), (2, 24), (5, 28), (7, 32), (10, 36), (11, 39),
        (13, 41), (14, 44), (16, 46), (18, 47), (20, 48),
    ];
    /// A queen, by the number of squares it can use.
    QUEEN_MOBILITY in Mobility = [
        (-11, -20), (-6, -13), (-2, -7), (-1, 0), (2, 6), (4, 11), (5, 16), (7, 20), (9, 24), (10, 27),
        (12, 30), (13, 33), (14, 36), (16, 38), (16, 40), (17, 42), (17, 44), (18, 46), (19, 48), (19, 50),
        (20, 51), (22, 53), (23, 55), (24, 57), (26, 59), (28, 61), (29, 63), (31, 65),
    ];

    /// A knight that no pawn can chase from a square a pawn protects.
    KNIGHT_OUTPOST in Minors = [(28, 18)];
    /// A bishop that no pawn can chase from a square a pawn protects.
    BISHOP_OUTPOST in Minors = [(22, 18)];
    /// A knight that can go to an outpost.
    KNIGHT_REACHES_OUTPOST in Minors = [(14, 14)];
    /// A knight or bishop with a pawn before it.
    MINOR_BEHIND_PAWN in Minors = [(11, 6)];
    /// For each step between a knight and the own king.
    KNIGHT_FROM_KING in Minors = [(-4, -1)];
    /// For each step between a bishop and the own king.
    BISHOP_FROM_KING in Minors = [(-2, -1)];
    /// For each own pawn on the squares of a bishop, counted once more for each blocked pawn of the centre.
    BISHOP_PAWNS in Minors = [(-1, -4)];
    /// For each enemy pawn on the lines of a bishop, whatever is between.
    BISHOP_ENEMY_PAWNS in Minors = [(-3, -3)];
    /// A bishop that sees both central squares of a long diagonal through the pawns.
    BISHOP_LONG_DIAGONAL in Minors = [(24, 0)];
    /// A bishop shut in by a pawn in the far corner.
    BISHOP_TRAPPED in Minors = [(-90, -90)];

    /// A rook on a file without pawns.
    ROOK_OPEN_FILE in Rooks = [(20, 8)];
    /// A rook on a file with enemy pawns alone.
    ROOK_HALF_OPEN_FILE in Rooks = [(8, 2)];
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
        (-3, 0), (27, 0), (31, 0), (17, 0), (10, 0), (7, 0), (5, 0),
        (-19, 0), (22, 0), (14, 0), (-15, 0), (-10, 0), (-5, 0), (-17, 0),
        (-7, 0), (29, 0), (10, 0), (-2, 0), (10, 0), (2, 0), (-12, 0),
        (-15, 0), (5, 0), (-3, 0), (-15, 0), (-10, 0), (-17, 0), (-26, 0),
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
    KING_OPEN_FILE in Shelter = [(-28, 2)];
    /// The king on a file without own pawns.
    KING_HALF_OPEN_FILE in Shelter = [(-8, -2)];
    /// No pawn of either side on the wing of the king.
    KING_PAWNLESS_FLANK in Shelter = [(-8, -42)];
    /// In the endgame the king belongs to the pawns: for each step to the nearest.
    KING_FROM_PAWNS in Shelter = [(0, -12)];

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
    THREAT_BY_PAWN in Threats = [(0, 0), (40, 27), (40, 35), (53, 27), (47, 22), (0, 0)];
    /// A man attacked by a knight or bishop, by kind of the victim.
    THREAT_BY_MINOR in Threats = [(2, 14), (24, 20), (30, 24), (46, 52), (40, 62), (0, 0)];
    /// A badly protected man attacked by a rook, by kind of the victim.
    THREAT_BY_ROOK in Threats = [(3, 14), (23, 20), (25, 19), (0, 12), (40, 14), (0, 0)];
    /// A badly protected man attacked by the king.
    THREAT_BY_KING in Threats = [(14, 38)];
    /// A badly protected man that is not protected at all, or is attacked twice.
    HANGING in Threats = [(16, 8)];
    /// A badly protected man whose only protector is the queen.
    PROTECTED_BY_QUEEN in Threats = [(14, 4)];
    /// A pawn that can safely advance and then attacks a piece.
    PAWN_PUSH_THREAT in Threats = [(6, 5)];
    /// A square that the enemy uses but that is also attacked.
    RESTRICTED in Threats = [(2, 4)];
    /// A knight that can safely attack the queen.
    KNIGHT_ON_QUEEN in Threats = [(8, 6)];
    /// A bishop or rook that can safely attack the queen with support.
    SLIDER_ON_QUEEN in Threats = [(14, 4)];

    /// Safe squares behind and between the own pawns of the centre, more with many men on the board.
    SPACE in Space = [(1, 0)];

    /// Initiative: for each passed pawn.
    INITIATIVE_PASSED in Initiative = [(0, 3)];
    /// Initiative: for each pawn.
    INITIATIVE_PAWN in Initiative = [(0, 3)];
    /// Initiative: how far the kings are from facing each other.
    INITIATIVE_OUTFLANKING in Initiative = [(0, 2)];
    /// Initiative: pawns on both wings.
    INITIATIVE_BOTH_WINGS in Initiative = [(0, 8)];
    /// Initiative: a king in the enemy half.
    INITIATIVE_INFILTRATION in Initiative = [(0, 6)];
    /// Initiative: only kings and pawns are left.
    INITIATIVE_PAWN_ENDING in Initiative = [(0, 14)];
    /// Initiative: what is missing in a quiet position.
    INITIATIVE_BASE in Initiative = [(0, -34)];

    /// The right to move.
    TEMPO in Tempo = [(17, 12)];
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
