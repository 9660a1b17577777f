//! Lists the files of `page/`, so that the server can embed them: a table of name and content.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the crate"));
    let page = here.join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&page).expect("the file is in the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        println!("cargo::rerun-if-changed={}", file.display());
        let _ = writeln!(table, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    table += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the folder for output"));
    fs::write(out.join("page.rs"), table)
}

/// Adds the files of a folder and the folders in it. Hidden files are not part of the page.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if is_hidden {
            continue;
        }
        if path.is_dir() { collect(&path, into)? } else { into.push(path) }
    }
    Ok(())
}
