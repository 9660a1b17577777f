//! Robustness: no input ends a session: random lines, mutated lines, bytes that are not text.

use crate::common::{Screen, TestEngine, hooks, talk, test_session};
use rukh_chess::random::SplitMix64;
use rukh_protocol::{Flow, Session, Uci};

/// Valid lines to mutate. None of them, mutated or not, may write a file, allocate much memory or run perft for long.
const LINES: [&str; 34] = [
    "uci",
    "isready",
    "debug on",
    "debug off",
    "register later",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "bench 3",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "go infinite",
    "go depth 2",
    "go ponder wtime 50 btime 60 winc 1 binc 2",
    "go wtime 50",
    "go movestogo 3 btime 60 searchmoves e2e4 d2d4",
    "go nodes 500 mate 2 movetime 5",
    "go perft 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 20",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name Contempt value -20",
    "setoption name Clear Hash",
];

const STRANGE: [&str; 10] =
    ["\0", "\u{fffd}", "ü", "-", "99999999999999999999", "value", "moves", "\t", "🦀", "e2e4"];

fn pick<'a>(random: &mut SplitMix64, from: &[&'a str]) -> &'a str {
    from[random.below(from.len() as u64) as usize]
}

/// A line with words dropped, doubled, swapped or replaced, and letters changed.
fn mutated(random: &mut SplitMix64) -> String {
    let mut words = pick(random, &LINES).split(' ').map(str::to_owned).collect::<Vec<_>>();
    for _ in 0..random.below(4) {
        let (i, j) = (random.below(words.len() as u64) as usize, random.below(words.len() as u64) as usize);
        match random.below(6) {
            0 if words.len() > 1 => drop(words.remove(i)),
            1 => words.insert(j, words[i].clone()),
            2 => words.swap(i, j),
            3 => words[i] = pick(random, &STRANGE).to_owned(),
            4 => {
                let other = pick(random, &LINES).split(' ').collect::<Vec<_>>();
                words[i] = pick(random, &other).to_owned();
            }
            _ => {
                let mut letters = words[i].chars().collect::<Vec<_>>();
                if !letters.is_empty() {
                    let at = random.below(letters.len() as u64) as usize;
                    letters[at] = char::from(random.below(128) as u8);
                }
                words[i] = letters.into_iter().collect();
            }
        }
    }
    words.join(" ")
}

fn noise(random: &mut SplitMix64) -> String {
    (0..random.below(60)).map(|_| char::from_u32(random.below(0x300) as u32).unwrap_or(' ')).collect()
}

/// Whether a line does nothing a test must not do: end the session, write files, take much memory or time.
fn is_harmless(line: &str) -> bool {
    let words = line.split_whitespace().collect::<Vec<_>>();
    let has_large_number =
        words.iter().any(|word| word.trim_matches(|c: char| !c.is_ascii_digit()).len() > 1);
    let is_long_perft =
        words.contains(&"perft") && words.iter().any(|word| word.parse::<u32>().is_ok_and(|n| n > 3));
    let lower = line.to_lowercase();
    let takes_much =
        lower.contains("setoption") && (lower.contains(" hash value") || lower.contains("threads"));
    let is_harmful =
        words.contains(&"quit") || lower.contains("log") || is_long_perft || (takes_much && has_large_number);
    !is_harmful
}

fn lines(seed: u64, count: usize) -> Vec<String> {
    let mut random = SplitMix64::new(seed);
    let all = std::iter::from_fn(|| {
        Some(if random.below(8) == 0 { noise(&mut random) } else { mutated(&mut random) })
    });
    all.filter(|line| is_harmless(line)).take(count).collect()
}

/// Executes the lines; the session must still reply, and every `go` must have had its best move.
fn feed(mut session: Session, screen: &Screen, lines: &[String], requests: impl Fn() -> Option<usize>) {
    for line in lines {
        assert_eq!(session.execute(line), Flow::Continue, "{line:?}");
    }
    session.run(&b"isready\nquit\n"[..]).expect("input and output work");
    drop(session);
    let output = screen.take();
    let last_ready =
        output.iter().rposition(|line| line == "readyok").expect("the session replies at the end");
    assert!(output.len() - last_ready <= 1200, "only the end of a search or of perft comes after it");
    let best_moves = output.iter().filter(|line| line.starts_with("bestmove ")).count();
    if let Some(requests) = requests() {
        assert_eq!(best_moves, requests);
    }
    assert!(output.iter().all(|line| !line.contains('\0')));
}

