//! PGN: what is read, what is rejected with a message, what is written.

use crate::common;
use std::time::Duration;

use rukh_chess::game::{Game, Outcome};
use rukh_chess::notation::pgn::{Games, PgnGame, decode};
use rukh_chess::{Color, Position};

fn read_one(text: &str) -> PgnGame {
    let mut games = Games::new(text);
    let game = games.next().expect("there is a game").unwrap_or_else(|error| panic!("{error}"));
    assert!(games.next().is_none(), "there is one game");
    game
}

fn san_of(game: &PgnGame) -> String {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for mv in game.moves() {
        words.push(position.san(mv));
        position.make(mv, &mut ());
    }
    words.join(" ")
}

const ANNOTATED: &str = r#"[Event "A \"small\" test"]
[White "Müller"]
[Result "1-0"]

% this line is for other programs
{Before the game.} 1. e4! $13 {[%clk 0:01:30.5] best [%emt 0:00:02]} (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) 2. c4) (1. c4)
1... e5 ; a comment to the end of the line
2. Nf3 2... Nc6 3.Bb5 a6?! -- 4. -- 1-0
"#;

#[test]
fn all_annotations_of_a_game_are_read() {
    let game = read_one(ANNOTATED);
    assert_eq!(game.tag("Event"), Some("A \"small\" test"));
    assert_eq!(game.tag("White"), Some("Müller"));
    assert_eq!(game.tag("Black"), None);
    assert_eq!(game.outcome, Some(Outcome::Win(Color::White)));
    assert_eq!(game.main_line.comments, ["Before the game."]);
    assert_eq!(san_of(&game), "e4 e5 Nf3 Nc6 Bb5 a6");

    let first = &game.main_line.moves[0];
    assert_eq!(first.nags, [1, 13]);
    assert_eq!(first.clock(), Some(Duration::from_millis(90_500)));
    assert_eq!(first.elapsed(), Some(Duration::from_secs(2)));
    assert_eq!(first.variations.len(), 2);
    let queens_pawn = &first.variations[0];
    assert_eq!(queens_pawn.moves.len(), 3);
    assert_eq!(queens_pawn.moves[1].variations[0].moves[1].variations[0].moves.len(), 1);
    assert_eq!(game.main_line.moves[1].comments, ["a comment to the end of the line"]);
    assert_eq!(game.main_line.moves[5].nags, [6]);
    assert_eq!(game.main_line.moves[6].mv, None);
    assert_eq!(read_one(&game.to_string()), game);
}

#[test]
fn a_faulty_game_is_reported_and_the_others_are_read() {
    let good = "[Event \"good\"]\n\n1. e4 e5 1/2-1/2\n\n";
    let cases = [
        (
            "[Event \"bad\"]\n\n1. e4 e5 2. Ke3 Nf6 (2... d6) 3. d4 1-0\n\n",
            "line 7: \"Ke3\" is not a legal move here",
        ),
        ("[Event \"bad\"]\n\n1. e4 {never closed e5 1-0\n\n", "line 7: a comment has no end"),
        ("[Event \"bad\"]\n\n1. e4 (1. d4 1-0\n\n", "a variation has no end"),
        ("[Event \"bad\"]\n\n1. e4) e5 1-0\n\n", "a closing parenthesis has no opening parenthesis"),
        ("[Event \"bad\"]\n\n(1. e4) e5 1-0\n\n", "a variation begins before the first move"),
        ("[Event \"bad\"]\n\n1. e4 $999 e5 1-0\n\n", "\"$999\" is not an annotation"),
        ("[Event \"bad\"]\n\n1. e4 e5 & 1-0\n\n", "the character '&' has no meaning here"),
        ("[Event bad]\n\n1. e4 e5 1-0\n\n", "\"[Event bad]\" is not a tag"),
        ("[Event \"bad\"]\n[FEN \"nonsense\"]\n\n1. e4 1-0\n\n", "in the tag FEN, the board"),
        ("[Event \"bad\"]\n[Variant \"Atomic\"]\n\n1. e4 1-0\n\n", "the variant \"Atomic\" has other rules"),
        ("[Event \"bad\"]\n\n1. e4 d5 2. Bb5+ -- 1-0\n\n", "a null move is not possible in check"),
    ];
    for (bad, expected) in cases {
        let text = format!("{good}{bad}{good}");
        let results = Games::new(&text).collect::<Vec<_>>();
        let events =
            results.iter().filter_map(|result| result.as_ref().ok()?.tag("Event")).collect::<Vec<_>>();
        // A game with an open variation ends at the tags of the next game.
        assert_eq!(events, ["good", "good"], "{bad}");
        let errors = results.iter().filter_map(|result| result.as_ref().err()).collect::<Vec<_>>();
        assert_eq!(errors.len(), 1, "{bad}: {results:?}");
        let message = errors[0].to_string();
        assert!(message.starts_with("game 2, line ") && message.contains(expected), "{bad}: {message}");
    }
}

