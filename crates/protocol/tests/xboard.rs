//! Transcripts of XBoard sessions.
//!
//! The test engine plays the first legal move, expects the first legal reply, and takes 200 ms. A line after `>` is
//! executed and its work awaited; after `>>` nothing is awaited. Lines without a mark are the complete output. Each
//! transcript also runs once for every reply with that reply altered, and must fail then.

use std::io::{BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::{Screen, TestEngine, hooks, talk, test_session, transcript, waiting_transcript};
use rukh_chess::Color;
use rukh_protocol::codec::Codec;
use rukh_protocol::{Session, Uci, Xboard};

/// Runs the session, and fails where a reply differs.
fn check(script: &str) {
    waiting_transcript(|| check_once(script));
}

fn check_once(script: &str) {
    let (mut session, screen, _) = test_session();
    session.execute("xboard");
    let lines: Vec<&str> = script.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for part in lines.chunk_by(|_, next| !next.starts_with('>')) {
        let _ = match part[0].strip_prefix(">>") {
            Some(line) => session.execute(line.trim()),
            None => session.run_arguments([part[0].trim_start_matches('>').trim()]),
        };
        let mut answers = screen.take();
        // The timing of thinking output varies.
        let end = Instant::now() + Duration::from_secs(5);
        while answers.len() < part.len() - 1 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
            answers.extend(screen.take());
        }
        let answers: Vec<String> = answers
            .iter()
            .map(|line| match line.as_str() {
                "" => "(empty)".to_owned(),
                line => line.replace('\t', " | ").trim().to_owned(),
            })
            .collect();
        assert_eq!(answers, part[1..], "after {:?}", part[0]);
    }
}

