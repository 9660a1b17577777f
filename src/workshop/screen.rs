//! `rukh workshop screen`: a screening design over switches and tunables, with the effect of each factor.

use rukh_lab::arena::{Entrant, Match};
use rukh_lab::stats::{Effect, Effects, Pairs};
use rukh_lab::workshop::{Factor, Screen, Trials};
use serde_json::{Value as Json, json};

use super::report::Report;
use super::session::{Contest, SessionArgs};
use crate::arena::entrants;
use crate::encounters::interrupted;
use crate::finish::Finish;
use crate::interrupt;

/// Estimate the effect of many switches and tunables at once by a Hadamard design
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The engine, with the same keys as in `rukh match`
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "cmd=self,name=base")]
    base: String,

    /// Switches: each name is a factor that is added to the comma-separated list in the option
    #[arg(long = "switch", value_name = "OPTION=NAME,...")]
    switches: Vec<String>,

    /// A factor with two values of an option
    #[arg(long = "tunable", value_name = "OPTION=LOW:HIGH")]
    tunables: Vec<String>,

    /// A factor with any two sets of options; OPTION+=ITEM adds to a comma-separated list
    #[arg(long = "factor", value_name = "NAME=HIGH|LOW")]
    factors: Vec<String>,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
Each row of the design sets every factor high or low. The engine with the levels of a row plays the engine with all levels
exchanged, so that every pair of games counts for every factor: the error of each effect is that of a match of all games. An
effect is that of the high level against the low one, in the mean over the levels of the other factors. Interactions of two
factors cancel. The constant is zero unless something else than the factors has influence.

The option Techniques switches the named techniques against their default: for one that is on by default, high means off.
Without --openings 2,000 random openings follow from --seed. At fixed nodes or depth no row plays an opening twice.

Examples:
  rukh workshop screen --switch Techniques=razoring,probcut,countermove --nodes 8000 --minutes 10 --state screen.state
  rukh workshop screen --tunable Contempt=0:20 --switch Techniques=razoring --tc 2+0.02 --minutes 60 --page screen.md
  rukh workshop screen --factor \"keen=Contempt=20,Techniques+=probcut|Contempt=0\" --nodes 1000 --minutes 2 --json";

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> Finish {
    let base = entrants::read(&args.base, &args.session.conditions.control())?;
    let mut factors = Vec::new();
    for text in &args.switches {
        factors.extend(Factor::switches(text)?);
    }
    for text in &args.tunables {
        factors.push(Factor::tunable(text)?);
    }
    for text in &args.factors {
        factors.push(text.parse()?);
    }
    let screen = Screen::new(base.clone(), factors, args.session.conditions.seed())?;
    let rows = screen.design().rows().len();
    let contest = Contest {
        event: "Rukh workshop screen",
        entrants: screen.entrants(),
        encounters: screen.encounters(),
        games: args.session.games.map(|games| (games as usize).div_ceil(rows)),
        stride: STRIDE,
    };
    let is_over = interrupt::flag();
    let Some(of) = args.session.prepare(contest, &is_over)? else { return interrupted() };
    check(&of, &base)?;
    args.session.run(&of, None, &is_over, |trials| report(&screen, &of, trials))
}

/// How far apart in the book rows begin: a prime number, so that few rows begin at one opening, whatever the size of the book.
const STRIDE: usize = 7_919;

/// Starts all engines once. An engine that refuses a value says so and plays on without it, which would measure nothing: what it
/// says to the levels, and not to the options of the base, is an error.
fn check(of: &Match, base: &Entrant) -> Result<(), String> {
    let base = Match { entrants: vec![base.clone()], ..of.clone() };
    let said_by_base = base.replies_to_options().map_err(|unfit| unfit.to_string())?.concat();
    let said = of.replies_to_options().map_err(|unfit| unfit.to_string())?.concat();
    match said.iter().find(|text| !said_by_base.contains(text)) {
        Some(text) => Err(format!("the engine refuses a level: {text}")),
        None => Ok(()),
    }
}

