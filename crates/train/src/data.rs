//! Samples from files of games, which may still be growing.
//!
//! It knows games and labels, not the network.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;
use rukh_engine::api::{Limits, Request};
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::{SyncSearcher, spawn_search};
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator, Score};
use rukh_lab::labelled::LabelledPosition;
use rukh_lab::packed::{self, PackedError, PackedGame};
use rukh_lab::singles::perturb;

use crate::sample::{NO_RESULT, Sample};

/// Which positions become samples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Whether the positions of the games are used, with their scores and results.
    pub played: bool,
    /// Perturbed positions beside them.
    pub perturbed: Option<Perturbed>,
    /// The greatest score of a sample, in internal units.
    pub max_score: i16,
    /// Plies at the start of a game that are left out.
    pub skip_plies: usize,
    /// One game in so many goes into the validation set.
    pub validate_every: u64,
    /// Threads that read games.
    pub threads: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            played: true,
            perturbed: None,
            max_score: 3_000,
            skip_plies: 0,
            validate_every: 50,
            threads: 1,
        }
    }
}

/// Perturbed positions: one or two random moves away from those of the games. There are as many as one likes, and they
/// are nearer to what a search evaluates than the positions of good games. A labeller scores them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perturbed {
    /// How many for each position of a game.
    pub count: u64,
    /// The evaluation that the labeller uses.
    pub evaluation: Evaluation,
    /// After so many nodes the labeller starts no further iteration; with 0 it evaluates statically.
    pub nodes: u64,
}

/// Scores perturbed positions, by the static evaluation or by a search.
enum Labeller {
    Static(Box<AnyEvaluator>),
    Search(Box<SyncSearcher>, u64),
}

impl Labeller {
    fn new(perturbed: &Perturbed) -> Self {
        const HASH: usize = 1;
        match perturbed.nodes {
            0 => Self::Static(Box::new(AnyEvaluator::new(&perturbed.evaluation))),
            nodes => {
                let searcher = SyncSearcher::new(TechniqueOverrides::default(), &perturbed.evaluation, HASH);
                Self::Search(Box::new(searcher.expect("a mebibyte can be allocated")), nodes)
            }
        }
    }

    /// Clears what a search has learnt from the last game.
    fn clear(&mut self) {
        if let Self::Search(searcher, _) = self {
            searcher.clear();
        }
    }

    /// The score of a position that is not in check; `None` if the best move is a capture or promotion.
    fn label(&mut self, position: &Position) -> Option<Score> {
        match self {
            Self::Static(evaluator) => {
                evaluator.reset(position);
                Some(evaluator.evaluate(position))
            }
            Self::Search(searcher, nodes) => {
                let limits =
                    Limits { soft_nodes: Some(*nodes), nodes: Some(8 * *nodes), ..Limits::default() };
                let found = searcher.search(Request::from_position(position.clone(), limits));
                found.best.filter(|best| !best.is_noisy()).and(found.score)
            }
        }
    }
}

/// The samples read so far.
#[derive(Debug)]
pub struct Data {
    filter: Filter,
    files: Vec<(PathBuf, u64)>,
    games: u64,
    /// The training set.
    pub training: Vec<Sample>,
    /// The validation set.
    pub validation: Vec<Sample>,
}

impl Data {
    /// No samples yet; they will come from these files.
    pub fn new(files: &[PathBuf], filter: Filter) -> Self {
        let files = files.iter().map(|path| (path.clone(), 0)).collect();
        Self { filter, files, games: 0, training: Vec::new(), validation: Vec::new() }
    }

    /// Reads what the files have gained since the last call and returns the number of new samples. A game that is still
    /// being written is left for the next call.
    pub fn read_more(&mut self) -> Result<usize, String> {
        let before = self.training.len() + self.validation.len();
        for at in 0..self.files.len() {
            let (path, start) = self.files[at].clone();
            let end = self.read_file(&path, start).map_err(|error| format!("{}: {error}", path.display()))?;
            self.files[at].1 = end;
        }
        Ok(self.training.len() + self.validation.len() - before)
    }

    fn read_file(&mut self, path: &Path, start: u64) -> Result<u64, PackedError> {
        /// Bytes in memory at once.
        const CHUNK: u64 = 16 << 20;
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        let mut end = start;
        while file.by_ref().take(CHUNK).read_to_end(&mut bytes)? > 0 {
            let games: Vec<&[u8]> = packed::split(&bytes).collect();
            let read: usize = games.iter().map(|game| game.len()).sum();
            if games.is_empty() {
                must_begin_as_game(&bytes)?;
            }
            self.add(&games)?;
            bytes.drain(..read);
            end += read as u64;
        }
        Ok(end)
    }

