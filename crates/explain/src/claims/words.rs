//! Words: sentences from claims, and from nothing else. All templates are here.

use rukh_chess::{Color, Move, Piece, Position, Square};

use super::claim::{Claim, NamedPiece};
use super::explain::Explanation;
use super::fact::Fact;
use super::kind::ClaimKind;
use super::level::Level;
use crate::variation;

/// The sentence of a claim at a level, and its line where it helps.
pub fn sentence(claim: &Claim, level: Level) -> String {
    let text = body(claim, level);
    capitalised(&text)
}

/// The sentences of an explanation, at most `count`, each kind once.
pub fn sentences(explanation: &Explanation, level: Level, count: usize) -> Vec<String> {
    let told = level.choose(&explanation.claims);
    let mut found = Vec::new();
    if told.is_empty() {
        found.push(silence(explanation));
    }
    found.extend(told.into_iter().take(count).map(|claim| sentence(claim, level)));
    found
}

/// What is said where nothing can be claimed.
fn silence(explanation: &Explanation) -> String {
    let played = explanation.position.san(explanation.mv);
    match explanation.judgement() {
        _ if explanation.mv == explanation.best => {
            format!("{played} is the best move that was found, and nothing more can be proven.")
        }
        None => format!("The difference between {played} and the best move is noise."),
        Some(_) => {
            let best = explanation.position.san(explanation.best);
            format!(
                "{played} loses {} of the expected score against {best}; no short reason can be proven.",
                percent(explanation.loss())
            )
        }
    }
}

