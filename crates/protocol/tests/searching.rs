//! Sessions during a search, with an engine whose searches take as long as the test needs.

use std::io;
use std::time::{Duration, Instant};

use crate::common::{Screen, TestEngine, hooks, test_session};
use rukh_protocol::{Flow, Session, SessionError, Uci};

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

#[test]
fn commands_are_executed_during_a_search() {
    let (mut session, screen, _) = test_session();
    session.execute("go infinite");
    let begin = Instant::now();
    for line in ["isready", "uci", "d", "eval", "position startpos moves e2e4", "help", "xyz", "isready"] {
        assert_eq!(session.execute(line), Flow::Continue);
    }
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(best_moves(&screen.take()), 0);
    session.execute("stop");
    assert_eq!(best_moves(&screen.take()), 1);
    session.execute("stop");
    assert_eq!(screen.take(), [""; 0]);
}

#[test]
fn a_search_keeps_its_position_and_format() {
    let (mut session, screen, calls) = test_session();
    session.execute("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    session.execute("go infinite");
    session.execute("position startpos");
    session.execute("setoption name UCI_Chess960 value true");
    session.execute("stop");
    let lines = screen.take();
    let root = calls.lock().unwrap().requests[0].game.position().clone();
    let mv = lines.last().unwrap().split(' ').nth(1).unwrap();
    assert!(root.parse_uci(mv).is_ok(), "{lines:?}");
}

#[test]
fn a_second_go_stops_the_first() {
    let (mut session, screen, calls) = test_session();
    session.execute("go infinite");
    session.execute("go infinite");
    assert_eq!(best_moves(&screen.take()), 1);
    session.execute("ucinewgame");
    assert_eq!(best_moves(&screen.take()), 1);
    let calls = calls.lock().unwrap();
    assert_eq!((calls.requests.len(), calls.clears), (2, 1));
}

#[test]
fn perft_stops_a_search() {
    let (mut session, screen, _) = test_session();
    session.execute("go infinite");
    session.execute("go perft 2");
    assert_eq!(best_moves(&screen.take()), 1);
    session.execute("go infinite");
    // The second search waited for perft.
    assert!(screen.text().contains("Nodes searched: 400"));
}

#[test]
fn perft_can_be_stopped() {
    let (mut session, screen, _) = test_session();
    let begin = Instant::now();
    session.execute("go perft 20");
    session.execute("isready");
    assert_eq!(screen.take(), ["readyok"]);
    session.execute("stop");
    session.run(&b"quit\n"[..]).expect("input and output work");
    assert!(screen.text().contains("Perft was stopped."));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn pondering_ends_by_ponderhit_or_stop() {
    let (mut session, screen, calls) = test_session();
    session.execute("ponderhit");
    session.execute("position startpos moves e2e4 e7e5");
    session.execute("go ponder wtime 1000 btime 1000");
    std::thread::sleep(2 * TestEngine::SEARCH_TIME);
    assert_eq!(best_moves(&screen.take()), 0);
    session.execute("ponderhit");
    session.execute("ponderhit");
    screen.wait_for("bestmove ");
    assert_eq!(calls.lock().unwrap().ponder_hits, 1);
    session.execute("go ponder wtime 1000 btime 1000");
    session.execute("stop");
    assert_eq!(best_moves(&screen.take()), 2);
}

#[test]
fn the_end_of_input_waits_for_a_limited_search() {
    for (input, waits) in [
        ("go depth 5", true),
        ("go wtime 100 btime 100", true),
        ("go btime 100", true),
        ("go ponder depth 5\nponderhit", true),
        ("go infinite", false),
        ("go", false),
        ("go ponder wtime 100", false),
        ("go infinite depth 5", false),
        ("go depth 5\nquit", false),
    ] {
        let (mut session, screen, calls) = test_session();
        session.run(input.as_bytes()).expect("input and output work");
        assert_eq!(calls.lock().unwrap().completed_searches == 1, waits, "{input:?}");
        assert_eq!(best_moves(&screen.take()), 1, "{input:?}");
    }
}

#[test]
fn arguments_are_executed_one_after_the_other() {
    let (mut session, screen, calls) = test_session();
    assert_eq!(session.run_arguments(["go depth 5", "go perft 2", "bench", "isready"]), Flow::Continue);
    let text = screen.take().join("\n");
    let places =
        ["bestmove", "Nodes searched: 400", "67890 nps", "readyok"].map(|word| text.find(word).unwrap());
    assert!(places.is_sorted(), "{text}");
    assert_eq!(session.run_arguments(["go depth 5", "quit", "isready"]), Flow::Quit);
    assert_eq!(calls.lock().unwrap().completed_searches, 2);
    let lines = screen.take();
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
    assert_eq!(session.run_arguments(["go infinite", "stop"]), Flow::Continue);
    assert_eq!(best_moves(&screen.take()), 1);
}

#[test]
fn lines_of_different_threads_do_not_mix() {
    let (mut session, screen, _) = test_session();
    for _ in 0..300 {
        session.execute("go infinite");
        session.execute("isready");
    }
    session.execute("stop");
    let lines = screen.take();
    assert_eq!(best_moves(&lines), 300);
    let is_whole = |line: &String| {
        line == "readyok" || line.starts_with("bestmove ") || line.starts_with("info depth 1 ")
    };
    assert!(lines.iter().all(is_whole));
}

/// Without a reader the session ends instead of continuing a search or perft.
#[test]
fn a_closed_output_ends_the_session() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut session = Session::with_engine(Uci, Closed, hooks(), TestEngine::default());
    assert_eq!(session.execute("isready"), Flow::Quit);
    let mut session = Session::with_engine(Uci, Closed, hooks(), TestEngine::default());
    session.run(&b"go movetime 100000\n"[..]).expect("input and output work");
    let mut session = Session::with_engine(Uci, Closed, hooks(), TestEngine::default());
    session.run(&b"go perft 7\n"[..]).expect("input and output work");
}

#[test]
fn wdl_follows_the_option() {
    let (mut session, screen, _): (_, Screen, _) = test_session();
    session.execute("go depth 1");
    screen.wait_for("bestmove");
    assert!(!screen.take().join("\n").contains("wdl"));
    session.execute("setoption name UCI_ShowWDL value true");
    session.execute("go depth 1");
    screen.wait_for("bestmove");
    assert!(screen.take().join("\n").contains("score cp 100 wdl 100 850 50 nodes 20 "));
}

#[test]
fn castling_follows_the_option() {
    let (mut session, screen, _) = test_session();
    for (is_chess960, spelling) in [("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")] {
        session.execute(&format!("setoption name UCI_Chess960 value {is_chess960}"));
        session.execute("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        for written in ["e1g1", "e1h1"] {
            session.execute(&format!("go infinite searchmoves {written}"));
            session.execute("stop");
            let lines = screen.take();
            assert!(lines[0].ends_with(&format!(" pv {spelling}")), "{lines:?}");
            assert!(lines[1].starts_with(&format!("bestmove {spelling} ")), "{lines:?}");
        }
    }
}

/// An output that fails with this error, or an input.
struct Failing(io::ErrorKind);

impl io::Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
}

