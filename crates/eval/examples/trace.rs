//! Prints the classical evaluation of positions term by term.
//!
//! ```text
//! cargo run -p rukh-eval --example trace -- '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1'
//! ```

use rukh_chess::Position;
use rukh_eval::hce::trace;

fn main() {
    for fen in std::env::args().skip(1) {
        match fen.parse::<Position>() {
            Ok(position) => println!("{position}\n{}", trace(&position)),
            Err(error) => eprintln!("{fen}: {error}"),
        }
    }
}
