//! Concurrent labelling of games, reported in blocks in the order of the games.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rukh_engine::threads::{NoThread, spawn_workers};

use super::settings::Rescore;
use super::source::{GamesFile, SourceError};
use crate::labels::{Block, LabelRecord};

/// Why a rescoring cannot go on.
#[derive(Debug)]
pub enum RescoreError {
    /// A game cannot be read.
    Source(SourceError),
    /// Of a source more games have been labelled than it has: its number.
    Shrunk(usize),
    /// No thread to search with.
    Thread(NoThread),
}

impl fmt::Display for RescoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Thread(error) => error.fmt(f),
            Self::Shrunk(source) => {
                write!(f, "source {} has fewer games than were labelled of it before", source + 1)
            }
        }
    }
}

impl std::error::Error for RescoreError {}

/// What there is to do: games of each source from a number on.
struct Work<'s> {
    sources: &'s [GamesFile],
    first_games: &'s [u64],
}

/// The labels of a game.
type Labelled = Result<Vec<LabelRecord>, SourceError>;

impl Work<'_> {
    /// Source and number of the game at this place of the work; none at the end.
    fn game_at(&self, mut place: u64) -> Option<(usize, u64)> {
        for (source, (file, first)) in self.sources.iter().zip(self.first_games).enumerate() {
            let left = file.count() - first;
            if place < left {
                return Some((source, first + place));
            }
            place -= left;
        }
        None
    }
}