#[test]
fn a_full_output_and_an_unreadable_input_are_errors() {
    let full = || Failing(io::ErrorKind::StorageFull);
    let mut session = Session::with_engine(Uci, full(), hooks(), TestEngine::default());
    let ended = session.run(&b"isready\n"[..]);
    assert!(matches!(ended, Err(SessionError::Output(_))), "{ended:?}");
    assert_eq!(session.failure(), ended.err());
    let mut session = Session::with_engine(Uci, Screen::default(), hooks(), TestEngine::default());
    let ended = session.run(io::BufReader::new(Failing(io::ErrorKind::IsADirectory)));
    assert!(matches!(ended, Err(SessionError::Input(_))), "{ended:?}");
    assert_eq!(session.failure(), None);
}

/// The input is open and nothing is written: only the watch tells that the reader has gone.
#[test]
fn the_watch_ends_a_session_whose_reader_has_gone() {
    for lines in ["", "go infinite\n", "go perft 9\n"] {
        let (input, mut sender) = io::pipe().expect("the system has pipes");
        let (gone, is_gone) = std::sync::mpsc::channel();
        let session = std::thread::spawn(move || {
            let mut session = Session::with_engine(Uci, Screen::default(), hooks(), TestEngine::default());
            session.watch_output(move || is_gone.recv().is_ok());
            session.run(io::BufReader::new(input))
        });
        io::Write::write_all(&mut sender, lines.as_bytes()).expect("the session reads");
        std::thread::sleep(Duration::from_millis(50));
        assert!(!session.is_finished(), "{lines:?}");
        gone.send(()).expect("the watch waits");
        assert_eq!(session.join().expect("the session does not panic"), Ok(()), "{lines:?}");
        drop(sender);
    }
}
