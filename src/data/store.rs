//! `rukh data pack` and `rukh data unpack`: games to and from the dense store.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_lab::store::{StoreManifest, StoreReader, StoreWriter};
use serde_json::json;

use crate::finish::Finish;
use crate::games::Games;
use crate::output::{NewFile, print_line};

/// Put games into a dense store with a manifest and checksums
#[derive(clap::Args)]
#[command(after_help = PACK_EXAMPLES)]
pub(super) struct PackArgs {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The store
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Nodes of a move in these games, for the manifest
    #[arg(long)]
    nodes: u64,

    /// The seed of self-play, for the manifest
    #[arg(long)]
    seed: u64,

    /// The network that played them, for the manifest: a name or a fingerprint
    #[arg(long)]
    network: String,

    /// The version of the program that played them, for the manifest
    #[arg(long, default_value = env!("CARGO_PKG_VERSION"))]
    program: String,

    /// Anything else that is worth knowing, for the manifest
    #[arg(long, default_value = "")]
    comment: String,
}

const PACK_EXAMPLES: &str = "\
The store has the same games as `rukh selfplay` writes, in about a third of the bytes. docs/store.md describes the format.

Examples:
  rukh data pack games.vf --out games.rkg --nodes 150 --seed 7 --network 'generation 10'";

/// Print the manifest of a store and check all of its games, or write them in viriformat
#[derive(clap::Args)]
#[command(after_help = UNPACK_EXAMPLES)]
pub(super) struct UnpackArgs {
    /// The store
    file: PathBuf,

    /// Where to write the games; without it they are only checked
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const UNPACK_EXAMPLES: &str = "\
A store that is cut or damaged is refused, and nothing is written.

Examples:
  rukh data unpack games.rkg
  rukh data unpack games.rkg --out games.vf";

/// Runs `rukh data pack`.
pub(super) fn pack(args: &PackArgs) -> Finish {
    let manifest = StoreManifest {
        program: args.program.clone(),
        network: args.network.clone(),
        nodes: args.nodes,
        seed: args.seed,
        comment: args.comment.clone(),
    };
    let mut to = NewFile::create(&args.out)?;
    let (mut games, mut positions, mut bytes) = (0_u64, 0_u64, 0_u64);
    // Blocks go to memory first: a file reports its own errors.
    let in_memory = |error: std::io::Error| error.to_string();
    let mut writer = StoreWriter::new(Vec::new(), &manifest).map_err(in_memory)?;
    for path in &args.files {
        let mut file = Games::open(path)?;
        while let Some(found) = file.next()? {
            games += 1;
            positions += found.game.moves.len() as u64;
            writer.add(found.game).map_err(in_memory)?;
            let written = writer.take();
            bytes += written.len() as u64;
            to.write_bytes(&written)?;
        }
    }
    let written = writer.finish().map_err(in_memory)?;
    bytes += written.len() as u64;
    to.write_bytes(&written)?;
    to.finish()?;
    let each = bytes as f64 / positions.max(1) as f64;
    print_line(&format!(
        "{games} games, {positions} positions, {each:.2} bytes each, in {}",
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `rukh data unpack`.
pub(super) fn unpack(args: &UnpackArgs) -> Finish {
    let mut to = args.out.as_deref().map(NewFile::create).transpose()?;
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", args.file.display());
    let file = open(&args.file)?;
    let bytes = file.metadata().map_or(0, |data| data.len());
    let mut reader = StoreReader::new(BufReader::new(file)).map_err(|error| failed(&error))?;
    let manifest = reader.manifest().clone();
    let (mut games, mut positions) = (0_u64, 0_u64);
    while let Some(block) = reader.next_block().map_err(|error| failed(&error))? {
        for game in block {
            games += 1;
            positions += game.moves.len() as u64;
            if let Some(file) = &mut to {
                let mut bytes = Vec::new();
                game.write(&mut bytes).expect("memory takes what is written");
                file.write_bytes(&bytes)?;
            }
        }
    }
    if let Some(file) = to {
        file.finish()?;
    }
    let each = bytes as f64 / positions.max(1) as f64;
    let StoreManifest { program, network, nodes, seed, comment } = manifest;
    let line = if args.json {
        json!({
            "games": games, "positions": positions, "bytes_per_position": each, "program": program, "network": network,
            "nodes": nodes, "seed": seed, "comment": comment,
        })
        .to_string()
    } else {
        format!(
            "{games} games, {positions} positions, {each:.2} bytes each; played by version {program} with network {network}, \
             {nodes} nodes a move, seed {seed}{}{comment}",
            if comment.is_empty() { "" } else { "; " }
        )
    };
    print_line(&line)?;
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
