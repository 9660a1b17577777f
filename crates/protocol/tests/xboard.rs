//! Conversations with XBoard, word for word.
//!
//! The engine of these is the patient one: it plays the first legal move, expects the first legal answer, and takes a fifth
//! of a second. A line after `>` is said, and what is begun by it comes to its end; after `>>` nothing is waited for. Lines
//! without a mark are all that is answered. Each is also held with every answer in turn made another one, and must fail then.
#![allow(clippy::unwrap_used, reason = "a test may fail by it, helpers included")]

mod common;

use std::io::{BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

use common::{Patient, Screen, hooks, patient, talk, transcript};
use rukh_chess::Color;
use rukh_protocol::codec::Codec;
use rukh_protocol::{Session, Uci, Xboard};

/// Holds the conversation, and fails where an answer is another one.
fn hold(conversation: &str) {
    transcript(|| hold_once(conversation));
}

fn hold_once(conversation: &str) {
    let (mut session, screen, _) = patient();
    session.execute("xboard");
    let lines: Vec<&str> = conversation.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for part in lines.chunk_by(|_, next| !next.starts_with('>')) {
        let _ = match part[0].strip_prefix(">>") {
            Some(line) => session.execute(line.trim()),
            None => session.run_arguments([part[0].trim_start_matches('>').trim()]),
        };
        let mut answers = screen.take();
        // A search tells what it thinks when it likes.
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
fn a_game_is_played() {
    hold(
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
fn games_end() {
    hold(
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
fn a_move_is_played_at_once_or_not_at_all() {
    hold(
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
fn positions_are_thought_about() {
    hold(
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
fn a_board_is_put_together() {
    hold(
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
fn chess960_has_its_own_castling() {
    hold(
        "> new
         > variant fischerandom
         > force
         > setboard 1k6/8/8/8/8/8/8/RK5R w HA - 0 1
         > usermove O-O-O
         > usermove b8b7
         > usermove O-O
         Illegal move (\"O-O\" is not a legal move here): O-O
         > variant crazyhouse
         Error (only normal chess and fischerandom are played here): variant crazyhouse
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
fn draws_are_taken_only_when_nothing_better_is_in_sight() {
    // It is far too early.
    hold(
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
        assert_eq!(answer("8/8/4k3/8/8/4K3/1r6/8 w - - 0 40"), ["offer draw"], "a rook is missing");
        assert_eq!(answer("8/8/4k3/8/8/4K3/8/6QR w - - 0 40"), [""; 0], "it is about to mate");
    });
}

#[test]
fn what_makes_no_sense_changes_nothing() {
    hold(
        "> joke
         Error (unknown command): joke
         > level 40
         Error (its values make no sense): level 40
         > st tomorrow
         Error (its values make no sense): st tomorrow
         > sd -3
         Error (its values make no sense): sd -3
         > memory 0
         # Hash takes a number from 1 to 33554432, not \"0\"
         > option Contempt=300
         # Contempt takes a number from -200 to 200, not \"300\"
         > option Nothing=1
         # there is no option \"Nothing\"
         > egtpath nalimov here
         Error (its values make no sense): egtpath nalimov here
         > accepted setboard
         > computer
         > name Someone
         > rating 2000 2100
         > usermove e2e4
         move a7a6
         > bk
         | the book knows nothing here
         (empty)",
    );
}

#[test]
fn it_thinks_on_the_time_of_the_other_side() {
    let (mut session, screen, record) = patient();
    for line in ["xboard", "hard", "post", "st 1"] {
        session.execute(line);
    }
    session.run_arguments(["usermove e2e4"]);
    screen.wait_for("1 100 0 20 1 20000000 0\t(a3) a5");
    screen.clear();
    assert!(record.lock().unwrap().requests.last().unwrap().limits.is_ponder);
    session.run_arguments(["usermove a2a3"]);
    let said = screen.take();
    assert_eq!(said[0], "move a6a5", "{said:?}");
    assert_eq!(record.lock().unwrap().ponder_hits, 1);
    // Another move than the expected one begins another search.
    session.run_arguments(["usermove h2h3"]);
    assert!(screen.take().contains(&"move a5a4".to_owned()));
    let requests = |record: &common::Record| record.requests.len();
    let before = requests(&record.lock().unwrap());
    session.execute("easy");
    session.run_arguments(["usermove h3h4"]);
    assert_eq!(requests(&record.lock().unwrap()), before + 1, "nothing is thought about without the clock");
}

/// The move comes, and pondering begins, while nobody says anything.
#[test]
fn a_move_comes_by_itself() {
    let (mut session, screen, record) = patient();
    let (reader, mut writer) = std::io::pipe().unwrap();
    thread::scope(|scope| {
        let (screen, record) = (&screen, &record);
        scope.spawn(move || {
            writer.write_all(b"xboard\nhard\nst 1\nusermove e2e4\n").unwrap();
            screen.wait_for("move a7a6");
            let end = Instant::now() + Duration::from_secs(10);
            while record.lock().unwrap().requests.len() < 2 && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
            writer.write_all(b"quit\n").unwrap();
        });
        session.run(BufReader::new(reader));
    });
    assert!(record.lock().unwrap().requests[1].limits.is_ponder);
}

#[test]
fn limits_reach_the_search() {
    let limits = |lines: &str| {
        let (mut session, _, record) = patient();
        session.execute("xboard");
        for line in lines.lines() {
            session.execute(line);
        }
        session.execute("?");
        record.lock().unwrap().requests.last().unwrap().limits.clone()
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
fn options_are_told_and_set() {
    transcript(|| {
        let told = talk("xboard\nprotover 2\n");
        let (options, others): (Vec<&String>, Vec<&String>) =
            told.iter().partition(|line| line.starts_with("feature option="));
        let expected = [
            "feature done=0",
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 \
             colors=0 ics=0 name=0 pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 egt=\"syzygy\" \
             variants=\"normal,fischerandom\"",
            concat!("feature myname=\"Rukh ", env!("CARGO_PKG_VERSION"), "\""),
            "feature done=1",
        ];
        assert_eq!(others, expected);
        assert_eq!(told.last().unwrap(), "feature done=1");
        assert!(options.iter().all(|line| line.starts_with("feature option=\"") && line.ends_with('"')));
        for wanted in [
            "feature option=\"MultiPV -spin 1 1 256\"",
            "feature option=\"OwnBook -check 0\"",
            "feature option=\"Evaluation -combo *network /// classical\"",
            "feature option=\"Clear Hash -button\"",
            "feature option=\"EvalFile -file \"",
            "feature option=\"Techniques -string \"",
        ] {
            assert!(told.iter().any(|line| line == wanted), "{wanted}");
        }
        for by_command in ["Hash", "Threads", "UCI_Opponent"] {
            assert!(
                !told.iter().any(|line| line.contains(&format!("option=\"{by_command} "))),
                "{by_command}"
            );
        }
        let (mut session, screen, record) = patient();
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
        let record = record.lock().unwrap();
        let last = record.settings.last().unwrap();
        assert_eq!((record.hash.as_slice(), record.clears), (&[64][..], 1));
        assert_eq!((last.threads, last.multipv, last.tablebase.counts_fifty), (3, 4, false));
    });
}

#[test]
fn the_real_engine_mates() {
    transcript(|| {
        let said = talk("xboard\npost\nst 0.1\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo\n");
        let (thoughts, end) = said.split_at(said.len() - 2);
        assert_eq!(*end, ["move d1d8", "1-0 {White wins by checkmate}"]);
        assert!(!thoughts.is_empty());
        for thought in thoughts {
            assert!(thought.split(' ').nth(1) == Some("100001") && thought.ends_with("\tRd8#"), "{thought}");
        }
    });
}

#[test]
fn the_first_word_chooses_the_protocol() {
    transcript(|| {
        assert_eq!(talk("xboard\nping 1\n"), ["pong 1"]);
        assert_eq!(talk("ping 1\n"), ["info string \"ping 1\" is not a command; help lists them all"]);
        assert_eq!(Uci.read("xboard").complaints, [""; 0]);
        assert_eq!(Xboard::default().read("uci").complaints, ["unknown command"]);
        let screen = Screen::default();
        drop(Session::with_engine(Uci, screen.clone(), hooks(), Patient::default()));
        assert_eq!(screen.take(), [""; 0]);
    });
}
