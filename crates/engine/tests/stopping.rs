//! Stop latency: the time from `stop` to the best move, for every search, at random moments.
//!
//! On a loaded machine most of it is the time for which no thread of the search is scheduled. So the processor time of the
//! busiest thread is measured, too, where the system tells it: on an idle machine that is the latency.
//! `cargo test -p rukh-engine --test stopping -- --nocapture` prints the distributions.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use rukh_chess::random::SplitMix64;
use rukh_engine::Engine;
use rukh_engine::api::{Algorithm, Event, Limits, Request, Settings};

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];
/// Stops of each position.
const STOPS: usize = 10;

/// The times from a `stop` to the best move.
#[derive(Clone, Copy)]
struct Latency {
    elapsed: Duration,
    /// Processor time of the busiest thread meanwhile; the elapsed time where it is unknown.
    busy: Duration,
}

/// The processor time of each thread of this process, as Linux tells it.
fn processor_times() -> HashMap<OsString, Duration> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let time = |thread: fs::DirEntry| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
        Some((thread.file_name(), Duration::from_nanos(nanoseconds)))
    };
    threads.filter_map(time).collect()
}

/// Stops a search of each position some times, each after up to 30 ms.
fn latencies(algorithm: Algorithm, threads: usize) -> Vec<Latency> {
    let mut engine = Engine::new();
    engine.set(Settings { algorithm, threads, ..Settings::default() });
    let mut random = SplitMix64::new(31);
    let mut found = Vec::new();
    for fen in POSITIONS {
        for _ in 0..STOPS {
            let limits = Limits { is_infinite: true, ..Limits::default() };
            let request = Request::from_position(fen.parse().expect("it is valid"), limits);
            let (sender, events) = channel();
            let listener = move |event: Event| drop(sender.send((event, Instant::now())));
            engine.start(request, Arc::new(listener));
            std::thread::sleep(Duration::from_micros(random.below(30_000)));
            let before = processor_times();
            let stopped = Instant::now();
            engine.stop();
            let after = processor_times();
            let (last, at) = events.try_iter().last().expect("a search ends with its move");
            assert!(matches!(last, Event::Done { best: Some(_), .. }), "{fen}");
            let elapsed = at.saturating_duration_since(stopped);
            let spent =
                after.iter().filter_map(|(thread, time)| Some(time.saturating_sub(*before.get(thread)?)));
            found.push(Latency { elapsed, busy: spent.max().unwrap_or(elapsed) });
        }
    }
    found
}

/// The median, the value that 90% do not exceed, and the greatest.
fn distribution(mut times: Vec<Duration>) -> [Duration; 3] {
    times.sort();
    [50, 90, 100].map(|percent| times[(times.len() - 1) * percent / 100])
}

/// Ten milliseconds of processor time. Tests share their machine, so the elapsed time is held to two seconds only.
#[test]
fn every_search_stops_at_once() {
    for algorithm in Algorithm::ALL {
        for threads in [1, 2] {
            let found = latencies(algorithm, threads);
            let busy = distribution(found.iter().map(|latency| latency.busy).collect());
            let elapsed = distribution(found.iter().map(|latency| latency.elapsed).collect());
            println!(
                "{algorithm}, {threads} threads, {} stops: median, 90% and greatest: {busy:?} busy, {elapsed:?} elapsed",
                found.len(),
            );
            let is_known = !processor_times().is_empty();
            assert!(
                !is_known || busy[1] < Duration::from_millis(10),
                "{algorithm}, {threads} threads: {busy:?}"
            );
            assert!(elapsed[2] < Duration::from_secs(2), "{algorithm}, {threads} threads: {elapsed:?}");
        }
    }
}