fn body(claim: &Claim, level: Level) -> String {
    let first = san_at(claim, 0);
    let line = || line_text(claim, level);
    let acting = || piece_text(claim.pieces.first());
    let second = || piece_text(claim.pieces.get(1));
    match claim.kind {
        ClaimKind::MateIn => match mate_moves(claim) {
            1 => format!("{first} is mate."),
            moves => format!("{first} forces mate in {moves}: {}.", line()),
        },
        ClaimKind::AllowsMate => format!("{first} allows mate in {}: {}.", mate_moves(claim), line()),
        ClaimKind::WinsMaterial => format!("{} wins {}: {}.", mover(claim), winnings(claim), line()),
        ClaimKind::LeavesEnPrise => format!("{first} leaves {} en prise: {}.", acting_victim(claim), line()),
        ClaimKind::HangingPiece => {
            format!("{} takes {}, which is unprotected.", mover(claim), acting_victim(claim))
        }
        ClaimKind::Fork => {
            format!("{} forks {}.", acting(), listed(claim.pieces.get(1..).unwrap_or_default()))
        }
        ClaimKind::Pin => pin_text(claim),
        ClaimKind::Skewer => {
            format!("{} skewers {} and {}.", acting(), second(), piece_text(claim.pieces.get(2)))
        }
        ClaimKind::DiscoveredAttack => {
            format!("{} uncovers an attack by {} on {}.", mover(claim), acting(), second())
        }
        ClaimKind::DiscoveredCheck => format!("{} gives a discovered check by {}.", mover(claim), acting()),
        ClaimKind::DoubleCheck => format!("{} is a double check, so the king must move.", mover(claim)),
        ClaimKind::Deflection => format!("{} deflects {}: {}.", mover(claim), second(), line()),
        ClaimKind::Attraction => {
            format!("{} draws {} to {}: {}.", mover(claim), second(), square_of(claim, 0), line())
        }
        ClaimKind::Interference => {
            format!("{} cuts the protection by {}: {}.", mover(claim), second(), line())
        }
        ClaimKind::Clearance => format!("{} clears the way for {}: {}.", mover(claim), acting(), line()),
        ClaimKind::Intermezzo => format!("{} comes first, the recapture can wait: {}.", mover(claim), line()),
        ClaimKind::XRay => format!("{} works through {}: {}.", acting(), second(), line()),
        ClaimKind::TrappedPiece => format!("{} has no safe square: {}.", acting(), line()),
        ClaimKind::CapturesDefender => {
            format!("{} takes the piece that protects {}: {}.", mover(claim), second(), line())
        }
        ClaimKind::Overload => format!("{} has two tasks: {}.", acting(), line()),
        ClaimKind::Sacrifice => format!("{} gives material for this: {}.", mover(claim), line()),
        ClaimKind::Promotion => format!("The pawn promotes: {}.", line()),
        ClaimKind::Underpromotion => format!("The pawn promotes to {}: {}.", promoted(claim), line()),
        ClaimKind::Zugzwang => {
            format!("After {first} {} is in zugzwang: every move makes its position worse.", !claim.side)
        }
        ClaimKind::TablebaseFact => tablebase_text(claim, &first),
        ClaimKind::OnlyMove => format!(
            "{first} is the only move: every other loses at least {} of the expected score.",
            percent(claim.margin.unwrap_or(0.0))
        ),
        ClaimKind::Forced => format!("{first} is the only legal move."),
        ClaimKind::Threat => format!("{first} threatens {}.", pass_text(claim, level, "to win")),
        ClaimKind::Prevents => format!("{first} prevents {}.", pass_text(claim, level, "the loss of")),
        ClaimKind::WhyNot => format!(
            "{first} loses {} of the expected score: {}.",
            percent(claim.margin.unwrap_or(0.0)),
            line()
        ),
        ClaimKind::AsGood => format!("{first} is as good as the best move; the difference is noise."),
        ClaimKind::TradesWhenAhead => format!(
            "{first} exchanges {}s, which helps the side that is ahead.",
            piece_name(claim.pieces.first().map_or(Piece::Pawn, |named| named.piece))
        ),
        ClaimKind::Fortress => {
            format!("{} cannot make progress: the material advantage does not win.", !claim.side)
        }
        ClaimKind::PositionalChange => format!("{}: {}.", term_text(claim), line()),
        ClaimKind::Plan => plan_text(claim, level),
        ClaimKind::AdvancedPawn => format!("{} is far advanced: {}.", acting(), line()),
        ClaimKind::EnPassant => format!("{} takes en passant.", mover(claim)),
        ClaimKind::Castling => format!("{first} castles."),
        ClaimKind::QuietMove => format!("{} is a quiet move: no check and no capture.", mover(claim)),
        ClaimKind::DefensiveMove => format!("{} defends.", mover(claim)),
        named => format!("It is {} {named}: {}.", article(named.name()), line()),
    }
}

/// The move that shows the claim, in SAN.
fn mover(claim: &Claim) -> String {
    san_at(claim, claim.at)
}

fn san_at(claim: &Claim, at: usize) -> String {
    claim.line.get(at).map_or_else(|| "The move".to_owned(), |&mv| claim.position_at(at).san(mv))
}

/// The line with move numbers, cut to what the level shows.
fn line_text(claim: &Claim, level: Level) -> String {
    shown(&claim.start, &claim.line, level)
}

fn shown(start: &Position, line: &[Move], level: Level) -> String {
    variation::to_san(start, &line[..line.len().min(level.plies())])
}

fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

fn piece_text(named: Option<&NamedPiece>) -> String {
    named.map_or_else(
        || "the piece".to_owned(),
        |named| format!("the {} on {}", piece_name(named.piece), named.square),
    )
}

