//! Standings of a match as text and as JSON.

use std::fmt::Write;
use std::time::Duration;

use rukh_lab::arena::{Conduct, Encounter, Match, Standings};
use rukh_lab::stats::{Estimate, Model, Sprt};
use serde_json::{Value, json};

/// The standings, with elapsed and remaining time.
pub(super) fn table(
    of: &Match,
    standings: &Standings,
    sprt: Option<&Sprt>,
    elapsed: Duration,
    here: u64,
) -> String {
    let mut text = String::new();
    for (encounter, &(first, second)) in standings.encounters().iter().zip(of.schedule.encounters()) {
        let names = [first, second].map(|player| of.entrants[player].name.as_str());
        text.push_str(&encounter_lines(names, encounter));
    }
    if let (Some(sprt), Some(encounter)) = (sprt, standings.encounters().first()) {
        text.push_str(&sprt_line(sprt, encounter));
    }
    if of.entrants.len() > 2 {
        text.push_str(&ranking(of, standings));
    }
    for (entrant, conduct) in of.entrants.iter().zip(standings.conducts()) {
        text.push_str(&conduct_line(&entrant.name, conduct));
    }
    let (games, all) = (standings.games(), of.schedule.len() as u64);
    write!(text, "{games} of {all} games in {}", clock(elapsed)).expect("writing to a string cannot fail");
    if here > 0 && games < all {
        let left = elapsed.mul_f64((all - games) as f64 / here as f64);
        write!(text, ", {} left", clock(left)).expect("writing to a string cannot fail");
    }
    text
}

/// The score, pairs and Elo of two engines.
fn encounter_lines([first, second]: [&str; 2], encounter: &Encounter) -> String {
    let tally = &encounter.tally;
    let mut text = format!("{first} - {second}: +{} ={} -{}", tally.wins, tally.draws, tally.losses);
    if let Some(score) = tally.score() {
        let draws = tally.draw_ratio().unwrap_or(0.0);
        text += &format!(" ({:.1}%, draws {:.1}%)", 100.0 * score, 100.0 * draws);
    }
    text.push('\n');
    if let Some(estimate) = Estimate::of(&encounter.pairs) {
        let [a, b, c, d, e] = encounter.pairs.0;
        text += &format!("  pairs {a}, {b}, {c}, {d}, {e}   {}\n", estimate_text(&estimate));
    }
    text
}

pub(crate) fn estimate_text(estimate: &Estimate) -> String {
    let elo = match estimate.error() {
        Some(error) => format!("Elo {} ± {error:.1}", estimate.elo),
        None => format!("Elo {} [{}, {}]", estimate.elo, estimate.low, estimate.high),
    };
    let normalised = format!("nElo {:+.1} ± {:.1}", estimate.normalised, estimate.normalised_error);
    format!("{elo}   {normalised}   LOS {:.1}%", 100.0 * estimate.superiority)
}

fn sprt_line(sprt: &Sprt, encounter: &Encounter) -> String {
    let ratio = sprt.hypotheses.log_likelihood_ratio(&encounter.pairs);
    format!("  LLR {ratio:.2} {}\n", test_text(sprt))
}

/// Bounds and hypotheses of a test.
pub(crate) fn test_text(sprt: &Sprt) -> String {
    let (lower, upper) = sprt.bounds();
    let scale = match sprt.hypotheses.model {
        Model::Normalised => "nElo",
        Model::Logistic => "Elo",
    };
    let (elo0, elo1) = (sprt.hypotheses.elo0, sprt.hypotheses.elo1);
    format!("({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}] {scale}")
}

/// The points of all engines, the best first.
fn ranking(of: &Match, standings: &Standings) -> String {
    let width = of.entrants.iter().map(|entrant| entrant.name.chars().count()).max().unwrap_or(0);
    let mut places: Vec<usize> = (0..of.entrants.len()).collect();
    let score = |place: usize| standings.conducts()[place].tally.score().unwrap_or(0.0);
    places.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    let line = |place: usize| {
        let tally = standings.conducts()[place].tally;
        let name = &of.entrants[place].name;
        let points = tally.half_points() as f64 / 2.0;
        format!("  {name:width$}  {points:>7} of {:<6} {:5.1}%\n", tally.games(), 100.0 * score(place))
    };
    places.into_iter().map(line).collect()
}

