//! Game commands: games that the engine conducts itself, as in XBoard. It keeps the clocks, its side and whose turn it
//! is. How a protocol spells these commands is unknown here.

use rukh_chess::game::Game;
use rukh_chess::notation::{CastlingNotation, UciMoveError};
use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_engine::draw_policy::DrawPolicy;

use super::core::Session;
use crate::codec::{AnalysisStatus, Reply};
use crate::command::{GameCommand, Go, MoveSelection};
use crate::engine_game::{EngineGame, Mode, XboardTimeControl};
use crate::search_reporter::FoundMove;

impl Session {
    /// Executes a command of a game that the engine conducts; ignored outside such a game.
    pub(super) fn game_command(&mut self, command: GameCommand) {
        let Some(engine_game) = &mut self.engine_game else { return };
        match command {
            GameCommand::Level { moves, base, increment } => {
                engine_game.set_time_control(XboardTimeControl { moves, base, increment });
            }
            GameCommand::MoveTime(time) => engine_game.set_move_time(time),
            GameCommand::Depth(depth) => engine_game.depth = depth,
            GameCommand::NodeRate(rate) => engine_game.node_rate = rate,
            GameCommand::EngineTime(time) => engine_game.engine_time = time,
            GameCommand::OpponentTime(time) => engine_game.opponent_time = time,
            GameCommand::Post(is_on) => engine_game.shows_thinking = is_on,
            GameCommand::Ponder(is_on) => {
                engine_game.ponders = is_on;
                if !is_on && self.is_pondering() {
                    self.cancel_search();
                }
            }
            // Earlier commands are complete only when the engine has made the move that is due.
            GameCommand::Ping(number) => {
                engine_game.pings.push(number);
                if !self.is_thinking() {
                    self.answer_pings();
                }
            }
            GameCommand::New => self.start_game(),
            GameCommand::Variant(name) => self.set_variant(&name),
            GameCommand::Force | GameCommand::EndAnalysis | GameCommand::GameOver => {
                self.set_mode(Mode::Force);
            }
            GameCommand::Go => self.set_mode(Mode::Play(self.game.position().side_to_move())),
            GameCommand::PlayOther => self.set_mode(Mode::Play(!self.game.position().side_to_move())),
            GameCommand::Analyse => self.set_mode(Mode::Analyse),
            GameCommand::MoveNow => {
                if !self.is_pondering() {
                    self.engine.stop();
                    self.play_finished_search();
                }
            }
            GameCommand::Move(text) => self.opponent_move(&text),
            GameCommand::TakeBack(count) => self.take_back(count),
            GameCommand::SetBoard(fen) => {
                self.set_up(fen.parse::<Position>().map_err(|error| error.to_string()));
            }
            GameCommand::SetPieces(board) => self.set_up(with_pieces(&board, self.game.position())),
            GameCommand::Exclude { moves, is_excluded } => self.exclude(&moves, is_excluded),
            GameCommand::Status => self.report_status(),
            GameCommand::Hint => self.report_hint(),
            GameCommand::Book => {
                self.reply(&Reply::Book(self.preferences.book.moves(self.game.position())));
            }
            GameCommand::OfferDraw => {
                if self.accepts_draw() {
                    self.reply(&Reply::Draw);
                }
            }
            GameCommand::Pause => {
                engine_game.is_paused = true;
                self.cancel_search();
            }
            GameCommand::Resume => {
                engine_game.is_paused = false;
                self.start_turn();
            }
        }
    }

    /// Plays the result of a search for the engine's move, if it has ended.
    pub(super) fn play_finished_search(&mut self) {
        let Some(Mode::Play(color)) = self.engine_game.as_ref().map(|engine_game| engine_game.mode) else {
            return;
        };
        let is_engine_to_move = self.game.position().side_to_move() == color;
        let search = self.search.as_ref().filter(|search| is_engine_to_move && !search.is_ponder);
        if let Some(result) = search.and_then(|search| search.reporter.take_result()) {
            self.play(result);
        }
    }

    /// Whether the engine is searching for its move.
    fn is_thinking(&self) -> bool {
        let is_player =
            self.engine_game.as_ref().is_some_and(|engine_game| matches!(engine_game.mode, Mode::Play(_)));
        is_player && self.search.is_some() && self.is_searching() && !self.is_pondering()
    }

