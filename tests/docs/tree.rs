//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of build output, for a copy of the repository without its history.
const IGNORED: [&str; 4] = [".git", "target", "dist", "node_modules"];

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file that git tracks or would track, relative to the root; all files where there is no git.
pub(crate) fn files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let mut files: Vec<PathBuf> = match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(PathBuf::from).collect()
        }
        _ => walk(&root()),
    };
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files.dedup();
    assert!(files.len() > 100, "only {} files were found", files.len());
    files
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository can be read") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !IGNORED.contains(&name) {
            found.extend(walk(&path));
        } else if path.is_file() {
            found.push(path.strip_prefix(root()).expect("it is below the root").to_owned());
        }
    }
    found
}

/// The text of a file; none if it is not text.
pub(crate) fn text_of(file: &Path) -> Option<String> {
    let bytes = fs::read(root().join(file)).expect("a file of the repository can be read");
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// The Markdown files of the repository with their text.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let is_page = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "md");
    let with_text = |file: PathBuf| text_of(&file).map(|text| (file, text));
    files().into_iter().filter(is_page).filter_map(with_text).collect()
}

#[test]
fn the_walk_finds_what_git_finds() {
    let walked = walk(&root());
    for wanted in ["README.md", "src/main.rs", "docs/glossary.md"].map(Path::new) {
        assert!(files().iter().any(|file| file == wanted), "{}", wanted.display());
        assert!(walked.iter().any(|file| file == wanted), "{}", wanted.display());
    }
    assert!(!walked.iter().any(|file| file.starts_with("target")));
}