/// The tags `Event` of the games that could be read, `-` without that tag, and the faults.
fn events_and_faults(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut events, mut faults) = (Vec::new(), Vec::new());
    for game in Games::new(text) {
        match game {
            Ok(game) => events.push(game.tag("Event").unwrap_or("-").to_owned()),
            Err(error) => faults.push(error.to_string()),
        }
    }
    (events, faults)
}

#[test]
fn a_fault_in_a_variation_affects_only_its_game() {
    for bad in [
        "1. e4 (1. Zz9) e5 1-0",
        "1. e4 (1. d4 (1. Zz9 (1. c4)) 1-0) e5 1-0",
        "(1. Zz9 1-0) e5 1-0",
        "1. e4 (1. d4 & (1. c4) $999) e5 1-0",
        "1. e4 (1. d4)) e5 (1... d5 0-1) 1-0",
    ] {
        let (events, faults) = events_and_faults(&format!("{bad}\n\n1. d4 d5 1-0\n\n1. c4 0-1"));
        assert_eq!((events.len(), faults.len()), (2, 1), "{bad}: {events:?} {faults:?}");
    }
}

#[test]
fn tags_end_a_faulty_game() {
    let text = "[Event bad]\n\n1. e4 e5\n\n[Event \"two\"]\n\n1. d4 *\n\n[Event \"three\"]\n\n1. c4 *";
    let (events, faults) = events_and_faults(text);
    assert_eq!(events, ["two", "three"]);
    assert_eq!(faults, ["game 1, line 1: \"[Event bad]\" is not a tag such as [White \"Name\"]"]);
    // A faulty tag among good ones is a fault of one game.
    let (events, faults) =
        events_and_faults("[Event \"one\"]\n[Site bad]\n[Round \"1\"]\n\n1. e4 *\n1. d4 *");
    assert_eq!((events.len(), faults.len()), (1, 1));
    let (events, faults) = events_and_faults("[White \"a\"]\n\n{never closed\n\n[Event \"two\"]\n\n1. d4 *");
    assert_eq!((events.as_slice(), faults.len()), (&["two".to_owned()][..], 1));
}

#[test]
fn tags_without_moves_are_a_game() {
    let (events, faults) = events_and_faults(
        "[Event \"a\"]\n[Round \"1\"]\n\n[event \"b\"]\n\n{empty}\n\n[Event \"c\"]\n\n1. e4 *",
    );
    assert_eq!(events, ["a", "b", "c"]);
    assert_eq!(faults, [""; 0]);
    // Other tags may occur twice; the first one counts.
    let game = read_one("[Event \"a\"]\n[Annotator \"x\"]\n[Annotator \"y\"]\n\n1. e4 *");
    assert_eq!((game.tags.len(), game.tag("Annotator")), (3, Some("x")));
    assert_eq!(read_one(&game.to_string()), game);
    // A second first tag would start another game and is not written.
    let mut twice = game;
    twice.tags.push(("event".to_owned(), "again".to_owned()));
    assert_eq!(read_one(&twice.to_string()).tags, twice.tags[..3]);
}

#[test]
fn comments_before_and_among_the_tags_are_read() {
    let game = read_one("; a head line\n[Event \"x\"]\n{two}\n[Site \"y\"]\n\n{three} 1. e4 *");
    assert_eq!(game.main_line.comments, ["a head line", "two", "three"]);
    assert_eq!((game.tag("Event"), game.tag("Site")), (Some("x"), Some("y")));
    assert_eq!(read_one(&game.to_string()), game);
}

#[test]
fn noise_and_truncated_games_are_read_without_a_panic() {
    for sign in ["x", "(", ")", "{", "}", "[", "\"", "\\", "$", "%", "1.", "e4 ", "[A \"", "\u{0}", "é", "*"]
    {
        let text = sign.repeat((1 << 20) / sign.len());
        for game in Games::new(&text) {
            if let Err(error) = game {
                assert!(error.to_string().len() < 1_000, "{sign:?}");
            }
        }
    }
    let mut random = rukh_chess::random::SplitMix64::new(16);
    let bytes = (0..1 << 20).map(|_| random.next() as u8).collect::<Vec<_>>();
    assert_eq!(Games::new(&decode(&bytes)).filter(Result::is_ok).count(), 0);
    // Every prefix and suffix of a game, cut between bytes, not characters.
    for at in 0..=ANNOTATED.len() {
        let (prefix, suffix) = ANNOTATED.as_bytes().split_at(at);
        assert!(Games::new(&decode(prefix)).count() <= 1, "{at}");
        let _ = Games::new(&decode(suffix)).count();
    }
}

#[test]
fn variations_nest_up_to_a_limit() {
    let nested = |depth: usize| format!("1. e4 {}{} *", "(1. e4 ".repeat(depth), ")".repeat(depth));
    assert_eq!(read_one(&read_one(&nested(100)).to_string()), read_one(&nested(100)));
    let deep = nested(100_000);
    let error = Games::new(&deep).next().expect("there is a game").expect_err("that is too deep");
    assert!(error.to_string().contains("nest deeper than 100"));
}

