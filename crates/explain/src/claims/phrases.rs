//! Phrases: the parts of sentences, from claims alone. Whole sentences are in [`super::words`].

use rukh_chess::{Move, Piece, Position};

use super::claim::{Claim, NamedPiece, Pass};
use super::fact::Predicate;
use super::level::Level;
use crate::piece_text::name;
use crate::variation;

/// The move that shows the claim, in SAN.
pub(super) fn mover(claim: &Claim) -> String {
    san_at(claim, claim.at)
}

pub(super) fn san_at(claim: &Claim, at: usize) -> String {
    claim.line.get(at).map_or_else(|| "The move".to_owned(), |&mv| claim.position_at(at).san(mv))
}

/// A line with move numbers, cut to what the level shows.
pub(super) fn shown(start: &Position, line: &[Move], level: Level) -> String {
    variation::to_san(start, &line[..line.len().min(level.plies())])
}

pub(super) fn piece_text(named: Option<&NamedPiece>) -> String {
    named.map_or_else(
        || "the piece".to_owned(),
        |named| format!("the {} on {}", name(named.piece), named.square),
    )
}

pub(super) fn listed(pieces: &[NamedPiece]) -> String {
    let words: Vec<_> = pieces.iter().map(|named| piece_text(Some(named))).collect();
    match words.as_slice() {
        [] => "two pieces".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The piece that is taken by the move that shows the claim.
pub(super) fn victim(claim: &Claim) -> String {
    let before = claim.position_at(claim.at);
    let Some(&mv) = claim.line.get(claim.at) else { return "a piece".to_owned() };
    let piece = before.captured_by(mv).map_or("piece", name);
    format!("the {piece} on {}", mv.to())
}

pub(super) fn square_of(claim: &Claim, at: usize) -> String {
    claim.pieces.get(at).map_or_else(String::new, |named| named.square.to_string())
}

pub(super) fn mate_moves(claim: &Claim) -> u32 {
    let forced = claim.facts.iter().find_map(|fact| match &fact.predicate {
        Predicate::ForcedMate { moves, .. } => Some(*moves),
        _ => None,
    });
    forced.unwrap_or_else(|| claim.line.len().div_ceil(2) as u32)
}

/// What a line wins by its end, in words.
pub(super) fn winnings(claim: &Claim) -> String {
    if claim.line.iter().skip(claim.at).step_by(2).any(|mv| mv.is_promotion()) {
        return "material by a promotion".to_owned();
    }
    let pawns = claim.facts.iter().rev().find_map(|fact| match &fact.predicate {
        Predicate::Material { pawns, .. } => Some(*pawns),
        _ => None,
    });
    match pawns.unwrap_or(0) {
        1 => "a pawn".to_owned(),
        2 => "two pawns' worth of material".to_owned(),
        3 => "a piece".to_owned(),
        5 => "a rook".to_owned(),
        9 => "the queen".to_owned(),
        _ => "material".to_owned(),
    }
}

pub(super) fn promoted(claim: &Claim) -> &'static str {
    let piece = claim.facts.iter().find_map(|fact| match &fact.predicate {
        Predicate::Promotes { piece, .. } => Some(*piece),
        _ => None,
    });
    match piece {
        Some(Piece::Knight) => "a knight",
        Some(Piece::Bishop) => "a bishop",
        Some(Piece::Rook) => "a rook",
        _ => "a queen",
    }
}

/// What happens after a pass, without its subject.
pub(super) fn pass_text(claim: &Claim, level: Level, verb: &str) -> String {
    let Some(pass) = &claim.pass else { return "something".to_owned() };
    let mut start = claim.position_at(pass.at);
    start.make_null();
    let line = shown(&start, &pass.line, level);
    let mate = pass.facts.iter().find_map(|fact| match &fact.predicate {
        Predicate::ForcedMate { moves, .. } => Some(*moves),
        _ => None,
    });
    match mate {
        Some(1) => format!("mate with {line}"),
        Some(moves) => format!("mate in {moves}: {line}"),
        None => format!("{verb} {}: {line}", winnings(&passed_claim(claim, pass))),
    }
}

/// The line after a pass as a claim of its own.
fn passed_claim(claim: &Claim, pass: &Pass) -> Claim {
    Claim { line: pass.line.clone(), at: 0, facts: pass.facts.clone(), ..claim.clone() }
}

/// What a sacrifice gives and what it gets.
pub(super) fn sacrifice_text(claim: &Claim) -> String {
    let given = claim.facts.iter().find_map(|fact| match &fact.predicate {
        Predicate::Captures { piece, .. } if *piece != Piece::Pawn => Some(format!("a {}", name(*piece))),
        _ => None,
    });
    let given = given.unwrap_or_else(|| "material".to_owned());
    let is_mate = |predicate: &Predicate| matches!(predicate, Predicate::ForcedMate { .. });
    match claim.facts.iter().any(|fact| is_mate(&fact.predicate)) {
        true => format!("{} gives up {given} for mate", mover(claim)),
        false => format!("{} gives up {given} and wins {} in the end", mover(claim), winnings(claim)),
    }
}

pub(super) fn tablebase_text(claim: &Claim, first: &str) -> String {
    let results: Vec<_> = claim
        .facts
        .iter()
        .filter_map(|fact| match &fact.predicate {
            Predicate::Tablebase { result, distance, .. } => Some((*result, *distance)),
            _ => None,
        })
        .collect();
    let name = |result: f64| match result {
        result if result > 0.75 => "won",
        result if result < 0.25 => "lost",
        _ => "drawn",
    };
    let within = |distance: Option<u32>| match distance {
        Some(plies) => format!(" (the next capture or pawn move comes within {plies} plies)"),
        None => String::new(),
    };
    let side = claim.side;
    match results.as_slice() {
        [(before, _), (after, distance)] if before == after => format!(
            "By the tablebases the position is {} for {side} and {first} keeps it so{}",
            name(*before),
            within(*distance)
        ),
        [(before, _), (after, distance)] => format!(
            "By the tablebases the position was {} for {side} and after {first} it is {}{}",
            name(*before),
            name(*after),
            within(*distance)
        ),
        _ => "The tablebases know the position".to_owned(),
    }
}

pub(super) fn term_text(claim: &Claim) -> String {
    let term = claim.facts.iter().find_map(|fact| match &fact.predicate {
        Predicate::TermChange { term, .. } => Some(term.as_str()),
        _ => None,
    });
    let side = claim.side;
    match term {
        Some("Pawns") => format!("{side} gets the better pawn structure"),
        Some("Passed pawns") => format!("{side}'s passed pawns become stronger"),
        Some("Mobility") => format!("{side}'s pieces become more active"),
        Some("Minor pieces") => format!("{side}'s knights and bishops get better squares"),
        Some("Rooks") => format!("{side}'s rooks get better files"),
        Some("King shelter") => format!("{side}'s king gets the better shelter"),
        Some("King danger") => format!("The king of {} comes under attack", !side),
        Some("Threats") => format!("{side}'s pieces attack more"),
        Some("Space") => format!("{side} gains space"),
        _ => format!("{side}'s position improves"),
    }
}

/// The least difference in expected score that a comparison claims.
pub(super) fn claimed(claim: &Claim) -> f64 {
    let gaps = claim.facts.iter().filter_map(|fact| match fact.predicate {
        Predicate::Gap { by, .. } => Some(by),
        _ => None,
    });
    gaps.fold(0.0, f64::max)
}

/// A share as whole percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// The article of a name with a space after it; a mate that is named after somebody has none.
pub(super) fn article(name: &str) -> &'static str {
    match name {
        name if name.contains("'s ") => "",
        name if name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) => "an ",
        _ => "a ",
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    // A move such as `exd5` keeps its small letter.
    let is_word =
        text.split(' ').next().is_some_and(|word| word.chars().all(char::is_alphabetic) && word.len() > 1);
    match letters.next() {
        Some(first) if is_word => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}
