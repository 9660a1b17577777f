//! Words: sentences from claims, and from nothing else. All templates are here and in `phrases`.

use rukh_chess::Piece;

use super::claim::Claim;
use super::kind::ClaimKind;
use super::level::Level;
use super::phrases::*;
use super::question::Explanation;
use crate::piece_text::name;

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
        None if explanation.is_as_good() => format!("Nothing can be proven about {played}."),
        None => {
            let best = explanation.position.san(explanation.best);
            format!("{played} is slightly worse than {best}, too little to name a reason.")
        }
        Some(_) => {
            let best = explanation.position.san(explanation.best);
            format!(
                "{played} scores {} less than {best} in the search; no short reason can be proven.",
                percent(explanation.loss())
            )
        }
    }
}

fn body(claim: &Claim, level: Level) -> String {
    let named = || format!("It is {}{}", article(claim.kind.name()), claim.kind);
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
        ClaimKind::UnstoppablePawn => {
            format!("{} cannot be stopped: it promotes whatever is played", piece_text(claim.pieces.first()))
        }
        ClaimKind::Promotion => format!("The pawn promotes{LINE}"),
        ClaimKind::Underpromotion => format!("The pawn promotes to {}{LINE}", promoted(claim)),
        ClaimKind::Sacrifice => format!("{}{LINE}", sacrifice_text(claim)),
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
        ClaimKind::RelativePin => relative_pin_text(claim),
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

/// A relative pin: pinning piece, pinned piece, piece behind, and the piece that cannot be taken, if there is one.
fn relative_pin_text(claim: &Claim) -> String {
    let [by, pinned, behind] = [0, 1, 2].map(|at| piece_text(claim.pieces.get(at)));
    let text = format!("{pinned} is pinned to {behind} by {by}");
    match claim.pieces.get(3) {
        Some(target) => format!("{text} and cannot take {}", piece_text(Some(target))),
        None => format!("{text}{LINE}"),
    }
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
    let gap = percent(claimed(claim));
    Some(match claim.kind {
        ClaimKind::OnlyMove => {
            format!("{first} is the only move: every other loses at least {gap} of the expected score")
        }
        ClaimKind::Forced => format!("{first} is the only legal move"),
        ClaimKind::Threat => format!("{first} threatens {}", pass_text(claim, level, "to win")),
        ClaimKind::Prevents => format!("{first} prevents {}", pass_text(claim, level, "the loss of")),
        ClaimKind::WhyNot => format!("{first} loses at least {gap} of the expected score{LINE}"),
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
            format!("{first} exchanges {}s, which helps the side that is ahead", name(piece))
        }
        ClaimKind::Fortress => {
            format!("{} cannot make progress: the material advantage does not win", !claim.side)
        }
        ClaimKind::PositionalChange => format!("{}{LINE}", term_text(claim)),
        ClaimKind::Plan => {
            let from = piece_text(claim.pieces.first());
            format!("The plan is to bring {from} to {}: {}{LINE}", square_of(claim, 1), term_text(claim))
        }
        _ => return None,
    })
}
