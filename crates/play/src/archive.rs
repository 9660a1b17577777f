//! Archive: a PGN file of games, in which the game in progress is replaced after every move.
//!
//! The file is read again before each write, so that a game played at the same time by another process stays. It is written
//! beside and renamed: an interrupted write loses nothing. The archive must not know the table.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rukh_chess::notation::pgn::{Games, PgnGame, decode};

use crate::record::is_unfinished;

/// A PGN file and the game in progress in it.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    /// The text of the game in progress as the file has it; empty before its first move.
    ours: String,
}

impl Archive {
    /// The archive at `path`, which need not exist yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), ours: String::new() }
    }

    /// The default archive, `rukh/games.pgn` in `$XDG_DATA_HOME` or `~/.local/share`; its folder is created if needed.
    pub fn default_location() -> Result<Self, String> {
        let given = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let at_home = || env::home_dir().map(|home| home.join(".local").join("share"));
        let data = given.or_else(at_home).ok_or("there is no home directory")?;
        let folder = data.join("rukh");
        fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        Ok(Self::new(&folder.join("games.pgn")))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last game of the file, if it is unfinished.
    pub fn unfinished(&self) -> Result<Option<PgnGame>, String> {
        Ok(last_game(&self.text()?).map(|(game, _)| game).filter(is_unfinished))
    }

    /// Makes the last game of the file the game in progress.
    pub fn adopt_last(&mut self) -> Result<(), String> {
        let text = self.text()?;
        self.ours = last_game(&text).map_or_else(String::new, |(_, from)| text[from..].trim().to_owned());
        Ok(())
    }

    /// Ends the game in progress; the next one saved is a new game.
    pub(crate) fn begin_new_game(&mut self) {
        self.ours.clear();
    }

    /// Saves the game in progress. A game without moves is not stored.
    pub(crate) fn save(&mut self, game: &PgnGame) -> Result<(), String> {
        let is_begun = !game.main_line.moves.is_empty();
        if !is_begun && self.ours.is_empty() {
            return Ok(());
        }
        let now = if is_begun { game.to_string().trim().to_owned() } else { String::new() };
        replace_file(&self.path, &with_game(&self.text()?, &self.ours, &now))?;
        self.ours = now;
        Ok(())
    }

    /// The text of the file; empty if there is none.
    fn text(&self) -> Result<String, String> {
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            _ => Ok(decode(&read_bytes(&self.path)?).into_owned()),
        }
    }
}

/// The last game of a text and the byte where it starts; `None` if that game is malformed.
fn last_game(text: &str) -> Option<(PgnGame, usize)> {
    let mut games = Games::new(text);
    let mut last = None;
    let mut from = 0;
    while let Some(game) = games.next() {
        last = game.ok().map(|game| (game, from));
        from = games.bytes_read();
    }
    last
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a temporary file beside `path` and renames it. A symbolic link stays one, and the file keeps its permissions.
fn replace_file(path: &Path, text: &str) -> Result<(), String> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target.clone().into_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let temporary = PathBuf::from(name);
    let replaced = fs::write(&temporary, text).and_then(|()| {
        if let Ok(old) = fs::metadata(&target) {
            fs::set_permissions(&temporary, old.permissions())?;
        }
        fs::rename(&temporary, &target)
    });
    replaced.map_err(|error| {
        // The old file is untouched; the temporary one is of no use.
        let _ = fs::remove_file(&temporary);
        format!("cannot write {}: {error}", path.display())
    })
}

/// The text with `now` in the place of `before`, or at the end where that is not found.
fn with_game(text: &str, before: &str, now: &str) -> String {
    let place = Some(before).filter(|before| !before.is_empty()).and_then(|before| text.rfind(before));
    let (head, tail) = match place {
        Some(place) => (&text[..place], &text[place + before.len()..]),
        None => (text, ""),
    };
    let parts = [head, now, tail].map(str::trim);
    let games: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    games.join("\n\n") + "\n"
}

