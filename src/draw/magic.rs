//! The picture of a magic lookup: occupancy times magic number, the index in the top bits of the product, the attack set.

use std::fmt::Write;
use std::path::PathBuf;

use rukh_chess::attacks::{Slider, magics};
use rukh_chess::{Bitboard, Square};

use super::board::slider;
use super::parts::head;
use crate::start::position;

/// Draw how a magic number maps the pieces around a slider to its attack set
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The slider and its square
    #[arg(value_name = "PIECE:SQUARE", value_parser = slider)]
    slider: (Slider, Square),

    /// The position, as FEN; its pieces block the slider
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The boards show 64-bit words: bit 0 is a1, bit 63 is h8. Frames are the relevant squares of the occupancy and the bits of the
index in the product.

Examples:
  rukh draw magic rook:d4 --fen \"4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1\" --out magic.svg
  rukh draw magic bishop:e4";

/// The side of a cell.
const SIDE: usize = 20;
/// The space between two boards, with the sign of the operation.
const GAP: usize = 44;
const TOP: usize = 30;
const BOTTOM: usize = 22;
const LEFT: usize = 14;

/// The words of a lookup.
struct Lookup {
    relevant: Bitboard,
    occupancy: u64,
    factor: u64,
    product: u64,
    index: u64,
    index_bits: Bitboard,
    attacks: Bitboard,
}

impl Lookup {
    fn new((slider, square): (Slider, Square), occupied: Bitboard) -> Self {
        let relevant = slider.relevant_squares(square);
        let bits = relevant.0.count_ones();
        let occupancy = occupied.0 & relevant.0;
        let factor = magics::find_for(slider, square, magics::SEED);
        let product = occupancy.wrapping_mul(factor);
        Self {
            relevant,
            occupancy,
            factor,
            product,
            index: product >> (u64::BITS - bits),
            index_bits: Bitboard(u64::MAX << (u64::BITS - bits)),
            attacks: slider.walk(square, occupied),
        }
    }
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let lookup = Lookup::new(args.slider, position(&args.fen)?.occupied());
    let width = 2 * LEFT + 4 * 8 * SIDE + 3 * GAP;
    let mut svg = head(width, TOP + 8 * SIDE + BOTTOM, "Magic bitboard");
    let hexadecimal = |word: u64| format!("{word:016X}");
    let index = format!("index {} of {}", lookup.index, 1_u64 << lookup.relevant.0.count_ones());
    let boards = [
        ("occupancy", lookup.occupancy, lookup.relevant, hexadecimal(lookup.occupancy)),
        ("magic number", lookup.factor, Bitboard::EMPTY, hexadecimal(lookup.factor)),
        ("product", lookup.product, lookup.index_bits, index),
        ("attack set", lookup.attacks.0, Bitboard::of(args.slider.1), hexadecimal(lookup.attacks.0)),
    ];
    for (at, (title, word, framed, below)) in boards.iter().enumerate() {
        let left = LEFT + at * (8 * SIDE + GAP);
        add_board(&mut svg, left, (title, below), *word, *framed);
        if let Some(sign) = ["×", "=", "→"].get(at) {
            let (x, y) = (left + 8 * SIDE + GAP / 2, TOP + 4 * SIDE + 6);
            let _ = writeln!(
                svg,
                "<text class=\"text\" font-size=\"20\" text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{sign}</text>"
            );
        }
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// A word as a board, with its title above and a line below.
fn add_board(svg: &mut String, left: usize, (title, below): (&str, &str), word: u64, framed: Bitboard) {
    let middle = left + 4 * SIDE;
    let under = TOP + 8 * SIDE + 15;
    let _ =
        writeln!(svg, "<text class=\"title\" text-anchor=\"middle\" x=\"{middle}\" y=\"20\">{title}</text>");
    let _ = writeln!(
        svg,
        "<text class=\"name\" text-anchor=\"middle\" x=\"{middle}\" y=\"{under}\">{below}</text>"
    );
    let corner =
        |square: Square| (left + square.file().index() * SIDE, TOP + (7 - square.rank().index()) * SIDE);
    let cells = Square::ALL
        .iter()
        .map(|&square| (square, if word >> square.index() & 1 == 1 { "bit" } else { "cell" }, SIDE));
    let frames = framed.into_iter().map(|square| (square, "frame", SIDE));
    for (square, class, side) in cells.chain(frames) {
        let (x, y) = corner(square);
        let _ =
            writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1";

    #[test]
    fn the_index_is_that_of_the_relevant_occupancy() {
        let occupied = position(FEN).expect("the position is valid").occupied();
        let rook = (Slider::Rook, "d4".parse().expect("it is a square"));
        let lookup = Lookup::new(rook, occupied);
        assert_eq!(lookup.relevant.0.count_ones(), 10);
        assert_eq!(Bitboard(lookup.occupancy).into_iter().count(), 3, "d6, b4 and g4");
        assert!(lookup.index < 1 << 10);
        // The pieces on e1 and e8 do not matter.
        let fewer = Lookup::new(rook, Bitboard(lookup.occupancy));
        assert_eq!((fewer.index, fewer.attacks), (lookup.index, lookup.attacks));
        assert_ne!(Lookup::new(rook, Bitboard::EMPTY).attacks, lookup.attacks);
    }

    #[test]
    fn four_boards_are_drawn() {
        let slider = slider("rook:d4").expect("it is a slider");
        let svg = draw(&Args { slider, fen: FEN.to_owned(), out: None }).expect("it can be drawn");
        let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
        assert_eq!(count("bit") + count("cell"), 4 * 64);
        assert_eq!(count("frame"), 10 + 10 + 1, "relevant squares, bits of the index, the rook");
        assert!(svg.contains("of 1024<"), "{svg}");
    }
}
