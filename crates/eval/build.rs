//! Chooses the network to build in: that of the project, the file that `EVALFILE` names, or with `EVALFILE=none` a
//! network of zero weights, for an architecture that has no trained network yet.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the crate"));
    let file = match env::var_os("EVALFILE").filter(|name| !name.is_empty()) {
        Some(name) if name == "none" => empty_file(),
        // A relative name is one from the root of the project.
        Some(name) => here.join("../..").join(name),
        None => here.join("networks/default.net"),
    };
    match file.canonicalize() {
        Ok(file) => build_in(&file),
        Err(error) => println!("cargo::error=the network {} cannot be read: {error}", file.display()),
    }
}

/// An empty file, which stands for a network of zero weights.
fn empty_file() -> PathBuf {
    let file =
        PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the folder for output")).join("none.net");
    if let Err(error) = fs::write(&file, []) {
        println!("cargo::error={} cannot be written: {error}", file.display());
    }
    file
}

fn build_in(file: &Path) {
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=RUKH_NETWORK={}", file.display());
}
