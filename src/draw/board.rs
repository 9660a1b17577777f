//! The picture of a board: pieces, marked squares, attack sets, relevant squares of magics, arrows.

use std::fmt::Write;
use std::path::PathBuf;

use rukh_chess::attacks::{self, Slider};
use rukh_chess::{Bitboard, Color, Position, Square};
use rukh_explain::piece_text::glyph;

use super::parts::head;
use crate::start::position;

/// Draw a board with marked squares and arrows
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Mark these squares
    #[arg(long, value_name = "SQUARE,...", value_delimiter = ',', value_parser = square)]
    mark: Vec<Square>,

    /// Mark the squares that the piece on this square attacks
    #[arg(long, value_name = "SQUARE", value_parser = square)]
    attacks: Option<Square>,

    /// Mark the relevant squares of a slider: those whose occupancy a magic number maps to an index
    #[arg(long, value_name = "PIECE:SQUARE", value_parser = slider)]
    relevant: Option<(Slider, Square)>,

    /// Mark the squares of a bitboard, a hexadecimal number
    #[arg(long, value_name = "HEX", value_parser = bitboard)]
    bitboard: Option<Bitboard>,

    /// Draw arrows, each from one square to another
    #[arg(long, value_name = "FROM-TO,...", value_delimiter = ',', value_parser = arrow)]
    arrow: Vec<(Square, Square)>,

    /// Leave the pieces out
    #[arg(long)]
    empty: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  rukh draw board --arrow e2e4,g1f3 --mark d5 --out board.svg
  rukh draw board --attacks d4 --fen \"4k3/8/3p4/8/1p1R2P1/8/8/4K3 w - - 0 1\"
  rukh draw board --empty --relevant rook:d4
  rukh draw board --empty --bitboard 00000000FF000000";

fn square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| format!("{text:?} is not a square"))
}

pub(super) fn slider(text: &str) -> Result<(Slider, Square), String> {
    let (name, at) = text.split_once(':').ok_or("write rook:d4 or bishop:d4")?;
    let slider = match name {
        "rook" => Slider::Rook,
        "bishop" => Slider::Bishop,
        _ => return Err(format!("{name:?} is neither rook nor bishop")),
    };
    Ok((slider, square(at)?))
}

fn bitboard(text: &str) -> Result<Bitboard, String> {
    let digits = text.trim_start_matches("0x");
    u64::from_str_radix(digits, 16)
        .map(Bitboard)
        .map_err(|_| format!("{text:?} is not a hexadecimal number of 64 bits"))
}

fn arrow(text: &str) -> Result<(Square, Square), String> {
    match (text.get(..2), text.get(2..)) {
        (Some(from), Some(to)) => Ok((square(from)?, square(to.trim_start_matches('-'))?)),
        _ => Err(format!("{text:?} is not an arrow such as e2e4")),
    }
}

