//! The game of a session against the engine.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::extract::{Path, State};
use axum::response::Response;
use rukh_chess::types::ByColor;
use rukh_engine::api::Algorithm;
use rukh_lab::calendar::date;
use rukh_play::control::TimeControl;
use rukh_play::message::PlayCommand;
use rukh_play::record::Record;
use rukh_play::skill::{Skill, read_elo, read_level};
use rukh_play::table::{GameTable, Player};
use serde::Deserialize;
use serde_json::Value;

use crate::app::App;
use crate::body::{JsonBody, JsonReply, Params, download};
use crate::error::{ApiError, ApiResult};
use crate::play::{Order, Refused};
use crate::rules;
use crate::session::NewPlay;
use crate::token;

/// The most time for a move without clocks.
const MAX_MOVE_TIME: u64 = 60_000;
/// The time for a move without clocks and without a wish.
const MOVE_TIME: u64 = 1_000;

#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum PlayIn {
    New {
        color: Option<String>,
        level: Option<u32>,
        elo: Option<u32>,
        clock: Option<String>,
        fen: Option<String>,
        chess960: Option<u16>,
        search: Option<String>,
        movetime_ms: Option<u64>,
    },
    Move {
        r#move: String,
        ply: usize,
    },
    Takeback,
    Resign,
    Draw,
    Hint,
    MoveNow,
    Skill {
        level: Option<u32>,
        elo: Option<u32>,
    },
}

/// The strength of a request.
fn skill(level: Option<u32>, elo: Option<u32>) -> Result<Skill, String> {
    match (level, elo) {
        (Some(_), Some(_)) => Err("a strength is a level or a rating, not both".to_owned()),
        (Some(level), None) => read_level(&level.to_string()),
        (None, Some(elo)) => read_elo(&elo.to_string()),
        (None, None) => Ok(Skill::Full),
    }
}

/// Who plays the sides.
fn players(color: Option<&str>) -> Result<ByColor<Player>, String> {
    let white = ByColor([Player::Person, Player::Engine]);
    let black = ByColor([Player::Engine, Player::Person]);
    match color {
        None | Some("white") => Ok(white),
        Some("black") => Ok(black),
        Some("random") if token::seed().is_multiple_of(2) => Ok(white),
        Some("random") => Ok(black),
        Some(other) => Err(format!("{other:?} is no colour; there are white, black and random")),
    }
}

pub(super) async fn play(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<PlayIn>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let order = match input {
        PlayIn::New { color, level, elo, clock, fen, chess960, search, movetime_ms } => {
            let read = || -> Result<NewPlay, String> {
                let start = match chess960 {
                    Some(number) => rules::chess960(number)?,
                    None => rules::position(fen.as_deref())?,
                };
                let control = clock.as_deref().map(TimeControl::from_minutes).transpose()?;
                let table = GameTable::new(start, players(color.as_deref())?, control);
                if let Some(conclusion) = table.conclusion() {
                    return Err(format!("a game cannot start there: {conclusion}"));
                }
                let record = Record { date: date(SystemTime::now()), skill: skill(level, elo)? };
                let algorithm = search.as_deref().map_or(Ok(Algorithm::default()), str::parse);
                let algorithm = algorithm.map_err(|error| error.to_string())?;
                let time = movetime_ms.unwrap_or(MOVE_TIME).clamp(1, MAX_MOVE_TIME);
                Ok(NewPlay { table, record, algorithm, move_time: Duration::from_millis(time) })
            };
            return session.new_play(read().map_err(ApiError::bad_input)?).map(JsonReply);
        }
        PlayIn::Move { r#move, ply } => Order::Move(r#move, ply),
        PlayIn::Takeback => Order::Command(PlayCommand::TakeBack),
        PlayIn::Resign => Order::Resign,
        PlayIn::Draw => Order::Command(PlayCommand::OfferDraw),
        PlayIn::Hint => Order::Command(PlayCommand::Hint),
        PlayIn::MoveNow => Order::Command(PlayCommand::MoveNow),
        PlayIn::Skill { level, elo } => {
            Order::Command(PlayCommand::SetSkill(skill(level, elo).map_err(ApiError::bad_input)?))
        }
    };
    let answer = session.order(order)?;
    match answer.await {
        Ok(Ok(json)) => Ok(JsonReply(json)),
        Ok(Err(Refused::BadInput(sentence))) => Err(ApiError::bad_input(sentence)),
        Ok(Err(Refused::Conflict(sentence))) => Err(ApiError::conflict(sentence)),
        Err(_) => {
            Err(ApiError::engine_failed("the game ended unexpectedly; its record is kept; start another one"))
        }
    }
}

#[derive(Deserialize)]
pub(super) struct PgnQuery {
    /// The number of a game; all games without it.
    game: Option<u64>,
}

pub(super) async fn pgn(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(query): Params<PgnQuery>,
) -> ApiResult<Response> {
    let pgn = app.sessions.get(&id)?.play_pgn(query.game);
    match pgn.is_empty() {
        true => Err(ApiError::not_found("no game has been played yet")),
        false => Ok(download("games.pgn", "application/x-chess-pgn", pgn)),
    }
}
