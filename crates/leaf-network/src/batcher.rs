//! Batcher: gathers the leaves of all searches of the process into batches, and evaluates them on a thread of its own.
//!
//! A search gives its leaves and waits. While a batch is evaluated the next one is gathered. The batcher waits for as many
//! searches as the last batch had, but not longer than a bound, so a search that ends holds up nobody. It knows nothing of the
//! network.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rukh_engine::api::NetworkOutput;

use crate::device::{Device, THREAD_NAME, output};
use crate::encoding::Encoded;

/// How long a batch waits for searches that were in the batch before.
const PATIENCE: Duration = Duration::from_millis(1);

/// The leaves of one search, or a part of them.
struct Request {
    positions: Vec<Encoded>,
    reply: Sender<Vec<NetworkOutput>>,
}

#[derive(Default)]
struct Queue {
    requests: VecDeque<Request>,
    is_closed: bool,
}

impl Queue {
    fn positions(&self) -> usize {
        self.requests.iter().map(|request| request.positions.len()).sum()
    }

    /// Takes the first requests, as many as fit into a batch.
    fn take(&mut self, most: usize) -> Vec<Request> {
        let (mut taken, mut count) = (Vec::new(), 0);
        while let Some(next) = self.requests.front() {
            count += next.positions.len();
            if count > most && !taken.is_empty() {
                break;
            }
            taken.extend(self.requests.pop_front());
        }
        taken
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// That of the device, which changes if it fails.
    search_batch: AtomicUsize,
    /// What the batcher has to say to people.
    notice: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A device, and another one for when it fails.
pub(crate) struct Devices {
    /// Makes the device that is wanted; `None` if it is the other one.
    pub(crate) wanted: Option<MakeDevice>,
    /// Makes the device that never fails.
    pub(crate) other: Box<dyn Fn() -> Box<dyn Device> + Send>,
    /// Says in a sentence that the other device is used, with the reason.
    pub(crate) apology: fn(&str) -> String,
    /// Receives that sentence when the device fails during evaluation.
    pub(crate) report: fn(&str),
}

/// Makes a device, or says why it cannot.
pub(crate) type MakeDevice = Box<dyn Fn() -> Result<Box<dyn Device>, String> + Send>;

/// The batcher of a network.
pub(crate) struct Batcher {
    shared: Arc<Shared>,
    batch: usize,
    worker: Option<JoinHandle<()>>,
}

impl Batcher {
    /// Starts the thread and waits until its device is ready.
    pub(crate) fn new(devices: Devices) -> Result<Self, String> {
        let shared = Arc::new(Shared::default());
        let (ready, is_ready) = channel();
        let of_worker = shared.clone();
        let work = move || {
            let worker = Worker::new(&of_worker, devices);
            // The other side is there: it waits for this.
            let _ = ready.send(worker.device.batch());
            worker.run();
        };
        let worker = thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(work);
        let worker = worker.map_err(|error| format!("there is no thread for the leaf network: {error}"))?;
        let batch = is_ready.recv().map_err(|_| "the leaf network could not be prepared".to_owned())?;
        Ok(Self { shared, batch, worker: Some(worker) })
    }

    /// The number of leaves of one search up to which a batch is faster than its leaves one by one.
    pub(crate) fn search_batch(&self) -> usize {
        self.shared.search_batch.load(Ordering::Relaxed)
    }

    /// Whether the wanted device is not used, and why, in one sentence.
    pub(crate) fn notice(&self) -> Option<String> {
        lock(&self.shared.notice).clone()
    }

    /// Evaluates positions, in a batch with those of others. Returns when all are evaluated.
    pub(crate) fn evaluate(&self, positions: Vec<Encoded>) -> Vec<NetworkOutput> {
        let count = positions.len();
        let mut parts = Vec::new();
        let mut rest = positions.into_iter();
        {
            let mut queue = lock(&self.shared.queue);
            loop {
                let positions: Vec<Encoded> = rest.by_ref().take(self.batch.max(1)).collect();
                if positions.is_empty() {
                    break;
                }
                let (reply, part) = channel();
                queue.requests.push_back(Request { positions, reply });
                parts.push(part);
            }
        }
        self.shared.changed.notify_all();
        let mut outputs = Vec::with_capacity(count);
        for part in parts {
            outputs.extend(part.recv().expect("the batcher answers every request before it ends"));
        }
        outputs
    }
}

impl Drop for Batcher {
    fn drop(&mut self) {
        lock(&self.shared.queue).is_closed = true;
        self.shared.changed.notify_all();
        if let Some(worker) = self.worker.take() {
            // A worker that panicked has printed its message already.
            let _ = worker.join();
        }
    }
}

/// The thread that evaluates.
struct Worker<'s> {
    shared: &'s Shared,
    device: Box<dyn Device>,
    devices: Devices,
}

impl<'s> Worker<'s> {
    fn new(shared: &'s Shared, mut devices: Devices) -> Self {
        let device = devices.wanted.as_ref().map(|make| guarded(make));
        let device = match device {
            Some(Ok(device)) => device,
            Some(Err(reason)) => {
                *lock(&shared.notice) = Some((devices.apology)(&reason));
                devices.wanted = None;
                (devices.other)()
            }
            None => (devices.other)(),
        };
        shared.search_batch.store(device.search_batch(), Ordering::Relaxed);
        Self { shared, device, devices }
    }