/// The side of a square.
const SIDE: usize = 45;
/// The margin for the names of files and ranks.
const MARGIN: usize = 18;

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let position = position(&args.fen)?;
    let (marked, origin) = marks(args, &position)?;
    let size = 8 * SIDE + 2 * MARGIN;
    let mut svg = head(size, size, "Chess board");
    for square in Square::ALL {
        let (x, y) = corner(square);
        let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
        let class = if is_dark { "dark" } else { "light" };
        rectangle(&mut svg, class, x, y);
        if origin == Some(square) {
            rectangle(&mut svg, "from", x, y);
        } else if marked.contains(square) {
            rectangle(&mut svg, "mark", x, y);
        }
    }
    names(&mut svg);
    if !args.empty {
        pieces(&mut svg, &position);
    }
    for &(from, to) in &args.arrow {
        add_arrow(&mut svg, from, to);
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// The marked squares, and the square they are seen from.
fn marks(args: &Args, position: &Position) -> Result<(Bitboard, Option<Square>), String> {
    let mut marked = args.bitboard.unwrap_or(Bitboard::EMPTY);
    for &square in &args.mark {
        marked |= Bitboard::of(square);
    }
    let mut origin = None;
    if let Some(square) = args.attacks {
        let (Some(piece), Some(color)) = (position.piece_on(square), position.color_on(square)) else {
            return Err(format!("there is no piece on {square}"));
        };
        marked |= attacks::of_piece(color, piece, square, position.occupied());
        origin = Some(square);
    }
    if let Some((slider, square)) = args.relevant {
        marked |= slider.relevant_squares(square);
        origin = Some(square);
    }
    Ok((marked, origin))
}

/// The upper left corner of a square, with White at the bottom.
fn corner(square: Square) -> (usize, usize) {
    (MARGIN + square.file().index() * SIDE, MARGIN + (7 - square.rank().index()) * SIDE)
}

fn rectangle(svg: &mut String, class: &str, x: usize, y: usize) {
    let _ = writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>");
}

fn names(svg: &mut String) {
    for at in 0..8 {
        let middle = MARGIN + at * SIDE + SIDE / 2;
        let (file, rank) = ((b'a' + at as u8) as char, 8 - at);
        let below = 8 * SIDE + MARGIN + 13;
        let _ = writeln!(
            svg,
            "<text class=\"name\" text-anchor=\"middle\" x=\"{middle}\" y=\"{below}\">{file}</text>"
        );
        let _ = writeln!(
            svg,
            "<text class=\"name\" text-anchor=\"middle\" x=\"9\" y=\"{}\">{rank}</text>",
            middle + 4
        );
    }
}

fn pieces(svg: &mut String, position: &Position) {
    for square in position.occupied() {
        let (Some(piece), Some(color)) = (position.piece_on(square), position.color_on(square)) else {
            continue;
        };
        let (x, y) = corner(square);
        let class = if color == Color::White { "white" } else { "black" };
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" font-size=\"36\" stroke-width=\"0.8\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
            x + SIDE / 2,
            y + 36,
            glyph(piece)
        );
    }
}

fn add_arrow(svg: &mut String, from: Square, to: Square) {
    let middle = |square: Square| {
        let (x, y) = corner(square);
        ((x + SIDE / 2) as f64, (y + SIDE / 2) as f64)
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    // The head is a triangle of 14 by 14.
    let (bx, by) = (x2 - 14.0 * dx, y2 - 14.0 * dy);
    let _ = writeln!(
        svg,
        "<g class=\"arrow\"><line x1=\"{x1}\" y1=\"{y1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke-width=\"6\"/>\
         <path stroke=\"none\" d=\"M{x2} {y2}L{:.1} {:.1}L{:.1} {:.1}z\"/></g>",
        bx - 7.0 * dy,
        by + 7.0 * dx,
        bx + 7.0 * dy,
        by - 7.0 * dx,
    );
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn svg(words: &[&str]) -> Result<String, String> {
        let line = Line::try_parse_from([&["draw"], words].concat()).map_err(|error| error.to_string())?;
        draw(&line.args)
    }

    fn count(words: &[&str], class: &str) -> usize {
        svg(words).expect("it can be drawn").matches(&format!("class=\"{class}\"")).count()
    }

    #[test]
    fn boards_have_pieces_marks_and_arrows() {
        assert_eq!(count(&[], "white"), 16);
        assert_eq!(count(&["--empty"], "white"), 0);
        assert_eq!(count(&["--mark", "d4,e5"], "mark"), 2);
        assert_eq!(count(&["--arrow", "e2e4,g1-f3"], "arrow"), 2);
        assert_eq!(count(&["--attacks", "b1"], "mark"), 3);
        assert_eq!(count(&["--empty", "--relevant", "rook:d4"], "mark"), 10);
        assert_eq!(count(&["--empty", "--relevant", "rook:a1"], "mark"), 12);
        assert_eq!(count(&["--bitboard", "FF00000000000000"], "mark"), 8);
    }

    #[test]
    fn bad_input_is_named() {
        for (words, fault) in [
            (&["--attacks", "e4"][..], "no piece on e4"),
            (&["--mark", "z9"], "\"z9\" is not a square"),
            (&["--relevant", "knight:d4"], "neither rook nor bishop"),
            (&["--arrow", "e2"], "is not a square"),
            (&["--bitboard", "xyz"], "hexadecimal"),
        ] {
            let error = svg(words).expect_err("it is refused");
            assert!(error.contains(fault), "{error}");
        }
    }
}
