//! `rukh serve`: the engine in the browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use rukh_engine::tablebase::Tablebase;
use rukh_knowledge::Syzygy;
use rukh_knowledge::polyglot::Book;
use rukh_web::{Config, Evaluations, Server};

use crate::evaluation::EvaluationArgs;
use crate::finish::Finish;
use crate::output::{eprint_line, print_line};
use crate::processors::processors;

/// Analyse, play and watch the search in the browser
///
/// The first line is the address of the page. The server listens on this machine only, unless --bind and --token are given.
/// Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The port; if it is in use, the next free one is taken; 0 is any free port
    #[arg(long, value_name = "N", default_value_t = 8420)]
    port: u16,

    /// Listen on this address, for other machines; needs --token
    #[arg(long, value_name = "ADDR", requires = "token")]
    bind: Option<IpAddr>,

    /// A secret of 16 to 128 letters and digits that every request must have; the page is then opened with ?token=
    #[arg(long, value_name = "T")]
    token: Option<String>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The most search threads of a page [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The largest transposition table of a page, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,

    /// The most sessions at the same time, each with an engine
    #[arg(long, value_name = "N", default_value_t = 16)]
    sessions: usize,

    /// Syzygy tablebases: directories, separated as in PATH
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,

    /// Show the state files of matches and tunings in this directory
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,

    /// Offer this NNUE network in the settings of the page as well, under the name of the file; can be repeated
    #[arg(long = "network", value_name = "FILE")]
    networks: Vec<PathBuf>,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

const EXAMPLES: &str = "\
docs/serve.md describes the page.

Examples:
  rukh serve --open
  rukh serve --port 9000 --threads 2 --hash 512
  rukh serve --network small.net --network large.net       compare networks: they stand in the settings of the engine
  rukh serve --lab runs                                    watch the matches and tunings whose --state files are in runs
  rukh serve --bind 0.0.0.0 --token 4f9c2ab07d1e66b3       for other machines: open http://ADDRESS:8420/?token=4f9c2ab07d1e66b3";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    if let Some(lab) = args.lab.as_ref().filter(|lab| !lab.is_dir()) {
        return Err(format!("{} is no directory", lab.display()).into());
    }
    let open_tables = |path: &String| -> Result<Arc<dyn Tablebase>, String> {
        Ok(Arc::new(Syzygy::open(path, eprint_line)?))
    };
    let config = Config {
        threads: args.threads.map_or_else(processors, usize::from),
        hash: args.hash.max(1),
        sessions: args.sessions.max(1),
        evaluations: evaluations(args)?,
        tablebase: args.syzygy.as_ref().map(open_tables).transpose()?,
        book: Some(Book::built_in()),
        lab: args.lab.clone(),
        token: args.token.clone(),
        ..Config::default()
    };
    let ip = args.bind.unwrap_or(Ipv4Addr::LOCALHOST.into());
    let server = Server::bind(config, ip, args.port)?;
    let port = server.address().port();
    if args.port != 0 && port != args.port {
        eprint_line(&format!("port {} is in use; the server uses port {port}", args.port));
    }
    if cfg!(panic = "abort") {
        eprint_line("this build ends at any panic, with all sessions: it was compiled with panic=abort");
    }
    let url = server.url();
    let handle = server.handle();
    // Without a handler Ctrl-C ends the process at once, which loses nothing.
    let _ = ctrlc::set_handler(move || handle.stop());
    print_line(&url)?;
    if args.open {
        open(&url);
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

/// The evaluations that a page can choose.
fn evaluations(args: &Args) -> Result<Evaluations, String> {
    let mut all = Evaluations::new(args.evaluation.evaluation()?);
    for path in &args.networks {
        let name = path.file_stem().map_or_else(|| "network".into(), |stem| stem.to_string_lossy());
        all.add(&name, args.evaluation.network(path)?);
    }
    Ok(all)
}

/// Opens the page with the program of the system for it.
fn open(url: &str) {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(args).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        eprint_line(&format!("the browser cannot be started ({program}: {error}); open {url} yourself"));
    }
}