    fn run(mut self) {
        let mut callers = 1;
        while let Some(requests) = self.gather(callers) {
            callers = requests.len();
            let positions: Vec<Encoded> =
                requests.iter().flat_map(|request| request.positions.iter().cloned()).collect();
            let mut outputs = self.evaluate(&positions).into_iter();
            for Request { positions, reply } in requests {
                // A search that is gone needs no answer.
                let _ = reply.send(outputs.by_ref().take(positions.len()).collect());
            }
        }
    }

    /// Waits for the next batch; `None` when the batcher is closed.
    fn gather(&self, callers: usize) -> Option<Vec<Request>> {
        let most = self.device.batch();
        let wait = |queue| self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        let mut queue = lock(&self.shared.queue);
        while queue.requests.is_empty() {
            if queue.is_closed {
                return None;
            }
            queue = wait(queue);
        }
        let deadline = Instant::now() + PATIENCE;
        while queue.requests.len() < callers && queue.positions() < most {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.shared.changed.wait_timeout(queue, left);
            (queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        Some(queue.take(most))
    }

    /// Evaluates on the device, and on the other one if it fails.
    fn evaluate(&mut self, positions: &[Encoded]) -> Vec<NetworkOutput> {
        let together = |raw: Vec<_>| positions.iter().zip(&raw).map(|(one, raw)| output(one, raw)).collect();
        if self.devices.wanted.is_some() {
            match guarded(|| self.device.evaluate(positions)) {
                Ok(raw) => return together(raw),
                Err(reason) => {
                    let sentence = (self.devices.apology)(&reason);
                    (self.devices.report)(&sentence);
                    *lock(&self.shared.notice) = Some(sentence);
                    self.devices.wanted = None;
                    self.device = (self.devices.other)();
                    self.shared.search_batch.store(self.device.search_batch(), Ordering::Relaxed);
                }
            }
        }
        together(self.device.evaluate(positions).expect("the CPU evaluates every position"))
    }
}

/// Calls `work`. A panic, by which the library of a GPU tells that there is none or no memory, is an error too.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let text = |payload: Box<dyn std::any::Any + Send>| {
        let owned = payload.downcast_ref::<String>().cloned();
        owned.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(text).flatten().map_err(|reason| one_line(&reason))
}

/// The first words of a reason.
fn one_line(reason: &str) -> String {
    const MOST: usize = 120;
    let line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cpu::Raw;
    use crate::file::VALUES;

    /// A device that gives the number of the position back, and may fail.
    struct Echo {
        batch: usize,
        failure: Option<fn() -> Result<Vec<Raw>, String>>,
        greatest: Arc<AtomicUsize>,
    }

    impl Device for Echo {
        fn batch(&self) -> usize {
            self.batch
        }

        fn search_batch(&self) -> usize {
            self.batch
        }

        fn evaluate(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
            self.greatest.fetch_max(positions.len(), Ordering::Relaxed);
            thread::sleep(Duration::from_millis(2));
            if let Some(failure) = self.failure {
                return failure();
            }
            let raw = |position: &Encoded| Raw { values: [0.0; VALUES], logits: vec![position.clock] };
            Ok(positions.iter().map(raw).collect())
        }
    }

    fn encoded(number: usize) -> Encoded {
        let clock = number as f32;
        let (outputs, lesser) = (vec![0], vec![false]);
        Encoded { pieces: [None; 64], en_passant: None, castling: [false; 4], clock, outputs, lesser }
    }

    fn numbers(outputs: &[NetworkOutput]) -> Vec<usize> {
        outputs.iter().map(|output| output.logits[0] as usize).collect()
    }

    fn batcher(batch: usize, wanted: Option<MakeDevice>) -> (Batcher, Arc<AtomicUsize>) {
        let greatest = Arc::new(AtomicUsize::new(0));
        let of_device = greatest.clone();
        let other = Box::new(move || -> Box<dyn Device> {
            Box::new(Echo { batch, failure: None, greatest: of_device.clone() })
        });
        let devices =
            Devices { wanted, other, apology: |reason| format!("not used: {reason}"), report: |_| {} };
        (Batcher::new(devices).expect("a thread is given"), greatest)
    }

    #[test]
    fn searches_share_batches_and_each_gets_its_own_outputs() {
        let (batcher, greatest) = batcher(64, None);
        thread::scope(|scope| {
            for search in 0..6 {
                let batcher = &batcher;
                scope.spawn(move || {
                    // Searches end at different times.
                    for round in 0..20 * (search + 1) {
                        let first = 1_000 * search + 10 * round;
                        let wanted: Vec<usize> = (first..first + 1 + round % 7).collect();
                        let outputs =
                            batcher.evaluate(wanted.iter().map(|number| encoded(*number)).collect());
                        assert_eq!(numbers(&outputs), wanted);
                    }
                });
            }
        });
        let greatest = greatest.load(Ordering::Relaxed);
        assert!((8..=64).contains(&greatest), "{greatest} positions at once");
        assert_eq!(batcher.notice(), None);
    }

    #[test]
    fn more_positions_than_a_batch_are_divided() {
        let (batcher, greatest) = batcher(8, None);
        let wanted: Vec<usize> = (0..50).collect();
        assert_eq!(
            numbers(&batcher.evaluate(wanted.iter().map(|number| encoded(*number)).collect())),
            wanted
        );
        assert_eq!(greatest.load(Ordering::Relaxed), 8);
        assert!(batcher.evaluate(Vec::new()).is_empty());
    }

    #[test]
    fn a_device_that_cannot_be_made_is_replaced() {
        let failures: [fn() -> Result<Box<dyn Device>, String>; 2] =
            [|| Err("there is none".to_owned()), || panic!("there is none")];
        for make in failures {
            let (batcher, _) = batcher(4, Some(Box::new(make)));
            assert_eq!(batcher.notice(), Some("not used: there is none".to_owned()));
            assert_eq!(numbers(&batcher.evaluate(vec![encoded(5)])), [5]);
        }
    }

    #[test]
    fn a_device_that_fails_later_is_replaced() {
        static IS_REPORTED: AtomicBool = AtomicBool::new(false);
        let failures: [fn() -> Result<Vec<Raw>, String>; 2] =
            [|| Err("out of\n memory".to_owned()), || panic!("out of memory")];
        for failure in failures {
            let wanted = move || -> Result<Box<dyn Device>, String> {
                Ok(Box::new(Echo { batch: 100, failure: Some(failure), greatest: Arc::default() }))
            };
            let other = || -> Box<dyn Device> {
                Box::new(Echo { batch: 1, failure: None, greatest: Arc::default() })
            };
            let devices = Devices {
                wanted: Some(Box::new(wanted)),
                other: Box::new(other),
                apology: |reason| format!("not used: {reason}"),
                report: |sentence| IS_REPORTED.store(sentence.ends_with("out of memory"), Ordering::Relaxed),
            };
            let batcher = Batcher::new(devices).expect("a thread is given");
            assert_eq!((batcher.notice(), batcher.search_batch()), (None, 100));
            let outputs = batcher.evaluate((0..30).map(encoded).collect());
            assert_eq!(numbers(&outputs), (0..30).collect::<Vec<_>>());
            assert_eq!(batcher.notice(), Some("not used: out of memory".to_owned()));
            assert_eq!(batcher.search_batch(), 1);
            assert!(IS_REPORTED.swap(false, Ordering::Relaxed));
        }
    }
}
