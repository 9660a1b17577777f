//! The kinds of claims. Definitions of motifs are with their detectors, all others are in `docs/explain.md`.

use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)+) => {
        /// The kind of a claim.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
        pub enum ClaimKind { $($(#[doc = $doc])+ $name,)+ }

        impl ClaimKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name of the kind, as in a sentence.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }
        }
    };
}

kinds! {
    /// Mate in n moves against every defence.
    MateIn = "mate in n";
    /// The move lets the opponent force mate.
    AllowsMate = "allows mate";
    /// Back-rank mate.
    BackRankMate = "back-rank mate";
    /// Smothered mate.
    SmotheredMate = "smothered mate";
    /// Arabian mate: rook and knight, king in the corner.
    ArabianMate = "Arabian mate";
    /// Anastasia's mate: rook or queen on the edge file, knight and a blocking piece.
    AnastasiaMate = "Anastasia's mate";
    /// Hook mate: rook, knight and pawn protect each other.
    HookMate = "hook mate";
    /// Dovetail mate: a queen diagonally next to the king.
    DovetailMate = "dovetail mate";
    /// Boden's mate: crossing bishops.
    BodenMate = "Boden's mate";
    /// Double bishop mate: parallel bishops.
    DoubleBishopMate = "double bishop mate";
    /// Opera mate: a rook protected by a bishop.
    OperaMate = "opera mate";
    /// Pillsbury's mate: a rook checks, a bishop guards.
    PillsburyMate = "Pillsbury's mate";
    /// Morphy's mate: a bishop checks, a rook guards.
    MorphyMate = "Morphy's mate";
    /// Corner mate: knight and rook or queen, king in the corner.
    CornerMate = "corner mate";
    /// Triangle mate: queen and rook form a triangle with the king.
    TriangleMate = "triangle mate";
    /// Kill box mate: rook next to the king, queen behind it.
    KillBoxMate = "kill box mate";
    /// Vukovic mate: a protected rook and a knight.
    VukovicMate = "Vukovic mate";
    /// Blind swine mate: two rooks on the seventh rank.
    BlindSwineMate = "blind swine mate";
    /// Balestra mate: a bishop checks, a queen guards.
    BalestraMate = "Balestra mate";
    /// Epaulette mate: own pieces on both sides of the king.
    EpauletteMate = "epaulette mate";
    /// Legal's mate: minor pieces mate after a queen sacrifice.
    LegalMate = "Legal's mate";
    /// Fork: one piece attacks two.
    Fork = "fork";
    /// Pin: a piece cannot leave the line to its king, and this matters.
    Pin = "pin";
    /// Relative pin: a piece that leaves its line loses a more valuable one behind it, and this matters.
    RelativePin = "relative pin";
    /// Skewer: the piece in front moves, the one behind is taken.
    Skewer = "skewer";
    /// Discovered attack.
    DiscoveredAttack = "discovered attack";
    /// Discovered check.
    DiscoveredCheck = "discovered check";
    /// Double check.
    DoubleCheck = "double check";
    /// Deflection: a piece is drawn away from its task.
    Deflection = "deflection";
    /// Attraction: a piece is drawn to a bad square.
    Attraction = "attraction";
    /// Interference: a piece cuts a line of protection.
    Interference = "interference";
    /// Clearance: a piece vacates a line or square for another.
    Clearance = "clearance";
    /// Intermezzo: a move in between before a recapture.
    Intermezzo = "intermezzo";
    /// X-ray: a slider protects or attacks through a piece.
    XRay = "x-ray";
    /// Trapped piece.
    TrappedPiece = "trapped piece";
    /// Takes an unprotected piece.
    HangingPiece = "hanging piece";
    /// Captures the defender.
    CapturesDefender = "captures the defender";
    /// Overload: one piece has two tasks.
    Overload = "overload";
    /// Sacrifice: material given for the rest of the line.
    Sacrifice = "sacrifice";
    /// Promotion.
    Promotion = "promotion";
    /// Underpromotion.
    Underpromotion = "underpromotion";
    /// A pawn that reaches the seventh or eighth rank.
    AdvancedPawn = "advanced pawn";
    /// A pawn that promotes whatever the opponent plays.
    UnstoppablePawn = "unstoppable pawn";
    /// En-passant capture.
    EnPassant = "en passant";
    /// Quiet move: no check, capture or direct threat.
    QuietMove = "quiet move";
    /// Defensive move: holds the position without check, capture or attack.
    DefensiveMove = "defensive move";
    /// Zugzwang: the side to move would rather pass.
    Zugzwang = "zugzwang";
    /// Tablebase result before and after the move.
    TablebaseFact = "tablebase fact";
    /// The only move that holds the result.
    OnlyMove = "only move";
    /// The only legal move.
    Forced = "only legal move";
    /// Wins material by the end of the line.
    WinsMaterial = "wins material";
    /// Leaves a piece en prise.
    LeavesEnPrise = "leaves a piece en prise";
    /// Threat: what follows if the opponent passes.
    Threat = "threat";
    /// Prevents a threat that was there.
    Prevents = "prevents a threat";
    /// Why not this move: its refutation.
    WhyNot = "why not";
    /// As good as the best move.
    AsGood = "as good as the best";
    /// Trades pieces when ahead.
    TradesWhenAhead = "trades when ahead";
    /// Fortress or dead draw: no progress.
    Fortress = "fortress";
    /// Positional change: terms of the classical evaluation.
    PositionalChange = "positional change";
    /// Plan: a manoeuvre common to the best lines.
    Plan = "plan";
}

impl ClaimKind {
    /// Whether this is the name of a mate.
    pub fn is_named_mate(self) -> bool {
        (Self::BackRankMate..=Self::LegalMate).contains(&self)
    }
}

impl fmt::Display for ClaimKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
