//! Engines that break every rule: each game gets the right result and reason, the match goes on, and no process is left.
//!
//! This program is both: started with the word `fake` it is the engine of that kind, otherwise it is the tests.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::random::SplitMix64;
use rukh_lab::arena::{
    Adjudication, Book, Control, Entrant, FaultKind, Finished, Format, Journal, Match, Protocol, Schedule,
    Standings,
};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [word, kind, pids] = args.as_slice()
        && word == "fake"
    {
        fake(kind, Path::new(pids));
        return ExitCode::SUCCESS;
    }
    let tests: [(&str, fn()); 9] = [
        ("who_ponders_is_stopped_or_told_of_a_hit", who_ponders_is_stopped_or_told_of_a_hit),
        ("two_honest_engines_play_to_the_end", two_honest_engines_play_to_the_end),
        ("every_fault_is_named_and_the_match_goes_on", every_fault_is_named_and_the_match_goes_on),
        ("a_flood_of_lines_does_no_harm", a_flood_of_lines_does_no_harm),
        ("who_cannot_play_is_known_before", who_cannot_play_is_known_before),
        ("what_is_no_engine_is_known_soon", what_is_no_engine_is_known_soon),
        ("the_same_engines_play_the_same_games", the_same_engines_play_the_same_games),
        ("a_match_goes_on_where_it_was_broken_off", a_match_goes_on_where_it_was_broken_off),
        ("a_match_ends_at_once_when_it_is_told_to", a_match_ends_at_once_when_it_is_told_to),
    ];
    let is_wanted = |name: &str| args.iter().all(|arg| arg.starts_with('-') || name.contains(arg.as_str()));
    // Most of the time engines are waited for, so all run at once. A panic of one of them is passed on.
    thread::scope(|scope| {
        for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
            scope.spawn(move || {
                test();
                println!("test {name} ... ok");
            });
        }
    });
    ExitCode::SUCCESS
}

/// An engine that does what its kind says. It leaves its number in the folder `pids`, so that it can be looked for.
fn fake(kind: &str, pids: &Path) {
    let _ = std::fs::write(pids.join(std::process::id().to_string()), kind);
    if kind == "dead" {
        return;
    }
    if kind == "babble" {
        let lines = "all work and no play makes Jack a dull boy\n".repeat(1_000);
        loop {
            say(&lines);
        }
    }
    let mut random = SplitMix64::new(kind.len() as u64);
    let mut position = Position::default();
    let mut searches = 0;
    let mut is_pondering = false;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") if kind == "mute" => {}
            // Between its first words and the last ones an engine may load what it needs.
            Some("uci") if kind == "sleepy" => {
                say("id name Fake\n");
                thread::sleep(Duration::from_secs(6));
                say("option name Hash type spin default 1 min 1 max 2\nuciok\n");
            }
            Some("uci") => {
                // More options than lines may wait.
                let options: String =
                    (0..300).map(|at| format!("option name Tune {at} type check\n")).collect();
                say(&format!(
                    "id name Fake\n{options}option name Hash type spin default 1 min 1 max 2\nuciok\n"
                ));
            }
            Some("isready") => say("readyok\n"),
            Some("ucinewgame") if kind == "leaves" => return,
            Some("position") => position = read_position(&words),
            Some("go") if words.get(1) == Some(&"ponder") => is_pondering = true,
            // A ponderer answers when it is told that it foresaw the move, or to stop; otherwise as everyone.
            Some("go" | "ponderhit" | "stop") => {
                if words[0] != "go" && !std::mem::take(&mut is_pondering) {
                    continue;
                }
                searches += 1;
                let legal = position.legal_moves();
                let mv = legal[random.next() as usize % legal.len()];
                let best = format!("bestmove {}\n", position.uci(mv, CastlingNotation::KingTarget));
                match kind {
                    "silent" => {}
                    "ponderer" => {
                        let reply = position.after(mv).legal_moves().first().copied();
                        let reply =
                            reply.map(|reply| position.after(mv).uci(reply, CastlingNotation::KingTarget));
                        let reply = reply.map_or_else(String::new, |reply| format!(" ponder {reply}"));
                        say(&format!("{}{reply}\n", best.trim_end()));
                    }
                    "mortal" if searches == 3 => return,
                    "illegal" => say("bestmove e2e5\n"),
                    "promoter" => say("bestmove e7e8k\n"),
                    "nothing" => say("bestmove (none)\n"),
                    "breathless" => say(best.trim_end()),
                    "garbage" => say("\u{fffd}\0\0info depth score cp\nbestmove\n"),
                    "flood" if searches == 1 => flood(&best),
                    "slow" => {
                        thread::sleep(Duration::from_secs(3));
                        say(&best);
                    }
                    _ => say(&format!("info depth 3 score cp 10 nodes 99\n{best}")),
                }
            }
            Some("quit") if kind != "stubborn" => return,
            _ => {}
        }
    }
    if kind == "stubborn" {
        thread::sleep(Duration::from_secs(3_600));
    }
}