/// Depth, speed and failures of an engine.
pub(crate) fn conduct_line(name: &str, conduct: &Conduct) -> String {
    let mut parts = Vec::new();
    parts.extend(conduct.effort.depth().map(|depth| format!("depth {depth:.1}")));
    parts.extend(conduct.effort.speed().map(|speed| format!("{:.0} kn/s", speed / 1e3)));
    for (count, what) in
        [(conduct.times, "lost on time"), (conduct.crashes, "crashes"), (conduct.illegals, "illegal moves")]
    {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    if parts.is_empty() { String::new() } else { format!("  {name}: {}\n", parts.join(", ")) }
}

/// Hours, minutes and seconds.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// The result of an SPRT for a commit message.
pub(super) fn commit_block(of: &Match, standings: &Standings, sprt: &Sprt) -> String {
    let encounter = standings.encounters().first().copied().unwrap_or_default();
    let Some(estimate) = Estimate::of(&encounter.pairs) else { return String::new() };
    let [a, b, c, d, e] = encounter.pairs.0;
    let tally = encounter.tally;
    format!(
        "{} ({})\n{}Games: {} W: {} L: {} D: {}\nPtnml(0-2): {a}, {b}, {c}, {d}, {e}\n{}\n",
        of.entrants[0].name,
        of.entrants[0].control,
        sprt_line(sprt, &encounter).trim_start(),
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        estimate_text(&estimate),
    )
}

/// The standings as one object.
pub(super) fn as_json(of: &Match, standings: &Standings, sprt: Option<&Sprt>, elapsed: Duration) -> Value {
    // JSON has no infinity: an unbounded estimate is null.
    let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let encounters =
        standings.encounters().iter().zip(of.schedule.encounters()).map(|(encounter, &(first, second))| {
            let estimate = Estimate::of(&encounter.pairs).map(|estimate| {
                json!({
                    "elo": number(estimate.elo.0),
                    "low": number(estimate.low.0),
                    "high": number(estimate.high.0),
                    "normalised": number(estimate.normalised),
                    "normalised_error": number(estimate.normalised_error),
                    "superiority": estimate.superiority,
                })
            });
            json!({
                "first": of.entrants[first].name,
                "second": of.entrants[second].name,
                "wins": encounter.tally.wins,
                "draws": encounter.tally.draws,
                "losses": encounter.tally.losses,
                "pairs": encounter.pairs.0,
                "estimate": estimate,
            })
        });
    let entrants = of.entrants.iter().zip(standings.conducts()).map(|(entrant, conduct)| {
        json!({
            "name": entrant.name,
            "games": conduct.tally.games(),
            "half_points": conduct.tally.half_points(),
            "depth": conduct.effort.depth(),
            "nodes_per_second": conduct.effort.speed(),
            "lost_on_time": conduct.times,
            "crashes": conduct.crashes,
            "illegal_moves": conduct.illegals,
        })
    });
    let sprt = sprt.zip(standings.encounters().first()).map(|(sprt, encounter)| {
        let (lower, upper) = sprt.bounds();
        let verdict = sprt.verdict(&encounter.pairs).to_string();
        let ratio = sprt.hypotheses.log_likelihood_ratio(&encounter.pairs);
        json!({ "llr": ratio, "lower": lower, "upper": upper, "verdict": verdict })
    });
    json!({
        "games": standings.games(),
        "of": of.schedule.len(),
        "seconds": elapsed.as_secs_f64(),
        "encounters": encounters.collect::<Vec<_>>(),
        "entrants": entrants.collect::<Vec<_>>(),
        "sprt": sprt,
    })
}
