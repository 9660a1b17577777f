//! The model of a game with visit distributions for the arithmetic coder. How the bits are stored is not known here.
//!
//! The legal moves are in the order of the [store of games](crate::store). For each in turn stands its part of what is left of
//! the policy target. The move that was played is a place in the order of the parts. WDL are differences from the ply before.

use rukh_chess::game::Outcome;
use rukh_chess::{Color, Move, Position};

use super::game::{End, LONGEST, UNITS, VisitGame, VisitPly};
use crate::packed::{BOARD_BYTES, pack_board, unpack_board};
use crate::store::coder::{Bit, BitCoder};
use crate::store::moves::{Last, MoveModel};
use crate::store::numbers::{Number, Signed, Symbol};

/// Moves later in the order share the probabilities of this place.
const PLACES: usize = 24;
/// Classes of what is left of a distribution.
const CLASSES: usize = 9;
/// The move that was played is mostly among the first of the distribution.
const RANKS: usize = 8;

/// All that is learnt from games. It starts anew with every block of a file.
pub(super) struct VisitModel {
    board: [Symbol<8>; BOARD_BYTES],
    end: Symbol<2>,
    plays_on: Bit,
    length: Number,
    moves: MoveModel,
    has_part: Box<[[Bit; CLASSES]; PLACES]>,
    takes_all: [Bit; CLASSES],
    parts: Vec<Number>,
    ranks: [[Bit; RANKS]; 2],
    flags: [Bit; 4],
    changes: [Signed; 2],
}

impl Default for VisitModel {
    fn default() -> Self {
        Self {
            board: Default::default(),
            end: Symbol::default(),
            plays_on: Bit::default(),
            length: Number::default(),
            moves: MoveModel::default(),
            has_part: Box::new([[Bit::default(); CLASSES]; PLACES]),
            takes_all: Default::default(),
            parts: vec![Number::default(); CLASSES],
            ranks: Default::default(),
            flags: Default::default(),
            changes: Default::default(),
        }
    }
}

/// WDL and flags of the ply before, for White.
#[derive(Clone, Copy)]
struct Before {
    white: [i32; 2],
    is_sampled: bool,
    is_proven: bool,
}

