//! The board as lines of text, in colour, in ASCII or narrow.

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Move, Piece, Position, Square};

/// The drawing style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Chess symbols on coloured squares.
    Colour,
    /// Letters in a grid, upper case for White. The last move is in parentheses, a king in check in brackets.
    Ascii,
    /// Letters without a grid, for narrow terminals.
    Narrow,
}

impl Style {
    /// The width in columns.
    pub(super) const fn width(self) -> usize {
        match self {
            Self::Colour => 26,
            Self::Ascii => 35,
            Self::Narrow => 26,
        }
    }
}

/// A position to draw: its marks and its orientation.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardDrawing<'p> {
    pub(super) position: &'p Position,
    pub(super) last_move: Option<Move>,
    /// The side at the bottom.
    pub(super) bottom: Color,
}

/// The mark of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Nothing,
    LastMove,
    Check,
}

impl BoardDrawing<'_> {
    /// The lines of the board, each [`Style::width`] columns wide.
    pub(super) fn lines(&self, style: Style) -> Vec<String> {
        const RULE: &str = "  +---+---+---+---+---+---+---+---+";
        let mut lines = Vec::new();
        for rank in self.ranks() {
            if style == Style::Ascii {
                lines.push(RULE.to_owned());
            }
            let cells = self.files().map(|file| self.cell(Square::new(file, rank), style));
            let row = match style {
                Style::Ascii => format!("{} |{}|", rank.digit(), cells.join("|")),
                Style::Colour | Style::Narrow => format!("{} {}", rank.digit(), cells.concat()),
            };
            lines.push(row);
        }
        let letters = self.files().map(File::letter);
        let names = match style {
            Style::Ascii => {
                lines.push(RULE.to_owned());
                letters.map(|letter| format!("   {letter}")).concat()
            }
            Style::Colour | Style::Narrow => letters.map(|letter| format!(" {letter} ")).concat(),
        };
        let width = style.width();
        match style {
            Style::Ascii => lines.push(format!(" {names:<0$}", width - 1)),
            Style::Colour | Style::Narrow => lines.push(format!("  {names:<0$}", width - 2)),
        }
        lines
    }

    fn ranks(&self) -> [Rank; Rank::COUNT] {
        let mut ranks = Rank::ALL;
        if self.bottom == Color::White {
            ranks.reverse();
        }
        ranks
    }

    fn files(&self) -> [File; File::COUNT] {
        let mut files = File::ALL;
        if self.bottom == Color::Black {
            files.reverse();
        }
        files
    }

    fn mark(&self, square: Square) -> Mark {
        let side = self.position.side_to_move();
        if self.position.is_check() && self.position.king(side) == square {
            Mark::Check
        } else if self.last_move.is_some_and(|mv| [mv.from(), mv.to()].contains(&square)) {
            Mark::LastMove
        } else {
            Mark::Nothing
        }
    }

    /// Three columns.
    fn cell(&self, square: Square, style: Style) -> String {
        let piece = self.position.color_on(square).zip(self.position.piece_on(square));
        let mark = self.mark(square);
        if style == Style::Colour {
            return coloured(square, piece, mark);
        }
        let empty = if style == Style::Narrow && is_dark(square) { '.' } else { ' ' };
        let letter = piece.map_or(empty, |(color, piece)| piece.letter_of(color));
        match mark {
            Mark::Nothing => format!(" {letter} "),
            Mark::LastMove => format!("({letter})"),
            Mark::Check => format!("[{letter}]"),
        }
    }
}

fn is_dark(square: Square) -> bool {
    Bitboard::DARK_SQUARES.contains(square)
}

