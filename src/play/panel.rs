//! The panel beside the board: players, clocks, material, opening, last moves.

use std::time::Duration;

use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Piece, Position};
use rukh_play::table::GameTable;

use super::board::{BoardDrawing, Style, symbol};
use super::clock;

/// Everything that is shown of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    pub(super) table: &'a GameTable,
    /// The time White and Black have left, if there are clocks.
    pub(super) clocks: [Option<Duration>; Color::COUNT],
    /// The names of White and Black.
    pub(super) names: &'a [String; Color::COUNT],
    pub(super) opening: Option<&'a str>,
    /// The side at the bottom.
    pub(super) bottom: Color,
    pub(super) style: Style,
    /// The width of the terminal in columns.
    pub(super) columns: usize,
}

/// Columns between board and panel.
const GAP: usize = 3;
/// With fewer columns left, the panel is below the board.
const MIN_PANEL_WIDTH: usize = 24;
/// Lines of the panel without moves: two players, the opening, an empty line.
const FIXED_LINES: usize = 4;
/// Lines of the panel below the board.
const LINES_BELOW: usize = FIXED_LINES + 3;

impl Page<'_> {
    /// The page as lines.
    pub(super) fn lines(&self) -> Vec<String> {
        let view = BoardDrawing {
            position: self.table.position(),
            last_move: self.table.game().moves().last().copied(),
            bottom: self.bottom,
        };
        let board = view.lines(self.style);
        let room = self.columns.saturating_sub(self.style.width() + GAP);
        if room < MIN_PANEL_WIDTH {
            let below = self.panel(LINES_BELOW).into_iter().filter(|line| !line.is_empty());
            return board.into_iter().chain(below.map(|line| cut(&line, self.columns))).collect();
        }
        // The last line has the file letters only.
        let mut panel = self.panel(board.len() - 1).into_iter();
        let beside = |line: String| match panel.next().filter(|text| !text.is_empty()) {
            Some(text) => format!("{line}{:GAP$}{}", "", cut(&text, room)),
            None => line,
        };
        let lines = board.into_iter().map(beside).map(|line| line.trim_end().to_owned());
        lines.collect()
    }

    /// The panel with so many lines: the player at the top, opening and moves, the player at the bottom.
    fn panel(&self, height: usize) -> Vec<String> {
        let mut lines = vec![self.player(!self.bottom), String::new()];
        lines.push(self.opening.unwrap_or_default().to_owned());
        lines.extend(self.last_moves(height - FIXED_LINES));
        lines.resize(height - 1, String::new());
        lines.push(self.player(self.bottom));
        lines
    }

    /// A player with clock and extra material; `>` marks the side to move.
    fn player(&self, side: Color) -> String {
        let position = self.table.position();
        let is_to_move = position.side_to_move() == side && self.table.conclusion().is_none();
        let mut text = format!("{} {}", if is_to_move { '>' } else { ' ' }, self.names[side.index()]);
        if let Some(time) = self.clocks[side.index()] {
            text.push_str(&format!("  {}", clock::show(time)));
        }
        let surplus = surplus(position, side);
        if !surplus.is_empty() {
            let letter = |piece: Piece| match self.style {
                Style::Colour => symbol(piece),
                Style::Ascii | Style::Narrow => piece.letter_of(side),
            };
            text.push_str(&format!("  {}", surplus.into_iter().map(letter).collect::<String>()));
        }
        let lead = points(position, side) - points(position, !side);
        if lead > 0 {
            text.push_str(&format!(" +{lead}"));
        }
        text
    }

    /// The last full moves, one per line.
    fn last_moves(&self, most: usize) -> Vec<String> {
        let game = self.table.game();
        let mut lines: Vec<String> = Vec::new();
        for (position, &mv) in game.positions().iter().zip(game.moves()) {
            let san = position.san(mv);
            let number = position.fullmove_number();
            match (position.side_to_move(), lines.last_mut()) {
                (Color::Black, Some(line)) => line.push_str(&format!(" {san}")),
                (Color::Black, None) => lines.push(format!("{number:>3}... {san}")),
                (Color::White, _) => lines.push(format!("{number:>3}. {san:<7}")),
            }
        }
        lines.split_off(lines.len().saturating_sub(most))
    }
}

/// The pieces that a side has more than the other, the most valuable first.
fn surplus(position: &Position, side: Color) -> Vec<Piece> {
    let count = |color, piece| position.colored_pieces(color, piece).count();
    let more = |&piece: &Piece| count(side, piece).saturating_sub(count(!side, piece));
    Piece::ALL.into_iter().rev().flat_map(|piece| std::iter::repeat_n(piece, more(&piece) as usize)).collect()
}

/// The material of a side in pawns: 1, 3, 3, 5, 9.
fn points(position: &Position, side: Color) -> i32 {
    const VALUES: ByPiece<i32> = ByPiece([1, 3, 3, 5, 9, 0]);
    Piece::ALL
        .into_iter()
        .map(|piece| VALUES[piece] * position.colored_pieces(side, piece).count() as i32)
        .sum()
}

/// A text cut to a number of columns.
fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(2)).collect();
    format!("{}..", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use rukh_chess::types::ByColor;
    use rukh_play::control::TimeControl;
    use rukh_play::table::Player;

    use super::*;

    fn page(columns: usize, style: Style) -> Vec<String> {
        let control = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
        let mut table = GameTable::new(Position::default(), ByColor([Player::Person; 2]), Some(control));
        for text in ["e4", "d5", "exd5", "Nf6"] {
            let mv = table.position().parse_san(text).expect("the moves are legal");
            table.play(mv, Duration::from_secs(7)).expect("the moves are legal");
        }
        let names = ["Anna".to_owned(), "Boris".to_owned()];
        let opening = Some("Scandinavian Defence: Modern Variation");
        let clocks = Color::ALL.map(|side| table.remaining(side));
        Page { table: &table, clocks, names: &names, opening, bottom: Color::White, style, columns }.lines()
    }

    #[test]
    fn the_panel_is_beside_the_board() {
        let lines = page(80, Style::Narrow);
        assert_eq!(lines[0], "8  r  n  b  q  k  b ( ) r      Boris  4:46");
        assert!(lines[2].ends_with("Scandinavian Defence: Modern Variation"), "{lines:#?}");
        assert!(
            lines[3].ends_with("  1. e4      d5") && lines[4].ends_with("  2. exd5    Nf6"),
            "{lines:#?}"
        );
        assert!(lines[7].ends_with("> Anna  4:46  P +1"), "{lines:#?}");
        assert_eq!(lines.len(), 9);
    }

    #[test]
    fn in_a_narrow_terminal_the_panel_is_below_the_board() {
        let lines = page(30, Style::Narrow);
        assert_eq!(lines[9], "  Boris  4:46");
        assert_eq!(lines[10], "Scandinavian Defence: Modern..");
        assert!(lines.iter().all(|line| line.chars().count() <= 30), "{lines:#?}");
    }
}
