//! A screen to read what a session says, and an engine that searches as long as a test wants.
#![allow(dead_code, reason = "each test uses its own part")]

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_engine::api::{Bound, Event, LineInfo, Listener, OutOfMemory, Progress, Request, Settings};
use rukh_engine::tablebase::Tablebase;
use rukh_eval::score::PAWN;
use rukh_eval::{Evaluation, Score};
use rukh_protocol::backend::Backend;
use rukh_protocol::limits::has_limit;
use rukh_protocol::{Hooks, Session, Uci};

/// The replies that a [`transcript`] has heard so far.
#[derive(Default)]
struct Hearing {
    replies: Vec<String>,
    /// The one that is misheard.
    misheard: Option<usize>,
}

thread_local! {
    static HEARING: RefCell<Hearing> = RefCell::default();
}

/// What a test hears of a line: the line, or if it is to be misheard, the line without its last letter.
fn hear(line: &str) -> String {
    // A search tells what it thinks when it likes: nothing depends on that.
    if line.starts_with("info ") && !line.starts_with("info string ") {
        return line.to_owned();
    }
    HEARING.with_borrow_mut(|hearing| {
        let is_misheard = hearing.misheard == Some(hearing.replies.len());
        hearing.replies.push(line.to_owned());
        match line {
            _ if !is_misheard => line.to_owned(),
            "" => "something".to_owned(),
            _ => line[..line.len() - 1].to_owned(),
        }
    })
}

/// Checks a conversation; and that the check fails as soon as any one of its replies is another.
pub(crate) fn transcript(check: impl Fn()) {
    let hear_all_but = |misheard| {
        HEARING.set(Hearing { misheard, ..Hearing::default() });
        let result = catch_unwind(AssertUnwindSafe(&check));
        (result, HEARING.take().replies)
    };
    let (result, replies) = hear_all_but(None);
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    for (at, reply) in replies.iter().enumerate() {
        assert!(hear_all_but(Some(at)).0.is_err(), "the transcript would take another reply for {reply:?}");
    }
}

/// Keeps what is written.
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
    /// All so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().unwrap().clone()).unwrap()
    }

    /// All so far, in lines; the screen is empty afterwards.
    pub(crate) fn take(&self) -> Vec<String> {
        self.take_those("")
    }

    /// Forgets all so far.
    pub(crate) fn clear(&self) {
        self.0.0.lock().unwrap().clear();
    }

    /// The lines so far that begin like this; the screen is empty afterwards.
    fn take_those(&self, beginning: &str) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.starts_with(beginning)).map(hear).collect()
    }

    /// Waits until some line begins like this.
    pub(crate) fn wait_for(&self, beginning: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        let mut bytes = self.0.0.lock().unwrap();
        while !String::from_utf8_lossy(&bytes).lines().any(|line| line.starts_with(beginning)) {
            assert!(Instant::now() < end, "{beginning:?} never comes");
            bytes = self.0.1.wait_timeout(bytes, Duration::from_millis(50)).unwrap().0;
        }
    }
}

/// Hooks that can be told from the real ones.
pub(crate) fn hooks() -> Hooks {
    Hooks {
        eval: |_, position| format!("worth of {position}"),
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
    }
}

/// What the session with the real engine says to these lines.
pub(crate) fn talk(input: &str) -> Vec<String> {
    talk_of("", input)
}

/// Those of the lines said that begin like this: the others do not matter.
pub(crate) fn talk_of(beginning: &str, input: &str) -> Vec<String> {
    let screen = Screen::default();
    let mut session = Session::new(Uci, screen.clone(), hooks());
    session.run(io::Cursor::new(input.as_bytes().to_vec()));
    drop(session);
    screen.take_those(beginning)
}

/// What was asked of a [`Patient`] engine.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) settings: Vec<Settings>,
    pub(crate) evaluations: Vec<Evaluation>,
    /// The most pieces of tables that were set.
    pub(crate) tables: Vec<Option<u32>>,
    pub(crate) hash: Vec<usize>,
    pub(crate) clears: usize,
    pub(crate) requests: Vec<Request>,
    pub(crate) ponder_hits: usize,
    /// Searches that were not stopped.
    pub(crate) ended_by_themselves: usize,
}

