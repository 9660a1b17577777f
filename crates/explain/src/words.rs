//! A review in words: headings, sentences, and a page of text.

use std::fmt::Write;

use rukh_chess::Color;
use rukh_chess::notation::pgn::PgnGame;
use rukh_eval::Verdict;

use crate::accuracy::Fault;
use crate::line;
use crate::review::{Review, ReviewedMove};

/// The faults, the smallest first.
pub const FAULTS: [Fault; 3] = [Fault::Inaccuracy, Fault::Mistake, Fault::Blunder];

/// The name of the player of a side; its colour where the game does not tell.
pub fn player(game: &PgnGame, side: Color) -> String {
    let told = game.tag(&side.to_string()).map(str::trim).filter(|name| !matches!(*name, "" | "?"));
    told.map_or_else(|| side.to_string(), str::to_owned)
}

/// Who played whom, and the result.
pub fn heading(game: &PgnGame) -> String {
    let [white, black] = [Color::White, Color::Black].map(|side| player(game, side));
    let result = game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
    format!("{white} - {black}, {result}")
}

/// Where and when it was played, as far as that is told.
pub fn occasion(game: &PgnGame) -> String {
    let is_told = |value: &&str| !value.is_empty() && !value.starts_with('?');
    let told = ["Event", "Site", "Date", "Round"].iter().filter_map(|name| game.tag(name).filter(is_told));
    told.collect::<Vec<_>>().join(", ")
}

/// An accuracy with one digit after the point.
pub fn accuracy(review: &Review, side: Color) -> Option<String> {
    review.accuracy(side).map(|accuracy| format!("{accuracy:.1}"))
}

/// So many faults of a kind: `1 mistake`, `2 blunders`, `no inaccuracies`.
pub fn count(number: usize, fault: Fault) -> String {
    let plural = match fault {
        Fault::Inaccuracy => "inaccuracies",
        Fault::Mistake => "mistakes",
        Fault::Blunder => "blunders",
    };
    match number {
        0 => format!("no {plural}"),
        1 => format!("1 {fault}"),
        _ => format!("{number} {plural}"),
    }
}

/// What was wrong with a move: `Blunder: Nf3 was better.`
pub fn sentence(played: &ReviewedMove<'_>, fault: Fault) -> String {
    let name = match fault {
        Fault::Inaccuracy => "Inaccuracy",
        Fault::Mistake => "Mistake",
        Fault::Blunder => "Blunder",
    };
    let allowed = match played.after.score.verdict() {
        Verdict::Mate(moves) if moves > 0 => format!("it allows mate in {moves}"),
        _ => String::new(),
    };
    let better = played.before.line.first().map(|&best| {
        let best = played.position.san(best);
        match played.before.score.verdict() {
            _ if best.ends_with('#') => format!("{best} is mate"),
            Verdict::Mate(moves) if moves > 0 => format!("{best} forces mate in {moves}"),
            _ => format!("{best} was better"),
        }
    });
    let told: Vec<_> = [allowed].into_iter().chain(better).filter(|part| !part.is_empty()).collect();
    if told.is_empty() { format!("{name}.") } else { format!("{name}: {}.", told.join("; ")) }
}

/// A move with its number and its sign: `12... Qd7??`
pub fn signed_move(played: &ReviewedMove<'_>) -> String {
    let sign = played.fault().map_or("", Fault::sign);
    format!("{} {}{sign}", line::number(played.position), played.position.san(played.mv))
}

/// How well both sides played, in one line.
pub fn summary(number: usize, game: &PgnGame, review: &Review) -> String {
    let sides = [Color::White, Color::Black]
        .map(|side| accuracy(review, side).map(|accuracy| format!("{side} {accuracy}")));
    let sides = sides.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let told = if sides.is_empty() { "no moves".to_owned() } else { sides };
    format!("Game {number}: {}: {told}", heading(game))
}

/// The review as a text: who played how well, and the faults with what was better.
pub fn text(number: usize, game: &PgnGame, review: &Review) -> String {
    let mut text = format!("Game {number}: {}\n", heading(game));
    let occasion = occasion(game);
    if !occasion.is_empty() {
        add(&mut text, format_args!("  {occasion}\n"));
    }
    for side in [Color::White, Color::Black] {
        let Some(accuracy) = accuracy(review, side) else { continue };
        let counts = FAULTS.map(|fault| count(review.count(side, fault), fault)).join(", ");
        add(&mut text, format_args!("  {side}: accuracy {accuracy}, {counts}\n"));
    }
    for played in review.moves() {
        let Some(fault) = played.fault() else { continue };
        let [before, after] = played.expectations().map(|expectation| 100.0 * expectation.value());
        let (name, verdict) = (signed_move(&played), played.verdict().to_string());
        add(
            &mut text,
            format_args!(
                "  {name:<14} {verdict:>7}  {before:>3.0}% to {after:>3.0}%  {}\n",
                sentence(&played, fault)
            ),
        );
        if !played.best_line().is_empty() {
            add(&mut text, format_args!("      {}\n", line::in_san(played.position, played.best_line())));
        }
    }
    text
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game_of, judged};

    #[test]
    fn the_text_names_players_accuracies_and_faults() {
        let game = game_of("e4 e5 Qh5 Nc6 Qxf7 Kxf7");
        let mut pgn = PgnGame::from(&game);
        for (name, value) in [("White", "A. Rook"), ("Black", "?"), ("Event", "Test"), ("Date", "????.??.??")]
        {
            pgn.tags.push((name.to_owned(), value.to_owned()));
        }
        let text = text(3, &pgn, &judged(&game));
        assert!(text.starts_with("Game 3: A. Rook - Black, *\n  Test\n  White: accuracy "), "{text}");
        assert!(
            text.contains("Black: accuracy 100.0, no inaccuracies, no mistakes, no blunders\n"),
            "{text}"
        );
        assert!(text.contains("no mistakes, 1 blunder\n"), "{text}");
        assert!(text.contains("  3. Qxf7+??") && text.contains("  Blunder: "), "{text}");
        assert!(text.contains(" was better.\n      3. "), "{text}");
    }

    #[test]
    fn mates_that_are_missed_or_allowed_are_named() {
        let game = game_of("f3 e5 g4 a6");
        let review = judged(&game);
        let sentences: Vec<_> = review
            .moves()
            .filter_map(|played| played.fault().map(|fault| sentence(&played, fault)))
            .collect();
        assert_eq!(sentences.len(), 2, "{sentences:?}");
        assert!(sentences[0].starts_with("Blunder: it allows mate in 1; "), "{sentences:?}");
        assert_eq!(sentences[1], "Blunder: Qh4# is mate.");
    }
}