/// Where nobody listens any more there is nothing to do about it.
fn say(text: &str) {
    let mut out = io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A hundred mebibytes, and then the move.
fn flood(best: &str) {
    let lines = "info depth 7 score cp 13 nodes 1000 pv e2e4 e7e5 and so on and so on\n".repeat(1_000);
    for _ in 0..(100 << 20) / lines.len() {
        say(&lines);
    }
    say(best);
}

fn read_position(words: &[&str]) -> Position {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position: Position = words[2..moves].join(" ").parse().expect("the arena sends what is right");
    for text in words.iter().skip(moves + 1) {
        position = position.after(position.parse_uci(text).expect("the arena sends what is right"));
    }
    position
}

/// A folder that is taken away in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rukh-torture-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room");
        Self(path)
    }

    /// Engines of these kinds play each other, so many games, so many at once.
    fn setup(&self, kinds: &[&str], games: usize, concurrency: usize) -> Match {
        let entrant = |(at, kind): (usize, &&str)| Entrant {
            name: format!("{kind} {at}"),
            command: std::env::current_exe().expect("this program is somewhere"),
            args: vec!["fake".to_owned(), (*kind).to_owned(), self.0.to_string_lossy().into_owned()],
            directory: None,
            protocol: Protocol::Uci,
            options: vec![("Hash".to_owned(), "1".to_owned())],
            control: Control { nodes: Some(100), ..Control::default() },
            ponders: false,
        };
        Match {
            event: "Torture".to_owned(),
            entrants: kinds.iter().enumerate().map(entrant).collect(),
            schedule: Schedule::new(Format::RoundRobin, kinds.len(), games),
            book: Book::from_epd(
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                 rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n",
            )
            .expect("it is a book"),
            adjudication: Adjudication { max_moves: Some(40), ..Adjudication::default() },
            patience: Duration::from_millis(1_500),
            concurrency,
        }
    }

    /// No engine that was ever started still runs.
    fn assert_nobody_left(&self) {
        for entry in std::fs::read_dir(&self.0).expect("it is there").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Ok(pid) = name.parse::<u32>() {
                assert!(!Path::new("/proc").join(pid.to_string()).exists(), "engine {pid} is left");
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// All games of a match in their order.
fn played(of: &Match) -> Vec<Finished> {
    let mut games = Vec::new();
    of.run(&HashSet::new(), &AtomicBool::new(false), |game| {
        games.push(game);
        ControlFlow::Continue(())
    })
    .expect("a thread is given");
    games.sort_by_key(|game| game.result.fixture.index);
    games
}

/// The moves of a game, without what depends on the hour.
fn moves(pgn: &str) -> Vec<String> {
    let movetext = pgn.split_once("\n\n").map_or("", |(_, moves)| moves);
    movetext.split_whitespace().filter(|word| !word.contains("s}")).map(str::to_owned).collect()
}

fn two_honest_engines_play_to_the_end() {
    let scratch = Scratch::new("honest");
    let of = scratch.setup(&["honest", "truthful"], 6, 2);
    let games = played(&of);
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game.result.fault.is_none()), "{games:?}");
    let mut standings = Standings::new(&of.schedule, 2);
    games.iter().for_each(|game| standings.add(&game.result));
    assert_eq!(standings.encounters()[0].pairs.count(), 3);
    assert!(standings.conducts().iter().all(|conduct| conduct.effort.nodes > 0));
    assert!(
        games[0].pgn.contains("[White \"honest 0\"]") && games[0].pgn.contains("+0.10/3"),
        "{}",
        games[0].pgn
    );
    scratch.assert_nobody_left();
}