#[test]
fn random_lines_do_not_break_a_session_with_a_test_engine() {
    for seed in 0..4 {
        let (session, screen, calls) = test_session();
        feed(session, &screen, &lines(seed, 3000), || Some(calls.lock().unwrap().requests.len()));
    }
}

#[test]
fn random_lines_do_not_break_a_session_with_the_real_engine() {
    let screen = Screen::default();
    let session = Session::new(Uci, screen.clone(), hooks());
    feed(session, &screen, &lines(100, 3000), || None);
}

#[test]
fn random_lines_do_not_break_an_xboard_session() {
    let words = [
        "new",
        "force",
        "go",
        "usermove e2e4",
        "e7e5",
        "undo",
        "remove",
        "analyze",
        "exit",
        ".",
        "?",
        "draw",
        "hint",
        "bk",
        "hard",
        "easy",
        "post",
        "nopost",
        "pause",
        "resume",
        "result 1-0",
        "edit",
        "#",
        "Pa2",
        "c",
        "setboard x",
        "level 1 1 1",
        "level -1 x y",
        "st 1e300",
        "sd 99999999999",
        "nps 5",
        "time -5",
        "otim 99999999999999999999",
        "ping 4294967296",
        "exclude all",
        "include best",
        "memory x",
        "cores 2",
        "egtpath syzygy ",
        "option",
        "option =",
        "option A=B=C",
        "variant normal",
        "protover 2",
        "playother",
        "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "\u{0}\u{7f}",
        "é",
        "",
    ];
    let mut random = SplitMix64::new(9);
    for _ in 0..20 {
        let (mut session, screen, _) = test_session();
        session.execute("xboard");
        for _ in 0..400 {
            let line = words[random.below(words.len() as u64) as usize];
            assert_eq!(session.execute(line), Flow::Continue, "{line:?}");
        }
        session.execute(".");
        session.execute("force");
        screen.clear();
        session.run(&b"ping 77\nquit\n"[..]).expect("input and output work");
        assert_eq!(screen.take(), ["pong 77"]);
    }
}

#[test]
fn random_bytes_do_not_break_a_session() {
    let mut random = SplitMix64::new(5);
    for _ in 0..200 {
        let mut bytes = (0..random.below(2000)).map(|_| random.next() as u8).collect::<Vec<_>>();
        bytes.extend(b"\nisready\n");
        let screen = Screen::default();
        Session::with_engine(Uci, screen.clone(), hooks(), TestEngine::default())
            .run(std::io::Cursor::new(bytes))
            .expect("input and output work");
        assert_eq!(screen.take().last().unwrap(), "readyok");
    }
}

#[test]
fn lines_of_a_megabyte_are_accepted() {
    let million = 1 << 20;
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(million / 200);
    for line in [
        "x".repeat(million),
        "x ".repeat(million / 2),
        "\0".repeat(million),
        "ü".repeat(million / 2),
        format!("go {}", "depth ".repeat(million / 6)),
        format!("go searchmoves {}", "e2e4 ".repeat(million / 50)),
        format!("position fen {}", "8/".repeat(million / 2)),
        format!("position startpos moves {}", "e2e4 ".repeat(million / 5)),
        format!("position startpos moves{shuffle}"),
        format!("setoption name {} value 3", "Hash ".repeat(million / 5)),
        format!("setoption name Hash value {}", "3".repeat(million)),
        format!("bench {}", "1 ".repeat(million / 2)),
    ] {
        let output = talk(&format!("{line}\nstop\nisready\n"));
        assert!(output.contains(&"readyok".to_owned()), "{}", &line[..30]);
        assert!(output.iter().filter(|line| line.starts_with("info")).all(|line| line.len() < 1000));
    }
    assert!(talk(&"x".repeat(9 << 20))[0].contains("too long"));
}

#[test]
fn a_panic_in_a_hook_does_not_end_the_session() {
    let mut hooks = hooks();
    hooks.bench = |_, _, _| panic!("this panic belongs to the test");
    let screen = Screen::default();
    let mut session = Session::new(Uci, screen.clone(), hooks);
    session.run(&b"bench\nisready\nbench\nisready\n"[..]).expect("input and output work");
    assert_eq!(screen.take(), ["readyok", "readyok"]);
}
