//! Chooses the network that is built in: the one of the project, or the file that `EVALFILE` names.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the crate"));
    let file = match env::var_os("EVALFILE").filter(|name| !name.is_empty()) {
        // A name means what it meant where the build was begun: seen from the root of the project.
        Some(name) => here.join("../..").join(name),
        None => here.join("networks/default.net"),
    };
    let file = match file.canonicalize() {
        Ok(file) => file,
        Err(error) => {
            println!("cargo::error=the network {} cannot be read: {error}", file.display());
            return;
        }
    };
    announce(&file);
}

fn announce(file: &Path) {
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=RUKH_NETWORK={}", file.display());
}
