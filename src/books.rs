//! Opening suites for games between engines: EPD or PGN files, also compressed, or random positions.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rukh_chess::notation::pgn;
use rukh_eval::Centipawns;
use rukh_lab::arena::Book;
use rukh_lab::selfplay::SelfPlay;

use crate::progress::Long;
use crate::text::read_bytes;
use crate::unpack::unpack_xz;

/// The openings of a file; of PGN games the first `plies` plies.
pub(crate) fn read_book(path: &Path, plies: Option<usize>) -> Result<Book, String> {
    let name = path.to_string_lossy().to_lowercase();
    let (bytes, name) = match name.strip_suffix(".xz") {
        Some(inner) => {
            let packed = read_bytes(path)?;
            (unpack_xz(&path.display().to_string(), packed.as_slice())?, inner.to_owned())
        }
        None => (read_bytes(path)?, name),
    };
    let text = pgn::decode(&bytes);
    let book = if name.ends_with(".pgn") { Book::from_pgn(&text, plies) } else { Book::from_epd(&text) };
    book.map_err(|error| format!("{}: {error}", path.display()))
}

/// So many random openings; fewer if interrupted.
pub(crate) fn draw_book(
    seed: u64,
    wanted: usize,
    bar: &mut Long,
    is_over: &AtomicBool,
) -> Result<Book, String> {
    let mut positions = Vec::new();
    let settings = SelfPlay { seed, nodes: 1_000, max_opening_score: Centipawns(120), ..SelfPlay::default() };
    settings.openings(is_over, |position| {
        positions.push(position);
        bar.set(0, || format!("opening {} of {wanted}", positions.len()));
        if positions.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(Book::of_positions(&positions))
}
