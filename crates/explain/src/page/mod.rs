//! Reviews as a self-contained HTML page: no network, no other files, readable without scripts.

mod board;
mod graph;
mod html;
mod moves;

use rukh_chess::Color;
use rukh_chess::notation::pgn::PgnGame;

use crate::accuracy::MoveJudgement;
use crate::review::Review;
use crate::text;
use html::{Html, escaped};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of reviewed games.
pub fn page(title: &str, games: &[(PgnGame, Review)]) -> String {
    let title = escaped(title);
    let mut html = Html::default();
    html.add(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    ));
    if games.len() > 1 {
        contents(&mut html, games);
    }
    for (at, (game, review)) in games.iter().enumerate() {
        section(&mut html, at + 1, game, review);
    }
    html.add(format_args!("{}\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n", legend()));
    html.into_text()
}

/// The table of contents.
fn contents(html: &mut Html, games: &[(PgnGame, Review)]) {
    html.add(format_args!(
        "<nav><table class=\"contents\">\n<tr><th>Game</th><th>Accuracy of White</th><th>of Black</th></tr>\n"
    ));
    for (at, (game, review)) in games.iter().enumerate() {
        let number = at + 1;
        let heading = escaped(&text::heading(game));
        let [white, black] = accuracies(review);
        html.add(format_args!(
            "<tr><td><a href=\"#game{number}\">{heading}</a></td><td>{white}</td><td>{black}</td></tr>\n"
        ));
    }
    html.add(format_args!("</table></nav>\n"));
}

fn accuracies(review: &Review) -> [String; 2] {
    [Color::White, Color::Black]
        .map(|side| text::format_accuracy(review, side).unwrap_or_else(|| "-".to_owned()))
}

/// The section of a game.
fn section(html: &mut Html, number: usize, game: &PgnGame, review: &Review) {
    let (heading, details) = (escaped(&text::heading(game)), escaped(&text::event_details(game)));
    html.add(format_args!("<section class=\"game\" id=\"game{number}\">\n<h2>{heading}</h2>\n"));
    if !details.is_empty() {
        html.add(format_args!("<p class=\"details\">{details}</p>\n"));
    }
    summary(html, game, review);
    html.add(format_args!("<div class=\"sides\">\n<div class=\"pictures\">\n"));
    board::draw(html, review.game());
    graph::draw(html, review);
    html.add(format_args!("</div>\n"));
    moves::list(html, number, game, review);
    html.add(format_args!("</div>\n</section>\n"));
}

/// The accuracies and judgements of both sides.
fn summary(html: &mut Html, game: &PgnGame, review: &Review) {
    html.add(format_args!(
        "<table class=\"summary\">\n<tr><th></th><th>Accuracy</th><th>Inaccuracies</th><th>Mistakes</th>\
         <th>Blunders</th></tr>\n"
    ));
    for (side, accuracy) in [Color::White, Color::Black].into_iter().zip(accuracies(review)) {
        let player = escaped(&text::player_name(game, side));
        html.add(format_args!("<tr><th scope=\"row\">{player}</th><td>{accuracy}</td>"));
        for judgement in MoveJudgement::ALL {
            html.add(format_args!("<td class=\"{judgement}\">{}</td>", review.count(side, judgement)));
        }
        html.add(format_args!("</tr>\n"));
    }
    html.add(format_args!("</table>\n"));
}

fn legend() -> &'static str {
    "<footer><p>The graph shows White\u{2019}s expected score: a win at the top, a draw in the middle, a loss at the bottom. \
     Moves are judged by the expected score they lose: ?! an inaccuracy, ? a mistake, ?? a blunder. \
     Evaluations are in pawns, from White\u{2019}s point of view; # is the number of moves to mate. \
     Click a move or the graph to see the position, or use the arrow keys, Home and End.</p></footer>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game_of, reviewed};

    fn page_of(moves: &[&str], white: &str) -> String {
        let games: Vec<_> = moves
            .iter()
            .map(|moves| {
                let game = game_of(moves);
                let mut pgn = PgnGame::from(&game);
                pgn.tags.push(("White".to_owned(), white.to_owned()));
                (pgn, reviewed(&game))
            })
            .collect();
        page(white, &games)
    }

    #[test]
    fn the_page_contains_every_game_and_every_move() {
        let text = page_of(&["e4 e5 Qh5 Nc6 Qxf7 Kxf7", "d4"], "A");
        assert_eq!(text.matches("<section ").count(), 2);
        assert_eq!(text.matches("class=\"contents\"").count(), 1);
        assert_eq!(text.matches("<a class=\"move main").count(), 7, "{text}");
        assert_eq!(text.matches("<circle class=\"blunder\"").count(), 1);
        assert!(text.contains("Qxf7+??") && text.contains(" was better."), "{text}");
        assert!(text.contains("data-board=\"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR\""));
        for tag in ["section", "svg", "g", "table", "tr", "td", "div", "a", "p", "text", "style", "script"] {
            let opened =
                text.matches(&format!("<{tag} ")).count() + text.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }

    #[test]
    fn nothing_is_loaded_and_names_are_escaped() {
        let text = page_of(&["e4"], "<script>alert(\"x\")</script> & 'Co'");
        assert_eq!(text.matches("<script>").count(), 1, "only the script of the page");
        assert!(
            text.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;Co&#39;"),
            "{text}"
        );
        let outside = ["src=", "url(", "@import", "https:", "<link", "fetch("];
        assert_eq!(outside.into_iter().find(|word| text.contains(word)), None);
    }
    /// A class that only the script or only the page knows breaks the board.
    #[test]
    fn the_script_finds_its_elements_in_the_page() {
        let page = page_of(&["f3 e5 g4 Qh4#"], "A");
        let selectors: Vec<_> = ["querySelector(\".", "querySelectorAll(\".", "closest(\"."]
            .into_iter()
            .flat_map(|call| SCRIPT.split(call).skip(1))
            .filter_map(|rest| rest.split(['"', '.']).next())
            .collect();
        assert!(selectors.contains(&"pieces") && selectors.contains(&"line"), "{selectors:?}");
        // The script itself sets this one.
        for class in selectors.into_iter().filter(|class| *class != "chosen") {
            assert!(
                page.contains(&format!("class=\"{class}\"")) || page.contains(&format!("class=\"{class} ")),
                "{class}"
            );
        }
    }
}
