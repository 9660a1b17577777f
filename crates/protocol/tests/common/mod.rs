//! A screen that captures the output of a session, and an engine whose searches take as long as a test needs.

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_engine::api::{
    Bound, Event, LeafNetwork, LineInfo, Listener, NetworkInput, NetworkOutput, OutOfMemory, Progress,
    Request, Settings,
};
use rukh_engine::tablebase::Tablebase;
use rukh_eval::score::PAWN;
use rukh_eval::{Evaluation, PolicyNetwork, Score};
use rukh_protocol::engine_handle::EngineHandle;
use rukh_protocol::limits::has_limit;
use rukh_protocol::{Hooks, LoadedLeafNetwork, Session, Uci};

/// The replies that a [`transcript`] has received so far.
#[derive(Default)]
struct Received {
    replies: Vec<String>,
    /// The index of the reply that is altered.
    altered: Option<usize>,
}

thread_local! {
    static RECEIVED: RefCell<Received> = RefCell::default();
}

/// What a test receives: the line or, if it is to be altered, the line without its last letter.
fn receive(line: &str) -> String {
    // The timing of search output varies; no test depends on it.
    if line.starts_with("info ") && !line.starts_with("info string ") {
        return line.to_owned();
    }
    RECEIVED.with_borrow_mut(|received| {
        let is_altered = received.altered == Some(received.replies.len());
        received.replies.push(line.to_owned());
        match line {
            _ if !is_altered => line.to_owned(),
            "" => "something".to_owned(),
            _ => line[..line.len() - 1].to_owned(),
        }
    })
}

/// Runs a check of a conversation, then verifies that the check fails when any one reply is altered.
pub(crate) fn transcript(check: impl Fn()) {
    let (result, replies) = run_with(None, &check);
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    for (at, reply) in replies.iter().enumerate() {
        assert!(run_with(Some(at), &check).0.is_err(), "the transcript accepts another reply for {reply:?}");
    }
}

/// [`transcript`] with a thread for each altered reply, for conversations that mostly wait.
pub(crate) fn waiting_transcript(check: impl Fn() + Sync) {
    let (result, replies) = run_with(None, &check);
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    thread::scope(|scope| {
        let check = &check;
        let fails = |at| scope.spawn(move || run_with(Some(at), check).0.is_err());
        let fails: Vec<_> = (0..replies.len()).map(fails).collect();
        for (reply, fails) in replies.iter().zip(fails) {
            assert!(fails.join().unwrap(), "the transcript accepts another reply for {reply:?}");
        }
    });
}

/// Runs a check with this reply altered: its result, and the replies that it received.
fn run_with(altered: Option<usize>, check: impl Fn()) -> (thread::Result<()>, Vec<String>) {
    RECEIVED.set(Received { altered, ..Received::default() });
    let result = catch_unwind(AssertUnwindSafe(check));
    (result, RECEIVED.take().replies)
}

/// Captures what is written.
#[derive(Clone, Default)]
pub(crate) struct Screen(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    /// The output so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().unwrap().clone()).unwrap()
    }

    /// The lines so far; clears the screen.
    pub(crate) fn take(&self) -> Vec<String> {
        self.take_with_prefix("")
    }

    /// Clears the screen.
    pub(crate) fn clear(&self) {
        self.0.0.lock().unwrap().clear();
    }

    /// The lines so far with this prefix; clears the screen.
    fn take_with_prefix(&self, prefix: &str) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.starts_with(prefix)).map(receive).collect()
    }

    /// Waits for a line with this prefix.
    pub(crate) fn wait_for(&self, prefix: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        let mut bytes = self.0.0.lock().unwrap();
        while !String::from_utf8_lossy(&bytes).lines().any(|line| line.starts_with(prefix)) {
            assert!(Instant::now() < end, "no line starts with {prefix:?}");
            bytes = self.0.1.wait_timeout(bytes, Duration::from_millis(50)).unwrap().0;
        }
    }
}

/// A leaf network that has a name and nothing else.
#[derive(Debug)]
struct NamedNetwork(String);