#[test]
fn common_deviations_from_the_standard_are_read() {
    assert_eq!(san_of(&read_one("1.e4 e5 2.Nf3 Nc6 *")), "e4 e5 Nf3 Nc6");
    assert_eq!(san_of(&read_one("1. e2e4 e7e5 2. g1f3 b8c6 *")), "e4 e5 Nf3 Nc6");
    for mark in ["ep", "e.p.", " ep", " e.p.", " e.p.!"] {
        let text = format!("1. e4 d5 2. e5 f5 3. exf6{mark} *");
        assert_eq!(san_of(&read_one(&text)), "e4 d5 e5 f5 exf6", "{text}");
    }
    let tags = read_one("[Event \"a cup \\\"]\n[White \"never closed]\n[Black \"ends with \\\"]\\\"\"]\n*");
    assert_eq!((tags.tag("event"), tags.tag("White")), (Some("a cup \\"), Some("never closed")));
    assert_eq!(tags.tag("Black"), Some("ends with \"]\""));
    assert_eq!(read_one(&tags.to_string()), tags);
    assert_eq!(san_of(&read_one("1 e4 e5 2 . Nf3 Nc6 ½-½")), "e4 e5 Nf3 Nc6");
    assert_eq!(read_one("1. e4 e5 1/2").outcome, Some(Outcome::Draw));
    assert_eq!(san_of(&read_one("[Event \"x\"]\n[White \"a \"quoted\" name\"]\n1. e2e4 e7-e5 0-1")), "e4 e5");
    assert_eq!(read_one("[Event \"x\"]\r\n\r\n1. e4 e5\r\n2. Nf3 *\r\n").main_line.moves.len(), 3);
    assert_eq!(read_one("; a head line\n[Event \"x\"]\n\n1. e4 *").tag("Event"), Some("x"));
    assert_eq!(read_one("[Event \"only tags\"]\n[Result \"0-1\"]").outcome, Some(Outcome::Win(Color::Black)));
    assert_eq!(Games::new("").count(), 0);
    assert_eq!(Games::new("{nothing} ; but comments\n").count(), 0);
}

#[test]
fn latin_1_and_byte_order_marks_are_decoded() {
    assert_eq!(decode(b"[White \"M\xFCller\"]"), "[White \"Müller\"]");
    assert_eq!(decode("\u{FEFF}[White \"Müller\"]".as_bytes()), "[White \"Müller\"]");
}

#[test]
fn chess960_games_have_their_start_position() {
    let text = "[Variant \"Chess960\"]\n[FEN \"2k3r1/6p1/8/8/8/8/6P1/2K3R1 w Gg - 2 9\"]\n\n9. O-O Kb8 *";
    let game = read_one(text);
    assert_eq!(san_of(&game), "O-O Kb8");
    assert_eq!(read_one(&game.to_string()), game);
}

#[test]
fn a_played_game_is_written_with_start_position_and_result() {
    let start: Position = common::position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    let mut game = Game::new(start.clone());
    game.play(start.parse_san("Ra8").expect("legal")).expect("legal");
    let mut pgn = PgnGame::from(&game);
    pgn.tags.push(("White".to_owned(), "back \\ slash \"and\" quotes".to_owned()));
    let text = pgn.to_string();
    assert!(
        text.contains("[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\"]") && text.ends_with("1. Ra8# 1-0\n"),
        "{text}"
    );
    let again = read_one(&text);
    assert_eq!((again.tag("White"), again.outcome), (pgn.tag("White"), pgn.outcome));
    assert_eq!(again.game().positions(), game.positions());
}

#[test]
fn no_line_of_movetext_is_longer_than_eighty_columns() {
    let mut text = String::new();
    let mut game = Game::default();
    let mut random = rukh_chess::random::SplitMix64::new(5);
    for _ in 0..200 {
        let Some(mv) = common::choose(&mut random, &game.position().legal_moves()) else { break };
        game.play(mv).expect("legal");
    }
    let mut pgn = PgnGame::from(&game);
    for (i, played) in pgn.main_line.moves.iter_mut().enumerate() {
        played.comments.extend(
            (i % 7 == 0).then(|| "word ".repeat(i).trim().to_owned()).filter(|text| !text.is_empty()),
        );
    }
    text.push_str(&pgn.to_string());
    assert!(text.lines().all(|line| line.len() <= 80));
    assert_eq!(read_one(&text), pgn);
}

#[test]
fn a_command_stays_on_one_line() {
    let mut pgn = read_one("1. e4 *");
    let comment = "word ".repeat(14) + "[%eval 0.25] [%cal Ga1a2, Rb1b2]word [%torn and so on";
    pgn.main_line.moves[0].comments.push(comment);
    let text = pgn.to_string();
    assert!(text.contains("[%eval 0.25]") && text.contains("[%cal Ga1a2, Rb1b2]word"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(read_one(&text), pgn);
}

/// Each of these once took quadratic time.
#[test]
fn faulty_texts_are_read_in_linear_time() {
    // Quadratic time would take minutes; the limit is generous for a busy machine.
    let start = std::time::Instant::now();
    assert_eq!(Games::new(&"[A \"\\\n".repeat(80_000)).filter(Result::is_ok).count(), 0);
    assert_eq!(Games::new(&"\n[Event \"\"]{".repeat(80_000)).filter(Result::is_ok).count(), 0);
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
}
