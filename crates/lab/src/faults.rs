//! Fault injection: which file operation of this process or of a thread fails, and how.
//!
//! Only a debug build has requests. The files are unknown here, except for their names in the report of a fault.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable of the environment with the request.
const VARIABLE: &str = "RUKH_FAULT";
/// The exit status of a process that a fault ends.
const KILLED: i32 = 99;

/// A file operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Write,
    Sync,
    Truncate,
    Rename,
}

/// What happens to an operation.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It fails.
    Refusal(io::Error),
    /// A write writes half of its bytes, without an error. The next one fails.
    Half,
    /// The process ends after half of a write, or before any other operation.
    Kill(fn() -> !),
}

/// The kinds of requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The operation fails.
    Refuse(Operation),
    /// The write fails after half of its bytes.
    Short,
    /// The process ends.
    Kill,
}

/// A request.
#[derive(Debug)]
struct Request {
    kind: Kind,
    /// The number of the operation, from 1.
    number: u64,
    /// Whether all later operations fail, too.
    is_lasting: bool,
    /// Operations of the kind so far.
    count: AtomicU64,
}

impl FromStr for Request {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, number) = text.split_once(':').ok_or(())?;
        let kind = match kind {
            "write" => Kind::Refuse(Operation::Write),
            "sync" => Kind::Refuse(Operation::Sync),
            "truncate" => Kind::Refuse(Operation::Truncate),
            "rename" => Kind::Refuse(Operation::Rename),
            "short" => Kind::Short,
            "kill" => Kind::Kill,
            _ => return Err(()),
        };
        let digits = number.trim_end_matches('+');
        let number_read = digits.parse().map_err(|_| ())?;
        Ok(Self { kind, number: number_read, is_lasting: digits != number, count: AtomicU64::new(0) })
    }
}

impl Request {
    /// The fault of the next operation.
    fn next(&self, operation: Operation, exit: fn() -> !) -> Option<Fault> {
        let concerns = match self.kind {
            Kind::Refuse(refused) => refused == operation,
            Kind::Short => operation == Operation::Write,
            Kind::Kill => true,
        };
        if !concerns {
            return None;
        }
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let refusal = || Fault::Refusal(ErrorKind::StorageFull.into());
        match self.kind {
            Kind::Short if count == self.number => Some(Fault::Half),
            Kind::Short => (count == self.number + 1).then(refusal),
            _ if count != self.number && !(self.is_lasting && count > self.number) => None,
            Kind::Refuse(_) => Some(refusal()),
            Kind::Kill => Some(Fault::Kill(exit)),
        }
    }
}

static REQUEST: LazyLock<Option<Request>> = LazyLock::new(|| std::env::var(VARIABLE).ok()?.parse().ok());

/// The request of one thread, and the file of the last fault.
struct Local {
    request: Request,
    file: Option<PathBuf>,
}

thread_local! {
    static LOCAL: RefCell<Option<Local>> = const { RefCell::new(None) };
}

/// The payload of the panic that ends the work of a thread.
struct Killed;

/// Work in which a fault was injected.
#[derive(Debug)]
pub struct Injected<R> {
    /// What the work returned; `None` if the fault ended it.
    pub result: Option<R>,
    /// The file whose operation failed; `None` if there were fewer operations.
    pub file: Option<PathBuf>,
}

/// Does `work` with a fault of the file operations of this thread, as the variable `RUKH_FAULT` requests one for a process. A
/// release build has no faults.
///
/// # Panics
///
/// If `request` is none.
pub fn inject<R>(request: &str, work: impl FnOnce() -> R) -> Injected<R> {
    let request = request.parse().unwrap_or_else(|()| panic!("{request:?} is no request"));
    LOCAL.set(Some(Local { request, file: None }));
    let ended = catch_unwind(AssertUnwindSafe(work));
    let file = LOCAL.take().and_then(|local| local.file);
    match ended {
        Ok(result) => Injected { result: Some(result), file },
        Err(payload) if payload.is::<Killed>() => Injected { result: None, file },
        Err(payload) => resume_unwind(payload),
    }
}