impl VisitModel {
    /// Codes a game: an encoder is given the game, a decoder finds it. What a decoder finds is not checked yet, but its moves are
    /// legal.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        game: Option<&VisitGame>,
    ) -> Result<VisitGame, String> {
        let known = game.map_or([0; BOARD_BYTES], |game| pack_board(&game.start, game.outcome));
        let mut board = [0; BOARD_BYTES];
        for ((found, model), known) in board.iter_mut().zip(&mut self.board).zip(known) {
            *found = model.code(coder, u32::from(known)) as u8;
        }
        let (start, outcome) = unpack_board(&board).map_err(|error| error.to_string())?;
        let end = self.end.code(coder, game.map_or(0, |game| game.end as u32));
        let end = [End::Rules, End::Resignation, End::Length].get(end as usize);
        let plays_on = coder.bit(&mut self.plays_on, game.is_some_and(|game| game.plays_on));
        let length = self.length.code(coder, game.map_or(0, |game| game.plies.len() as u32)) as usize;
        if length > LONGEST {
            return Err("it is too long".to_owned());
        }
        let end = *end.ok_or("its end is none")?;
        let mut found = VisitGame { start: start.clone(), outcome, end, plays_on, plies: Vec::new() };
        let (mut position, mut last) = (start, Last::None);
        let third = i32::from(UNITS) / 3;
        let mut before = Before { white: [third; 2], is_sampled: true, is_proven: false };
        for number in 0..length {
            let ply =
                self.code_ply(coder, &position, last, &mut before, game.map(|game| &game.plies[number]))?;
            last = position.piece_on(ply.mv.from()).map(|piece| (piece, ply.mv.to()));
            position = position.after(ply.mv);
            found.plies.push(ply);
        }
        Ok(found)
    }

    fn code_ply(
        &mut self,
        coder: &mut impl BitCoder,
        position: &Position,
        last: Last,
        before: &mut Before,
        ply: Option<&VisitPly>,
    ) -> Result<VisitPly, String> {
        let candidates = self.moves.candidates(position, last);
        let order: Vec<Move> = candidates.iter().map(|candidate| candidate.mv).collect();
        if order.is_empty() {
            return Err("it goes on after its end".to_owned());
        }
        let is_sampled =
            coder.bit(&mut self.flags[usize::from(before.is_sampled)], ply.is_some_and(|ply| ply.is_sampled));
        let proven = &mut self.flags[2 + usize::from(before.is_proven)];
        let is_proven = coder.bit(proven, ply.is_some_and(|ply| ply.is_proven));
        let parts = self.code_parts(coder, &order, ply)?;
        let mut ranked: Vec<usize> = (0..order.len()).collect();
        ranked.sort_by_key(|&place| std::cmp::Reverse(parts[place]));
        let (_, others) = ranked.split_last().expect("there is a move");
        let models = &mut self.ranks[usize::from(is_sampled)];
        let is_it = |place: usize| ply.is_some_and(|ply| ply.mv == order[place]);
        let rank = others
            .iter()
            .enumerate()
            .position(|(rank, &place)| coder.bit(&mut models[rank.min(RANKS - 1)], is_it(place)));
        let place = ranked[rank.unwrap_or(others.len())];
        self.moves.learn(position.side_to_move(), &candidates, place, last);
        let white = self.code_wdl(coder, position.side_to_move(), before.white, ply)?;
        *before = Before { white, is_sampled, is_proven };
        let [win, loss] = for_side(position.side_to_move(), white).map(|part| part as u8);
        let part_of = |mv: Move| order.iter().position(|&other| other == mv).map_or(0, |place| parts[place]);
        let policy = position
            .legal_moves()
            .iter()
            .map(|&mv| (mv, part_of(mv)))
            .filter(|&(_, part)| part > 0)
            .collect();
        Ok(VisitPly { mv: order[place], policy, win, loss, is_sampled, is_proven })
    }

    /// Codes the part of each move in this order.
    fn code_parts(
        &mut self,
        coder: &mut impl BitCoder,
        order: &[Move],
        ply: Option<&VisitPly>,
    ) -> Result<Vec<u8>, String> {
        let mut parts = vec![0; order.len()];
        let mut left = u32::from(UNITS);
        for (place, &mv) in order.iter().enumerate() {
            if left == 0 {
                break;
            }
            if place + 1 == order.len() {
                parts[place] = left as u8;
                break;
            }
            let class = (u32::BITS - left.leading_zeros()) as usize;
            let known = ply.and_then(|ply| ply.policy.iter().find(|&&(other, _)| other == mv));
            let known = known.map_or(0, |&(_, part)| u32::from(part));
            let model = &mut self.has_part[place.min(PLACES - 1)][class];
            if !coder.bit(model, known > 0) {
                continue;
            }
            let mut part = left;
            if !coder.bit(&mut self.takes_all[class], known == left) {
                part = self.parts[class].code(coder, known.saturating_sub(1)).saturating_add(1);
            }
            left = left.checked_sub(part).ok_or("a distribution does not add up")?;
            parts[place] = part as u8;
        }
        Ok(parts)
    }

    /// Codes the probabilities to win and to lose of White.
    fn code_wdl(
        &mut self,
        coder: &mut impl BitCoder,
        side: Color,
        before: [i32; 2],
        ply: Option<&VisitPly>,
    ) -> Result<[i32; 2], String> {
        let known = ply.map_or(before, |ply| for_side(side, [i32::from(ply.win), i32::from(ply.loss)]));
        let mut white = [0; 2];
        for part in 0..2 {
            let change = self.changes[part].code(coder, known[part] - before[part]);
            white[part] = before[part].saturating_add(change);
            if !(0..=i32::from(UNITS)).contains(&white[part]) {
                return Err("a probability is none".to_owned());
            }
        }
        Ok(white)
    }
}

/// Win and loss of White as those of a side, and back.
fn for_side(side: Color, [win, loss]: [i32; 2]) -> [i32; 2] {
    if side == Color::White { [win, loss] } else { [loss, win] }
}

/// The result as White sees it, for people: 1, 0.5 or 0.
pub(super) fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win(Color::White) => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Win(Color::Black) => 0.0,
    }
}