#[test]
fn the_engine_plays_a_game() {
    check(
        "> new
         > level 40 5 0
         > time 30000
         > otim 30000
         > usermove e2e4
         move a7a6
         > ping 7
         pong 7
         > post
         > usermove g1f3
         1 100 0 20 1 20000000 0 | a5
         move a6a5
         > nopost
         > d2d4
         move a5a4
         > usermove d4d6
         Illegal move (\"d4d6\" is not legal: the pawn on d4 cannot go to d6): d4d6
         > usermove Nc3
         move a4a3
         > force
         > usermove b2a3
         > undo
         > usermove bxa3
         > go
         move b7b6
         > playother
         > usermove f8d6
         Illegal move (\"f8d6\" is not legal: White is to move, and the piece on f8 is not its own): f8d6
         > quit",
    );
}

#[test]
fn the_end_of_a_game_is_reported() {
    check(
        "> force
         > setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1
         > playother
         > usermove f7g7
         1-0 {White wins by checkmate}
         > setboard k7/8/1QK5/8/8/8/8/8 w - - 0 1
         > force
         > usermove b6c7
         > go
         1/2-1/2 {the game is drawn by stalemate}
         > force
         > setboard 8/8/8/8/8/k1p5/2K5/8 w - - 0 1
         > playother
         > usermove c2c3
         1/2-1/2 {the game is drawn: neither side has enough to give mate}",
    );
}

#[test]
fn a_search_can_be_cut_short_or_cancelled() {
    check(
        "> st 60
         >> usermove e2e4
         >> ping 1
         >> ?
         move a7a6
         pong 1
         >> usermove d2d4
         >> force
         >> ping 2
         pong 2
         >> go
         >> new
         >> ping 3
         pong 3
         >> usermove d2d4
         >> result 1/2-1/2 {agreed}
         >> ping 4
         pong 4",
    );
}

#[test]
fn analyse_mode_follows_the_position() {
    check(
        "> post
         >> analyze
         1 100 0 20 1 20000000 0 | a3
         >> .
         stat01: 0 20 1 0 20 -
         >> usermove e2e4
         1 100 0 20 1 20000000 0 | a6
         >> undo
         1 100 0 20 1 20000000 0 | a3
         >> exclude a2a3
         1 100 0 20 1 20000000 0 | b3
         >> exclude best
         1 100 0 20 1 20000000 0 | c3
         >> include all
         1 100 0 20 1 20000000 0 | a3
         >> exclude e2e5
         Illegal move (\"e2e5\" is not legal: the pawn on e2 cannot go to e5): e2e5
         >> hint
         Hint: a3
         >> setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1
         1 100 0 20 1 20000000 0 | Rb1
         >> setboard 8/8/8/8
         tellusererror Illegal position: the board of the FEN should have 8 ranks, but has 4
         >> new
         1 100 0 20 1 20000000 0 | a3
         >> exit
         >> .
         >> undo
         Error (there is no move to take back): undo",
    );
}

#[test]
fn edit_mode_sets_up_a_position() {
    check(
        "> force
         > edit
         > #
         > Ke1
         > Rh1
         > c
         > Ke8
         > .
         > go
         move h1f1
         > force
         > edit
         > #
         > .
         tellusererror Illegal position: White has no king; Black has no king",
    );
}

#[test]
fn chess960_castling_is_written_in_san() {
    check(
        "> new
         > variant fischerandom
         > force
         > setboard 1k6/8/8/8/8/8/8/RK5R w HA - 0 1
         > usermove O-O-O
         > usermove b8b7
         > usermove O-O
         Illegal move (\"O-O\" is not a legal move here): O-O
         > variant crazyhouse
         Error (only the variants normal and fischerandom are supported): variant crazyhouse
         > post
         > setboard 1k6/8/8/8/8/8/8/1K5R w H - 0 1
         > analyze
         1 100 0 20 1 20000000 0 | Rc1
         > exclude all
         > include O-O
         1 100 0 20 1 20000000 0 | O-O",
    );
}

#[test]
fn a_draw_is_accepted_only_without_an_advantage() {
    // Too early in the game.
    check(
        "> usermove e2e4
         move a7a6
         > draw",
    );
    let answer = |fen: &str| {
        let screen = Screen::default();
        let mut session = Session::new(Uci, screen.clone(), hooks());
        session.run_arguments(["xboard", "sd 6", "force", &format!("setboard {fen}"), "go"]);
        screen.clear();
        session.execute("draw");
        screen.take()
    };
    transcript(|| {
        assert_eq!(answer("8/8/4k3/8/8/4K3/1r6/8 w - - 0 40"), ["offer draw"], "a rook down");
        assert_eq!(answer("8/8/4k3/8/8/4K3/8/6QR w - - 0 40"), [""; 0], "about to mate");
    });
}

#[test]
fn invalid_commands_change_nothing() {
    check(
        "> joke
         Error (unknown command): joke
         > level 40
         Error (invalid value): level 40
         > st tomorrow
         Error (invalid value): st tomorrow
         > sd -3
         Error (invalid value): sd -3
         > memory 0
         # Hash takes a number from 1 to 33554432, not \"0\"
         > option Contempt=300
         # Contempt takes a number from -200 to 200, not \"300\"
         > option Nothing=1
         # there is no option \"Nothing\"
         > egtpath nalimov here
         Error (invalid value): egtpath nalimov here
         > accepted setboard
         > computer
         > name Someone
         > rating 2000 2100
         > usermove e2e4
         move a7a6
         > bk
         | no book move
         (empty)",
    );
}

#[test]
fn the_engine_ponders() {
    let (mut session, screen, calls) = test_session();
    for line in ["xboard", "hard", "post", "st 1"] {
        session.execute(line);
    }
    session.run_arguments(["usermove e2e4"]);
    screen.wait_for("1 100 0 20 1 20000000 0\t(a3) a5");
    screen.clear();
    assert!(calls.lock().unwrap().requests.last().unwrap().limits.is_ponder);
    session.run_arguments(["usermove a2a3"]);
    let output = screen.take();
    assert_eq!(output[0], "move a6a5", "{output:?}");
    assert_eq!(calls.lock().unwrap().ponder_hits, 1);
    // A move other than the ponder move starts a new search.
    session.run_arguments(["usermove h2h3"]);
    assert!(screen.take().contains(&"move a5a4".to_owned()));
    let requests = |calls: &common::EngineCalls| calls.requests.len();
    let before = requests(&calls.lock().unwrap());
    session.execute("easy");
    session.run_arguments(["usermove h3h4"]);
    assert_eq!(requests(&calls.lock().unwrap()), before + 1, "it does not ponder");
}

#[test]
fn the_move_and_pondering_need_no_further_input() {
    let (mut session, screen, calls) = test_session();
    let (reader, mut writer) = std::io::pipe().unwrap();
    thread::scope(|scope| {
        let (screen, calls) = (&screen, &calls);
        scope.spawn(move || {
            writer.write_all(b"xboard\nhard\nst 1\nusermove e2e4\n").unwrap();
            screen.wait_for("move a7a6");
            let end = Instant::now() + Duration::from_secs(10);
            while calls.lock().unwrap().requests.len() < 2 && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
            writer.write_all(b"quit\n").unwrap();
        });
        session.run(BufReader::new(reader)).expect("input and output work");
    });
    assert!(calls.lock().unwrap().requests[1].limits.is_ponder);
}

#[test]
fn time_controls_reach_the_search() {
    let limits = |lines: &str| {
        let (mut session, _, calls) = test_session();
        session.execute("xboard");
        for line in lines.lines() {
            session.execute(line);
        }
        session.execute("?");
        calls.lock().unwrap().requests.last().unwrap().limits.clone()
    };
    let blitz = limits("level 0 2:30 12.5\ntime 9000\notim 8000\nusermove e2e4");
    let clock = blitz.clocks[Color::Black].unwrap();
    assert_eq!((clock.remaining, clock.increment), (Duration::from_secs(90), Duration::from_millis(12_500)));
    assert_eq!(blitz.clocks[Color::White].unwrap().remaining, Duration::from_secs(80));
    assert_eq!(blitz.moves_to_go, None);
    assert_eq!(limits("level 40 5 0\nusermove e2e4").moves_to_go, Some(40));
    assert_eq!(limits("st 0.25\nsd 9\nusermove e2e4").movetime, Some(Duration::from_millis(250)));
    assert_eq!(limits("st 5\nsd 9\nusermove e2e4").depth, Some(9));
    assert_eq!(limits("sd 9\nnew\nusermove e2e4").depth, None);
    assert_eq!(limits("st 2\nnps 1000\nusermove e2e4").nodes, Some(2000));
}

#[test]
fn features_list_options_and_options_are_set() {
    transcript(|| {
        let features = talk("xboard\nprotover 2\n");
        let (options, others): (Vec<&String>, Vec<&String>) =
            features.iter().partition(|line| line.starts_with("feature option="));
        let expected = [
            "feature done=0",
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 \
             colors=0 ics=0 name=0 pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 egt=\"syzygy\" \
             variants=\"normal,fischerandom\"",
            concat!("feature myname=\"Rukh ", env!("CARGO_PKG_VERSION"), "\""),
            "feature done=1",
        ];
        assert_eq!(others, expected);
        assert_eq!(features.last().unwrap(), "feature done=1");
        assert!(options.iter().all(|line| line.starts_with("feature option=\"") && line.ends_with('"')));
        for wanted in [
            "feature option=\"MultiPV -spin 1 1 256\"",
            "feature option=\"OwnBook -check 0\"",
            "feature option=\"Evaluation -combo *network /// classical\"",
            "feature option=\"Clear Hash -button\"",
            "feature option=\"EvalFile -file \"",
            "feature option=\"Techniques -string \"",
        ] {
            assert!(features.iter().any(|line| line == wanted), "{wanted}");
        }
        for by_command in ["Hash", "Threads", "UCI_Opponent"] {
            assert!(
                !features.iter().any(|line| line.contains(&format!("option=\"{by_command} "))),
                "{by_command}"
            );
        }
        let (mut session, screen, calls) = test_session();
        for line in [
            "xboard",
            "memory 64",
            "cores 3",
            "option MultiPV=4",
            "option Syzygy50MoveRule=0",
            "option Clear Hash",
        ] {
            session.execute(line);
        }
        assert_eq!(screen.take(), [""; 0]);
        let calls = calls.lock().unwrap();
        let last = calls.settings.last().unwrap();
        assert_eq!((calls.hash.as_slice(), calls.clears), (&[64][..], 1));
        assert_eq!((last.threads, last.multipv, last.tablebase.counts_fifty), (3, 4, false));
    });
}

#[test]
fn the_real_engine_mates() {
    transcript(|| {
        let output =
            talk("xboard\npost\nst 0.1\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo\n");
        let (lines, end) = output.split_at(output.len() - 2);
        assert_eq!(*end, ["move d1d8", "1-0 {White wins by checkmate}"]);
        assert!(!lines.is_empty());
        for line in lines {
            assert!(line.split(' ').nth(1) == Some("100001") && line.ends_with("\tRd8#"), "{line}");
        }
    });
}

#[test]
fn the_first_word_chooses_the_protocol() {
    transcript(|| {
        assert_eq!(talk("xboard\nping 1\n"), ["pong 1"]);
        assert_eq!(talk("ping 1\n"), ["info string \"ping 1\" is not a command; help lists them all"]);
        assert_eq!(Uci.decode("xboard").errors, [""; 0]);
        assert_eq!(Xboard::default().decode("uci").errors, ["unknown command"]);
        let screen = Screen::default();
        drop(Session::with_engine(Uci, screen.clone(), hooks(), TestEngine::default()));
        assert_eq!(screen.take(), [""; 0]);
    });
}