impl LeafNetwork for NamedNetwork {
    fn name(&self) -> &str {
        &self.0
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn evaluate(&self, _: &[NetworkInput<'_>]) -> Vec<NetworkOutput> {
        unreachable!("the engine of these tests does not search")
    }
}

/// Hooks with recognisable output.
pub(crate) fn hooks() -> Hooks {
    Hooks {
        eval: |_, position| format!("evaluation of {position}"),
        explain: |_, game, arguments, print| {
            print(&format!("explains {arguments:?} after {} moves", game.moves().len()));
            Ok(())
        },
        bench: |_, arguments, print| match arguments.first().map(String::as_str) {
            Some("bad") => Err("bad is not a depth".to_owned()),
            _ => {
                print(&format!("arguments {arguments:?}"));
                print("12345 nodes 67890 nps");
                Ok(())
            }
        },
        openings: |_, arguments, print| {
            print(&format!("openings {arguments:?}"));
            Ok(())
        },
        leaf_network: |path, backend| match path.to_str() {
            Some("missing.rkt") => Err("missing.rkt cannot be loaded: it is not there".to_owned()),
            _ => {
                let network = Arc::new(NamedNetwork(format!("{} on {backend}", path.display())));
                let notice = (backend == "cuda").then(|| "there is no GPU".to_owned());
                Ok(LoadedLeafNetwork { network, notice })
            }
        },
    }
}

/// The output of a session with the real engine for these lines.
pub(crate) fn talk(input: &str) -> Vec<String> {
    talk_of("", input)
}

/// The lines of output with this prefix.
pub(crate) fn talk_of(prefix: &str, input: &str) -> Vec<String> {
    let screen = Screen::default();
    let mut session = Session::new(Uci, screen.clone(), hooks());
    session.run(io::Cursor::new(input.as_bytes().to_vec())).expect("input and output work");
    drop(session);
    screen.take_with_prefix(prefix)
}

/// The calls that a [`TestEngine`] has received.
#[derive(Debug, Default)]
pub(crate) struct EngineCalls {
    pub(crate) settings: Vec<Settings>,
    pub(crate) evaluations: Vec<Evaluation>,
    pub(crate) policies: Vec<Option<Arc<PolicyNetwork>>>,
    /// The names of leaf networks.
    pub(crate) leaf_networks: Vec<Option<String>>,
    /// The maximum number of pieces of each tablebase set.
    pub(crate) tablebases: Vec<Option<u32>>,
    pub(crate) hash: Vec<usize>,
    pub(crate) clears: usize,
    pub(crate) requests: Vec<Request>,
    pub(crate) ponder_hits: usize,
    /// Searches that ended without a stop.
    pub(crate) completed_searches: usize,
}

/// An engine whose limited searches take [`TestEngine::SEARCH_TIME`]; the others run until they are stopped.
#[derive(Default)]
pub(crate) struct TestEngine {
    calls: Arc<Mutex<EngineCalls>>,
    settings: Settings,
    evaluation: Evaluation,
    search: Option<(JoinHandle<()>, Arc<Signal>)>,
}

#[derive(Default)]
struct Signal {
    /// Whether the search is stopped, and whether its clock runs.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Signal {
    fn change(&self, change: impl Fn(&mut (bool, bool))) {
        change(&mut self.state.lock().unwrap());
        self.changed.notify_all();
    }
}

impl TestEngine {
    pub(crate) const SEARCH_TIME: Duration = Duration::from_millis(200);
    /// The greatest hash size it accepts.
    pub(crate) const MAX_HASH: usize = 1000;
}

/// A session with a test engine, its screen, and the engine's calls.
pub(crate) fn test_session() -> (Session, Screen, Arc<Mutex<EngineCalls>>) {
    let (screen, engine) = (Screen::default(), TestEngine::default());
    let calls = Arc::clone(&engine.calls);
    (Session::with_engine(Uci, screen.clone(), hooks(), engine), screen, calls)
}

fn search(request: &Request, listener: &dyn Listener, signal: &Signal, calls: &Mutex<EngineCalls>) {
    let position = request.game.position();
    let side: Color = position.side_to_move();
    let is_limited = !request.limits.is_infinite && has_limit(&request.limits, side);
    let best = request.limits.search_moves.first().or(position.legal_moves().first()).copied();
    let line = LineInfo {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score: Score::new(PAWN),
        bound: Bound::Exact,
        wdl: [100, 850, 50],
        pv: best.into_iter().collect(),
    };
    listener.on_event(Event::Line(line, Progress { nodes: 20, ..Progress::default() }));
    let begin = Instant::now();
    let mut state = signal.state.lock().unwrap();
    let is_over = |state: (bool, bool)| {
        state.0 || (state.1 && is_limited && begin.elapsed() >= TestEngine::SEARCH_TIME)
    };
    while !is_over(*state) {
        state = signal.changed.wait_timeout(state, Duration::from_millis(5)).unwrap().0;
    }
    calls.lock().unwrap().completed_searches += usize::from(!state.0);
    drop(state);
    let ponder = best.and_then(|best| position.after(best).legal_moves().first().copied());
    listener.on_event(Event::Done { best, ponder });
}

impl EngineHandle for TestEngine {
    fn settings(&self) -> Settings {
        self.settings
    }

    fn set(&mut self, settings: Settings) {
        self.stop();
        self.settings = settings;
        self.calls.lock().unwrap().settings.push(settings);
    }

    fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.stop();
        self.evaluation = evaluation.clone();
        self.calls.lock().unwrap().evaluations.push(evaluation);
    }

    fn set_policy(&mut self, policy: Option<Arc<PolicyNetwork>>) {
        self.stop();
        self.calls.lock().unwrap().policies.push(policy);
    }

    fn set_leaf_network(&mut self, network: Option<Arc<dyn LeafNetwork>>) {
        self.stop();
        self.calls.lock().unwrap().leaf_networks.push(network.map(|network| network.name().to_owned()));
    }

    fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        self.stop();
        self.calls.lock().unwrap().tablebases.push(tablebase.map(|tablebase| tablebase.max_pieces()));
    }

    fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.stop();
        if mebibytes > Self::MAX_HASH {
            return Err(OutOfMemory { mebibytes });
        }
        self.calls.lock().unwrap().hash.push(mebibytes);
        Ok(())
    }

    fn clear(&mut self) {
        self.stop();
        self.calls.lock().unwrap().clears += 1;
    }

    fn start(&mut self, request: Request, listener: Arc<dyn Listener>) {
        self.stop();
        let signal = Arc::new(Signal::default());
        signal.change(|state| state.1 = !request.limits.is_ponder);
        self.calls.lock().unwrap().requests.push(request.clone());
        let (theirs, calls) = (Arc::clone(&signal), Arc::clone(&self.calls));
        let handle = thread::spawn(move || search(&request, &*listener, &theirs, &calls));
        self.search = Some((handle, signal));
    }

    fn stop(&mut self) {
        if let Some((handle, signal)) = self.search.take() {
            signal.change(|state| state.0 = true);
            handle.join().unwrap();
        }
    }

    fn ponder_hit(&mut self) {
        self.calls.lock().unwrap().ponder_hits += 1;
        if let Some((_, signal)) = &self.search {
            signal.change(|state| state.1 = true);
        }
    }
}

impl Drop for TestEngine {
    fn drop(&mut self) {
        self.stop();
    }
}
