//! Reading files and formatting numbers.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// The bytes of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The text of a UTF-8 file.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{} is not UTF-8 text: byte {at} is invalid", path.display())
    })
}

/// Parses a fraction.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}

/// Time and speed: `0.31 s, 384 million nodes per second`.
pub(crate) fn speed(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds:.2} s, {:.0} million nodes per second", nodes as f64 / seconds.max(1e-9) / 1e6)
}
