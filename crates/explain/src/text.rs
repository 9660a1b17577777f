//! Reviews as text: headings, comments, reports.

use std::fmt::Write;

use rukh_chess::Color;
use rukh_chess::notation::pgn::PgnGame;
use rukh_eval::ScoreKind;

use crate::accuracy::MoveJudgement;
use crate::claims::level::Level;
use crate::claims::review_reasons::reasons;
use crate::claims::words;
use crate::review::{Review, ReviewedMove};
use crate::variation;

/// The name of a player; the colour if the game has no name.
pub fn player_name(game: &PgnGame, side: Color) -> String {
    let name = game.tag(&side.to_string()).map(str::trim).filter(|name| !matches!(*name, "" | "?"));
    name.map_or_else(|| side.to_string(), str::to_owned)
}

/// The players and the result.
pub fn heading(game: &PgnGame) -> String {
    let [white, black] = [Color::White, Color::Black].map(|side| player_name(game, side));
    let result = game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
    format!("{white} - {black}, {result}")
}

/// Event, site, date and round, as far as they are known.
pub(crate) fn event_details(game: &PgnGame) -> String {
    let is_known = |value: &&str| !value.is_empty() && !value.starts_with('?');
    let known = ["Event", "Site", "Date", "Round"].iter().filter_map(|name| game.tag(name).filter(is_known));
    known.collect::<Vec<_>>().join(", ")
}

/// The accuracy of a side with one decimal.
pub(crate) fn format_accuracy(review: &Review, side: Color) -> Option<String> {
    review.accuracy(side).map(|accuracy| format!("{accuracy:.1}"))
}

/// The number of moves with a judgement: `1 mistake`, `2 blunders`, `no inaccuracies`.
pub(crate) fn count_text(number: usize, judgement: MoveJudgement) -> String {
    let plural = match judgement {
        MoveJudgement::Inaccuracy => "inaccuracies",
        MoveJudgement::Mistake => "mistakes",
        MoveJudgement::Blunder => "blunders",
    };
    match number {
        0 => format!("no {plural}"),
        1 => format!("1 {judgement}"),
        _ => format!("{number} {plural}"),
    }
}

/// The comment on a bad move: `Blunder: Nf3 was better.`
pub fn comment(played: &ReviewedMove<'_>, judgement: MoveJudgement) -> String {
    let name = match judgement {
        MoveJudgement::Inaccuracy => "Inaccuracy",
        MoveJudgement::Mistake => "Mistake",
        MoveJudgement::Blunder => "Blunder",
    };
    let allowed = match played.after.score.kind() {
        ScoreKind::Mate(moves) if moves > 0 => format!("it allows mate in {moves}"),
        _ => String::new(),
    };
    let better = played.before.pv.first().map(|&best| {
        let best = played.position.san(best);
        match played.before.score.kind() {
            _ if best.ends_with('#') => format!("{best} is mate"),
            ScoreKind::Mate(moves) if moves > 0 => format!("{best} forces mate in {moves}"),
            _ => format!("{best} was better"),
        }
    });
    let parts: Vec<_> = [allowed].into_iter().chain(better).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("{name}.") } else { format!("{name}: {}.", parts.join("; ")) }
}

/// The comment on a bad move with its reasons: at most three sentences.
pub fn comment_with_reasons(played: &ReviewedMove<'_>, judgement: MoveJudgement) -> String {
    let reasons = reasons(played).into_iter().map(|claim| words::sentence(&claim, Level::Club));
    [comment(played, judgement)].into_iter().chain(reasons).collect::<Vec<_>>().join(" ")
}

/// A move with its number and its annotation symbol: `12... Qd7??`
pub(crate) fn annotated_move(played: &ReviewedMove<'_>) -> String {
    let symbol = played.judgement().map_or("", MoveJudgement::symbol);
    format!("{} {}{symbol}", variation::move_number(played.position), played.position.san(played.mv))
}

/// The accuracies of both sides, in one line.
pub fn summary(number: usize, game: &PgnGame, review: &Review) -> String {
    let sides = [Color::White, Color::Black]
        .map(|side| format_accuracy(review, side).map(|accuracy| format!("{side} {accuracy}")));
    let sides = sides.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let accuracies = if sides.is_empty() { "no moves".to_owned() } else { sides };
    format!("Game {number}: {}: {accuracies}", heading(game))
}

/// The report of a review: accuracies, and the bad moves with better ones.
pub fn report(number: usize, game: &PgnGame, review: &Review) -> String {
    let mut text = format!("Game {number}: {}\n", heading(game));
    let details = event_details(game);
    if !details.is_empty() {
        add(&mut text, format_args!("  {details}\n"));
    }
    for side in [Color::White, Color::Black] {
        let Some(accuracy) = format_accuracy(review, side) else { continue };
        let counts = MoveJudgement::ALL
            .map(|judgement| count_text(review.count(side, judgement), judgement))
            .join(", ");
        add(&mut text, format_args!("  {side}: accuracy {accuracy}, {counts}\n"));
    }
    for played in review.moves() {
        let Some(judgement) = played.judgement() else { continue };
        let [before, after] = played.expected_scores().map(|expected| 100.0 * expected.value());
        let (name, score) = (annotated_move(&played), played.white_score().to_string());
        add(
            &mut text,
            format_args!(
                "  {name:<14} {score:>7}  {before:>3.0}% to {after:>3.0}%  {}\n",
                comment(&played, judgement)
            ),
        );
        if !played.best_line().is_empty() {
            add(
                &mut text,
                format_args!("      {}\n", variation::to_san(played.position, played.best_line())),
            );
        }
        for claim in reasons(&played) {
            add(&mut text, format_args!("      {}\n", words::sentence(&claim, Level::Club)));
        }
    }
    text
}

fn add(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game_of, reviewed};

    #[test]
    fn the_report_lists_players_accuracies_and_bad_moves() {
        let game = game_of("e4 e5 Qh5 Nc6 Qxf7 Kxf7");
        let mut pgn = PgnGame::from(&game);
        for (name, value) in [("White", "A. Rook"), ("Black", "?"), ("Event", "Test"), ("Date", "????.??.??")]
        {
            pgn.tags.push((name.to_owned(), value.to_owned()));
        }
        let text = report(3, &pgn, &reviewed(&game));
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
    fn comments_name_missed_and_allowed_mates() {
        let game = game_of("f3 e5 g4 a6");
        let review = reviewed(&game);
        let comments: Vec<_> = review
            .moves()
            .filter_map(|played| played.judgement().map(|judgement| comment(&played, judgement)))
            .collect();
        assert_eq!(comments.len(), 2, "{comments:?}");
        assert!(comments[0].starts_with("Blunder: it allows mate in 1; "), "{comments:?}");
        assert_eq!(comments[1], "Blunder: Qh4# is mate.");
    }
}
