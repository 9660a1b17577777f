//! Statistics, WDL fit, validation and checks of self-play games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use rukh_eval::{Evaluation, Network};
use rukh_lab::census::Census;
use rukh_lab::plot::svg;
use rukh_lab::validation::{Fit, samples_of};
use rukh_lab::wdl_model::WdlSamples;
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::games::{Games, for_each_game};
use crate::output::{NewFile, print_line};

use super::labels::{check_labels, is_labels};

pub(super) fn wdl(files: &[PathBuf], picture: Option<&Path>, as_json: bool) -> Finish {
    let picture = picture.map(NewFile::create).transpose()?;
    let mut samples = WdlSamples::default();
    for_each_game(files, |game| samples.add(game))?;
    let model = samples.fit().ok_or_else(|| "there are too few games to fit a WDL model".to_owned())?;
    if let Some(mut file) = picture {
        file.write(&svg(&samples.charts(&model), 2))?;
        file.finish()?;
    }
    let [half, spread] = model.polynomials;
    if as_json {
        let fitted = model.fitted.iter().map(|(number, curve, positions)| {
            json!({ "move": number, "half": curve.half, "spread": curve.spread, "positions": positions })
        });
        let fitted: Vec<_> = fitted.collect();
        print_line(&json!({ "half": half, "spread": spread, "fitted": fitted }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("{} positions", samples.positions()))?;
    print_line(&format!("{:>6} {:>14} {:>8}", "move", "half won at", "spread"))?;
    for number in [8, 16, 24, 32, 40, 48, 56, 64] {
        let curve = model.at(number);
        print_line(&format!("{number:>6} {:>14.1} {:>8.1}", curve.half, curve.spread))?;
    }
    for (name, polynomial) in [("half", half), ("spread", spread)] {
        let numbers = polynomial.map(|number| format!("{number:.3}")).join(", ");
        print_line(&format!("{name}: [{numbers}]"))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn validate(files: &[PathBuf], networks: &[PathBuf], max_score: i16, as_json: bool) -> Finish {
    let mut evaluations = vec![
        ("classical".to_owned(), Evaluation::Classical),
        ("built in".to_owned(), Evaluation::Network(Network::built_in())),
    ];
    for path in networks {
        let network = Arc::new(Network::load(path)?);
        evaluations.push((path.display().to_string(), Evaluation::Network(network)));
    }
    let mut positions = Vec::new();
    for_each_game(files, |game| positions.extend(samples_of(game, max_score)))?;
    if positions.is_empty() {
        return Err("there are no quiet positions with results".to_owned().into());
    }
    let mut fits = vec![("scores".to_owned(), Fit::of_searches(&positions))];
    for (name, evaluation) in evaluations {
        fits.push((name, Fit::of_evaluation(&evaluation, &positions)));
    }
    if as_json {
        let fits =
            fits.iter().map(|(name, fit)| json!({ "by": name, "error": fit.error, "scale": fit.scale }));
        let fits: Vec<_> = fits.collect();
        print_line(&json!({ "positions": positions.len(), "validation": fits }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("{} quiet positions with scores within {max_score}", positions.len()))?;
    print_line(&format!("{:>10} {:>7}", "error", "scale"))?;
    for (name, fit) in fits {
        print_line(&format!("{:>10.6} {:>7.1}  {name}", fit.error, fit.scale))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn stats(files: &[PathBuf], picture: Option<&Path>, as_json: bool) -> Finish {
    // An output file that cannot be written is reported before the work.
    let picture = picture.map(NewFile::create).transpose()?;
    let mut census = Census::default();
    for_each_game(files, |game| census.add(game))?;
    let duplicates = census.duplicates();
    if let Some(mut file) = picture {
        file.write(&svg(&census.charts(), 2))?;
        file.finish()?;
    }
    let Census { games, positions, outcomes: [white, draws, black], .. } = census;
    if as_json {
        print_line(
            &json!({
                "games": games, "positions": positions, "white": white, "draws": draws, "black": black,
                "chess960": census.chess960, "in_check": census.in_check, "noisy": census.noisy,
                "random_moves": census.random_moves, "decisive": census.decisive, "duplicates": duplicates, "scores": census.scores,
                "score_step": Census::SCORE_STEP, "phases": census.phases, "pieces": census.pieces.as_slice(),
                "lengths": census.lengths, "length_step": Census::LENGTH_STEP,
            })
            .to_string(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let of = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    for line in [
        format!(
            "games        {games:>12}   White wins {:.1}%, draws {:.1}%, Black wins {:.1}%",
            of(white, games),
            of(draws, games),
            of(black, games)
        ),
        format!("  Chess960   {:>12}", census.chess960),
        format!("positions    {positions:>12}   {:.1} for each game", positions as f64 / games.max(1) as f64),
        format!("  in check   {:>12}   {:.1}%", census.in_check, of(census.in_check, positions)),
        format!("  captures   {:>12}   {:.1}% with promotions", census.noisy, of(census.noisy, positions)),
        format!("  at random     {:>12}   {:.1}%", census.random_moves, of(census.random_moves, positions)),
        format!("  proven     {:>12}   {:.1}%", census.decisive, of(census.decisive, positions)),
        format!("  duplicates {duplicates:>12}   {:.1}%", of(duplicates, positions)),
    ] {
        print_line(&line)?;
    }
    print_line("\nscores for White, in pawns")?;
    print_bars(&census.scores, |at| f64::from(at as i32 * Census::SCORE_STEP - Census::SCORE_MAX) / 100.0)?;
    print_line("\nphase, 24 is all pieces")?;
    print_bars(&census.phases, |at| at as f64)?;
    print_line("\npieces on the board")?;
    print_bars(&census.pieces, |at| at as f64)?;
    Ok(ExitCode::SUCCESS)
}

/// Counts as bars of text; empty ends are left out.
fn print_bars(counts: &[u64], place: impl Fn(usize) -> f64) -> Result<(), Failure> {
    const WIDTH: u64 = 60;
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let Some(first) = counts.iter().position(|&count| count > 0) else { return Ok(()) };
    let last = counts.iter().rposition(|&count| count > 0).unwrap_or(first);
    for (at, &count) in counts.iter().enumerate().take(last + 1).skip(first) {
        let bar = "#".repeat((count * WIDTH / most) as usize);
        print_line(&format!("{:>7} {count:>10} {bar}", place(at)))?;
    }
    Ok(())
}

pub(super) fn check(files: &[PathBuf], as_json: bool) -> Finish {
    // A file that cannot be read is no finding.
    let all = files.iter().map(|path| Games::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut is_sound = true;
    for (mut of, path) in all.into_iter().zip(files) {
        if is_labels(path) {
            is_sound &= check_labels(path, as_json)?;
            continue;
        }
        let (mut games, mut positions) = (0_u64, 0_u64);
        let fault = loop {
            match of.next() {
                Ok(Some(found)) => {
                    games += 1;
                    positions += found.game.moves.len() as u64;
                }
                Ok(None) => break None,
                Err(fault) => break Some(fault),
            }
        };
        drop(of);
        is_sound &= fault.is_none();
        if as_json {
            let file = path.to_string_lossy();
            print_line(
                &json!({ "file": file, "games": games, "positions": positions, "fault": fault }).to_string(),
            )?;
            continue;
        }
        print_line(&format!("{}: {games} games with {positions} positions are sound", path.display()))?;
        if let Some(fault) = fault {
            print_line(&fault)?;
        }
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
