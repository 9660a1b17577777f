//! The graph of White's expected score, as SVG.

use crate::accuracy::ExpectedScore;
use crate::review::Review;
use crate::text;
use crate::variation;

use super::html::{Html, escaped};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 150.0;
/// The margin on all sides, so that the marks of moves are not cut.
const EDGE: f64 = 6.0;
/// The baseline of the move numbers below the graph, and their height.
const NUMBERS_BASE: f64 = 12.0;
const NUMBERS_ROOM: f64 = 16.0;
/// The approximate number of move numbers below the graph.
const NUMBERS: usize = 10;

/// Draws the graph of a game; nothing for a game without moves.
pub(super) fn draw(html: &mut Html, review: &Review) {
    let plies = review.game().moves().len();
    if plies == 0 {
        return;
    }
    let x = |ply: usize| EDGE + (WIDTH - 2.0 * EDGE) * ply as f64 / plies as f64;
    let y = |value: f64| EDGE + (HEIGHT - 2.0 * EDGE) * (1.0 - value);
    let values: Vec<_> = review.white_expected_scores().map(ExpectedScore::value).collect();
    let points: String =
        values.iter().enumerate().map(|(ply, &value)| format!("{:.1},{:.1} ", x(ply), y(value))).collect();
    html.add(format_args!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"Expected score of White\" \
         data-plies=\"{plies}\" data-edge=\"{EDGE}\" data-width=\"{WIDTH}\">\n\
         <rect class=\"lost\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <polygon class=\"won\" points=\"{:.1},{HEIGHT} {points}{:.1},{HEIGHT}\"/>\n\
         <polyline class=\"curve\" points=\"{points}\"/>\n\
         <line class=\"level\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{middle}\" y2=\"{middle}\"/>\n\
         <line class=\"cursor\" x1=\"{EDGE}\" x2=\"{EDGE}\" y1=\"0\" y2=\"{HEIGHT}\"/>\n",
        HEIGHT + NUMBERS_ROOM,
        x(0),
        x(plies),
        middle = HEIGHT / 2.0,
    ));
    for (at, played) in review.moves().enumerate() {
        let Some(judgement) = played.judgement() else { continue };
        let title = format!("{} {}", text::annotated_move(&played), text::comment(&played, judgement));
        html.add(format_args!(
            "<circle class=\"{judgement}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>{}</title></circle>\n",
            x(at + 1),
            y(values[at + 1]),
            escaped(&title)
        ));
    }
    numbers(html, review, x);
    html.add(format_args!("</svg>\n"));
}

/// The move numbers below the graph.
fn numbers(html: &mut Html, review: &Review, x: impl Fn(usize) -> f64) {
    let moves = review.game().moves().len().div_ceil(2);
    let step = [1, 2, 5, 10, 20, 50].into_iter().find(|step| moves / step <= NUMBERS).unwrap_or(100);
    html.add(format_args!("<g class=\"numbers\">"));
    for (at, played) in review.moves().enumerate() {
        let is_shown = (played.position.fullmove_number() as usize).is_multiple_of(step);
        if is_shown && !variation::move_number(played.position).ends_with("...") {
            let (x, y) = (x(at + 1), HEIGHT + NUMBERS_BASE);
            html.add(format_args!(
                "<text x=\"{x:.1}\" y=\"{y}\">{}</text>",
                played.position.fullmove_number()
            ));
        }
    }
    html.add(format_args!("</g>\n"));
}

#[cfg(test)]
mod tests {
    use rukh_chess::game::Game;

    use super::*;
    use crate::tests::{game_of, reviewed};

    fn graph(game: &Game) -> String {
        let mut html = Html::default();
        draw(&mut html, &reviewed(game));
        html.into_text()
    }

    #[test]
    fn bad_moves_are_marked_on_the_graph() {
        let text = graph(&game_of("f3 e5 g4 Qh4#"));
        // Level until the third of four moves, then won for Black, at the bottom.
        assert!(
            text.contains("points=\"6.0,75.0 153.0,75.0 300.0,75.0 447.0,144.0 594.0,144.0 \""),
            "{text}"
        );
        assert!(text.contains("<circle class=\"blunder\" cx=\"447.0\" cy=\"144.0\""), "{text}");
        assert_eq!(text.matches("<circle").count(), 1);
        assert!(text.contains(">2. g4?? Blunder: it allows mate in 1; "), "{text}");
        assert!(text.contains("<text x=\"153.0\" y=\"162\">1</text>"), "{text}");
    }

    #[test]
    fn a_game_without_moves_has_no_graph() {
        assert_eq!(graph(&Game::default()), "");
    }
}
