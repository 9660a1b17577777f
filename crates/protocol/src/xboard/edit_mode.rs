//! Edit mode, the old way to set up a position: `edit`, then a piece and its square per line, then `.`.

use rukh_chess::{Color, Piece, Square};

/// The board of edit mode.
#[derive(Clone, Debug)]
pub(super) struct EditMode {
    pieces: [Option<(Color, Piece)>; 64],
    color: Color,
}

impl Default for EditMode {
    fn default() -> Self {
        Self { pieces: [None; 64], color: Color::White }
    }
}

impl EditMode {
    /// Executes a line and returns whether it was the last. Other text is ignored.
    pub(super) fn execute(&mut self, line: &str) -> bool {
        match line {
            "." => return true,
            "#" => self.pieces = [None; 64],
            "c" => self.color = !self.color,
            line => drop(self.put(line)),
        }
        false
    }

    /// `Pa4` puts a pawn on a4, `xa4` clears a4.
    fn put(&mut self, line: &str) -> Option<()> {
        let mut letters = line.chars();
        let letter = letters.next()?;
        let square: Square = letters.as_str().parse().ok()?;
        self.pieces[square.index()] = match letter {
            'x' | 'X' => None,
            letter => Some((self.color, Piece::from_letter(letter.to_ascii_lowercase())?)),
        };
        Some(())
    }

    /// The pieces as the first field of a FEN.
    pub(super) fn board(&self) -> String {
        let rank = |rank: usize| {
            let mut text = String::new();
            let mut empty = 0;
            for piece in &self.pieces[8 * rank..8 * rank + 8] {
                let Some((color, piece)) = piece else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text.push_str(&std::mem::take(&mut empty).to_string());
                }
                let letter = piece.letter();
                text.push(if *color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            text
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_placed_and_removed() {
        let mut edit = EditMode::default();
        let lines = ["#", "Ke1", "Pa2", "Ph2", "xh2", "c", "Ke8", "qd8", "nonsense", "Z9", "", "Pz9"];
        assert!(lines.iter().all(|line| !edit.execute(line)));
        assert!(edit.execute("."));
        assert_eq!(edit.board(), "3qk3/8/8/8/8/8/P7/4K3");
    }
}
