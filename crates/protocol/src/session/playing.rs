//! Games that the engine conducts itself: it hears the moves of the other side, and knows when it is its turn.

use rukh_chess::game::Game;
use rukh_chess::notation::{CastlingNotation, UciMoveError};
use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_engine::draw_policy::DrawPolicy;

use super::core::Session;
use crate::codec::{Reply, Status};
use crate::command::{Conduct, Go, Selection};
use crate::seat::{Level, Role, Seat};
use crate::teller::Done;

impl Session {
    /// Obeys an order that only an engine understands that has a seat in the game.
    pub(super) fn conduct(&mut self, order: Conduct) {
        let Some(seat) = &mut self.seat else { return };
        match order {
            Conduct::Level { moves, base, increment } => seat.set_level(Level { moves, base, increment }),
            Conduct::MoveTime(time) => seat.set_move_time(time),
            Conduct::Depth(depth) => seat.depth = depth,
            Conduct::NodeRate(rate) => seat.node_rate = rate,
            Conduct::OwnTime(time) => seat.own = time,
            Conduct::TheirTime(time) => seat.theirs = time,
            Conduct::Post(is_on) => seat.posts = is_on,
            Conduct::Ponder(is_on) => {
                seat.ponders = is_on;
                if !is_on && self.is_pondering() {
                    self.stand_still();
                }
            }
            // Everything before has been obeyed only when the move that is due has been made.
            Conduct::Ping(number) => {
                seat.pings.push(number);
                if !self.is_thinking() {
                    self.answer_pings();
                }
            }
            Conduct::New => self.begin_game(),
            Conduct::Variant(name) => self.set_variant(&name),
            Conduct::Force | Conduct::EndAnalysis | Conduct::End => self.take_role(Role::Onlooker),
            Conduct::Go => self.take_role(Role::Player(self.game.position().side_to_move())),
            Conduct::PlayOther => self.take_role(Role::Player(!self.game.position().side_to_move())),
            Conduct::Analyse => self.take_role(Role::Analyst),
            Conduct::MoveNow => {
                if !self.is_pondering() {
                    self.engine.stop();
                    self.attend();
                }
            }
            Conduct::Move(text) => self.hear_move(&text),
            Conduct::TakeBack(count) => self.take_back(count),
            Conduct::SetUp(fen) => self.set_up(fen.parse::<Position>().map_err(|error| error.to_string())),
            Conduct::PutMen(board) => self.set_up(put_pieces(&board, self.game.position())),
            Conduct::Consider { moves, is_in } => self.consider(&moves, is_in),
            Conduct::Status => self.tell_status(),
            Conduct::Hint => self.tell_hint(),
            Conduct::Book => {
                self.say(&Reply::Book(self.preferences.book.moves(self.game.position())));
            }
            Conduct::OfferDraw => {
                if self.would_take_draw() {
                    self.say(&Reply::Draw);
                }
            }
            Conduct::Pause => {
                seat.is_paused = true;
                self.stand_still();
            }
            Conduct::Resume => {
                seat.is_paused = false;
                self.take_turn();
            }
        }
    }

    /// A search may have ended: if it was for a move of ours, that is played.
    pub(super) fn attend(&mut self) {
        let Some(Role::Player(color)) = self.seat.as_ref().map(|seat| seat.role) else { return };
        let is_ours = self.game.position().side_to_move() == color;
        let search = self.search.as_ref().filter(|search| is_ours && !search.is_ponder);
        if let Some(done) = search.and_then(|search| search.teller.take_end()) {
            self.play(done);
        }
    }

    /// Whether a move of ours is due.
    fn is_thinking(&self) -> bool {
        let is_player = self.seat.as_ref().is_some_and(|seat| matches!(seat.role, Role::Player(_)));
        is_player && self.search.is_some() && self.is_searching() && !self.is_pondering()
    }

    fn answer_pings(&mut self) {
        let pings = self.seat.as_mut().map(|seat| std::mem::take(&mut seat.pings)).unwrap_or_default();
        pings.into_iter().for_each(|number| self.say(&Reply::Pong(number)));
    }

    fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.is_ponder)
    }

    /// Ends the search; its move is not wanted.
    fn stand_still(&mut self) {
        self.stop_search();
        self.search = None;
        self.answer_pings();
    }

    fn take_role(&mut self, role: Role) {
        self.stand_still();
        let is_analysis = role == Role::Analyst;
        if self.preferences.is_analysis != is_analysis {
            self.set_option("UCI_AnalyseMode", Some(if is_analysis { "true" } else { "false" }));
        }
        if let Some(seat) = &mut self.seat {
            seat.role = role;
        }
        self.take_turn();
    }

    /// Does what the role asks for in this position: thinks about a move, about the position, on a guess, or not at all.
    fn take_turn(&mut self) {
        let position = self.game.position();
        let (side, moves_made) = (position.side_to_move(), position.fullmove_number() - 1);
        let Some(seat) = self.seat.as_mut().filter(|seat| !seat.is_paused) else { return };
        match seat.role {
            Role::Onlooker => {}
            Role::Analyst => {
                let legal = position.legal_moves();
                let considered = legal.iter().filter(|mv| !seat.excluded.contains(mv));
                let texts: Vec<_> =
                    considered.map(|mv| position.uci(*mv, CastlingNotation::RookSquare)).collect();
                if !texts.is_empty() {
                    let search_moves = if texts.len() == legal.len() { Vec::new() } else { texts };
                    let go = Go { is_infinite: true, search_moves, ..Go::default() };
                    self.make_room();
                    self.start_search(self.game.clone(), &go);
                }
            }
            Role::Player(color) if color == side => {
                if let Some(ending) = self.game.ending() {
                    self.say(&Reply::End(ending));
                    return;
                }
                let go = seat.go(color, moves_made);
                self.make_room();
                match self.book_move(&go) {
                    Some(mv) => self.play(Done { best: Some(mv), ponder: None }),
                    None => self.start_search(self.game.clone(), &go),
                }
            }
            Role::Player(_) => self.ponder(),
        }
    }

    /// Thinks on the other side's time about what it is expected to play.
    fn ponder(&mut self) {
        let Some(seat) = self.seat.as_mut().filter(|seat| seat.ponders && !seat.is_paused) else { return };
        let mut game = self.game.clone();
        let Some(guess) = seat.guess.filter(|guess| game.play(*guess).is_ok() && game.ending().is_none())
        else {
            return;
        };
        let position = game.position();
        let go = seat.go(position.side_to_move(), position.fullmove_number() - 1);
        seat.guess = Some(guess);
        self.make_room();
        self.start_search(game, &Go { is_ponder: true, ..go });
    }

    /// Plays a move of ours and tells it.
    fn play(&mut self, done: Done) {
        let Some(best) = done.best else { return };
        self.say(&Reply::Move(best));
        self.game.play(best).expect("a search finds legal moves");
        self.answer_pings();
        if let Some(seat) = &mut self.seat {
            seat.has_moved();
            seat.guess = done.ponder;
        }
        match self.game.ending() {
            Some(ending) => self.say(&Reply::End(ending)),
            None => self.ponder(),
        }
    }

    /// A move of the other side.
    fn hear_move(&mut self, text: &str) {
        let mv = match read_move(self.game.position(), text) {
            Ok(mv) => mv,
            Err(sentence) => {
                self.say(&Reply::Illegal { text: text.to_owned(), sentence });
                return;
            }
        };
        let was_guessed =
            self.is_pondering() && self.seat.as_ref().is_some_and(|seat| seat.guess == Some(mv));
        if was_guessed {
            self.game.play(mv).expect("it was read as a legal move");
            self.ponder_hit();
            return;
        }
        self.change_game(|game| game.play(mv).expect("it was read as a legal move"));
    }

    /// Makes another position the present one, and goes on there.
    fn change_game(&mut self, change: impl FnOnce(&mut Game)) {
        self.stand_still();
        change(&mut self.game);
        if let Some(seat) = &mut self.seat {
            seat.excluded.clear();
            seat.guess = None;
        }
        self.take_turn();
    }

    fn begin_game(&mut self) {
        self.stand_still();
        self.forget();
        self.preferences.castling = CastlingNotation::KingTarget;
        if let Some(seat) = &mut self.seat {
            let role = match seat.role {
                Role::Analyst => Role::Analyst,
                Role::Onlooker | Role::Player(_) => Seat::default().role,
            };
            (seat.role, seat.depth, seat.is_paused) = (role, None, false);
        }
        self.change_game(|game| *game = Game::default());
    }

    fn set_variant(&mut self, name: &str) {
        self.preferences.castling = match name {
            "normal" => CastlingNotation::KingTarget,
            "fischerandom" => CastlingNotation::RookSquare,
            _ => {
                let sentence = "only normal chess and fischerandom are played here".to_owned();
                self.say(&Reply::Complaint { sentence, line: format!("variant {name}") });
                return;
            }
        };
    }

    fn set_up(&mut self, position: Result<Position, String>) {
        match position {
            Ok(position) => self.change_game(|game| *game = Game::new(position)),
            Err(sentence) => self.say(&Reply::BadPosition(sentence)),
        }
    }

    fn take_back(&mut self, count: usize) {
        if self.game.moves().len() < count {
            let sentence = "there is no move to take back".to_owned();
            let line = if count == 1 { "undo" } else { "remove" }.to_owned();
            self.say(&Reply::Complaint { sentence, line });
            return;
        }
        self.change_game(|game| {
            for _ in 0..count {
                game.take_back();
            }
        });
    }

    fn consider(&mut self, moves: &Selection, is_in: bool) {
        let position = self.game.position();
        let best =
            || self.search.as_ref().and_then(|search| search.teller.told().line?.0.pv.first().copied());
        let chosen: Vec<Move> = match moves {
            Selection::All => position.legal_moves().to_vec(),
            Selection::Best => best().into_iter().collect(),
            Selection::One(text) => match read_move(position, text) {
                Ok(mv) => vec![mv],
                Err(sentence) => {
                    self.say(&Reply::Illegal { text: text.clone(), sentence });
                    return;
                }
            },
        };
        let Some(seat) = &mut self.seat else { return };
        seat.excluded.retain(|mv| !chosen.contains(mv));
        if !is_in {
            seat.excluded.extend(chosen);
        }
        if seat.role == Role::Analyst {
            self.stand_still();
            self.take_turn();
        }
    }

    fn tell_status(&self) {
        let Some(search) = &self.search else { return };
        let told = search.teller.told();
        let (depth, progress) = told.line.map(|(line, progress)| (line.depth, progress)).unwrap_or_default();
        let moves = self.game.position().legal_moves().len();
        self.say(&Reply::Status(Status { depth, progress, current: told.current, moves }));
    }

    /// What was expected when we last moved, or the best that is known now.
    fn tell_hint(&self) {
        let expected = self.seat.as_ref().and_then(|seat| seat.guess);
        let told = self.search.as_ref().filter(|search| !search.is_ponder).map(|search| search.teller.told());
        let best = told.and_then(|told| told.line?.0.pv.first().copied());
        let position = self.game.position();
        if let Some(mv) = expected.or(best).filter(|mv| position.is_legal(*mv)) {
            self.say(&Reply::Hint(mv));
        }
    }

    /// Whether the last search of ours found nothing better than a draw.
    fn would_take_draw(&self) -> bool {
        let told = self.search.as_ref().and_then(|search| search.teller.told().line);
        let policy = DrawPolicy::OFFERS;
        let is_due = policy.is_due(self.game.position().fullmove_number());
        is_due && told.is_some_and(|(line, _)| policy.accepts_score(line.score))
    }
}

