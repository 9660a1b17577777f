//! Positions a second of a leaf network for batches of 1 to 1,024, to compare with `scripts/teacher speed`:
//! `cargo run --release -p rukh-leaf-network --features cuda --example speed -- teacher.rkt cuda`.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rukh_chess::Position;
use rukh_engine::api::{LeafNetwork, NetworkInput};
use rukh_leaf_network::{Backend, LargeNetwork};

const BATCHES: [usize; 8] = [1, 4, 16, 64, 128, 256, 512, 1_024];
/// The seconds for each batch size, unless others are given.
const SECONDS: f64 = 2.0;
const POSITION: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("speed: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn measure() -> Result<(), String> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [file, rest @ ..] = &args[..] else {
        return Err("say which network: speed FILE [cpu|cuda [SECONDS]]".to_owned());
    };
    let backend: Backend = rest.first().map_or(Ok(Backend::Cpu), |name| name.parse())?;
    let is_time = |seconds: &f64| (0.0..=3_600.0).contains(seconds);
    let seconds = rest.get(1).map_or(Some(SECONDS), |text| text.parse().ok().filter(is_time));
    let time = Duration::from_secs_f64(seconds.ok_or("SECONDS is a number from 0 to 3600")?);
    let start = Instant::now();
    let network = LargeNetwork::load(Path::new(file), backend, |sentence| eprintln!("{sentence}"))?;
    println!("{} on {backend}, loaded in {:.1} s", network.name(), start.elapsed().as_secs_f64());
    if let Some(notice) = network.notice() {
        println!("{notice}");
    }
    let position: Position = POSITION.parse().map_err(|_| "the position is valid")?;
    let moves = position.legal_moves();
    for batch in BATCHES {
        let inputs = vec![NetworkInput { position: &position, moves: &moves }; batch];
        network.evaluate(&inputs);
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < time {
            count += network.evaluate(&inputs).len();
        }
        println!(
            "batch {batch:>5}: {:>10.0} positions a second",
            count as f64 / start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
