//! Words: sentences from claims, and from nothing else. All templates are here.

use rukh_chess::{Move, Piece, Position};

use super::claim::{Claim, NamedPiece};
use super::fact::Fact;
use super::kind::ClaimKind;
use super::level::Level;
use super::question::Explanation;
use crate::variation;

/// The sentence of a claim at a level, with its line where it helps.
pub fn sentence(claim: &Claim, level: Level) -> String {
    let Saying { text, shows_line } = saying(claim, level);
    let line = shown(&claim.start, &claim.line, level);
    if shows_line && !line.is_empty() { format!("{text}: {line}.") } else { format!("{text}.") }
}

/// The sentence of a claim without its line.
pub fn statement(claim: &Claim, level: Level) -> String {
    format!("{}.", saying(claim, level).text)
}

/// A statement, and whether its line belongs to it.
struct Saying {
    text: String,
    shows_line: bool,
}

fn saying(claim: &Claim, level: Level) -> Saying {
    let text = body(claim, level);
    match text.strip_suffix(LINE) {
        Some(bare) => Saying { text: capitalised(bare), shows_line: true },
        None => Saying { text: capitalised(&text), shows_line: false },
    }
}

/// Stands in a template for the line of the claim.
const LINE: &str = ": {line}";

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
        None if explanation.is_as_good() => {
            format!("The difference between {played} and the best move is noise.")
        }
        None => {
            let best = explanation.position.san(explanation.best);
            format!("{played} is slightly worse than {best}, too little to name a reason.")
        }
        Some(_) => {
            let best = explanation.position.san(explanation.best);
            format!(
                "{played} loses about {} of the expected score against {best}; no short reason can be proven.",
                percent(explanation.loss())
            )
        }
    }
}

fn body(claim: &Claim, level: Level) -> String {
    let named = || format!("It is {} {}{LINE}", article(claim.kind.name()), claim.kind);
    outcome(claim)
        .or_else(|| attack(claim))
        .or_else(|| combination(claim))
        .or_else(|| comparison(claim, level))
        .or_else(|| judgement(claim))
        .unwrap_or_else(named)
}

/// Mates and material.
fn outcome(claim: &Claim) -> Option<String> {
    let first = san_at(claim, 0);
    Some(match claim.kind {
        ClaimKind::MateIn => match mate_moves(claim) {
            1 => format!("{first} is mate"),
            moves => format!("{first} forces mate in {moves}{LINE}"),
        },
        ClaimKind::AllowsMate => format!("{first} allows mate in {}{LINE}", mate_moves(claim)),
        ClaimKind::WinsMaterial => format!("{} wins {}{LINE}", mover(claim), winnings(claim)),
        ClaimKind::LeavesEnPrise => format!("{first} leaves {} en prise{LINE}", victim(claim)),
        ClaimKind::HangingPiece => format!("{} takes {}, which is unprotected", mover(claim), victim(claim)),
        ClaimKind::Promotion => format!("The pawn promotes{LINE}"),
        ClaimKind::Underpromotion => format!("The pawn promotes to {}{LINE}", promoted(claim)),
        ClaimKind::Sacrifice => format!("{} gives material for this{LINE}", mover(claim)),
        _ => return None,
    })
}

/// Attacks on pieces.
fn attack(claim: &Claim) -> Option<String> {
    let [acting, second, third] = [0, 1, 2].map(|at| piece_text(claim.pieces.get(at)));
    Some(match claim.kind {
        ClaimKind::Fork => format!("{acting} forks {}", listed(claim.pieces.get(1..).unwrap_or_default())),
        ClaimKind::Pin if claim.pieces.len() > 2 => {
            format!("{second} is pinned by {acting} and cannot take {third}")
        }
        ClaimKind::Pin => format!("{second} is pinned by {acting} and cannot leave"),
        ClaimKind::Skewer => format!("{acting} skewers {second} and {third}"),
        ClaimKind::DiscoveredAttack => format!("{} uncovers an attack by {acting} on {second}", mover(claim)),
        ClaimKind::DiscoveredCheck => format!("{} gives a discovered check by {acting}", mover(claim)),
        ClaimKind::DoubleCheck => format!("{} is a double check, so the king must move", mover(claim)),
        ClaimKind::TrappedPiece => format!("{acting} has no safe square{LINE}"),
        ClaimKind::XRay => format!("{acting} works through {second}{LINE}"),
        ClaimKind::Overload => format!("{acting} has two tasks{LINE}"),
        _ => return None,
    })
}