    fn answer_pings(&mut self) {
        let pings = self
            .engine_game
            .as_mut()
            .map(|engine_game| std::mem::take(&mut engine_game.pings))
            .unwrap_or_default();
        pings.into_iter().for_each(|number| self.reply(&Reply::Pong(number)));
    }

    fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.is_ponder)
    }

    /// Stops the search and discards its result.
    fn cancel_search(&mut self) {
        self.stop_search();
        self.search = None;
        self.answer_pings();
    }

    fn set_mode(&mut self, mode: Mode) {
        self.cancel_search();
        let is_analysis = mode == Mode::Analyse;
        if self.preferences.is_analysis != is_analysis {
            self.set_option("UCI_AnalyseMode", Some(if is_analysis { "true" } else { "false" }));
        }
        if let Some(engine_game) = &mut self.engine_game {
            engine_game.mode = mode;
        }
        self.start_turn();
    }

    /// Starts what the mode requires in this position: a search for a move, an analysis, pondering, or nothing.
    fn start_turn(&mut self) {
        let position = self.game.position();
        let (side, moves_made) = (position.side_to_move(), position.fullmove_number() - 1);
        let Some(engine_game) = self.engine_game.as_mut().filter(|engine_game| !engine_game.is_paused) else {
            return;
        };
        match engine_game.mode {
            Mode::Force => {}
            Mode::Analyse => {
                let legal = position.legal_moves();
                let included = legal.iter().filter(|mv| !engine_game.excluded.contains(mv));
                let texts: Vec<_> =
                    included.map(|mv| position.uci(*mv, CastlingNotation::RookSquare)).collect();
                if !texts.is_empty() {
                    let search_moves = if texts.len() == legal.len() { Vec::new() } else { texts };
                    let go = Go { is_infinite: true, search_moves, ..Go::default() };
                    self.end_running_work();
                    self.start_search(self.game.clone(), &go);
                }
            }
            Mode::Play(color) if color == side => {
                if let Some(ending) = self.game.ending() {
                    self.reply(&Reply::End(ending));
                    return;
                }
                let go = engine_game.go(color, moves_made);
                self.end_running_work();
                match self.book_move(&go) {
                    Some(mv) => self.play(FoundMove { best: Some(mv), ponder: None }),
                    None => self.start_search(self.game.clone(), &go),
                }
            }
            Mode::Play(_) => self.ponder(),
        }
    }

    /// Starts pondering on the expected reply.
    fn ponder(&mut self) {
        let Some(engine_game) =
            self.engine_game.as_mut().filter(|engine_game| engine_game.ponders && !engine_game.is_paused)
        else {
            return;
        };
        let mut game = self.game.clone();
        let is_possible = |mv: &Move| game.play(*mv).is_ok() && game.ending().is_none();
        if engine_game.ponder_move.filter(is_possible).is_none() {
            return;
        }
        let position = game.position();
        let go = engine_game.go(position.side_to_move(), position.fullmove_number() - 1);
        self.end_running_work();
        self.start_search(game, &Go { is_ponder: true, ..go });
    }

    /// Plays and reports the engine's move.
    fn play(&mut self, result: FoundMove) {
        let Some(best) = result.best else { return };
        self.reply(&Reply::Move(best));
        self.game.play(best).expect("a search returns a legal move");
        self.answer_pings();
        if let Some(engine_game) = &mut self.engine_game {
            engine_game.stop_clock();
            engine_game.ponder_move = result.ponder;
        }
        match self.game.ending() {
            Some(ending) => self.reply(&Reply::End(ending)),
            None => self.ponder(),
        }
    }

    /// The opponent's move.
    fn opponent_move(&mut self, text: &str) {
        let mv = match parse_move(self.game.position(), text) {
            Ok(mv) => mv,
            Err(sentence) => {
                self.reply(&Reply::Illegal { text: text.to_owned(), sentence });
                return;
            }
        };
        let is_ponder_hit = self.is_pondering()
            && self.engine_game.as_ref().is_some_and(|engine_game| engine_game.ponder_move == Some(mv));
        if is_ponder_hit {
            self.game.play(mv).expect("it was parsed as a legal move");
            self.ponder_hit();
            return;
        }
        self.change_game(|game| game.play(mv).expect("it was parsed as a legal move"));
    }

    /// Changes the game and continues from the new position.
    fn change_game(&mut self, change: impl FnOnce(&mut Game)) {
        self.cancel_search();
        change(&mut self.game);
        if let Some(engine_game) = &mut self.engine_game {
            engine_game.excluded.clear();
            engine_game.ponder_move = None;
        }
        self.start_turn();
    }

    fn start_game(&mut self) {
        self.cancel_search();
        self.new_game();
        self.preferences.castling = CastlingNotation::KingTarget;
        if let Some(engine_game) = &mut self.engine_game {
            let mode = match engine_game.mode {
                Mode::Analyse => Mode::Analyse,
                Mode::Force | Mode::Play(_) => EngineGame::default().mode,
            };
            (engine_game.mode, engine_game.depth, engine_game.is_paused) = (mode, None, false);
        }
        self.change_game(|game| *game = Game::default());
    }

    fn set_variant(&mut self, name: &str) {
        self.preferences.castling = match name {
            "normal" => CastlingNotation::KingTarget,
            "fischerandom" => CastlingNotation::RookSquare,
            _ => {
                let sentence = "only the variants normal and fischerandom are supported".to_owned();
                self.reply(&Reply::Error { sentence, line: format!("variant {name}") });
                return;
            }
        };
    }

    fn set_up(&mut self, position: Result<Position, String>) {
        match position {
            Ok(position) => self.change_game(|game| *game = Game::new(position)),
            Err(sentence) => self.reply(&Reply::BadPosition(sentence)),
        }
    }

    fn take_back(&mut self, count: usize) {
        if self.game.moves().len() < count {
            let sentence = "there is no move to take back".to_owned();
            let line = if count == 1 { "undo" } else { "remove" }.to_owned();
            self.reply(&Reply::Error { sentence, line });
            return;
        }
        self.change_game(|game| {
            for _ in 0..count {
                game.take_back();
            }
        });
    }

    fn exclude(&mut self, moves: &MoveSelection, is_excluded: bool) {
        let position = self.game.position();
        let best =
            || self.search.as_ref().and_then(|search| search.reporter.state().line?.0.pv.first().copied());
        let chosen: Vec<Move> = match moves {
            MoveSelection::All => position.legal_moves().to_vec(),
            MoveSelection::Best => best().into_iter().collect(),
            MoveSelection::One(text) => match parse_move(position, text) {
                Ok(mv) => vec![mv],
                Err(sentence) => {
                    self.reply(&Reply::Illegal { text: text.clone(), sentence });
                    return;
                }
            },
        };
        let Some(engine_game) = &mut self.engine_game else { return };
        engine_game.excluded.retain(|mv| !chosen.contains(mv));
        if is_excluded {
            engine_game.excluded.extend(chosen);
        }
        if engine_game.mode == Mode::Analyse {
            self.cancel_search();
            self.start_turn();
        }
    }

    fn report_status(&self) {
        let Some(search) = &self.search else { return };
        let state = search.reporter.state();
        let (depth, progress) = state.line.map(|(line, progress)| (line.depth, progress)).unwrap_or_default();
        let moves = self.game.position().legal_moves().len();
        self.reply(&Reply::Status(AnalysisStatus { depth, progress, current: state.current, moves }));
    }

    /// Reports the expected reply, or the best move of the running search.
    fn report_hint(&self) {
        let expected = self.engine_game.as_ref().and_then(|engine_game| engine_game.ponder_move);
        let state =
            self.search.as_ref().filter(|search| !search.is_ponder).map(|search| search.reporter.state());
        let best = state.and_then(|state| state.line?.0.pv.first().copied());
        let position = self.game.position();
        if let Some(mv) = expected.or(best).filter(|mv| position.is_legal(*mv)) {
            self.reply(&Reply::Hint(mv));
        }
    }

    /// Whether the engine's last search found nothing better than a draw.
    fn accepts_draw(&self) -> bool {
        let line = self.search.as_ref().and_then(|search| search.reporter.state().line);
        let policy = DrawPolicy::OFFERS;
        let is_due = policy.is_due(self.game.position().fullmove_number());
        is_due && line.is_some_and(|(line, _)| policy.accepts_score(line.score))
    }
}

/// Parses a move in coordinate notation or SAN. XBoard sends castling in Chess960 as SAN.
fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_uci(text).or_else(|error| {
        position.parse_san(text).map_err(|other| match error {
            // The text has the form of coordinates: report that error.
            UciMoveError::Illegal(..) => error.to_string(),
            UciMoveError::Malformed(_) => other.to_string(),
        })
    })
}

/// The position with these pieces and the same side to move. Kings and rooks on their home squares may castle.
fn with_pieces(board: &str, before: &Position) -> Result<Position, String> {
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