/// The last game of a PGN file, or what is wrong with it in a sentence.
pub fn load(path: &Path) -> Result<PgnGame, String> {
    let bytes = read_bytes(path)?;
    match Games::new(&decode(&bytes)).last() {
        None => Err(format!("there is no game in {}", path.display())),
        Some(game) => game.map_err(|error| format!("{}: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::game::Game;

    use super::*;

    fn game(white: &str, moves: &str) -> PgnGame {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = game.position().parse_san(text).expect("the moves are legal");
            game.play(mv).expect("the moves are legal");
        }
        PgnGame { tags: vec![("White".to_owned(), white.to_owned())], ..PgnGame::from(&game) }
    }

    /// An archive at a path that no other test uses.
    fn archive(name: &str) -> Archive {
        let path = env::temp_dir().join(format!("rukh-archive-{}-{name}.pgn", std::process::id()));
        // An earlier run may have left it.
        let _ = fs::remove_file(&path);
        Archive::new(&path)
    }

    fn movetexts(archive: &Archive) -> Vec<String> {
        let text = archive.text().expect("it can be read");
        text.lines().filter(|line| line.starts_with("1.")).map(str::to_owned).collect()
    }

    #[test]
    fn a_game_replaces_itself_and_no_other() {
        let mut first = archive("two");
        let mut second = first.clone();
        first.save(&game("A", "e4")).expect("it can be written");
        second.save(&game("B", "d4")).expect("it can be written");
        first.save(&game("A", "e4 e5")).expect("it can be written");
        second.save(&game("B", "d4 d5")).expect("it can be written");
        assert_eq!(movetexts(&first), ["1. e4 e5 *", "1. d4 d5 *"]);
        first.save(&game("A", "")).expect("it can be written");
        assert_eq!(movetexts(&first), ["1. d4 d5 *"], "a game without moves is not kept");
        fs::remove_file(first.path()).expect("it is there");
    }

    #[test]
    fn an_unfinished_game_is_resumed() {
        let mut archive = archive("resume");
        assert_eq!(archive.unfinished(), Ok(None));
        archive.save(&game("A", "f3 e5 g4 Qh4#")).expect("it can be written");
        assert_eq!(archive.unfinished(), Ok(None), "it is over");
        archive.begin_new_game();
        archive.save(&game("B", "d4")).expect("it can be written");
        let mut later = Archive::new(archive.path());
        let found = later.unfinished().expect("it can be read").expect("there is one");
        assert_eq!(found.tag("White"), Some("B"));
        later.adopt_last().expect("it can be read");
        later.save(&game("B", "d4 d5")).expect("it can be written");
        assert_eq!(movetexts(&later), ["1. f3 e5 2. g4 Qh4# 0-1", "1. d4 d5 *"]);
        fs::remove_file(later.path()).expect("it is there");
    }

    #[test]
    fn a_failed_write_leaves_the_file_as_it_was() {
        let mut archive = archive("failed");
        fs::create_dir(archive.path()).expect("it can be made");
        let error = archive.save(&game("A", "e4")).expect_err("a folder cannot be written");
        assert!(error.contains("cannot read") || error.contains("cannot write"), "{error}");
        assert_eq!(fs::read_dir(archive.path()).expect("it is there").count(), 0);
        fs::remove_dir(archive.path()).expect("it is there");
    }

    #[test]
    fn what_cannot_be_read_is_kept() {
        let mut archive = archive("faulty");
        fs::write(archive.path(), "[White \"X\"]\n\n1. e5 *\n").expect("it can be written");
        assert_eq!(archive.unfinished(), Ok(None));
        archive.save(&game("A", "e4")).expect("it can be written");
        assert_eq!(movetexts(&archive), ["1. e5 *", "1. e4 *"]);
        assert!(load(Path::new("/nowhere/at/all.pgn")).is_err_and(|error| error.contains("cannot read")));
        fs::remove_file(archive.path()).expect("it is there");
    }
}