    /// Adds the samples of games, on several threads; their order does not depend on the number of threads.
    fn add(&mut self, games: &[&[u8]]) -> Result<(), PackedError> {
        let filter = &self.filter;
        let part = games.len().div_ceil(filter.threads.max(1)).max(1);
        let first = self.games;
        let taken: Result<Vec<Taken>, PackedError> = thread::scope(|scope| {
            let threads: Vec<_> = games
                .chunks(part)
                .enumerate()
                .map(|(at, games)| {
                    let take = move || filter.take(games, first + (at * part) as u64);
                    spawn_search(scope, take).expect("a machine that trains has threads")
                })
                .collect();
            let taken =
                |thread: ScopedJoinHandle<'_, _>| thread.join().expect("reading games does not panic");
            threads.into_iter().map(taken).collect()
        });
        for taken in taken? {
            self.training.extend(taken.training);
            self.validation.extend(taken.validation);
        }
        self.games += games.len() as u64;
        Ok(())
    }

    /// Games read.
    pub fn games(&self) -> u64 {
        self.games
    }
}

/// Refuses bytes that cannot become a game when more of them follow.
fn must_begin_as_game(mut bytes: &[u8]) -> Result<(), PackedError> {
    match PackedGame::read(&mut bytes) {
        Ok(_) | Err(PackedError::CutShort) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Samples of some games.
#[derive(Default)]
struct Taken {
    training: Vec<Sample>,
    validation: Vec<Sample>,
}

impl Filter {
    /// The samples of games, the first of which has this number.
    fn take(&self, games: &[&[u8]], first: u64) -> Result<Taken, PackedError> {
        let mut labeller = self.perturbed.as_ref().map(Labeller::new);
        let mut taken = Taken::default();
        for (number, mut bytes) in (first..).zip(games.iter().copied()) {
            let Some(game) = PackedGame::read(&mut bytes)? else { continue };
            let is_validation = number.is_multiple_of(self.validate_every);
            let to = if is_validation { &mut taken.validation } else { &mut taken.training };
            if self.played {
                self.take_played(&game, to);
            }
            if let Some((perturbed, labeller)) = self.perturbed.as_ref().zip(labeller.as_mut()) {
                self.take_perturbed(&game, number, perturbed, labeller, to);
            }
        }
        Ok(taken)
    }

    fn take_played(&self, game: &PackedGame, to: &mut Vec<Sample>) {
        for (ply, quiet) in LabelledPosition::quiet_of(game) {
            let score = quiet.score.map_or(i32::MAX, Score::value);
            if ply >= self.skip_plies && score.saturating_abs() <= i32::from(self.max_score).abs() {
                let side = quiet.position.side_to_move();
                let result = quiet.outcome.map_or(NO_RESULT, |outcome| outcome.half_points(side));
                to.push(Sample::new(&quiet.position, score as i16, result));
            }
        }
    }

    /// The perturbed positions of a game; the number of the game is the seed of their random moves.
    fn take_perturbed(
        &self,
        game: &PackedGame,
        number: u64,
        perturbed: &Perturbed,
        labeller: &mut Labeller,
        to: &mut Vec<Sample>,
    ) {
        let mut random = SplitMix64::new(number);
        labeller.clear();
        for (position, ..) in game.positions().skip(self.skip_plies) {
            for number in 0..perturbed.count {
                let other = perturb(&position, 1 + number % 2, &mut random);
                let Some(other) = other.filter(|other| !other.is_check()) else { continue };
                let score = labeller.label(&other).map_or(i32::MAX, Score::value);
                if score.saturating_abs() <= i32::from(self.max_score) {
                    to.push(Sample::new(&other, score as i16, NO_RESULT));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Outcome;
    use rukh_chess::{Color, Move};
    use rukh_lab::packed::NO_SCORE;
    use std::fs;

    /// Random games in which White's score is a hundred times the ply.
    fn games(count: u64) -> Vec<PackedGame> {
        let game = |number: u64| {
            let mut random = SplitMix64::new(number);
            let start = Position::default();
            let mut position = start.clone();
            let mut moves = Vec::new();
            for ply in 0..60 {
                let legal = position.legal_moves();
                let Some(&mv) = legal.get(random.below(legal.len().max(1) as u64) as usize) else { break };
                moves.push((mv, 100 * ply));
                position = position.after(mv);
            }
            PackedGame { start, outcome: Outcome::Win(Color::Black), moves }
        };
        (0..count).map(game).collect()
    }

    fn file_of(name: &str, games: &[PackedGame], cut: usize) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rukh-{name}-{}.vf", std::process::id()));
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes).expect("memory can be written"));
        fs::write(&path, &bytes[..bytes.len() - cut]).expect("there is room for it");
        path
    }

    #[test]
    fn quiet_positions_become_samples() {
        let games = games(10);
        let path = file_of("quiet", &games, 0);
        let filter =
            Filter { max_score: 3_000, skip_plies: 4, validate_every: 5, threads: 3, ..Filter::default() };
        let mut data = Data::new(std::slice::from_ref(&path), filter);
        let count = data.read_more().expect("it can be read");
        fs::remove_file(&path).expect("it is there");
        let is_validation = |number: usize| number.is_multiple_of(5);
        for (validation, samples) in [(false, &data.training), (true, &data.validation)] {
            let of = games.iter().enumerate().filter(|(number, _)| is_validation(*number) == validation);
            let expected: Vec<_> = of
                .flat_map(|(_, game)| game.positions().skip(4))
                .filter(|(position, mv, score)| !position.is_check() && !mv.is_noisy() && *score <= 3_000)
                .map(|(position, _, score)| match position.side_to_move() {
                    Color::White => Sample::new(&position, score, 0),
                    Color::Black => Sample::new(&position, -score, 2),
                })
                .collect();
            assert_eq!(*samples, expected);
        }
        assert_eq!(count, data.training.len() + data.validation.len());
        assert!(data.validation.len() > 20 && data.games() == 10);
    }

    /// Before a random move the result is not that of the game as played; a tree sample has none.
    #[test]
    fn results_count_after_the_last_random_move() {
        let mut game = games(1).remove(0);
        game.moves[20].1 = NO_SCORE;
        let tree_sample = PackedGame { moves: game.moves[..1].to_vec(), ..game.clone() };
        let mut taken = [Vec::new(), Vec::new()];
        for (game, taken) in [game.clone(), tree_sample].iter().zip(&mut taken) {
            Filter { max_score: i16::MAX - 1, ..Filter::default() }.take_played(game, taken);
        }
        let is_taken = |(position, mv, _): &(Position, Move, i16)| !position.is_check() && !mv.is_noisy();
        let before = game.positions().take(20).filter(is_taken).count();
        let has_result: Vec<bool> = taken[0].iter().map(|sample| sample.result != NO_RESULT).collect();
        assert!(before > 5 && has_result.len() > before + 5);
        assert!(has_result.iter().enumerate().all(|(at, has)| *has == (at >= before)));
        assert_eq!(taken[1].iter().map(|sample| sample.result).collect::<Vec<_>>(), [NO_RESULT]);
    }

    /// A file that grows is read further; a game that is half written is left for later.
    #[test]
    fn files_may_grow() {
        let games = games(8);
        let path = file_of("growing", &games, 10);
        let mut data = Data::new(std::slice::from_ref(&path), Filter::default());
        data.read_more().expect("it can be read");
        assert_eq!(data.games(), 7);
        file_of("growing", &games, 0);
        assert!(data.read_more().expect("it can be read") > 0);
        assert_eq!((data.read_more().ok(), data.games()), (Some(0), 8));
        let mut whole = Data::new(std::slice::from_ref(&path), Filter::default());
        whole.read_more().expect("it can be read");
        fs::remove_file(&path).expect("it is there");
        assert_eq!((data.training, data.validation), (whole.training, whole.validation));
        assert!(Data::new(std::slice::from_ref(&path), Filter::default()).read_more().is_err());
        fs::write(&path, "This is no file of games, but a sentence of more than 32 letters.")
            .expect("there is room");
        let refused = Data::new(std::slice::from_ref(&path), Filter::default()).read_more();
        fs::remove_file(&path).expect("it is there");
        assert!(refused.is_err_and(|sentence| sentence.contains("the board is no position")));
    }

    /// Perturbed positions do not depend on the number of threads; a search labels them otherwise than a static evaluation.
    #[test]
    fn perturbed_positions_are_labelled() {
        let path = file_of("perturbed", &games(3), 0);
        let read = |nodes: u64, threads: usize| {
            let perturbed = Some(Perturbed { count: 3, evaluation: Evaluation::Classical, nodes });
            let filter = Filter { played: false, perturbed, threads, ..Filter::default() };
            let mut data = Data::new(std::slice::from_ref(&path), filter);
            data.read_more().expect("it can be read");
            data.training
        };
        let by_evaluation = read(0, 1);
        assert_eq!(by_evaluation, read(0, 2));
        assert!(by_evaluation.len() > 250, "most positions can be perturbed");
        assert!(by_evaluation.iter().all(|sample| sample.result == NO_RESULT));
        let by_search = read(30, 1);
        assert_eq!(by_search, read(30, 3));
        assert!(by_search.len() > 100 && by_search.iter().any(|sample| !by_evaluation.contains(sample)));
        fs::remove_file(&path).expect("it is there");
    }
}