/// The ponderer answers nothing but what the protocol says: a wrong word would leave it silent, and the game lost on time.
fn who_ponders_is_stopped_or_told_of_a_hit() {
    let scratch = Scratch::new("ponder");
    let mut of = scratch.setup(&["ponderer", "ponderer"], 6, 2);
    of.entrants.iter_mut().for_each(|entrant| entrant.ponders = true);
    let games = played(&of);
    assert!(games.iter().all(|game| game.result.fault.is_none()), "{games:?}");
    assert_eq!(games.len(), 6);
    scratch.assert_nobody_left();
}

fn every_fault_is_named_and_the_match_goes_on() {
    let faults = [
        ("silent", FaultKind::Time, "loses on time"),
        ("breathless", FaultKind::Time, "loses on time"),
        ("slow", FaultKind::Time, "loses on time"),
        ("dead", FaultKind::Crash, "crashes"),
        ("mortal", FaultKind::Crash, "crashes"),
        ("leaves", FaultKind::Crash, "crashes"),
        ("illegal", FaultKind::Illegal, "illegal move: \"e2e5\""),
        ("promoter", FaultKind::Illegal, "illegal move: \"e7e8k\""),
        ("nothing", FaultKind::Illegal, "illegal move: \"(none)\""),
        ("garbage", FaultKind::Illegal, "illegal move: \"\""),
    ];
    let play = |kind: &str, fault: FaultKind, reason: &str| {
        let scratch = Scratch::new(kind);
        let of = scratch.setup(&["honest", kind], 4, 2);
        let games = played(&of);
        assert_eq!(games.len(), 4, "{kind}");
        let mut standings = Standings::new(&of.schedule, 2);
        for game in &games {
            let (side, found) =
                game.result.fault.unwrap_or_else(|| panic!("{kind} breaks down: {}", game.reason));
            assert_eq!(game.result.fixture.players[side], 1, "{kind} is to blame: {}", game.reason);
            assert_eq!(found, fault, "{kind}: {}", game.reason);
            assert!(game.reason.contains(reason), "{kind}: {}", game.reason);
            assert!(game.pgn.contains("[Termination \""), "{kind}: {}", game.pgn);
            standings.add(&game.result);
        }
        assert_eq!(standings.encounters()[0].tally.wins, 4, "{kind} loses all games");
        scratch.assert_nobody_left();
    };
    thread::scope(|scope| {
        for (kind, fault, reason) in faults {
            scope.spawn(move || play(kind, fault, reason));
        }
    });
}

fn a_flood_of_lines_does_no_harm() {
    let scratch = Scratch::new("flood");
    let mut of = scratch.setup(&["honest", "flood"], 2, 2);
    of.patience = Duration::from_secs(30);
    assert!(played(&of).iter().all(|game| game.result.fault.is_none()));
    scratch.assert_nobody_left();
    let scratch = Scratch::new("stubborn");
    let games = played(&scratch.setup(&["honest", "stubborn"], 2, 1));
    assert!(games.iter().all(|game| game.result.fault.is_none()), "it only does not want to go");
    scratch.assert_nobody_left();
}

fn who_cannot_play_is_known_before() {
    let scratch = Scratch::new("before");
    assert_eq!(scratch.setup(&["honest", "slow"], 2, 1).check_engines(), Ok(()));
    for kind in ["dead", "leaves"] {
        let unfit = scratch.setup(&["honest", kind], 2, 1).check_engines().expect_err(kind);
        assert!(unfit.to_string().contains(kind), "{unfit}");
    }
    let mut missing = scratch.setup(&["honest", "honest"], 2, 1);
    missing.entrants[1].command = scratch.0.join("nothing-here");
    assert!(missing.check_engines().expect_err("it is not there").to_string().contains("cannot be started"));
    let mut strange = scratch.setup(&["honest", "honest"], 2, 1);
    strange.entrants[0].options.push(("Colour".to_owned(), "blue".to_owned()));
    assert!(strange.check_engines().expect_err("no such option").to_string().contains("\"Colour\""));
    scratch.assert_nobody_left();
}

