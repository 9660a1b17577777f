//! Fault injection: which file operation of this process fails, and how.
//!
//! Only a debug build reads the request. The files are unknown here, except for their names in the report of a fault.

use std::io::{self, ErrorKind};
use std::path::Path;
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
    fn next(&self, operation: Operation) -> Option<Fault> {
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
            Kind::Kill => Some(Fault::Kill(|| std::process::exit(KILLED))),
        }
    }
}

static REQUEST: LazyLock<Option<Request>> = LazyLock::new(|| std::env::var(VARIABLE).ok()?.parse().ok());

/// The fault that is requested for the next operation on the file at `path`. It is reported on standard error.
pub(crate) fn requested(operation: Operation, path: &Path) -> Option<Fault> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let fault = REQUEST.as_ref()?.next(operation)?;
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
            let name = match request.next(operation)? {
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
}