/// The fault of the next operation of this thread; `None` if the thread has no request of its own.
fn local(operation: Operation, path: &Path) -> Option<Option<Fault>> {
    LOCAL.with_borrow_mut(|local| {
        let local = local.as_mut()?;
        let fault = local.request.next(operation, || resume_unwind(Box::new(Killed)));
        if fault.is_some() {
            local.file = Some(path.to_owned());
        }
        Some(fault)
    })
}

/// The fault that is requested for the next operation on the file at `path`. It is reported on standard error.
pub(crate) fn requested(operation: Operation, path: &Path) -> Option<Fault> {
    if !cfg!(debug_assertions) {
        return None;
    }
    if let Some(fault) = local(operation, path) {
        return fault;
    }
    let fault = REQUEST.as_ref()?.next(operation, || std::process::exit(KILLED))?;
    eprintln!("{VARIABLE}: {operation:?} {}", path.display());
    Some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the operations that fail, of ten writes and ten syncs in turn.
    fn faults(request: &str) -> Vec<(u64, Operation, String)> {
        let request: Request = request.parse().expect("it is a request");
        let operations = [Operation::Write, Operation::Sync];
        let all = (1..=10).flat_map(|number| operations.map(|operation| (number, operation)));
        let fault = |(number, operation)| {
            let name = match request.next(operation, || panic!("it is not called"))? {
                Fault::Refusal(_) => "refusal",
                Fault::Half => "half",
                Fault::Kill(_) => "kill",
            };
            Some((number, operation, name.to_owned()))
        };
        all.filter_map(fault).collect()
    }

    #[test]
    fn a_request_names_the_operation_that_fails() {
        let refusal = |number, operation| (number, operation, "refusal".to_owned());
        assert_eq!(faults("write:3"), [refusal(3, Operation::Write)]);
        assert_eq!(faults("sync:10"), [refusal(10, Operation::Sync)]);
        assert_eq!(faults("write:9+"), [9, 10].map(|number| refusal(number, Operation::Write)));
        assert_eq!(
            faults("short:4"),
            [(4, Operation::Write, "half".to_owned()), refusal(5, Operation::Write)]
        );
        assert_eq!(faults("kill:4"), [(2, Operation::Sync, "kill".to_owned())]);
        assert!(faults("rename:1").is_empty() && faults("truncate:1").is_empty());
        for wrong in ["", "write", "write:", "write:x", "read:1"] {
            assert!(wrong.parse::<Request>().is_err(), "{wrong}");
        }
    }

    /// Files of this thread fail, those of others do not; work that is ended leaves half of its last write.
    #[cfg(debug_assertions)]
    #[test]
    fn a_thread_has_faults_of_its_own() {
        use crate::disk::DiskFile;
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("rukh-inject-{}", std::process::id()));
        let write = || {
            let mut file = DiskFile::create(&path)?;
            file.write_all(b"12345678").and_then(|()| file.write_all(b"abcdefgh"))
        };
        let written = || std::fs::read_to_string(&path).expect("it is there");
        let refused = inject("write:2", write);
        assert!(refused.result.is_some_and(|result| result.is_err()) && refused.file.as_ref() == Some(&path));
        assert_eq!(written(), "12345678");
        let killed = inject("kill:2", write);
        assert!(killed.result.is_none() && killed.file.as_ref() == Some(&path));
        assert_eq!(written(), "12345678abcd");
        let other =
            inject("write:1", || std::thread::scope(|scope| scope.spawn(write).join().expect("it ends")));
        assert!(other.result.is_some_and(|result| result.is_ok()) && other.file.is_none());
        let fewer = inject("write:3", write);
        assert!(fewer.result.is_some_and(|result| result.is_ok()) && fewer.file.is_none());
        assert!(write().is_ok() && written() == "12345678abcdefgh");
        std::fs::remove_file(&path).expect("it is there");
    }
}