/// A program that never answers is given up after a few seconds, one that only writes at once; a slow engine is waited for.
fn what_is_no_engine_is_known_soon() {
    let scratch = Scratch::new("handshake");
    let unfit = |kind: &str, protocol: Protocol| {
        let start = Instant::now();
        let mut of = scratch.setup(&[kind, "honest"], 2, 1);
        of.entrants[0].protocol = protocol;
        if protocol == Protocol::Xboard {
            of.entrants[0].control = Control { depth: Some(1), ..Control::default() };
        }
        (of.check_engines().map_err(|unfit| unfit.to_string()), start.elapsed())
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let (answer, taken) = unfit("mute", Protocol::Uci);
            assert!(answer.expect_err("it is mute").contains("does not answer"));
            assert!(taken < Duration::from_secs(18), "{taken:?}");
        });
        scope.spawn(|| assert_eq!(unfit("sleepy", Protocol::Uci).0, Ok(())));
        for protocol in [Protocol::Uci, Protocol::Xboard] {
            // On a busy machine one of them may be late.
            let tries = [(); 3].map(|()| unfit("babble", protocol));
            assert!(tries.iter().all(|(answer, _)| {
                answer.as_ref().is_err_and(|sentence| sentence.contains("writes without end"))
            }));
            assert!(tries.iter().any(|(_, taken)| *taken < Duration::from_secs(2)), "{tries:?}");
        }
    });
    scratch.assert_nobody_left();
}

/// The fakes draw random numbers from their start on: while one worker plays in order, everything repeats.
fn the_same_engines_play_the_same_games() {
    let scratch = Scratch::new("same");
    let games = || {
        let of = scratch.setup(&["honest", "truthful"], 4, 1);
        played(&of).iter().map(|game| moves(&game.pgn)).collect::<Vec<_>>()
    };
    assert_eq!(games(), games());
}

fn a_match_goes_on_where_it_was_broken_off() {
    let scratch = Scratch::new("resume");
    let state = scratch.0.join("state");
    let of = scratch.setup(&["honest", "truthful", "faithful"], 4, 2);
    let mut seen = 0;
    let mut play = |most: usize| {
        let (mut journal, over) = Journal::open(&state, &of).expect("it can be opened");
        let done: HashSet<usize> = over.iter().map(|(result, _)| result.fixture.index).collect();
        assert_eq!(done.len(), seen, "all that was finished is known");
        let mut here = 0;
        of.run(&done, &AtomicBool::new(false), |game| {
            assert!(!done.contains(&game.result.fixture.index));
            journal.add(&game).expect("there is room");
            here += 1;
            if here == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .expect("a thread is given");
        seen += here;
        seen
    };
    assert_eq!(play(5), 5);
    // The next line was being written when the lights went out.
    let mut text = std::fs::read(&state).expect("it is there");
    text.extend_from_slice(b"{\"game\": 7, \"resu");
    std::fs::write(&state, text).expect("there is room");
    assert_eq!(play(3), 8);
    assert_eq!(play(usize::MAX), of.schedule.len());
    let other = scratch.setup(&["honest", "truthful"], 4, 2);
    assert!(
        Journal::open(&state, &other)
            .expect_err("it is another match")
            .to_string()
            .contains("a different run: encounters is ")
    );
    let (_journal, _) = Journal::open(&state, &of).expect("it can be opened");
    assert!(Journal::open(&state, &of).expect_err("it is in use").to_string().contains("using it"));
    scratch.assert_nobody_left();
}

fn a_match_ends_at_once_when_it_is_told_to() {
    let scratch = Scratch::new("stop");
    let mut of = scratch.setup(&["silent", "honest"], 100, 2);
    of.patience = Duration::from_secs(2);
    let is_over = AtomicBool::new(false);
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            is_over.store(true, Ordering::Relaxed);
        });
        of.run(&HashSet::new(), &is_over, |_| ControlFlow::Continue(())).expect("a thread is given");
    });
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    scratch.assert_nobody_left();
}
