//! The board as SVG.

use rukh_chess::game::Game;
use rukh_chess::types::{File, Rank};
use rukh_chess::{Color, Position, Square};

use super::html::Html;
use crate::piece_text::glyph;

/// The side of a square; page.js uses the same value.
const SQUARE: usize = 45;
/// The distance from the top of a square to the baseline of its piece; page.js uses the same value.
const BASELINE: usize = 38;
/// The offsets of file names from the right and lower edge of a square, and of rank names from its left and upper edge.
const FILE_NAME: (usize, usize) = (7, 3);
const RANK_NAME: (usize, usize) = (2, 11);

/// The board field of the FEN, for the script.
pub(super) fn field(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// Draws the last position of a game; the script draws the others.
pub(super) fn draw(html: &mut Html, game: &Game) {
    let side = 8 * SQUARE;
    html.add(format_args!(
        "<svg class=\"board\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"Board\" data-start=\"{}\">\n\
         <rect class=\"light\" width=\"{side}\" height=\"{side}\"/>\n<path class=\"dark\" d=\"",
        field(game.start()),
    ));
    for square in Square::ALL.into_iter().filter(|square| is_dark(*square)) {
        let (x, y) = corner(square);
        html.add(format_args!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"));
    }
    html.add(format_args!("\"/>\n<g class=\"names\">"));
    for (at, file) in File::ALL.into_iter().enumerate() {
        let (x, y) = ((at + 1) * SQUARE - FILE_NAME.0, side - FILE_NAME.1);
        html.add(format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>", file.letter()));
    }
    for (at, rank) in Rank::ALL.into_iter().rev().enumerate() {
        let (x, y) = (RANK_NAME.0, at * SQUARE + RANK_NAME.1);
        html.add(format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>", rank.digit()));
    }
    html.add(format_args!("</g>\n<g class=\"marks\">"));
    if let Some(mv) = game.moves().last() {
        for (x, y) in [mv.from(), mv.to()].map(corner) {
            html.add(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"));
        }
    }
    html.add(format_args!("</g>\n<g class=\"pieces\">"));
    for square in Square::ALL {
        piece(html, game.position(), square);
    }
    html.add(format_args!("</g>\n</svg>\n"));
}

fn piece(html: &mut Html, position: &Position, square: Square) {
    let (Some(piece), Some(color)) = (position.piece_on(square), position.color_on(square)) else { return };
    let (x, y) = corner(square);
    let class = match color {
        Color::White => "white",
        Color::Black => "black",
    };
    let (middle, base) = (x as f64 + SQUARE as f64 / 2.0, y + BASELINE);
    html.add(format_args!("<text class=\"{class}\" x=\"{middle}\" y=\"{base}\">{}</text>", glyph(piece)));
}

fn is_dark(square: Square) -> bool {
    (square.file().index() + square.rank().index()).is_multiple_of(2)
}

/// The upper left corner of a square, with White at the bottom.
fn corner(square: Square) -> (usize, usize) {
    (square.file().index() * SQUARE, (7 - square.rank().index()) * SQUARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::game_of;

    #[test]
    fn pieces_are_drawn_on_their_squares() {
        let mut html = Html::default();
        draw(&mut html, &game_of("e4"));
        let text = html.into_text();
        assert_eq!(text.matches("<text class=\"white\"").count(), 16);
        assert_eq!(text.matches("<text class=\"black\"").count(), 16);
        // The pawn on e4, and the marked squares of its move.
        assert!(text.contains("<text class=\"white\" x=\"202.5\" y=\"218\">\u{265F}"), "{text}");
        assert!(
            text.contains("<rect x=\"180\" y=\"270\"") && text.contains("<rect x=\"180\" y=\"180\""),
            "{text}"
        );
        assert!(text.contains("data-start=\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\""));
        assert_eq!(text.matches("h45v45").count(), 32);
        assert!(
            text.contains("<text x=\"38\" y=\"357\">a<") && text.contains("<text x=\"2\" y=\"326\">1<"),
            "{text}"
        );
        assert!(is_dark("a1".parse().expect("a square")) && !is_dark("h1".parse().expect("a square")));
    }
}
