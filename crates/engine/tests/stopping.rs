//! Stop latency: the time from `stop` or the end of the time to the best move, for every search.
//!
//! On a loaded machine most of it is the time for which no thread of the search is scheduled. So the processor time of the
//! busiest thread is measured, too, where the system tells it: on an idle machine that is the latency.
//! `cargo test -p rukh-engine --test integration stopping -- --nocapture` prints the distributions.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
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

/// The events of a search with their times.
type Events = Receiver<(Event, Instant)>;

fn start(engine: &mut Engine, fen: &str, limits: Limits) -> Events {
    let request = Request::from_position(fen.parse().expect("it is valid"), limits);
    let (sender, events) = channel();
    let listener = move |event: Event| drop(sender.send((event, Instant::now())));
    engine.start(request, Arc::new(listener));
    events
}

/// The time from `begun` to the best move, which `end` waits for. The processor time is counted from `before`.
fn latency(
    events: &Events,
    begun: Instant,
    before: &HashMap<OsString, Duration>,
    end: impl FnOnce(),
) -> Latency {
    end();
    let after = processor_times();
    let (last, at) = events.try_iter().last().expect("a search ends with its move");
    assert!(matches!(last, Event::Done { best: Some(_), .. }));
    let elapsed = at.saturating_duration_since(begun);
    let spent = after.iter().filter_map(|(thread, time)| Some(time.saturating_sub(*before.get(thread)?)));
    Latency { elapsed, busy: spent.max().unwrap_or(elapsed) }
}

/// Stops a search of each position some times, each after up to 30 ms.
fn stop_latencies(engine: &mut Engine) -> Vec<Latency> {
    let mut random = SplitMix64::new(31);
    let mut found = Vec::new();
    for fen in POSITIONS.repeat(STOPS) {
        let events = start(engine, fen, Limits { is_infinite: true, ..Limits::default() });
        std::thread::sleep(Duration::from_micros(random.below(30_000)));
        let before = processor_times();
        found.push(latency(&events, Instant::now(), &before, || engine.stop()));
    }
    found
}

/// What is spent beyond the time given, for each position some times.
fn overshoots(engine: &mut Engine) -> Vec<Latency> {
    let overhead = engine.settings().move_overhead;
    let mut found = Vec::new();
    for (fen, given) in POSITIONS.repeat(STOPS).into_iter().zip([1, 3, 10, 20].into_iter().cycle()) {
        let given = Duration::from_millis(given);
        let (before, begun) = (processor_times(), Instant::now());
        let movetime = Some(given + overhead);
        let events = start(engine, fen, Limits { movetime, ..Limits::default() });
        let Latency { elapsed, busy } = latency(&events, begun, &before, || engine.wait());
        found.push(Latency { elapsed: elapsed.saturating_sub(given), busy: busy.saturating_sub(given) });
    }
    found
}

/// The median, the value that 90% do not exceed, and the greatest.
fn distribution(mut times: Vec<Duration>) -> [Duration; 3] {
    times.sort();
    [50, 90, 100].map(|percent| times[(times.len() - 1) * percent / 100])
}

/// Ten milliseconds of processor time. Tests share their machine, so the elapsed time is held to two seconds only.
fn ends_at_once(what: &str, latencies: impl Fn(&mut Engine) -> Vec<Latency>) {
    for algorithm in Algorithm::ALL {
        for threads in [1, 2] {
            let mut engine = Engine::new();
            engine.set(Settings { algorithm, threads, ..Settings::default() });
            let found = latencies(&mut engine);
            let busy = distribution(found.iter().map(|latency| latency.busy).collect());
            let elapsed = distribution(found.iter().map(|latency| latency.elapsed).collect());
            println!(
                "{algorithm}, {threads} threads, {} {what}: median, 90% and greatest: {busy:?} busy, {elapsed:?} elapsed",
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

/// One test: two at the same time would count each other's threads.
#[test]
fn every_search_stops_and_ends_at_once() {
    ends_at_once("stops", stop_latencies);
    ends_at_once("limits of time", overshoots);
}