/// A square in the 256 colours of terminals.
fn coloured(square: Square, piece: Option<(Color, Piece)>, mark: Mark) -> String {
    const WHITE_PIECE: u8 = 231;
    const BLACK_PIECE: u8 = 16;
    let background: u8 = match (mark, is_dark(square)) {
        (Mark::Nothing, false) => 180,
        (Mark::Nothing, true) => 137,
        (Mark::LastMove, false) => 150,
        (Mark::LastMove, true) => 107,
        (Mark::Check, _) => 167,
    };
    let (foreground, symbol) = match piece {
        Some((Color::White, piece)) => (WHITE_PIECE, symbol(piece)),
        Some((Color::Black, piece)) => (BLACK_PIECE, symbol(piece)),
        None => (BLACK_PIECE, ' '),
    };
    format!("\x1b[48;5;{background};38;5;{foreground}m {symbol} \x1b[0m")
}

/// The filled symbol of a piece; the foreground colour tells the side.
pub(super) const fn symbol(piece: Piece) -> char {
    match piece {
        Piece::Pawn => '♟',
        Piece::Knight => '♞',
        Piece::Bishop => '♝',
        Piece::Rook => '♜',
        Piece::Queen => '♛',
        Piece::King => '♚',
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::game::Game;

    use super::*;

    fn mated() -> Game {
        let mut game = Game::default();
        for text in ["f3", "e5", "g4", "Qh4#"] {
            let mv = game.position().parse_san(text).expect("the moves are legal");
            game.play(mv).expect("the moves are legal");
        }
        game
    }

    fn view(game: &Game, bottom: Color) -> BoardDrawing<'_> {
        BoardDrawing { position: game.position(), last_move: game.moves().last().copied(), bottom }
    }

    /// A line without colour codes.
    fn without_colours(line: &str) -> String {
        let mut plain = String::new();
        let mut is_inside = false;
        for letter in line.chars() {
            match letter {
                '\x1b' => is_inside = true,
                'm' if is_inside => is_inside = false,
                letter if !is_inside => plain.push(letter),
                _ => {}
            }
        }
        plain
    }

    #[test]
    fn the_last_move_and_the_check_are_marked() {
        let lines = view(&mated(), Color::White).lines(Style::Ascii);
        let expected = "  +---+---+---+---+---+---+---+---+
8 | r | n | b |( )| k | b | n | r |
  +---+---+---+---+---+---+---+---+
7 | p | p | p | p |   | p | p | p |
  +---+---+---+---+---+---+---+---+
6 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   | p |   |   |   |
  +---+---+---+---+---+---+---+---+
4 |   |   |   |   |   |   | P |(q)|
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   | P |   |   |
  +---+---+---+---+---+---+---+---+
2 | P | P | P | P | P |   |   | P |
  +---+---+---+---+---+---+---+---+
1 | R | N | B | Q |[K]| B | N | R |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h  ";
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn the_board_can_be_turned() {
        let game = mated();
        let lines = view(&game, Color::Black).lines(Style::Narrow);
        assert_eq!(lines[0], "1  R  N  B [K] Q  B  N  R ");
        assert_eq!(lines[3], "4 (q) P  .     .     .    ");
        assert_eq!(lines[8], "   h  g  f  e  d  c  b  a ");
    }

    #[test]
    fn every_line_is_as_wide_as_it_says() {
        let game = mated();
        for style in [Style::Colour, Style::Ascii, Style::Narrow] {
            for line in view(&game, Color::White).lines(style) {
                assert_eq!(without_colours(&line).chars().count(), style.width(), "{style:?}: {line:?}");
            }
        }
    }

    #[test]
    fn squares_and_pieces_have_different_colours() {
        let game = mated();
        let lines = view(&game, Color::White).lines(Style::Colour);
        let first_rank: Vec<_> = lines[7].split_inclusive("\x1b[0m").collect();
        assert!(first_rank[0].ends_with("\x1b[48;5;137;38;5;231m ♜ \x1b[0m"), "a1 is dark, its rook white");
        assert!(first_rank[4].starts_with("\x1b[48;5;167;"), "the king on e1 is in check");
        assert!(lines[0].contains("\x1b[48;5;107;38;5;16m   \x1b[0m"), "the queen left d8");
    }
}
