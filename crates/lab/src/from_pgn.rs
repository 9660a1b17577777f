//! PGN to training data: games with a score in the comment of each move become [`PackedGame`]s.
//!
//! The comments are those of fastchess and Cute Chess (`{+0.31/12 0.153s}`, `{book}`), of OpenBench, which shortens them
//! (`{+0.31/12}`, `{unknown}`), and of `rukh match`. This module must not know files, archives or engines.

use std::fmt;

use rukh_chess::Color;
use rukh_chess::notation::pgn::{PgnGame, PgnMove};
use rukh_eval::{Centipawns, MAX_PLY, Score};

use crate::packed::{NO_SCORE, PackedGame};

/// Why a game is no training data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It was not finished.
    NoResult,
    /// It has no moves.
    NoMoves,
    /// A turn is passed; the number of the move, counted from 1.
    NullMove(usize),
    /// A side lost by a fault of its program, not on the board; the tag `Termination`.
    Forfeit(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoResult => f.write_str("it has no result"),
            Self::NoMoves => f.write_str("it has no moves"),
            Self::NullMove(number) => write!(f, "move {number} of either side passes the turn"),
            Self::Forfeit(termination) => {
                write!(f, "its result does not come from the board: {termination:?}")
            }
        }
    }
}

impl std::error::Error for Unusable {}

/// What the tag `Termination` says of games that were lost by a fault: the words of the PGN standard, of fastchess and of
/// `rukh match`.
const FORFEITS: [&str; 8] = [
    "time forfeit",
    "abandoned",
    "unterminated",
    "illegal move",
    "rules infraction",
    "stalled",
    "loses on time",
    "crashes",
];

/// The game as training data. A move without a score gets [`NO_SCORE`].
pub fn packed(game: &PgnGame) -> Result<PackedGame, Unusable> {
    let outcome = game.outcome.ok_or(Unusable::NoResult)?;
    let termination = game.tag("Termination").unwrap_or_default();
    if FORFEITS.iter().any(|forfeit| termination.to_lowercase().contains(forfeit)) {
        return Err(Unusable::Forfeit(termination.to_owned()));
    }
    let mut side = game.start.side_to_move();
    let mut moves = Vec::with_capacity(game.main_line.moves.len());
    for played in &game.main_line.moves {
        let mv = played.mv.ok_or(Unusable::NullMove(moves.len() + 1))?;
        moves.push((mv, score_for_white(played, side)));
        side = !side;
    }
    if moves.is_empty() {
        return Err(Unusable::NoMoves);
    }
    Ok(PackedGame { start: game.start.clone(), outcome, moves })
}

/// The score of a move as White sees it.
fn score_for_white(played: &PgnMove, side: Color) -> i16 {
    let own = played.comments.iter().find_map(|comment| read_score(comment));
    let for_white = own.map(|score| if side == Color::White { score } else { -score });
    for_white.map_or(NO_SCORE, |score| score.value() as i16)
}

/// The score at the start of a comment, as the side that moved sees it: pawns or plies to mate, then `/` and the depth.
fn read_score(comment: &str) -> Option<Score> {
    let word = comment.split([' ', ',']).next()?;
    let (score, depth) = word.split_once('/')?;
    depth.parse::<u32>().ok()?;
    let (is_negative, size) = match score.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, score.strip_prefix('+').unwrap_or(score)),
    };
    let size = match size.strip_prefix('M') {
        Some(plies) if is_number(plies) => Score::mate_at(plies.parse::<usize>().ok()?.min(MAX_PLY)),
        _ => from_shown(read_centipawns(size)?),
    };
    Some(if is_negative { -size } else { size })
}

