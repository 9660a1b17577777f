//! Time, parallel search, Monte Carlo tree search, protocols, architecture.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use rukh_chess::game::Game;
use rukh_chess::{Color, Position};
use rukh_engine::teaching::parallel::{all_at_once, young_brothers_wait};
use rukh_engine::teaching::uct::uct_with;
use rukh_eval::{Evaluator, Material, Score};

use super::common::{KIWIPETE, is_near, position};

#[test]
fn time_1_a_fortieth_of_what_is_left() {
    let left = (39.0_f64 / 40.0).powi(40);
    assert!(is_near(left, 0.363, 0.001), "{left}");
    // With an increment the time for a move converges to it.
    let (mut clock, increment) = (100.0, 1.0);
    for _ in 0..1_000 {
        clock += increment - clock / 40.0;
    }
    assert!(is_near(clock / 40.0, increment, 1e-6));
}

/// The time that is used and the time of finished iterations, which take 1, 2, 4, ... milliseconds. A new iteration begins
/// before `soft`; at `hard` everything stops.
fn spent(soft: f64, hard: f64) -> (f64, f64) {
    let (mut time, mut iteration) = (0.0, 1.0);
    while time < soft {
        if time + iteration > hard {
            return (hard, time);
        }
        time += iteration;
        iteration *= 2.0;
    }
    (time, time)
}

#[test]
fn time_2_a_hard_limit_lets_iterations_finish() {
    let wasted = |factor: f64| {
        let runs: Vec<(f64, f64)> =
            (100..2_000).map(|soft| spent(f64::from(soft), factor * f64::from(soft))).collect();
        let used: f64 = runs.iter().map(|run| run.0).sum();
        let finished: f64 = runs.iter().map(|run| run.1).sum();
        1.0 - finished / used
    };
    assert!(wasted(1.0) > 0.2, "with one limit much of the time is thrown away: {}", wasted(1.0));
    assert!(wasted(3.0) < 0.01, "with a hard limit of three times the soft one nothing: {}", wasted(3.0));
}

#[test]
fn parallel_1_the_law_of_amdahl() {
    let speed_up = |sequential: f64, cores: f64| 1.0 / (sequential + (1.0 - sequential) / cores);
    assert!(is_near(speed_up(0.1, 16.0), 6.4, 0.01));
    assert!(speed_up(0.1, 1e9) < 10.0 + 1e-6, "never more than ten");
}

#[test]
fn parallel_2_brothers_who_wait_search_less() {
    let (start, open) = (position(KIWIPETE), (Score::MIN, Score::MAX));
    let one = young_brothers_wait(&start, 0, 3, open, 1);
    let (all, waiting) = (all_at_once(&start, 3, 2), young_brothers_wait(&start, 0, 3, open, 2));
    assert!(one.value == all.value && one.value == waiting.value);
    assert!(2 * all.leaves > 3 * one.leaves && waiting.leaves < all.leaves, "{one:?}, {all:?}, {waiting:?}");
}

#[test]
fn mcts_1_visits_of_a_bad_move() {
    // Two arms with constant results, chosen by their upper confidence bound.
    let means = [0.6, 0.3];
    let mut visits = [1.0_f64, 1.0];
    while visits[0] + visits[1] < 10_000.0 {
        let log = (visits[0] + visits[1]).ln();
        let bound = |arm: usize| means[arm] + 0.7 * (log / visits[arm]).sqrt();
        let best = usize::from(bound(1) > bound(0));
        visits[best] += 1.0;
    }
    assert!(is_near(visits[1], 44.0, 3.0), "{visits:?}");
}

#[test]
fn mcts_2_leaves_that_are_evaluated_at_once() {
    // The pawn on d5 is protected.
    let start = position("4k3/8/2p5/3p4/8/3Q4/8/4K3 w - - 0 1");
    let capture = start.parse_san("Qxd5").expect("it is legal");
    let mean = |plies: usize, playouts: u32| {
        let visited = uct_with(&start, playouts, 1, plies);
        visited.iter().find(|found| found.mv == capture).expect("every move is tried").mean
    };
    // The first visit sees a pawn won, later ones the queen lost.
    assert!(mean(0, 40) > 0.9, "{}", mean(0, 40));
    assert!(mean(0, 2_000) < 0.7, "{}", mean(0, 2_000));
    assert_ne!(uct_with(&start, 2_000, 1, 0)[0].mv, capture, "it is not the most visited move any more");
}

