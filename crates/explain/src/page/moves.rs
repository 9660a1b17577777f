//! The move list of a game in two columns, with comments.

use rukh_chess::notation::pgn::PgnGame;
use rukh_chess::{Color, Move, Position};

use crate::accuracy::MoveJudgement;
use crate::claims::level::Level;
use crate::claims::review_reasons::reasons;
use crate::claims::words;
use crate::review::{Review, ReviewedMove};
use crate::text;
use crate::variation;

use super::board;
use super::html::{Html, escaped};

/// Writes the move list of the game with this number.
pub(super) fn list(html: &mut Html, number: usize, game: &PgnGame, review: &Review) {
    html.add(format_args!("<div class=\"moves\">\n"));
    comments(html, &game.main_line.comments);
    // After a note, and at the start, a move of Black needs its number and an empty cell for White.
    let mut is_row_open = false;
    for (at, (written, played)) in game.main_line.moves.iter().zip(review.moves()).enumerate() {
        if played.mover() == Color::White || !is_row_open {
            html.add(format_args!("<span class=\"number\">{}</span>", played.position.fullmove_number()));
        }
        if played.mover() == Color::Black && !is_row_open {
            html.add(format_args!("<span class=\"none\">\u{2026}</span>"));
        }
        main_move(html, &format!("g{number}m{}", at + 1), &played);
        is_row_open = played.mover() == Color::White;
        let has_notes = played.judgement().is_some() || written.comments.iter().any(|text| is_text(text));
        if has_notes {
            if is_row_open {
                html.add(format_args!("<span class=\"none\">\u{2026}</span>\n"));
            }
            is_row_open = false;
            judgement_note(html, &played, at);
            comments(html, &written.comments);
        }
    }
    html.add(format_args!("\n</div>\n"));
}

fn main_move(html: &mut Html, name: &str, played: &ReviewedMove<'_>) {
    let class = played.judgement().map_or_else(String::new, |judgement| format!(" {judgement}"));
    let san = escaped(&played.position.san(played.mv));
    let symbol = played.judgement().map_or("", MoveJudgement::symbol);
    let data = data(played.position, played.mv);
    html.add(format_args!(
        "<a class=\"move main{class}\" id=\"{name}\" href=\"#{name}\" {data}>{san}{symbol} \
         <span class=\"eval\">{}</span></a>\n",
        played.white_score()
    ));
}

/// The data with which the script shows the position after a move.
fn data(position: &Position, mv: Move) -> String {
    format!("data-board=\"{}\" data-squares=\"{} {}\"", board::field(&position.after(mv)), mv.from(), mv.to())
}

/// The comment on a bad move with the better variation, then its reasons. All moves can be clicked.
fn judgement_note(html: &mut Html, played: &ReviewedMove<'_>, plies_before: usize) {
    let Some(judgement) = played.judgement() else { return };
    html.add(format_args!("<p class=\"note {judgement}\">{} ", escaped(&text::comment(played, judgement))));
    line(html, played.position, played.best_line(), &[], plies_before);
    for claim in reasons(played) {
        let squares: Vec<_> = claim.pieces.iter().map(|named| named.square.to_string()).collect();
        html.add(format_args!(
            "</p>\n<p class=\"note reason {judgement}\">{} ",
            escaped(&words::statement(&claim, Level::Club))
        ));
        line(html, &claim.start, &claim.line, &squares, plies_before);
    }
    html.add(format_args!("</p>\n"));
}

/// A variation whose moves can be clicked; `marks` are the squares that a claim is about.
fn line(html: &mut Html, start: &Position, moves: &[Move], marks: &[String], plies_before: usize) {
    html.add(format_args!(
        "<span class=\"line\" data-plies=\"{plies_before}\" data-claim=\"{}\">",
        marks.join(" ")
    ));
    for (at, (position, mv)) in variation::positions(start, moves).enumerate() {
        if at == 0 || position.side_to_move() == Color::White {
            // No line break between the number and its move.
            html.add(format_args!("{}&nbsp;", variation::move_number(&position)));
        }
        let san = escaped(&position.san(mv));
        html.add(format_args!("<a class=\"move\" {}>{san}</a> ", data(&position, mv)));
    }
    html.add(format_args!("</span>"));
}

/// The comments of the PGN.
fn comments(html: &mut Html, comments: &[String]) {
    for text in comments.iter().filter(|text| is_text(text)) {
        html.add(format_args!("<p class=\"note\">{}</p>\n", escaped(&without_commands(text))));
    }
}

/// Whether a comment contains a word. Match programs write `+0.44/5 0.004s` after each move, which is left out.
fn is_text(comment: &str) -> bool {
    let letters: Vec<_> = without_commands(comment).chars().map(char::is_alphabetic).collect();
    letters.windows(2).any(|pair| pair == [true, true])
}

/// A comment without commands such as `[%clk 0:01:00]`.
fn without_commands(comment: &str) -> String {
    let mut parts = comment.split("[%");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(']').map_or("", |(_, after)| after));
    }
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use rukh_chess::notation::pgn::Games;

    use super::*;
    use crate::tests::reviewed;

    fn moves_of(pgn: &str) -> String {
        let game = Games::new(pgn).next().expect("there is a game").expect("it can be read");
        let mut html = Html::default();
        list(&mut html, 1, &game, &reviewed(&game.game()));
        html.into_text()
    }

    #[test]
    fn notes_split_the_rows_of_moves() {
        let text = moves_of("1. e4 e5 2. Qh5 Nc6 3. Qxf7 Kxf7 0-1");
        assert_eq!(text.matches("class=\"number\"").count(), 4, "the third move has two rows: {text}");
        assert_eq!(text.matches("class=\"none\"").count(), 2);
        let note = text.split("<p class=\"note blunder\">").nth(1).expect("there is a blunder");
        assert!(
            note.starts_with("Blunder: ")
                && note.contains("data-plies=\"4\" data-claim=\"\">3.&nbsp;<a class=\"move\" "),
            "{note}"
        );
    }

    #[test]
    fn existing_comments_are_shown_without_commands() {
        let text = moves_of(
            "{before} 1. e4 {[%clk 0:01:00] <b>good</b> [%emt 1]} e5 {[%clk 0:01:00]} 2. d4 {-M12/5 0.004s} *",
        );
        assert!(text.contains("<p class=\"note\">before</p>"), "{text}");
        assert!(text.contains("<p class=\"note\">&lt;b&gt;good&lt;/b&gt;</p>"), "{text}");
        assert_eq!(text.matches("class=\"note\"").count(), 2, "{text}");
    }
}