/// Centipawns from pawns with two decimals. Without them it is no score: `1/2` is a result.
fn read_centipawns(pawns: &str) -> Option<i32> {
    const MAX: i32 = 1_000_000;
    let (whole, cents) = pawns.split_once('.')?;
    let is_score = is_number(whole) && is_number(cents) && cents.len() == 2;
    let centipawns = is_score.then(|| format!("{whole}{cents}").parse::<i32>().unwrap_or(MAX));
    centipawns.map(|centipawns| centipawns.min(MAX))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The score that engines show as so many centipawns. A tablebase win is shown as 20,000 less the plies to it.
fn from_shown(centipawns: i32) -> Score {
    const TABLEBASE: i32 = 20_000;
    match TABLEBASE - centipawns {
        plies if plies <= MAX_PLY as i32 => Score::tablebase_win_at(plies.max(0) as usize),
        _ => Score::from_centipawns(Centipawns(centipawns)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Outcome;
    use rukh_chess::notation::CastlingNotation;
    use rukh_chess::notation::pgn::Games;
    use rukh_eval::ScoreKind;
    use rukh_eval::score::PAWN;

    fn read(text: &str) -> Vec<Result<PackedGame, Unusable>> {
        Games::new(text).map(|game| packed(&game.expect("the text is PGN"))).collect()
    }

    fn only(text: &str) -> PackedGame {
        let [Ok(game)] = &read(text)[..] else { panic!("{text}: {:?}", read(text)) };
        game.clone()
    }

    fn scores(game: &PackedGame) -> Vec<i16> {
        game.moves.iter().map(|&(_, score)| score).collect()
    }

    /// A game as fastchess writes it.
    const FASTCHESS: &str = "\
[Event \"Fastchess Tournament\"]
[Site \"?\"]
[Date \"2026.11.17\"]
[Round \"1\"]
[White \"Rukh-dev\"]
[Black \"Rukh-base\"]
[Result \"1-0\"]
[SetUp \"1\"]
[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 3 40\"]
[GameDuration \"00:00:01\"]
[PlyCount \"5\"]
[Termination \"normal\"]
[TimeControl \"1+0.01\"]

40... h6 {-5.00/12 0.014s, n=20311, sd=17} 41. Kf1 {book}
41... Kh7 {/0 0.001s, n=0, sd=0} 42. Ra8 {+200.00/9 0.010s, n=1, sd=1, line=\"info string pgncomment x\"}
42... g6 {-M2/8 0.009s, n=20000, sd=9, White wins by adjudication} 1-0
";

    #[test]
    fn games_of_fastchess_are_read() {
        let game = only(FASTCHESS);
        assert_eq!(game.start.to_string(), "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 3 40");
        assert_eq!(game.outcome, Outcome::Win(Color::White));
        let moves: Vec<String> = game
            .positions()
            .map(|(position, mv, _)| position.uci(mv, CastlingNotation::of(&position)).to_string())
            .collect();
        assert_eq!(moves, ["h7h6", "g1f1", "g8h7", "a1a8", "g7g6"]);
        // Five pawns as they are shown, the tablebase win at the root, mate in two plies; all of them good for White.
        let expected = [5 * PAWN, i32::from(NO_SCORE), i32::from(NO_SCORE), 31_000, 31_998];
        assert_eq!(scores(&game).into_iter().map(i32::from).collect::<Vec<_>>(), expected);
    }

    /// OpenBench leaves the numbers of the moves out and shortens the comments.
    #[test]
    fn games_of_openbench_are_read() {
        let game = only(
            "[Event \"Fastchess Tournament\"]\n[Result \"0-1\"]\n[TimeControl \"-\"]\n[ScaleFactor \"1.04\"]\n\n\
             f3 {-0.50/7} e5 {+1.00/8} g4 {unknown} Qh4# {+M1/3, line=a comment of the engine} 0-1\n",
        );
        assert_eq!(game.outcome, Outcome::Win(Color::Black));
        assert_eq!(scores(&game), [-46, -92, NO_SCORE, -31_999]);
        let verbose = only("f3 {-0.50/7 0.003s, n=100, sd=9} e5 {+1.00/8 0.1s, n=5, sd=8, line=x} 1/2-1/2\n");
        assert_eq!((scores(&verbose), verbose.outcome), (vec![-46, -92], Outcome::Draw));
    }

    #[test]
    fn chess960_is_read() {
        let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 0 1\"]\n\n\
                    1. O-O {+0.10/5 0.001s} O-O-O {0.00/5 0.001s} 1/2-1/2\n";
        let game = only(text);
        assert_eq!(scores(&game), [9, 0]);
        let last = game.positions().last().expect("it has moves");
        let after = last.0.after(last.1).to_string();
        assert!(after.starts_with("2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - -"), "{after}");
        let mut bytes = Vec::new();
        game.write(&mut bytes).expect("a vector takes everything");
        assert_eq!(PackedGame::read(&mut bytes.as_slice()).expect("it was written so"), Some(game));
    }

    #[test]
    fn bad_games_are_named() {
        let reasons: Vec<_> = read(
            "[Event \"1\"]\n\n1. e4 {+0.10/3} *\n\n[Event \"2\"]\n\n1. e4 -- 2. d4 1-0\n\n\
             [Event \"3\"]\n[Result \"1-0\"]\n\n1-0\n\n[Event \"4\"]\n[Termination \"time forfeit\"]\n\n1. e4 1-0\n\n\
             [Event \"5\"]\n[Termination \"Black loses on time after 1.020 s\"]\n\n1. e4 1-0\n\n\
             [Event \"6\"]\n[Termination \"adjudication\"]\n\n1. e4 1-0\n",
        )
        .into_iter()
        .map(Result::err)
        .collect();
        let forfeit = |text: &str| Some(Unusable::Forfeit(text.to_owned()));
        assert_eq!(
            reasons,
            [
                Some(Unusable::NoResult),
                Some(Unusable::NullMove(2)),
                Some(Unusable::NoMoves),
                forfeit("time forfeit"),
                forfeit("Black loses on time after 1.020 s"),
                None,
            ]
        );
    }

    /// A score that is shown and read again is the same score.
    #[test]
    fn scores_are_read_back() {
        let mates = (1..=MAX_PLY).flat_map(|ply| [Score::mate_at(ply), Score::mated_at(ply)]);
        let centipawns = (-17_000..=17_000).map(Score::new);
        for score in mates.chain(centipawns) {
            let shown = match score.kind() {
                // As fastchess counts: a side mates with an odd ply and is mated with an even one.
                ScoreKind::Mate(moves) if moves > 0 => format!("+M{}", 2 * moves - 1),
                ScoreKind::Mate(moves) => format!("-M{}", -2 * moves),
                ScoreKind::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns.value()) / 100.0),
                ScoreKind::Tablebase(_) => panic!("{score} is no tablebase win"),
            };
            let read = read_score(&format!("{shown}/12 0.010s")).expect("it is a score");
            assert_eq!(read.kind(), score.kind(), "{shown}");
            if !score.is_decisive() {
                assert_eq!(read, score, "{shown}");
            }
        }
        assert_eq!(read_score("199.97/30"), Some(Score::tablebase_win_at(3)));
        assert_eq!(read_score("-199.97/30"), Some(Score::tablebase_loss_at(3)));
        assert_eq!(read_score("+M900/3"), Some(Score::mate_at(MAX_PLY)), "it stays a mate");
        assert_eq!(read_score("-99999999.00/3"), Some(Score::tablebase_loss_at(0)));
    }

    /// What is no score is none, and reading it ends.
    #[test]
    fn other_comments_hold_no_score() {
        for comment in [
            "",
            "book",
            "unknown",
            "/0 0.1s",
            "+/3",
            "+0.30",
            "+0.30/",
            "+0.30/x",
            "inf/3",
            "NaN/3",
            "-inf/2",
            "M/3",
            "+Mx/3",
            "+M1.50/3",
            "+M+1/3",
            "1/2",
            "1.5/2",
            "+1e3/4",
            "--1.00/3",
            "+-1.00/3",
            "½/½",
            "[%eval 0.30]",
        ] {
            assert_eq!(read_score(comment), None, "{comment:?}");
        }
        // Comments of one move may be several, and the score may stand in a later one.
        let text = "1. e4 {a fine move} {+1.00/9 1.2s} 1-0\n";
        assert_eq!(scores(&only(text)), [92]);
    }
}
