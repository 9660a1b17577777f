//! Reviews as one page of HTML that needs nothing else: no network, no other file, and for reading no script.

mod board;
mod graph;
mod html;
mod moves;

use rukh_chess::Color;
use rukh_chess::notation::pgn::PgnGame;

use crate::review::Review;
use crate::words;
use html::{Html, escaped};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of these games.
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

/// All games in a table, to choose from.
fn contents(html: &mut Html, games: &[(PgnGame, Review)]) {
    html.add(format_args!(
        "<nav><table class=\"contents\">\n<tr><th>Game</th><th>Accuracy of White</th><th>of Black</th></tr>\n"
    ));
    for (at, (game, review)) in games.iter().enumerate() {
        let number = at + 1;
        let heading = escaped(&words::heading(game));
        let [white, black] = accuracies(review);
        html.add(format_args!(
            "<tr><td><a href=\"#game{number}\">{heading}</a></td><td>{white}</td><td>{black}</td></tr>\n"
        ));
    }
    html.add(format_args!("</table></nav>\n"));
}

fn accuracies(review: &Review) -> [String; 2] {
    [Color::White, Color::Black].map(|side| words::accuracy(review, side).unwrap_or_else(|| "-".to_owned()))
}

/// One game.
fn section(html: &mut Html, number: usize, game: &PgnGame, review: &Review) {
    let (heading, occasion) = (escaped(&words::heading(game)), escaped(&words::occasion(game)));
    html.add(format_args!("<section class=\"game\" id=\"game{number}\">\n<h2>{heading}</h2>\n"));
    if !occasion.is_empty() {
        html.add(format_args!("<p class=\"occasion\">{occasion}</p>\n"));
    }
    summary(html, game, review);
    html.add(format_args!("<div class=\"sides\">\n<div class=\"pictures\">\n"));
    board::draw(html, review.game());
    graph::draw(html, review);
    html.add(format_args!("</div>\n"));
    moves::list(html, number, game, review);
    html.add(format_args!("</div>\n</section>\n"));
}

/// How well both sides played.
fn summary(html: &mut Html, game: &PgnGame, review: &Review) {
    html.add(format_args!(
        "<table class=\"summary\">\n<tr><th></th><th>Accuracy</th><th>Inaccuracies</th><th>Mistakes</th>\
         <th>Blunders</th></tr>\n"
    ));
    for (side, accuracy) in [Color::White, Color::Black].into_iter().zip(accuracies(review)) {
        let player = escaped(&words::player(game, side));
        html.add(format_args!("<tr><th scope=\"row\">{player}</th><td>{accuracy}</td>"));
        for fault in words::FAULTS {
            html.add(format_args!("<td class=\"{fault}\">{}</td>", review.count(side, fault)));
        }
        html.add(format_args!("</tr>\n"));
    }
    html.add(format_args!("</table>\n"));
}

fn legend() -> &'static str {
    "<footer><p>The graph shows what White could expect of the game: a win at the top, a draw in the middle, a loss at the \
     bottom. Moves are judged by how much of this they cost: ?! an inaccuracy, ? a mistake, ?? a blunder. \
     Evaluations are in pawns, from White\u{2019}s side; # counts the moves to mate. \
     A click on a move or on the graph shows the position; so do the arrow keys, Home and End.</p></footer>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game_of, judged};

    fn page_of(moves: &[&str], white: &str) -> String {
        let games: Vec<_> = moves
            .iter()
            .map(|moves| {
                let game = game_of(moves);
                let mut pgn = PgnGame::from(&game);
                pgn.tags.push(("White".to_owned(), white.to_owned()));
                (pgn, judged(&game))
            })
            .collect();
        page(white, &games)
    }

    #[test]
    fn every_game_has_its_section_and_every_move_its_place() {
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
    fn nothing_is_loaded_and_names_are_only_text() {
        let text = page_of(&["e4"], "<script>alert(\"x\")</script> & 'Co'");
        assert_eq!(text.matches("<script>").count(), 1, "only our own");
        assert!(
            text.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;Co&#39;"),
            "{text}"
        );
        let outside = ["src=", "url(", "@import", "https:", "<link", "fetch("];
        assert_eq!(outside.into_iter().find(|sign| text.contains(sign)), None);
    }
}
