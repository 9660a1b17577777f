//! Laboratory: state files of matches, tests and tunings as JSON. They are read, never written, and found by name in one
//! directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_lab::arena::{Effort, Format, GameResult, Schedule, Standings, test_of_header};
use rukh_lab::stats::{Estimate, Hypotheses, Model, Pairs, Sprt};
use serde_json::{Value, json};

use crate::error::{ApiError, ApiResult};

/// The most bytes of a state file.
const STATE_BYTES: u64 = 256 << 20;
/// The most bytes of a PGN file.
const PGN_BYTES: u64 = 4 << 20;
/// The most files of a list.
const MAX_FILES: usize = 1_000;
/// The most points of a curve.
const MAX_POINTS: usize = 1_000;
/// The lines of a run that has no view of its own.
const LAST_LINES: usize = 200;

/// The test that a request wants for an LLR curve. What it leaves out is taken from the state file or, if that holds no test,
/// from the defaults of `rukh sprt`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TestWish {
    pub(crate) elo0: Option<f64>,
    pub(crate) elo1: Option<f64>,
    pub(crate) alpha: Option<f64>,
    pub(crate) beta: Option<f64>,
    pub(crate) model: Option<Model>,
}

impl TestWish {
    /// The test, and where it comes from.
    fn test(self, header: &Value) -> Result<(Sprt, &'static str), String> {
        let held = test_of_header(header);
        let hypotheses = Hypotheses { model: Model::Normalised, elo0: 0.0, elo1: 5.0 };
        let base = held.unwrap_or(Sprt { hypotheses, alpha: 0.05, beta: 0.05 });
        let Hypotheses { model, elo0, elo1 } = base.hypotheses;
        let test = Sprt {
            hypotheses: Hypotheses {
                model: self.model.unwrap_or(model),
                elo0: self.elo0.unwrap_or(elo0),
                elo1: self.elo1.unwrap_or(elo1),
            },
            alpha: self.alpha.unwrap_or(base.alpha),
            beta: self.beta.unwrap_or(base.beta),
        };
        let Hypotheses { elo0, elo1, .. } = test.hypotheses;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err("elo0 must be less than elo1".to_owned());
        }
        if ![test.alpha, test.beta].iter().all(|&share| share > 0.0 && share < 0.5) {
            return Err("alpha and beta must be between 0 and 0.5".to_owned());
        }
        let source = match held {
            _ if test != base => "request",
            Some(_) => "state",
            None => "default",
        };
        Ok((test, source))
    }
}

/// A state file: the header and the texts of the lines that are whole.
struct State {
    header: Value,
    lines: Vec<String>,
}

/// The file of a name in the directory. The name must be that of an entry: it is compared, never joined to a path.
fn entry(directory: Option<&Path>, name: &str) -> Result<PathBuf, String> {
    let missing = || "there is no such file in the directory of the laboratory".to_owned();
    let entries = fs::read_dir(directory.ok_or_else(missing)?).map_err(|_| missing())?;
    let found = entries.flatten().find(|entry| entry.file_name().to_str() == Some(name));
    let found = found.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    found.map(|entry| entry.path()).ok_or_else(missing)
}