/// The effects of all factors, the greatest first.
fn report(screen: &Screen, of: &Match, trials: &Trials) -> Report {
    let pairs: Vec<_> = trials.standings().encounters().iter().map(|encounter| encounter.pairs).collect();
    let count: u64 = pairs.iter().map(Pairs::count).sum();
    let effects = Effects::of(screen.design(), &pairs);
    let mut named: Vec<(&str, Effect)> = Vec::new();
    if let Some(effects) = &effects {
        named =
            screen.factors().iter().map(|factor| factor.name.as_str()).zip(effects.factors.clone()).collect();
        named.sort_by(|(_, one), (_, other)| other.elo.total_cmp(&one.elo));
    }
    let row = |(name, effect): (&str, Effect)| {
        vec![name.to_owned(), elo(&effect), format!("{:+.1}", effect.z()), word(&effect).to_owned()]
    };
    let whole = effects
        .iter()
        .flat_map(|effects| [("all factors together", effects.total), ("constant", effects.constant)]);
    let faults: u64 =
        trials.standings().conducts().iter().map(|it| it.crashes + it.times + it.illegals).sum();
    let (games, rows) = (trials.standings().games(), pairs.len());
    let mut notes = vec![format!(
        "{games} games, {count} pairs of {rows} rows. Elo of high against low with its 95% interval; z is the Elo in standard errors."
    )];
    notes.extend(effects.as_ref().filter(|effects| effects.freedom > 0).map(|effects| {
        format!("Lack of fit: chi-squared {:.1} with {} degrees of freedom.", effects.misfit, effects.freedom)
    }));
    notes.extend((faults > 0).then(|| format!("{faults} games ended by a fault of an engine.")));
    Report {
        title: "Workshop: a screen of factors",
        conditions: format!(
            "{} factors in {rows} rows, each row against its opposite, {}, {} openings, each with both colours.",
            screen.factors().len(),
            of.entrants[0].control,
            of.book.count()
        ),
        head: vec!["factor", "Elo", "z", "verdict"],
        rows: named.iter().copied().chain(whole).map(row).collect(),
        notes,
        json: json!({
            "workshop": "screen",
            "control": of.entrants[0].control.to_string(),
            "openings": of.book.count(),
            "rows": rows,
            "games": games,
            "pairs": pairs.iter().map(|pairs| pairs.0).collect::<Vec<_>>(),
            "faults": faults,
            "factors": effects.as_ref().map(|effects| factors_json(screen, effects)),
            "total": effects.as_ref().map(|effects| effect_json(&effects.total)),
            "constant": effects.as_ref().map(|effects| effect_json(&effects.constant)),
            "misfit": effects.as_ref().map(|effects| effects.misfit),
            "freedom": effects.as_ref().map(|effects| effects.freedom),
        }),
    }
}

/// The effects in the order in which the factors were given.
fn factors_json(screen: &Screen, effects: &Effects) -> Vec<Json> {
    let named = screen.factors().iter().zip(&effects.factors);
    let json = named.map(|(factor, effect)| {
        let mut json = effect_json(effect);
        json["name"] = factor.name.clone().into();
        json["verdict"] = word(effect).into();
        json
    });
    json.collect()
}

fn effect_json(effect: &Effect) -> Json {
    json!({ "elo": effect.elo, "standard_error": effect.deviation, "error": effect.error() })
}

fn elo(effect: &Effect) -> String {
    format!("{:+.1} ± {:.1}", effect.elo, effect.error())
}

/// What an effect shows with 95% certainty.
fn word(effect: &Effect) -> &'static str {
    match () {
        () if effect.elo.abs() <= effect.error() => "undecided",
        () if effect.elo > 0.0 => "gains",
        () => "loses",
    }
}