fn listed(pieces: &[NamedPiece]) -> String {
    let words: Vec<_> = pieces.iter().map(|named| piece_text(Some(named))).collect();
    match words.as_slice() {
        [] => "two pieces".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The piece that is taken by the move that shows the claim.
fn acting_victim(claim: &Claim) -> String {
    let before = claim.position_at(claim.at);
    let Some(&mv) = claim.line.get(claim.at) else { return "a piece".to_owned() };
    let piece = before.captured_by(mv).map_or("piece", piece_name);
    format!("the {piece} on {}", mv.to())
}

fn square_of(claim: &Claim, at: usize) -> String {
    claim.pieces.get(at).map_or_else(String::new, |named| named.square.to_string())
}

fn mate_moves(claim: &Claim) -> u32 {
    let forced = claim.facts.iter().find_map(|fact| match fact {
        Fact::ForcedMate { moves, .. } => Some(*moves),
        _ => None,
    });
    forced.unwrap_or_else(|| claim.line.len().div_ceil(2) as u32)
}

/// What a line wins, in words.
fn winnings(claim: &Claim) -> String {
    let pawns = claim.facts.iter().find_map(|fact| match fact {
        Fact::Material { pawns, .. } => Some(*pawns),
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

fn promoted(claim: &Claim) -> &'static str {
    let piece = claim.facts.iter().find_map(|fact| match fact {
        Fact::Promotes { piece, .. } => Some(*piece),
        _ => None,
    });
    match piece {
        Some(Piece::Knight) => "a knight",
        Some(Piece::Bishop) => "a bishop",
        Some(Piece::Rook) => "a rook",
        _ => "a queen",
    }
}

fn pin_text(claim: &Claim) -> String {
    let (by, pinned) = (piece_text(claim.pieces.first()), piece_text(claim.pieces.get(1)));
    match claim.pieces.get(2) {
        Some(target) => format!("{pinned} is pinned by {by} and cannot take {}.", piece_text(Some(target))),
        None => format!("{pinned} is pinned by {by} and cannot leave."),
    }
}

/// What happens after a pass, without its subject.
fn pass_text(claim: &Claim, level: Level, verb: &str) -> String {
    let Some(pass) = &claim.pass else { return "something".to_owned() };
    let mut start = claim.position_at(pass.at);
    start.make_null();
    let line = shown(&start, &pass.line, level);
    let mate = pass.facts.iter().find_map(|fact| match fact {
        Fact::ForcedMate { moves, .. } => Some(*moves),
        _ => None,
    });
    match mate {
        Some(1) => format!("mate with {line}"),
        Some(moves) => format!("mate in {moves}: {line}"),
        None => format!("{verb} {}: {line}", winnings(&Claim { facts: pass.facts.clone(), ..claim.clone() })),
    }
}

fn tablebase_text(claim: &Claim, first: &str) -> String {
    let results: Vec<_> = claim
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Tablebase { result, .. } => Some(*result),
            _ => None,
        })
        .collect();
    let name = |result: f64| match result {
        result if result > 0.75 => "won",
        result if result < 0.25 => "lost",
        _ => "drawn",
    };
    match results.as_slice() {
        [before, after] if before == after => format!(
            "By the tablebases the position is {} for {} and {first} keeps it so.",
            name(*before),
            claim.side
        ),
        [before, after] => format!(
            "By the tablebases the position was {} for {} and after {first} it is {}.",
            name(*before),
            claim.side,
            name(*after)
        ),
        _ => "The tablebases know the position.".to_owned(),
    }
}

fn term_text(claim: &Claim) -> String {
    let term = claim.facts.iter().find_map(|fact| match fact {
        Fact::TermChange { term, .. } => Some(term.as_str()),
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

fn plan_text(claim: &Claim, level: Level) -> String {
    let from = piece_text(claim.pieces.first());
    format!("The plan is to bring {from} to {}: {}.", square_of(claim, 1), line_text(claim, level))
}

/// A share as whole percent.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    // A move such as `exd5` keeps its small letter.
    let is_word =
        text.split(' ').next().is_some_and(|word| word.chars().all(char::is_alphabetic) && word.len() > 1);
    match letters.next() {
        Some(first) if is_word => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

/// The squares that a page marks for a claim, and the arrows that it draws: the moves of the line.
pub fn marks(claim: &Claim) -> (Vec<Square>, Vec<(Square, Square)>) {
    let squares = claim.pieces.iter().map(|named| named.square).collect();
    let arrows = claim.line.iter().map(|mv| (mv.from(), mv.to())).collect();
    (squares, arrows)
}

/// The side that profits from a claim, in words.
pub fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}