fn read_text(path: &Path, limit: u64) -> Result<String, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > limit {
        return Err(format!("the file is larger than {} MiB", limit >> 20));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl State {
    fn read(path: &Path) -> Result<Self, String> {
        Self::parse(&read_text(path, STATE_BYTES)?)
    }

    /// A last line without its end is being written.
    fn parse(text: &str) -> Result<Self, String> {
        let foreign = || "it is not a state file".to_owned();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        let header: Value = serde_json::from_str(lines.next().ok_or_else(foreign)?).map_err(|_| foreign())?;
        if !header["kind"].is_string() {
            return Err(foreign());
        }
        // Number, checksum, text.
        let texts: Option<Vec<String>> =
            lines.map(|line| line.splitn(3, ' ').nth(2).map(str::to_owned)).collect();
        Ok(Self { header, lines: texts.ok_or_else(foreign)? })
    }

    fn engine_names(&self) -> Vec<String> {
        let engines = self.header["engines"].as_array().map(Vec::as_slice).unwrap_or_default();
        engines.iter().map(|engine| engine["name"].as_str().unwrap_or("?").to_owned()).collect()
    }

    fn json_lines(&self) -> impl Iterator<Item = Value> {
        self.lines.iter().map(|line| serde_json::from_str(line).unwrap_or_default())
    }
}

/// The files of the directory.
pub(crate) fn list(directory: Option<&Path>) -> Value {
    let entries = directory.and_then(|directory| fs::read_dir(directory).ok());
    let (mut runs, mut faults) = (Vec::new(), Vec::new());
    for entry in entries.into_iter().flatten().flatten().take(MAX_FILES) {
        let (Ok(name), path) = (entry.file_name().into_string(), entry.path()) else { continue };
        let Ok(data) = entry.metadata() else { continue };
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut run = json!({
            "name": name,
            "bytes": data.len(),
            "modified_ms": modified.map_or(0, |time| time.as_millis() as u64),
        });
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("pgn") => run["kind"] = json!("games"),
            Some("state" | "jsonl" | "ledger") => match State::read(&path) {
                Ok(state) => {
                    run["kind"] = state.header["kind"].clone();
                    run["event"] = state.header["event"].clone();
                    run["engines"] = json!(state.engine_names());
                    run["lines"] = json!(state.lines.len());
                }
                Err(error) => {
                    faults.push(json!({ "name": name, "error": error }));
                    continue;
                }
            },
            _ => continue,
        }
        runs.push(run);
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run["modified_ms"].as_u64()));
    json!({ "runs": runs, "faults": faults })
}

/// One run.
pub(crate) fn run(directory: Option<&Path>, name: &str, wish: TestWish) -> ApiResult<Value> {
    let state = entry(directory, name).and_then(|path| State::read(&path)).map_err(ApiError::not_found)?;
    match state.header["kind"].as_str() {
        Some("match") => {
            let (sprt, source) = wish.test(&state.header).map_err(ApiError::bad_input)?;
            match_json(&state, sprt, source).map_err(ApiError::not_found)
        }
        Some("tune") => Ok(tune_json(&state)),
        _ => {
            let last = state.lines.len().saturating_sub(LAST_LINES);
            let lines: Vec<Value> = state.json_lines().skip(last).collect();
            Ok(json!({ "kind": state.header["kind"], "header": state.header, "lines": lines }))
        }
    }
}

/// A game of a match, or all games of a PGN file.
pub(crate) fn games(directory: Option<&Path>, name: &str, game: Option<usize>) -> Result<Value, String> {
    let path = entry(directory, name)?;
    let Some(game) = game else { return Ok(json!({ "pgn": read_text(&path, PGN_BYTES)? })) };
    let state = State::read(&path)?;
    let found = state.json_lines().find(|line| line["game"] == game);
    let pgn = found.and_then(|line| line["pgn"].as_str().map(str::to_owned));
    pgn.map(|pgn| json!({ "pgn": pgn })).ok_or_else(|| "the match has no such game yet".to_owned())
}

/// The schedule of a match from its header.
fn schedule(state: &State, entrants: usize) -> Option<Schedule> {
    let encounters = state.header["encounters"].as_array()?.len();
    let games = usize::try_from(state.header["games"].as_u64()?).ok()?;
    let is_gauntlet = encounters + 1 == entrants;
    let format = if is_gauntlet { Format::Gauntlet } else { Format::RoundRobin };
    let schedule = Schedule::new(format, entrants, games / encounters.max(1));
    (schedule.encounters().len() == encounters && schedule.len() == games && games > 0).then_some(schedule)
}

/// The result of a game from its line.
fn result(line: &Value, schedule: &Schedule) -> Option<GameResult> {
    let index = usize::try_from(line["game"].as_u64()?).ok().filter(|&index| index < schedule.len())?;
    let outcomes = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw];
    let outcome = outcomes.into_iter().find(|outcome| line["result"] == outcome.to_string())?;
    Some(GameResult {
        fixture: schedule.fixture(index),
        outcome,
        fault: None,
        effort: [Effort::default(); 2],
    })
}

