//! The weights of the classical evaluation, tuned by `rukh texel`; 100 is about a pawn in the endgame.
//!
//! Piece-square tables have a row for each rank, the own first rank on top, and the files a to d; the other files are
//! their mirror image. Tables by rank begin with the own first rank. Tables by kind of piece go from pawn to king.

use super::declare::{Group, GroupInfo, Term, WeightIndex, start_of, weights};
use super::tapered::Tapered;

weights! {
    /// Material, by kind of piece.
    MATERIAL in Material = [(64, 113), (314, 409), (320, 421), (426, 644), (932, 1248), (0, 0)];

    /// Piece-square table of a pawn.
    PAWN_SQUARES in Squares = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-4, 5), (3, 7), (1, 8), (0, 8),
        (-2, 2), (-2, 2), (1, 3), (2, 5),
        (-4, 6), (-10, 3), (4, -4), (4, -5),
        (1, 16), (3, 11), (2, 5), (6, -6),
        (4, 21), (1, 20), (3, 16), (10, 16),
        (39, 7), (25, 30), (8, 25), (16, 39),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Piece-square table of a knight.
    KNIGHT_SQUARES in Squares = [
        (-77, -29), (-29, -27), (-25, -16), (-22, -5),
        (-26, -32), (-20, 3), (-13, -9), (-12, 0),
        (-23, -10), (-3, -4), (-3, -2), (-1, 9),
        (-5, -6), (3, 13), (13, 13), (7, 20),
        (2, 5), (6, 11), (13, 11), (14, 23),
        (-7, -25), (6, 4), (11, 8), (17, 14),
        (-15, -15), (-25, 7), (16, -3), (22, 9),
        (-95, -45), (-46, -17), (-102, 8), (-20, 5),
    ];
    /// Piece-square table of a bishop.
    BISHOP_SQUARES in Squares = [
        (-10, -17), (-2, -6), (-13, -12), (-14, -3),
        (-1, 1), (4, -16), (9, 0), (-3, 1),
        (-2, -1), (6, 8), (3, -4), (4, 12),
        (1, 3), (0, 6), (5, 11), (7, 0),
        (0, 0), (3, 9), (5, 11), (5, 1),
        (-2, 5), (1, 10), (-2, 0), (8, 15),
        (-17, 0), (-21, -4), (-8, 14), (-13, 18),
        (-14, -13), (-40, 11), (-106, 20), (-42, 15),
    ];
    /// Piece-square table of a rook.
    ROOK_SQUARES in Squares = [
        (-16, -4), (-12, -2), (-10, -4), (-7, -7),
        (-20, -1), (-17, -3), (-11, -1), (-6, -1),
        (-21, 5), (-11, 7), (-16, 6), (-12, 8),
        (-20, 12), (-23, 15), (-15, 15), (-18, 15),
        (-15, 20), (-5, 22), (-4, 18), (3, 13),
        (-6, 20), (3, 16), (3, 17), (14, 14),
        (19, 14), (11, 17), (23, 16), (21, 14),
        (17, 17), (17, 17), (-2, 20), (6, 26),
    ];
    /// Piece-square table of a queen.
    QUEEN_SQUARES in Squares = [
        (0, -31), (-4, -21), (-10, -12), (-3, -28),
        (-3, -23), (0, -19), (3, -12), (1, -3),
        (3, -25), (2, 11), (1, 20), (-2, 19),
        (2, 4), (4, 3), (-1, 24), (-1, 35),
        (6, -11), (0, 23), (1, 17), (-6, 22),
        (4, -8), (7, 0), (10, 15), (1, 21),
        (10, -14), (7, 7), (3, 17), (-1, 26),
        (-4, 3), (-5, 8), (36, -4), (24, 5),
    ];
    /// Piece-square table of the king.
    KING_SQUARES in Squares = [
        (53, -34), (56, -9), (44, -17), (13, -21),
        (46, -3), (34, 14), (27, 4), (-8, 3),
        (12, 16), (12, 26), (-2, 24), (-39, 19),
        (-6, 24), (-26, 41), (-16, 34), (-81, 36),
        (-48, 36), (4, 53), (-46, 51), (-44, 45),
        (4, 44), (-15, 69), (-12, 58), (-81, 59),
        (-48, 63), (19, 78), (7, 65), (-60, 64),
        (-6, -31), (-57, 47), (-56, 30), (55, -3),
    ];

    /// Bishop pair: bishops on squares of both colours.
    BISHOP_PAIR in Imbalance = [(29, 58)];
    /// Knights are better with many pawns: for each own pawn beyond five.
    KNIGHT_PER_PAWN in Imbalance = [(3, 1)];
    /// Rooks are better with few pawns: for each own pawn beyond five.
    ROOK_PER_PAWN in Imbalance = [(-1, -4)];
    /// Two rooks: they are partly redundant.
    ROOK_PAIR in Imbalance = [(13, -31)];
    /// Two knights: they are partly redundant.
    KNIGHT_PAIR in Imbalance = [(-4, -9)];

    /// A doubled pawn: an own pawn is in front of it.
    DOUBLED in Pawns = [(-7, -20)];
    /// An isolated pawn: no own pawns on the adjacent files.
    ISOLATED in Pawns = [(-2, -5)];
    /// An isolated pawn without enemy pawns in front of it.
    ISOLATED_OPEN in Pawns = [(-7, -10)];
    /// A backward pawn: no pawn can protect it and it cannot safely advance.
    BACKWARD in Pawns = [(0, -8)];
    /// A backward pawn without enemy pawns in front of it.
    BACKWARD_OPEN in Pawns = [(-11, -8)];
    /// A phalanx: a pawn next to another, by rank.
    PHALANX in Pawns = [(0, 0), (4, -1), (5, 5), (9, 15), (13, 33), (37, 68), (-55, 206), (0, 0)];
    /// A pawn protected by pawns, by rank.
    SUPPORTED in Pawns = [(0, 0), (0, 0), (13, 11), (11, 10), (17, 23), (43, 49), (102, 108), (0, 0)];
    /// A pawn attacked by two pawns and protected by none.
    PAWN_UNDER_LEVER in Pawns = [(-1, -25)];
    /// A candidate passed pawn: passed after the pawns around it are exchanged, by rank.
    CANDIDATE in Pawns = [(0, 0), (1, -1), (1, 1), (4, 18), (6, 30), (8, 69), (0, 0), (0, 0)];
    /// A passed pawn, by rank.
    PASSED in PassedPawns = [(0, 0), (11, 34), (20, 23), (-14, 44), (14, 63), (34, 84), (115, 126), (0, 0)];

    /// A passed pawn protected by a pawn, by rank.
    PASSED_SUPPORTED in PassedPawns = [
        (0, 0), (0, 0), (7, -3), (10, 3), (17, 15), (24, 23), (27, 5),
        (0, 0),
    ];
    /// The stop square of a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_STOP in PassedPawns = [(0, 0), (-3, 3), (1, 1), (1, 7), (6, 13), (22, 23), (13, 81), (0, 0)];
    /// The whole path of a passed pawn is empty and not attacked, by rank.
    PASSED_FREE_PATH in PassedPawns = [
        (0, 0), (-4, 8), (-7, 2), (-27, 13), (-33, 28), (1, 59), (37, 91),
        (0, 0),
    ];
    /// The stop square of a passed pawn is protected, by rank.
    PASSED_HELPED_STOP in PassedPawns = [
        (0, 0), (5, 1), (-3, 4), (5, 12), (10, 19), (20, 41), (38, 74),
        (0, 0),
    ];
    /// An enemy piece blocks a passed pawn, by rank.
    PASSED_BLOCKED in PassedPawns = [(0, 0), (4, 7), (-1, 1), (0, 0), (-3, -6), (1, -9), (-47, -29), (0, 0)];
    /// The distance of the own king to the stop square of a passed pawn, by rank.
    PASSED_OWN_KING in PassedPawns = [
        (0, 0), (0, -3), (0, -3), (7, -9), (1, -11), (0, -16), (-4, -20),
        (0, 0),
    ];
    /// The distance of the enemy king to the stop square of a passed pawn, by rank.
    PASSED_ENEMY_KING in PassedPawns = [
        (0, 0), (-4, -4), (-6, 2), (-3, 7), (-3, 16), (-1, 31), (-4, 41),
        (0, 0),
    ];
    /// An own rook or queen is behind a passed pawn.
    PASSED_ROOK_BEHIND in PassedPawns = [(2, 13)];
    /// The distance of a passed pawn to the edge: outside passed pawns are better.
    PASSED_INSIDE in PassedPawns = [(-4, -5)];
    /// A passed pawn outside the square of an enemy king that has pawns alone.
    PASSED_UNSTOPPABLE in PassedPawns = [(116, 196)];

    /// Mobility of a knight, by the number of squares.
    KNIGHT_MOBILITY in Mobility = [
        (-18, -7), (-15, -40), (-8, -10), (-6, 3), (-3, 12), (1, 17), (1, 22),
        (7, 27), (10, 24),
    ];
    /// Mobility of a bishop, by the number of squares.
    BISHOP_MOBILITY in Mobility = [
        (-14, -8), (-13, -14), (-1, 1), (3, 16), (6, 23), (11, 29), (11, 34),
        (11, 38), (14, 38), (15, 42), (19, 41), (22, 41), (18, 44), (26, 41),
    ];
    /// Mobility of a rook, by the number of squares.
    ROOK_MOBILITY in Mobility = [
        (-29, -37), (-15, -4), (-7, 16), (-4, 22), (-3, 28), (-1, 37), (0, 44),
        (2, 42), (5, 49), (8, 53), (8, 55), (11, 59), (14, 60), (16, 64),
        (18, 65),
    ];
    /// Mobility of a queen, by the number of squares.
    QUEEN_MOBILITY in Mobility = [
        (22, 92), (-5, 62), (-5, 25), (-1, -31), (0, -28), (1, 2), (2, 24),
        (4, 34), (8, 40), (9, 49), (11, 51), (12, 50), (12, 56), (15, 60),
        (14, 63), (14, 66), (14, 70), (19, 63), (14, 68), (22, 65), (22, 67),
        (45, 47), (45, 51), (88, 10), (66, 30), (134, -14), (144, -3), (113, -65),
    ];

    /// A knight on an outpost: protected by a pawn and never attacked by one.
    KNIGHT_OUTPOST in Minors = [(22, 13)];
    /// A bishop on an outpost: protected by a pawn and never attacked by one.
    BISHOP_OUTPOST in Minors = [(21, 11)];
    /// A knight that can go to an outpost.
    KNIGHT_REACHES_OUTPOST in Minors = [(15, 13)];
    /// A knight or bishop behind a pawn.
    MINOR_BEHIND_PAWN in Minors = [(6, 6)];
    /// The distance of a knight to the own king.
    KNIGHT_FROM_KING in Minors = [(-4, -2)];
    /// The distance of a bishop to the own king.
    BISHOP_FROM_KING in Minors = [(-2, -3)];
    /// For each own pawn on the colour of a bishop, once more for each blocked central pawn.
    BISHOP_PAWNS in Minors = [(-1, -4)];
    /// For each enemy pawn on the diagonals of a bishop, through all pieces.
    BISHOP_ENEMY_PAWNS in Minors = [(-3, -2)];
    /// A bishop on a long diagonal that no pawn blocks in the centre.
    BISHOP_LONG_DIAGONAL in Minors = [(18, 15)];
    /// A bishop trapped by pawns in the far corner.
    BISHOP_TRAPPED in Minors = [(-182, -243)];

    /// A rook on an open file.
    ROOK_OPEN_FILE in Rooks = [(22, 11)];
    /// A rook on a half-open file.
    ROOK_HALF_OPEN_FILE in Rooks = [(13, 5)];
    /// A rook on the seventh rank with the enemy king on the eighth or enemy pawns on the seventh.
    ROOK_SEVENTH in Rooks = [(-13, 13)];
    /// A rook trapped by its own king, which can no longer castle.
    ROOK_TRAPPED in Rooks = [(-21, -25)];
    /// A rook on the file of a queen.
    ROOK_ON_QUEEN_FILE in Rooks = [(1, -1)];

    /// A queen that an enemy rook or bishop attacks through a single piece.
    QUEEN_EXPOSED in Queens = [(-18, -5)];
    /// A queen in the enemy half that no pawn can attack.
    QUEEN_INFILTRATION in Queens = [(4, 23)];

    /// Pawn shelter: the rearmost own pawn in front of the king on a file, by the distance of the file to the edge, then by
    /// rank; the first rank means no pawn.
    SHELTER in Shelter = [
        (10, -6), (35, -18), (33, -10), (25, -11), (15, -4), (10, 1), (30, 11),
        (-29, -3), (10, -3), (11, -5), (-15, -2), (-21, -1), (-27, 0), (-10, -3),
        (-4, -3), (29, 1), (8, -1), (-1, 0), (1, 0), (-11, 5), (55, 2),
        (-13, 4), (-3, 8), (-3, 7), (-10, 7), (-6, 5), (-19, 7), (-8, 5),
    ];
    /// Pawn storm: the nearest enemy pawn on a file at the king, by the distance of the file to the edge, then by rank.
    STORM in Shelter = [
        (-3, -6), (27, -8), (-26, 12), (-27, 7), (-13, 6), (-9, 1), (-9, -1),
        (-4, 0), (63, -17), (-26, 3), (-21, 10), (-11, 5), (1, 5), (0, 2),
        (2, -6), (15, 3), (-60, 11), (-16, 5), (-4, -1), (3, -2), (3, -6),
        (5, 0), (23, 15), (-32, 6), (-9, 4), (0, -3), (1, -1), (5, -1),
    ];
    /// A storming pawn that a sheltering pawn blocks, by rank.
    STORM_BLOCKED in Shelter = [(0, 0), (0, 0), (-25, -30), (-2, -10), (-2, -11), (2, -12), (3, -19)];
    /// The king on an open file.
    KING_OPEN_FILE in Shelter = [(-34, -6)];
    /// The king on a half-open file.
    KING_HALF_OPEN_FILE in Shelter = [(-6, 0)];
    /// No pawns of either side on the king flank.
    KING_PAWNLESS_FLANK in Shelter = [(15, -52)];
    /// The distance of the king to the nearest own pawn.
    KING_FROM_PAWNS in Shelter = [(-5, -8)];

    /// King danger: a piece that attacks the king ring, by kind.
    DANGER_ATTACKER in KingDanger = [(0, 0), (69, 7), (46, 3), (40, -5), (34, -13)];
    /// King danger: the number of such pieces.
    DANGER_ATTACKERS in KingDanger = [(-70, 0), (32, -22), (22, -1), (44, 6), (55, 42), (102, 81)];
    /// King danger: an attack on a square next to the king.
    DANGER_RING_ATTACK in KingDanger = [(21, 1)];
    /// King danger: a weak square of the king ring.
    DANGER_WEAK_SQUARE in KingDanger = [(39, 1)];
    /// King danger: a safe check, by kind of piece.
    DANGER_SAFE_CHECK in KingDanger = [(0, 0), (197, 23), (108, 41), (230, 38), (140, 67)];
    /// King danger: a check on a protected square.
    DANGER_UNSAFE_CHECK in KingDanger = [(37, 6)];
    /// King danger: a pinned piece, or one that can give a discovered check.
    DANGER_BLOCKER in KingDanger = [(11, 13)];
    /// King danger: the king's file or an adjacent one without own pawns.
    DANGER_OPEN_FILE in KingDanger = [(38, -8)];
    /// King danger: an attacked square of the king flank, counted again if attacked twice.
    DANGER_FLANK_ATTACK in KingDanger = [(13, 2)];
    /// King danger: a protected square of the king flank.
    DANGER_FLANK_DEFENCE in KingDanger = [(-15, 1)];
    /// King danger: the enemy has no queen.
    DANGER_NO_QUEEN in KingDanger = [(-239, -33)];
    /// King danger: a knight protects a square next to the king.
    DANGER_KNIGHT_DEFENDER in KingDanger = [(-28, 1)];
    /// King danger: the constant.
    DANGER_BASE in KingDanger = [(70, -13)];

    /// A piece attacked by a pawn that is protected or not attacked, by kind of the victim.
    THREAT_BY_PAWN in Threats = [(0, 0), (51, 43), (45, 52), (52, 30), (39, 12), (0, 0)];
    /// A piece attacked by a knight or bishop, by kind of the victim.
    THREAT_BY_MINOR in Threats = [(5, 16), (16, 27), (36, 27), (43, 22), (35, 29), (0, 0)];
    /// A weak piece attacked by a rook, by kind of the victim.
    THREAT_BY_ROOK in Threats = [(4, 16), (17, 21), (17, 22), (-5, 6), (28, 6), (0, 0)];
    /// A weak piece attacked by the king.
    THREAT_BY_KING in Threats = [(18, 22)];
    /// A hanging piece: weak and unprotected, or attacked twice.
    HANGING in Threats = [(16, 24)];
    /// A weak piece that the queen protects.
    PROTECTED_BY_QUEEN in Threats = [(3, 13)];
    /// A safe pawn push that attacks a piece.
    PAWN_PUSH_THREAT in Threats = [(11, 11)];
    /// A square that both sides attack and the enemy does not protect well.
    RESTRICTED in Threats = [(3, 1)];
    /// A knight that can safely attack the queen.
    KNIGHT_ON_QUEEN in Threats = [(10, 1)];
    /// A bishop or rook that can safely attack the queen with support.
    SLIDER_ON_QUEEN in Threats = [(12, 7)];

    /// Space: safe squares on the central files, more with many pieces.
    SPACE in Space = [(2, 1)];

    /// Initiative: for each passed pawn.
    INITIATIVE_PASSED in Initiative = [(0, 4)];
    /// Initiative: for each pawn.
    INITIATIVE_PAWN in Initiative = [(0, 3)];
    /// Initiative: outflanking, the difference of the file and rank distances of the kings.
    INITIATIVE_OUTFLANKING in Initiative = [(0, 1)];
    /// Initiative: pawns on both wings.
    INITIATIVE_BOTH_WINGS in Initiative = [(0, 16)];
    /// Initiative: a king in the enemy half.
    INITIATIVE_INFILTRATION in Initiative = [(0, 4)];
    /// Initiative: only kings and pawns are left.
    INITIATIVE_PAWN_ENDING in Initiative = [(0, 46)];
    /// Initiative: the constant.
    INITIATIVE_BASE in Initiative = [(0, -53)];

    /// The side to move.
    TEMPO in Tempo = [(18, 15)];
}

impl WeightIndex {
    /// Its value.
    #[inline(always)]
    pub fn value(self) -> Tapered {
        DEFAULT[self.get()]
    }

    /// Its group.
    pub fn group(self) -> &'static GroupInfo {
        let after = GROUPS.partition_point(|group| group.start <= self.get());
        &GROUPS[after - 1]
    }

    /// The weight at an index of the flat list.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < COUNT).then_some(Self(index))
    }

    /// Its term.
    pub fn term(self) -> Term {
        self.group().term
    }

    /// Its name: that of its group, with an index if the group has several weights.
    pub fn name(self) -> String {
        let group = self.group();
        match group.len {
            1 => group.name.to_owned(),
            _ => format!("{}[{}]", group.name, self.get() - group.start),
        }
    }
}

/// The value of a weight in constant expressions.
pub(super) const fn constant(weight: WeightIndex) -> Tapered {
    PAIRS[weight.get()]
}