/// Its searches take [`Patient::SEARCH_TIME`] if they have a limit, and otherwise go on until they are stopped.
#[derive(Default)]
pub(crate) struct Patient {
    record: Arc<Mutex<Record>>,
    settings: Settings,
    evaluation: Evaluation,
    search: Option<(JoinHandle<()>, Arc<Signal>)>,
}

#[derive(Default)]
struct Signal {
    /// Stopped, and whether the clock is ours.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Signal {
    fn change(&self, change: impl Fn(&mut (bool, bool))) {
        change(&mut self.state.lock().unwrap());
        self.changed.notify_all();
    }
}

impl Patient {
    pub(crate) const SEARCH_TIME: Duration = Duration::from_millis(200);
    /// The most memory it has.
    pub(crate) const MAX_HASH: usize = 1000;
}

/// A session with a patient engine, its screen, and the record.
pub(crate) fn patient() -> (Session, Screen, Arc<Mutex<Record>>) {
    let (screen, engine) = (Screen::default(), Patient::default());
    let record = Arc::clone(&engine.record);
    (Session::with_engine(Uci, screen.clone(), hooks(), engine), screen, record)
}

fn search(request: &Request, listener: &dyn Listener, signal: &Signal, record: &Mutex<Record>) {
    let position = request.game.position();
    let side: Color = position.side_to_move();
    let has_end = !request.limits.is_infinite && has_limit(&request.limits, side);
    let best = request.limits.search_moves.first().or(position.legal_moves().first()).copied();
    let line = LineInfo {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score: Score::centipawns(PAWN),
        bound: Bound::Exact,
        wdl: [100, 850, 50],
        pv: best.into_iter().collect(),
    };
    listener.on_event(Event::Line(line, Progress { nodes: 20, ..Progress::default() }));
    let begin = Instant::now();
    let mut state = signal.state.lock().unwrap();
    let is_over =
        |state: (bool, bool)| state.0 || (state.1 && has_end && begin.elapsed() >= Patient::SEARCH_TIME);
    while !is_over(*state) {
        state = signal.changed.wait_timeout(state, Duration::from_millis(5)).unwrap().0;
    }
    record.lock().unwrap().ended_by_themselves += usize::from(!state.0);
    drop(state);
    let ponder = best.and_then(|best| position.after(best).legal_moves().first().copied());
    listener.on_event(Event::Done { best, ponder });
}

impl Backend for Patient {
    fn settings(&self) -> Settings {
        self.settings
    }

    fn set(&mut self, settings: Settings) {
        self.stop();
        self.settings = settings;
        self.record.lock().unwrap().settings.push(settings);
    }

    fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.stop();
        self.evaluation = evaluation.clone();
        self.record.lock().unwrap().evaluations.push(evaluation);
    }

    fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        self.stop();
        self.record.lock().unwrap().tables.push(tablebase.map(|tables| tables.max_pieces()));
    }

    fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.stop();
        if mebibytes > Self::MAX_HASH {
            return Err(OutOfMemory { mebibytes });
        }
        self.record.lock().unwrap().hash.push(mebibytes);
        Ok(())
    }

    fn clear(&mut self) {
        self.stop();
        self.record.lock().unwrap().clears += 1;
    }

    fn start(&mut self, request: Request, listener: Arc<dyn Listener>) {
        self.stop();
        let signal = Arc::new(Signal::default());
        signal.change(|state| state.1 = !request.limits.is_ponder);
        self.record.lock().unwrap().requests.push(request.clone());
        let (theirs, record) = (Arc::clone(&signal), Arc::clone(&self.record));
        let handle = thread::spawn(move || search(&request, &*listener, &theirs, &record));
        self.search = Some((handle, signal));
    }

    fn stop(&mut self) {
        if let Some((handle, signal)) = self.search.take() {
            signal.change(|state| state.0 = true);
            handle.join().unwrap();
        }
    }

    fn ponder_hit(&mut self) {
        self.record.lock().unwrap().ponder_hits += 1;
        if let Some((_, signal)) = &self.search {
            signal.change(|state| state.1 = true);
        }
    }
}

impl Drop for Patient {
    fn drop(&mut self) {
        self.stop();
    }
}