fn match_json(state: &State, sprt: Sprt, source: &str) -> Result<Value, String> {
    let names = state.engine_names();
    let schedule = schedule(state, names.len()).ok_or("the header of the match cannot be read")?;
    let mut standings = Standings::new(&schedule, names.len());
    let (mut results, mut curve) = (Vec::new(), Vec::new());
    let is_duel = names.len() == 2;
    for line in state.json_lines() {
        let result = result(&line, &schedule).ok_or("a line of the match cannot be read")?;
        standings.add(&result);
        let name = |side: Color| &names[result.fixture.players[side]];
        results.push(json!({
            "index": result.fixture.index,
            "white": name(Color::White),
            "black": name(Color::Black),
            "result": result.outcome.to_string(),
            "reason": line["reason"],
            "fault": line["fault"],
            "has_game": line["pgn"].is_string(),
        }));
        if is_duel {
            let ratio = sprt.hypotheses.log_likelihood_ratio(&standings.encounters()[0].pairs);
            curve.push((standings.games(), ratio));
        }
    }
    let (lower, upper) = sprt.bounds();
    let Sprt { hypotheses: Hypotheses { model, elo0, elo1 }, alpha, beta } = sprt;
    let pairs = is_duel.then(|| standings.encounters()[0].pairs);
    Ok(json!({
        "kind": "match",
        "event": state.header["event"],
        "engines": names,
        "games": schedule.len(),
        "finished": standings.games(),
        "rows": rows(&names, &schedule, &standings),
        "pairs": pairs.map(|pairs| pairs.0),
        "verdict": pairs.map(|pairs| sprt.verdict(&pairs).to_string()),
        "llr": thinned(&curve),
        "sprt": {
            "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model.name(),
            "lower": lower, "upper": upper, "source": source,
        },
        "results": results,
    }))
}

/// The table of a match: each entrant against all that it meets.
fn rows(names: &[String], schedule: &Schedule, standings: &Standings) -> Vec<Value> {
    let row = |(at, name): (usize, &String)| {
        let tally = standings.conducts()[at].tally;
        let mut pairs = Pairs::default();
        for (encounter, &(first, second)) in standings.encounters().iter().zip(schedule.encounters()) {
            let mut own = encounter.pairs;
            if second == at {
                own.0.reverse();
            }
            if first == at || second == at {
                pairs += own;
            }
        }
        let estimate = Estimate::of(&pairs);
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({
            "name": name,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "points": tally.half_points() as f64 / 2.0,
            "elo": estimate.and_then(|estimate| finite(estimate.elo.0)),
            "error": estimate.and_then(|estimate| estimate.error()),
        })
    };
    names.iter().enumerate().map(row).collect()
}

fn tune_json(state: &State) -> Value {
    let parameters = state.header["parameters"].as_array().cloned().unwrap_or_default();
    // Name, type, value, least, most, and the two end steps.
    let parameter = |text: &Value| {
        let words: Vec<&str> = text.as_str().unwrap_or_default().split(',').map(str::trim).collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<f64>().ok());
        json!({ "name": words.first(), "start": number(2), "least": number(3), "most": number(4) })
    };
    let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
    let start: Vec<&Value> = parameters.iter().map(|parameter| &parameter["start"]).collect();
    let mut values = vec![(0, json!(start))];
    let mut tally = [0_u64; 3];
    for line in state.json_lines() {
        values.push((line["iteration"].as_u64().unwrap_or(0), line["values"].clone()));
        for (sum, at) in tally.iter_mut().zip(0..) {
            *sum += line["games"][at as usize].as_u64().unwrap_or(0);
        }
    }
    let points = thinned(&values);
    json!({
        "kind": "tune",
        "engines": [state.header["engine"]["name"]],
        "iterations": state.header["iterations"],
        "finished": values.last().map_or(0, |(iteration, _)| *iteration),
        "games": tally,
        "parameters": parameters,
        "value_iterations": points.iter().map(|(iteration, _)| iteration).collect::<Vec<_>>(),
        "values": points.iter().map(|(_, values)| values).collect::<Vec<_>>(),
    })
}

/// At most so many points that a curve is smooth, the last one included.
fn thinned<T: Clone>(points: &[T]) -> Vec<T> {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
    kept.map(|(_, point)| point.clone()).collect()
}