/// Combinations of several moves.
fn combination(claim: &Claim) -> Option<String> {
    let (mover, acting, second) =
        (mover(claim), piece_text(claim.pieces.first()), piece_text(claim.pieces.get(1)));
    Some(match claim.kind {
        ClaimKind::Deflection => format!("{mover} deflects {second}{LINE}"),
        ClaimKind::Attraction => format!("{mover} draws {second} to {}{LINE}", square_of(claim, 0)),
        ClaimKind::Interference => format!("{mover} cuts the protection by {second}{LINE}"),
        ClaimKind::Clearance => format!("{mover} clears the way for {acting}{LINE}"),
        ClaimKind::Intermezzo => format!("{mover} comes first, the recapture can wait{LINE}"),
        ClaimKind::CapturesDefender => format!("{mover} takes the piece that protects {second}{LINE}"),
        ClaimKind::AdvancedPawn => format!("{acting} is far advanced{LINE}"),
        ClaimKind::EnPassant => format!("{mover} takes en passant"),
        ClaimKind::QuietMove => format!("{mover} is a quiet move: no check and no capture"),
        ClaimKind::DefensiveMove => format!("{mover} defends"),
        _ => return None,
    })
}

/// Comparisons of moves and of passing.
fn comparison(claim: &Claim, level: Level) -> Option<String> {
    let first = san_at(claim, 0);
    let margin = percent(claim.margin.unwrap_or(0.0));
    Some(match claim.kind {
        ClaimKind::OnlyMove => {
            format!(
                "{first} is the only move: every other loses about {margin} of the expected score or more"
            )
        }
        ClaimKind::Forced => format!("{first} is the only legal move"),
        ClaimKind::Threat => format!("{first} threatens {}", pass_text(claim, level, "to win")),
        ClaimKind::Prevents => format!("{first} prevents {}", pass_text(claim, level, "the loss of")),
        ClaimKind::WhyNot => format!("{first} loses about {margin} of the expected score{LINE}"),
        ClaimKind::AsGood => format!("{first} is as good as the best move; the difference is noise"),
        ClaimKind::Zugzwang => {
            format!("After {first} {} is in zugzwang: every move makes its position worse", !claim.side)
        }
        _ => return None,
    })
}

/// Results and positional judgements.
fn judgement(claim: &Claim) -> Option<String> {
    let first = san_at(claim, 0);
    Some(match claim.kind {
        ClaimKind::TablebaseFact => tablebase_text(claim, &first),
        ClaimKind::TradesWhenAhead => {
            let piece = claim.pieces.first().map_or(Piece::Pawn, |named| named.piece);
            format!("{first} exchanges {}s, which helps the side that is ahead", piece_name(piece))
        }
        ClaimKind::Fortress => {
            format!("{} cannot make progress: the material advantage does not win", !claim.side)
        }
        ClaimKind::PositionalChange => format!("{}{LINE}", term_text(claim)),
        ClaimKind::Plan => {
            let from = piece_text(claim.pieces.first());
            format!("The plan is to bring {from} to {}{LINE}", square_of(claim, 1))
        }
        _ => return None,
    })
}

/// The move that shows the claim, in SAN.
fn mover(claim: &Claim) -> String {
    san_at(claim, claim.at)
}

fn san_at(claim: &Claim, at: usize) -> String {
    claim.line.get(at).map_or_else(|| "The move".to_owned(), |&mv| claim.position_at(at).san(mv))
}

/// A line with move numbers, cut to what the level shows.
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
fn victim(claim: &Claim) -> String {
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
            "By the tablebases the position is {} for {} and {first} keeps it so",
            name(*before),
            claim.side
        ),
        [before, after] => format!(
            "By the tablebases the position was {} for {} and after {first} it is {}",
            name(*before),
            claim.side,
            name(*after)
        ),
        _ => "The tablebases know the position".to_owned(),
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