impl Rescore {
    /// Labels games of `sources`, of each from the number in `first_games` on, and reports them in blocks, in order, until
    /// there are no more, `is_over` is set, or `on_block` breaks.
    pub fn run(
        &self,
        sources: &[GamesFile],
        first_games: &[u64],
        threads: usize,
        is_over: &AtomicBool,
        on_block: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), RescoreError> {
        let mut pairs = sources.iter().zip(first_games);
        if let Some(shrunk) = pairs.position(|(file, &first)| file.count() < first) {
            return Err(RescoreError::Shrunk(shrunk));
        }
        let work = &Work { sources, first_games };
        let next = &AtomicU64::new(0);
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            let label_games = move || {
                let mut labeller = self.labeller();
                while !is_over.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some((source, number)) = work.game_at(place) else { break };
                    let game = work.sources[source].game(number);
                    let labels = game.map(|game| self.label(&game, source, number, &mut labeller));
                    if sender.send((place, labels)).is_err() {
                        break;
                    }
                }
            };
            spawn_workers(scope, threads, label_games).map_err(RescoreError::Thread)?;
            let reported = self.report(work, &finished, on_block);
            is_over.store(true, Ordering::Relaxed);
            reported
        })
    }

    /// Puts what the threads have finished in order and into blocks.
    fn report(
        &self,
        work: &Work<'_>,
        finished: &Receiver<(u64, Labelled)>,
        mut on_block: impl FnMut(Block) -> ControlFlow<()>,
    ) -> Result<(), RescoreError> {
        let mut waiting = BTreeMap::new();
        let (mut due, mut games, mut positions) = (0, 0, Vec::new());
        for (place, labels) in finished {
            waiting.insert(place, labels);
            while let Some(labels) = waiting.remove(&due) {
                positions.extend(labels.map_err(RescoreError::Source)?);
                games += 1;
                let (source, number) = work.game_at(due).expect("it was labelled");
                due += 1;
                let next_game = number + 1;
                let is_full = next_game % self.games_per_block() == 0;
                if is_full || next_game == work.sources[source].count() {
                    let positions = std::mem::take(&mut positions);
                    let block = Block { source, games: std::mem::take(&mut games), next_game, positions };
                    if on_block(block).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;

    use rukh_eval::{Centipawns, Evaluation};

    use rukh_engine::spawn_search;

    use super::*;
    use crate::labels::{LabelReader, LabelWriter, SampleKind};
    use crate::packed::PackedGame;
    use crate::selfplay::SelfPlay;

    const GAMES: usize = 140;

    fn settings() -> Rescore {
        Rescore { evaluation: Evaluation::Classical, nodes: 50, tree: 0.5, ..Rescore::default() }
    }

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("rukh-rescore-{name}-{}", std::process::id()))
    }

    /// The bytes of some games of self-play, shortened so that the test is.
    static POOL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let settings = SelfPlay {
            evaluation: Evaluation::Classical,
            nodes: 20,
            chess960: 0.5,
            max_opening_score: Centipawns(2_000),
            ..SelfPlay::default()
        };
        let mut games = Vec::new();
        settings
            .run(0, 2, &AtomicBool::new(false), |played| {
                let mut game = played.game;
                game.moves.truncate(60);
                let mut bytes = Vec::new();
                game.write(&mut bytes).expect("a vector takes everything");
                games.push(bytes);
                if games.len() == GAMES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .expect("a thread is given");
        games
    });

    /// Labels what is left to do, at most so many blocks of it.
    fn rescore(
        settings: &Rescore,
        sources: &[GamesFile],
        out: &Path,
        threads: usize,
        blocks: usize,
    ) -> Vec<u8> {
        let (mut writer, written) =
            LabelWriter::open(out, &settings.manifest(sources)).expect("it is resumed");
        let mut left = blocks;
        let on_block = |block| {
            writer.append(&block).expect("it can be written");
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ran = settings.run(sources, &written.next_games, threads, &AtomicBool::new(false), on_block);
        ran.expect("the games can be read");
        fs::read(out).expect("it exists")
    }

    #[test]
    fn resumed_equals_whole_on_any_number_of_threads() {
        let (one, two, out) = (path("one.vf"), path("two.vf"), path("out.rkl"));
        fs::write(&one, POOL.concat()).expect("it can be written");
        fs::write(&two, POOL[70..].concat()).expect("it can be written");
        let open = || [&one, &two].map(|path| GamesFile::open(path).expect("it has games"));
        let (settings, sources) = (settings(), open());
        let whole = rescore(&settings, &sources, &out, 1, usize::MAX);
        let labels: Vec<_> =
            LabelReader::new(whole.as_slice()).expect("it is whole").map(Result::unwrap).collect();
        let count = |kind| labels.iter().filter(|label| label.kind == kind).count();
        assert!((410..=420).contains(&count(SampleKind::Played)), "{}", count(SampleKind::Played));
        assert!((200..=210).contains(&count(SampleKind::Perturbed)));
        assert!((75..=135).contains(&count(SampleKind::Tree)), "{}", count(SampleKind::Tree));
        assert!(labels.iter().all(|label| !label.position.is_check() && label.position.ending().is_none()));
        let keys: HashSet<u64> = labels.iter().map(|label| label.position.key()).collect();
        assert!(keys.len() > labels.len() * 9 / 10);

        fs::remove_file(&out).expect("it exists");
        // 140 games are blocks of 64, 64 and 12; 70 are 64 and 6.
        for (threads, blocks) in [(3, 1), (1, 2), (3, 1)] {
            let part = rescore(&settings, &open(), &out, threads, blocks);
            assert!(whole.starts_with(&part) && part.len() < whole.len());
        }
        // Killed while it wrote a block.
        let part = fs::read(&out).expect("it exists");
        fs::write(&out, &whole[..part.len() + 99]).expect("it can be written");
        assert_eq!(rescore(&settings, &open(), &out, 3, usize::MAX), whole);
        assert_eq!(rescore(&settings, &open(), &out, 3, usize::MAX), whole, "there is nothing left to do");
        let other = Rescore { seed: 2, ..settings };
        LabelWriter::open(&out, &other.manifest(&sources)).expect_err("these are other labels");
        [one, two, out].iter().for_each(|path| fs::remove_file(path).expect("it exists"));
    }

    /// Every game is labelled once, whenever it was added.
    #[test]
    fn a_growing_file_of_games_is_read_as_far_as_it_goes() {
        let (source, out) = (path("growing.vf"), path("growing.rkl"));
        let games = &*POOL;
        let settings = settings();
        let whole = games.concat();
        let short = games[..70].concat().len() + 50;
        let labels = |bytes: &[u8]| {
            LabelReader::new(bytes).expect("it is whole").map(Result::unwrap).collect::<Vec<_>>()
        };
        fs::write(&source, &whole[..short]).expect("it can be written");
        let sources = [GamesFile::open(&source).expect("it has games")];
        assert_eq!(sources[0].count(), 70, "the last game is being written");
        let first = labels(&rescore(&settings, &sources, &out, 2, usize::MAX));
        fs::write(&source, &whole).expect("it can be written");
        let sources = [GamesFile::open(&source).expect("it has games")];
        let grown = labels(&rescore(&settings, &sources, &out, 2, usize::MAX));
        assert_eq!(grown[..first.len()], first);
        fs::remove_file(&out).expect("it exists");
        assert_eq!(labels(&rescore(&settings, &sources, &out, 2, usize::MAX)), grown);
        fs::write(&source, &whole[..short]).expect("it can be written");
        let sources = [GamesFile::open(&source).expect("it has games")];
        let shrunk = settings
            .run(&sources, &[GAMES as u64], 1, &AtomicBool::new(false), |_| ControlFlow::Continue(()));
        assert!(shrunk.expect_err("games are missing").to_string().contains("fewer games"));
        [source, out].iter().for_each(|path| fs::remove_file(path).expect("it exists"));
    }

    #[test]
    fn a_bad_game_ends_the_run_with_its_number() {
        let source = path("bad.vf");
        let mut games = POOL.clone();
        games[130][33] ^= 0x3f;
        fs::write(&source, games.concat()).expect("it can be written");
        let sources = [GamesFile::open(&source).expect("it has games")];
        let mut blocks = 0;
        let ran = settings().run(&sources, &[0], 2, &AtomicBool::new(false), |_| {
            blocks += 1;
            ControlFlow::Continue(())
        });
        let sentence = ran.expect_err("a game is bad").to_string();
        assert!(sentence.contains("game 131:") && blocks == 2, "{sentence} after {blocks} blocks");
        for (bytes, why) in [(&b"too short"[..], "no whole game"), (&[0; 80][..], "game 1:")] {
            fs::write(&source, bytes).expect("it can be written");
            let sentence = GamesFile::open(&source).expect_err("it has no games").to_string();
            assert!(sentence.contains(why), "{sentence}");
        }
        fs::remove_file(&source).expect("it exists");
        assert!(GamesFile::open(&source).expect_err("it is gone").to_string().contains("cannot read"));
    }

    /// A label is what the search of that many nodes finds, from the side to move's point of view.
    #[test]
    fn labels_are_of_the_side_to_move_and_the_second_move_is_worse() {
        let settings = Rescore { evaluation: Evaluation::Classical, nodes: 150, ..Rescore::default() };
        let labels: Vec<LabelRecord> = POOL[..60]
            .iter()
            .enumerate()
            .flat_map(|(number, bytes)| {
                let game =
                    PackedGame::read(&mut bytes.as_slice()).expect("it is a game").expect("it is there");
                let (settings, game) = (&settings, &game);
                thread::scope(|scope| {
                    let work = move || settings.label(game, 0, number as u64, &mut settings.labeller());
                    let labeller = spawn_search(scope, work).expect("a thread is given");
                    labeller.join().expect("a search does not panic")
                })
            })
            .collect();
        let balance = |label: &LabelRecord| {
            let values = [100, 300, 300, 500, 900, 0];
            let material = |color| -> i32 {
                let pieces = |piece| label.position.colored_pieces(color, piece).count() as i32;
                rukh_chess::Piece::ALL
                    .into_iter()
                    .zip(values)
                    .map(|(piece, value)| value * pieces(piece))
                    .sum()
            };
            let us = label.position.side_to_move();
            material(us) - material(!us)
        };
        let ahead = labels.iter().filter(|label| balance(label) >= 300);
        let (won, all) =
            ahead.fold((0, 0), |(won, all), label| (won + u32::from(label.score.value() > 0), all + 1));
        assert!(all > 5 && won * 10 >= all * 8, "{won} of {all}");
        let seconds: Vec<_> =
            labels.iter().filter_map(|label| label.second.map(|second| (label, second))).collect();
        assert!(seconds.len() > labels.len() / 2);
        let worse =
            seconds.iter().filter(|(label, (mv, score))| *mv != label.best && *score <= label.score).count();
        assert!(worse * 10 > seconds.len() * 7, "{worse} of {}", seconds.len());
    }
}
