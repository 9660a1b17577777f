//! Opening suites for games between engines: EPD or PGN files, also compressed.

use std::path::Path;

use rukh_chess::notation::pgn;
use rukh_lab::arena::Book;

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
