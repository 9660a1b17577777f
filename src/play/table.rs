//! The table at which a game is played: the board, the clocks, who sits there, and how the game ended.
//!
//! Nothing here knows a terminal, a file or an engine; time is told, not measured.

use std::time::Duration;

use rukh_chess::game::{Game, NotLegal};
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move, Position};

use super::clock::Control;
use super::conclusion::Conclusion;

/// Who makes the moves of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Player {
    Person,
    Engine,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub(super) struct GameTable {
    game: Game,
    pub(super) players: ByColor<Player>,
    control: Option<Control>,
    /// What the clocks showed at the beginning and after every move; without a time control nobody looks at them.
    clocks: Vec<ByColor<Duration>>,
    /// Who has offered a draw that is not answered yet.
    offer: Option<Color>,
    conclusion: Option<Conclusion>,
}

impl GameTable {
    /// A game that begins in `start`.
    pub(super) fn new(start: Position, players: ByColor<Player>, control: Option<Control>) -> Self {
        let time = control.map_or(Duration::ZERO, |control| control.time);
        let game = Game::new(start);
        let conclusion = game.ending().map(Conclusion::Rules);
        Self { game, players, control, clocks: vec![ByColor([time; 2])], offer: None, conclusion }
    }

    /// A game that was begun before. `shown` is what the clock of the mover showed after every move, where that is known.
    pub(super) fn resumed(
        game: &Game,
        players: ByColor<Player>,
        control: Option<Control>,
        shown: &[Option<Duration>],
    ) -> Self {
        let mut table = Self::new(game.start().clone(), players, control);
        for (ply, &mv) in game.moves().iter().enumerate() {
            let mover = game.positions()[ply].side_to_move();
            let mut clocks = *table.clocks.last().expect("the clocks are set at the beginning");
            clocks[mover] = shown.get(ply).copied().flatten().unwrap_or(clocks[mover]);
            table.game.play(mv).expect("the moves of a game are legal in it");
            table.clocks.push(clocks);
        }
        table.conclusion = table.game.ending().map(Conclusion::Rules);
        table
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// Who is to move.
    pub(super) fn mover(&self) -> Player {
        self.players[self.side_to_move()]
    }

    pub(super) fn control(&self) -> Option<Control> {
        self.control
    }

    /// What the clock of a side shows, if there are clocks.
    pub(super) fn remaining(&self, side: Color) -> Option<Duration> {
        self.control.map(|_| self.clocks.last().expect("the clocks are set at the beginning")[side])
    }

    /// What the clock of the mover showed after each move, if there are clocks.
    pub(super) fn shown_after(&self, ply: usize) -> Option<Duration> {
        let mover = self.game.positions()[ply].side_to_move();
        self.control.map(|_| self.clocks[ply + 1][mover])
    }

    pub(super) fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }

    /// The only person, if there is exactly one.
    pub(super) fn lone_person(&self) -> Option<Color> {
        match self.players.0 {
            [Player::Person, Player::Engine] => Some(Color::White),
            [Player::Engine, Player::Person] => Some(Color::Black),
            _ => None,
        }
    }

    /// The side to move makes a move after having thought for `taken`; if its time was over before, that ends the game
    /// instead.
    pub(super) fn play(&mut self, mv: Move, taken: Duration) -> Result<(), NotLegal> {
        let mover = self.side_to_move();
        let mut clocks = *self.clocks.last().expect("the clocks are set at the beginning");
        if let Some(control) = self.control {
            if taken >= clocks[mover] {
                self.run_out_of_time();
                return Ok(());
            }
            clocks[mover] = clocks[mover] - taken + control.increment;
        }
        self.game.play(mv)?;
        self.clocks.push(clocks);
        // Who moves does not take what the other side offered.
        self.offer = self.offer.filter(|&by| by == mover);
        self.conclusion = self.game.ending().map(Conclusion::Rules);
        Ok(())
    }

    /// The time of the side to move is over.
    pub(super) fn run_out_of_time(&mut self) {
        let late = self.side_to_move();
        let has_only_king = !self.position().color(!late).has_many();
        self.clocks.last_mut().expect("the clocks are set at the beginning")[late] = Duration::ZERO;
        self.conclusion =
            Some(if has_only_king { Conclusion::TimeAgainstKing(late) } else { Conclusion::Time(late) });
    }

    /// Takes moves back until the person who asks is to move again, at least one of its own moves; tells how many, none if
    /// there are not enough.
    pub(super) fn take_back(&mut self) -> usize {
        let plies = if self.lone_person().is_some() { 2 } else { 1 };
        if self.game.moves().len() < plies {
            return 0;
        }
        for _ in 0..plies {
            self.game.take_back();
            self.clocks.pop();
        }
        self.offer = None;
        plies
    }

    /// A side gives up.
    pub(super) fn resign(&mut self, side: Color) {
        self.conclusion = Some(Conclusion::Resignation(side));
    }

