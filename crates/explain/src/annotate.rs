//! Annotated PGN: writes a review into its game as comments, NAGs, variations and tags.

use rukh_chess::Color;
use rukh_chess::notation::pgn::{PgnGame, PgnMove, Variation};

use crate::review::{Review, ReviewedMove};
use crate::text;

/// Writes a review into the game. Existing annotations are kept, except `[%eval]` commands, which are replaced.
pub fn annotate(game: &mut PgnGame, review: &Review, annotator: &str) {
    for (written, played) in game.main_line.moves.iter_mut().zip(review.moves()) {
        annotate_move(written, &played);
    }
    let others = game.tag("Annotator").filter(|value| !matches!(*value, "" | "?" | "-"));
    let annotators = match others {
        Some(others) if others.split("; ").any(|other| other == annotator) => others.to_owned(),
        Some(others) => format!("{others}; {annotator}"),
        None => annotator.to_owned(),
    };
    set_tag(game, "Annotator", annotators);
    for side in [Color::White, Color::Black] {
        if let Some(accuracy) = text::format_accuracy(review, side) {
            set_tag(game, &format!("{side}Accuracy"), accuracy);
        }
    }
}

fn set_tag(game: &mut PgnGame, name: &str, value: String) {
    match game.tags.iter_mut().find(|(found, _)| found.eq_ignore_ascii_case(name)) {
        Some((_, old)) => *old = value,
        None => game.tags.push((name.to_owned(), value)),
    }
}

fn annotate_move(written: &mut PgnMove, played: &ReviewedMove<'_>) {
    for comment in &mut written.comments {
        *comment = without_command(comment, "eval");
    }
    written.comments.retain(|comment| !comment.is_empty());
    let mut parts = Vec::from_iter(played.white_score().pgn_eval().map(|value| format!("[%eval {value}]")));
    if let Some(judgement) = played.judgement() {
        let text = text::comment_with_reasons(played, judgement);
        // A second review of the same game does not repeat its comments.
        written.comments.retain(|comment| *comment != text);
        parts.push(text);
        if !written.nags.contains(&judgement.nag()) {
            written.nags.push(judgement.nag());
        }
        let moves: Vec<_> = played.best_line().iter().copied().map(PgnMove::new).collect();
        let variation = Variation { comments: Vec::new(), moves };
        if !variation.moves.is_empty() && !written.variations.contains(&variation) {
            written.variations.push(variation);
        }
    }
    if !parts.is_empty() {
        written.comments.insert(0, parts.join(" "));
    }
}

/// A comment without commands of this name, such as `[%eval 0.25]`.
fn without_command(comment: &str, name: &str) -> String {
    let start = format!("[%{name} ");
    let mut rest = comment;
    let mut kept = String::new();
    while let Some((before, command)) = rest.split_once(&start) {
        let Some((_, after)) = command.split_once(']') else { break };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rukh_chess::notation::pgn::Games;

    use super::*;
    use crate::tests::reviewed;

    fn read(text: &str) -> PgnGame {
        Games::new(text).next().expect("there is a game").expect("it can be read")
    }

    fn annotated(text: &str) -> PgnGame {
        let mut game = read(text);
        let review = reviewed(&game.game());
        annotate(&mut game, &review, "Rukh");
        game
    }

    const WRITTEN: &str = "[White \"A\"]\n[Odd \"kept\"]\n[Annotator \"Me\"]\n\n1. e4 {best by test} e5 $1 \
                           2. Qh5 {[%eval 9.99] [%clk 0:01:00]} (2. Nf3 {usual}) Nc6 3. Qxf7+ Kxf7 0-1\n";

    #[test]
    fn a_review_is_added_to_existing_annotations() {
        let game = annotated(WRITTEN);
        let again = read(&game.to_string());
        assert_eq!(again, game, "the PGN can be read back");
        assert_eq!(game.game().moves(), read(WRITTEN).game().moves());
        let moves = &game.main_line.moves;
        assert!(moves.iter().all(|written| written.command("eval").is_some()), "{game}");
        assert_eq!(moves[0].comments[1], "best by test");
        assert_eq!(moves[1].nags, [1]);
        assert_eq!(moves[2].comments[1..], ["[%clk 0:01:00]"]);
        assert_ne!(moves[2].command("eval"), Some("9.99"));
        assert_eq!(moves[2].variations.len(), 1);
        assert_eq!((moves[4].nags.as_slice(), moves[4].variations.len()), ([4].as_slice(), 1));
        assert!(moves[4].comments[0].contains("] Blunder: "), "{game}");
        assert_eq!(game.tag("Odd"), Some("kept"));
        assert_eq!(game.tag("Annotator"), Some("Me; Rukh"));
        assert_eq!(game.tag("BlackAccuracy"), Some("100.0"));
    }

    #[test]
    fn a_second_review_adds_nothing() {
        let once = annotated(WRITTEN);
        assert_eq!(annotated(&once.to_string()), once);
    }

    #[test]
    fn commands_are_removed_from_comments() {
        assert_eq!(without_command("a [%eval 1.0] b [%eval #3] c", "eval"), "a b c");
        assert_eq!(without_command("[%eval 1.0,12]", "eval"), "");
        assert_eq!(without_command("[%eval torn", "eval"), "[%eval torn");
        assert_eq!(without_command("[%evaluation 1] [%clk 1]", "eval"), "[%evaluation 1] [%clk 1]");
    }
}
