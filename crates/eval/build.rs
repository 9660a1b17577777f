//! Chooses the network to build in: that of the project, the file that `EVALFILE` names, or with `EVALFILE=none` a
//! network of zero weights, for an architecture that has no trained network yet. The policy network is chosen by
//! `POLICYFILE` in the same way; without a file none is built in.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    build_in("EVALFILE", "default.net", "RUKH_NETWORK");
    build_in("POLICYFILE", "policy.net", "RUKH_POLICY");
}

/// Tells the compiler the file that the variable `chosen` names, or the one of the project, as `variable`.
fn build_in(chosen: &str, own: &str, variable: &str) {
    println!("cargo::rerun-if-env-changed={chosen}");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the crate"));
    let networks = here.join("networks");
    println!("cargo::rerun-if-changed={}", networks.display());
    let file = match env::var_os(chosen).filter(|name| !name.is_empty()) {
        Some(name) if name == "none" => empty_file(),
        // A relative name is one from the root of the project.
        Some(name) => here.join("../..").join(name),
        None if chosen == "POLICYFILE" && !networks.join(own).exists() => empty_file(),
        None => networks.join(own),
    };
    match file.canonicalize() {
        Ok(file) => {
            println!("cargo::rerun-if-changed={}", file.display());
            println!("cargo::rustc-env={variable}={}", file.display());
        }
        Err(error) => println!("cargo::error=the network {} cannot be read: {error}", file.display()),
    }
}

/// An empty file, which stands for no network, or one of zero weights.
fn empty_file() -> PathBuf {
    let file =
        PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the folder for output")).join("none.net");
    if let Err(error) = fs::write(&file, []) {
        println!("cargo::error={} cannot be written: {error}", file.display());
    }
    file
}