/// The engine as a process.
struct Uci {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Uci {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rukh"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, output }
    }

    fn send(&mut self, lines: &[&str]) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        lines.iter().for_each(|line| writeln!(input, "{line}").expect("it is open"));
        input.flush().expect("it is open");
    }

    /// The lines up to the first one that begins with `word`.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it is text") > 0, "the engine has ended");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(word) {
                return lines;
            }
        }
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        self.send(&["quit"]);
        self.child.wait().expect("it ends");
    }
}

#[test]
fn protocols_1_isready_is_answered_during_a_search() {
    let mut engine = Uci::start();
    engine.send(&["uci", "position startpos", "go infinite", "isready"]);
    let before = engine.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")), "the search is still running");
    engine.send(&["stop"]);
    engine.until("bestmove");
    // The option is in effect when the answer comes.
    engine.send(&["setoption name Hash value 32", "isready"]);
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

#[test]
fn protocols_2_pondering_with_and_without_the_expected_move() {
    let mut engine = Uci::start();
    let ponder = ["position startpos moves e2e4 e7e5 g1f3", "go ponder wtime 1000 btime 1000"];
    engine.send(&["uci", "setoption name Ponder value true"]);
    engine.send(&ponder);
    engine.send(&["ponderhit"]);
    assert_eq!(engine.until("bestmove").iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    engine.send(&ponder);
    engine.send(&["stop"]);
    engine.until("bestmove");
    engine.send(&["position startpos moves e2e4 e7e5 b1c3", "go wtime 1000 btime 1000"]);
    let answer = engine.until("bestmove").pop().expect("there is an answer");
    let mv = answer.split(' ').nth(1).expect("it has a move").to_owned();
    let after = ["e2e4", "e7e5", "b1c3"].iter().fold(Position::default(), |position, mv| {
        position.after(position.parse_uci(mv).expect("the moves are legal"))
    });
    assert!(after.parse_uci(&mv).is_ok(), "{mv} is an answer to 2. Nc3");
}

/// Three-check: the side that gives its third check wins. Only the rules change.
struct ThreeCheck {
    game: Game,
    checks: [u32; 2],
}

impl ThreeCheck {
    fn play(&mut self, text: &str) {
        let (mover, mv) =
            (self.game.position().side_to_move(), self.game.position().parse_san(text).expect("it is legal"));
        self.game.play(mv).expect("it is legal");
        self.checks[mover.index()] += u32::from(self.game.position().is_check());
    }

    fn winner(&self) -> Option<Color> {
        [Color::White, Color::Black].into_iter().find(|side| self.checks[side.index()] >= 3)
    }
}

#[test]
fn architecture_1_a_variant_is_a_rule_of_the_game() {
    let mut game = ThreeCheck { game: Game::new(Position::default()), checks: [0; 2] };
    for text in ["e4", "e5", "Bc4", "d6", "Bxf7+", "Kxf7", "Qh5+", "g6"] {
        game.play(text);
        assert_eq!(game.winner(), None);
    }
    game.play("Qxg6+");
    assert_eq!((game.winner(), game.game.ending()), (Some(Color::White), None), "no mate is needed");
}

/// An evaluator behind a pointer. `Evaluator` itself cannot be: `push` returns a type of its own.
trait Boxed {
    fn evaluate_boxed(&mut self, position: &Position) -> Score;
}

impl<E: Evaluator> Boxed for E {
    fn evaluate_boxed(&mut self, position: &Position) -> Score {
        self.evaluate(position)
    }
}

#[test]
fn architecture_2_a_boxed_evaluator_gives_the_same_values() {
    let mut boxed: Vec<Box<dyn Boxed>> = vec![Box::new(Material), Box::new(Material)];
    let start = position(KIWIPETE);
    for &mv in &start.legal_moves() {
        let after = start.after(mv);
        let expected = Material.evaluate(&after);
        assert!(boxed.iter_mut().all(|evaluator| evaluator.evaluate_boxed(&after) == expected));
    }
    assert_eq!((size_of::<Material>(), size_of::<Box<dyn Boxed>>()), (0, 2 * size_of::<usize>()));
}