    /// The side to move offers a draw, or takes the offer of the other side; tells whether the game is drawn now.
    pub(super) fn offer_draw(&mut self) -> bool {
        let side = self.side_to_move();
        if self.offer == Some(!side) {
            self.agree_to_draw();
        } else {
            self.offer = Some(side);
        }
        self.conclusion.is_some()
    }

    /// Both sides agree to a draw.
    pub(super) fn agree_to_draw(&mut self) {
        self.conclusion = Some(Conclusion::Agreement);
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::game::{Ending, Outcome};

    use super::*;

    const PEOPLE: ByColor<Player> = ByColor([Player::Person; 2]);
    const AGAINST_ENGINE: ByColor<Player> = ByColor([Player::Person, Player::Engine]);
    const SECOND: Duration = Duration::from_secs(1);

    fn play(table: &mut GameTable, moves: &str, taken: Duration) {
        for text in moves.split_whitespace() {
            let mv = table.position().parse_san(text).unwrap_or_else(|error| panic!("{error}"));
            table.play(mv, taken).expect("it was read as a legal move");
        }
    }

    fn table(players: ByColor<Player>, moves: &str) -> GameTable {
        let mut table = GameTable::new(Position::default(), players, None);
        play(&mut table, moves, SECOND);
        table
    }

    fn blitz() -> Option<Control> {
        Some(Control { time: 10 * SECOND, increment: 2 * SECOND })
    }

    #[test]
    fn mate_ends_a_game() {
        let table = table(PEOPLE, "f3 e5 g4 Qh4#");
        let mate = Ending::Checkmate { winner: Color::Black };
        assert_eq!(table.conclusion(), Some(Conclusion::Rules(mate)));
        assert_eq!(table.remaining(Color::White), None);
    }

    #[test]
    fn clocks_run_and_flags_fall() {
        let mut table = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut table, "e4 e5", 4 * SECOND);
        assert_eq!(
            (table.remaining(Color::White), table.shown_after(0)),
            (Some(8 * SECOND), Some(8 * SECOND))
        );
        play(&mut table, "Nf3", 8 * SECOND);
        assert_eq!(table.conclusion(), Some(Conclusion::Time(Color::White)), "not a moment too late");
        assert_eq!(table.game().moves().len(), 2, "the move came too late");
        assert_eq!(table.remaining(Color::White), Some(Duration::ZERO));
        assert_eq!(table.shown_after(0), Some(8 * SECOND), "what was written before stays");
    }

    #[test]
    fn a_king_alone_does_not_win_on_time() {
        let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("the position is valid");
        let mut table = GameTable::new(start, PEOPLE, blitz());
        table.run_out_of_time();
        assert_eq!(table.conclusion(), Some(Conclusion::TimeAgainstKing(Color::White)));
        assert_eq!(table.conclusion().map(Conclusion::outcome), Some(Outcome::Draw));
    }

    #[test]
    fn taking_back_gives_the_time_back() {
        let mut table = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut table, "e4 e5", 4 * SECOND);
        assert_eq!(table.take_back(), 1);
        assert_eq!((table.side_to_move(), table.remaining(Color::Black)), (Color::Black, Some(10 * SECOND)));
        assert_eq!((table.take_back(), table.take_back()), (1, 0));
    }

    #[test]
    fn against_the_engine_both_moves_are_taken_back() {
        let mut table = table(AGAINST_ENGINE, "e4 e5");
        assert_eq!((table.take_back(), table.side_to_move()), (2, Color::White));
        assert_eq!(table.take_back(), 0);
    }

    #[test]
    fn a_draw_needs_both() {
        let mut offered = table(PEOPLE, "e4");
        assert!(!offered.offer_draw() && !offered.offer_draw(), "one side alone cannot agree");
        play(&mut offered, "e5", SECOND);
        let mut declined = offered.clone();
        assert!(offered.offer_draw(), "White takes what Black offered");
        assert_eq!(offered.conclusion(), Some(Conclusion::Agreement));
        play(&mut declined, "Nf3", SECOND);
        assert!(!declined.offer_draw(), "the offer was declined by a move");
    }

    #[test]
    fn resigning_loses() {
        let mut table = table(PEOPLE, "e4");
        table.resign(Color::Black);
        let conclusion = table.conclusion().expect("it is over");
        assert_eq!(conclusion.outcome(), Outcome::Win(Color::White));
        assert_eq!(conclusion.to_string(), "White wins: Black resigns");
    }

    #[test]
    fn a_resumed_game_has_its_clocks() {
        let mut first = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut first, "e4 e5 Nf3", 3 * SECOND);
        let shown: Vec<_> = (0..3).map(|ply| first.shown_after(ply)).collect();
        let resumed = GameTable::resumed(first.game(), PEOPLE, blitz(), &shown);
        for side in Color::ALL {
            assert_eq!(resumed.remaining(side), first.remaining(side));
        }
        assert_eq!(resumed.side_to_move(), Color::Black);
    }
}