/// A move in coordinates or, for castling in Chess960 and for people, in algebraic notation.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_uci(text).or_else(|error| {
        position.parse_san(text).map_err(|other| match error {
            // What has the form of coordinates is explained as such.
            UciMoveError::Illegal(..) => error.to_string(),
            UciMoveError::Malformed(_) => other.to_string(),
        })
    })
}

/// These pieces with the turn that it is; kings and rooks at home may castle.
fn put_pieces(board: &str, before: &Position) -> Result<Position, String> {
    let side = if before.side_to_move() == Color::White { "w" } else { "b" };
    let read = |castling: &str| {
        let fen = format!("{board} {side} {castling} - 0 1");
        fen.parse::<Position>().map_err(|error| error.to_string())
    };
    let pieces = read("-")?;
    let is_home = |piece: Piece, color: Color, square: Square| {
        pieces.piece_on(square) == Some(piece) && pieces.color_on(square) == Some(color)
    };
    let wings = [
        ('K', Color::White, Square::E1, Square::H1),
        ('Q', Color::White, Square::E1, Square::A1),
        ('k', Color::Black, Square::E8, Square::H8),
        ('q', Color::Black, Square::E8, Square::A8),
    ];
    let may_castle = wings.iter().filter(|(_, color, king, rook)| {
        is_home(Piece::King, *color, *king) && is_home(Piece::Rook, *color, *rook)
    });
    let rights: String = may_castle.map(|(letter, ..)| *letter).collect();
    if rights.is_empty() { Ok(pieces) } else { read(&rights) }
}
