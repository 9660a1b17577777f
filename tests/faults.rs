//! Faults of the disk: every write, sync, truncation and rename of the laboratory fails once, and the work is resumed.
//!
//! After each fault the sentence names the file, and the same command gives the files of an undisturbed run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

/// The kinds of faults: see `rukh_lab::disk`.
const KINDS: [&str; 6] = ["write", "short", "sync", "truncate", "rename", "kill"];
/// More operations than any command here has.
const MANY: usize = 500;
/// The exit status of a process that a fault ends.
const KILLED: i32 = 99;

/// A command that runs in a folder of its own.
struct Work {
    name: &'static str,
    args: Vec<&'static str>,
    /// Files that must be there before it.
    inputs: BTreeMap<&'static str, Vec<u8>>,
}

impl Work {
    fn new(name: &'static str, args: &str) -> Self {
        let args = args.to_owned().leak().split_whitespace().collect();
        Self { name, args, inputs: BTreeMap::new() }
    }

    fn with(mut self, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        self.inputs.insert(name, bytes.into());
        self
    }

    /// An empty folder with the inputs, for the faults of one kind.
    fn folder(&self, kind: &str) -> Folder<'_> {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}-{kind}", self.name));
        let folder = Folder { work: self, path };
        folder.empty();
        folder
    }

    /// Runs the command undisturbed, then with every fault, two kinds at a time. Returns how many faults there were.
    fn survives_every_fault(&self) -> usize {
        let folder = self.folder("none");
        let ended = folder.run(None);
        assert!(ended.status.success(), "{}: {}", self.name, text(&ended.stderr));
        let (whole, told) = (folder.files(), result(&ended));
        let survives = |kind: &str| self.folder(kind).survives_faults(kind, &whole, &told);
        let (one, other) = KINDS.split_at(KINDS.len() / 2);
        thread::scope(|scope| {
            let one = scope.spawn(|| one.iter().map(|kind| survives(kind)).sum::<usize>());
            let other: usize = other.iter().map(|kind| survives(kind)).sum();
            other + one.join().expect("every fault is survived")
        })
    }
}

/// A folder in which a command runs.
struct Folder<'w> {
    work: &'w Work,
    path: PathBuf,
}

impl Folder<'_> {
    /// Removes everything but the inputs.
    fn empty(&self) {
        let _ = fs::remove_dir_all(&self.path);
        fs::create_dir_all(&self.path).expect("there is room");
        for (name, bytes) in &self.work.inputs {
            fs::write(self.path.join(name), bytes).expect("there is room");
        }
    }

    fn run(&self, fault: Option<&str>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rukh"));
        command.args(&self.work.args).current_dir(&self.path).env_remove("RUKH_FAULT");
        command.envs(fault.map(|fault| ("RUKH_FAULT", fault)));
        command.output().expect("the binary starts")
    }

    /// All files, in their comparable form.
    fn files(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.path).expect("it is there").flatten();
        entries.map(|entry| (name_of(&entry.path()), comparable(&entry.path()))).collect()
    }

    /// Runs the command with every fault of a kind. Each time the next run gives these files and this result.
    fn survives_faults(&self, kind: &str, whole: &BTreeMap<String, String>, told: &str) -> usize {
        for number in 1..=MANY {
            let fault = format!("{kind}:{number}");
            self.empty();
            let ended = self.run(Some(&fault));
            let Some(file) = faulty_file(&ended) else {
                assert!(ended.status.success(), "{fault}: {}", text(&ended.stderr));
                return number - 1;
            };
            let context = format!("{} {fault} of {file}", self.work.name);
            if kind == "kill" {
                assert_eq!(ended.status.code(), Some(KILLED), "{context}");
            } else {
                check_sentence(&ended, &file, &context);
            }
            let again = self.run(None);
            assert!(again.status.success(), "{context}: {}", text(&again.stderr));
            assert_eq!(self.files(), *whole, "{context}");
            assert_eq!(result(&again), told, "{context}");
        }
        panic!("{} {kind}: it has too many operations", self.work.name);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("it has a name").to_string_lossy().into_owned()
}

/// The contents without what differs from run to run: dates, times and speeds. What is compressed or binary has none.
fn comparable(path: &Path) -> String {
    let bytes = fs::read(path).expect("it can be read");
    let contents = text(&bytes);
    match path.extension().and_then(|end| end.to_str()) {
        Some("pgn") => without_times(&contents),
        Some("json") => {
            let json: serde_json::Value = serde_json::from_str(&contents).expect("it is JSON");
            json["encounters"].to_string()
        }
        // Games in a state have their times and a checksum of them.
        Some("state") if contents.contains("[Event ") => contents.lines().skip(1).map(game_of).collect(),
        _ => format!("{bytes:?}"),
    }
}

/// A line of the state of a match: its number, the number of the game, its result and its moves.
fn game_of(line: &str) -> String {
    let [number, _, game] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
    let game: serde_json::Value = serde_json::from_str(game).expect("it is JSON");
    let moves = without_times(game["pgn"].as_str().expect("it is a text"));
    format!("{number} {} {} {moves}\n", game["game"], game["result"])
}

/// The results and moves of games.
fn without_times(text: &str) -> String {
    let is_tag =
        |line: &&str| line.starts_with("[Result") || line.starts_with("[White") || line.starts_with("[FEN");
    let mut kept: String = text.lines().filter(is_tag).collect();
    let mut depth = 0;
    for letter in
        text.lines().filter(|line| !line.starts_with('[')).flat_map(|line| line.chars().chain([' ']))
    {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    kept
}

/// What a command prints as its result, without times and speeds.
fn result(ended: &Output) -> String {
    let is_timed = |line: &&str| [" in ", "kn/s", "a second"].iter().any(|word| line.contains(word));
    text(&ended.stdout).lines().filter(|line| !is_timed(line)).collect()
}

/// The file whose operation failed, as the fault reports it.
fn faulty_file(ended: &Output) -> Option<String> {
    let stderr = text(&ended.stderr);
    // A short write is reported with the failure after it, which is of another file if the write had a single byte.
    let line = stderr.lines().filter_map(|line| line.strip_prefix("RUKH_FAULT: ")).next_back()?;
    let name = name_of(Path::new(line.split_once(' ')?.1));
    // A temporary file stands for the one that it becomes.
    Some(match name.strip_suffix(".rukh-part").and_then(|name| name.rsplit_once('.')) {
        Some((name, _)) => name.to_owned(),
        None => name,
    })
}

/// The failure is one sentence that names the file.
fn check_sentence(ended: &Output, file: &str, context: &str) {
    let stderr = text(&ended.stderr);
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("RUKH_FAULT: ")).collect();
    assert_eq!(ended.status.code(), Some(2), "{context}: {stderr}");
    let [sentence] = lines[..] else { panic!("{context}: {stderr}") };
    assert!(sentence.starts_with("rukh: ") && sentence.contains(file), "{context}: {sentence}");
    assert!(sentence.contains("no storage space"), "{context}: {sentence}");
}

/// Whether this build has the faults: a release build has none.
fn has_faults() -> bool {
    if !cfg!(debug_assertions) {
        println!("skipped: only debug builds inject faults");
    }
    cfg!(debug_assertions)
}

#[test]
fn a_match_survives_every_fault() {
    if has_faults() {
        let faults = Work::new(
            "match",
            "match --engine cmd=self,name=a,option.Hash=1 --engine cmd=self,name=b,option.Hash=1 --depth 1 --max-moves 2 \
             --games 2 --state m.state --pgn m.pgn --json m.json",
        )
        .survives_every_fault();
        assert!(faults > 30, "{faults} faults");
    }
}

#[test]
fn tuning_survives_every_fault() {
    if has_faults() {
        let faults = Work::new(
            "tune",
            "tune --engine cmd=self,option.Hash=1 --parameters list.txt --nodes 20 --iterations 2 --max-moves 2 --seed 3 \
             --state t.state --svg t.svg",
        )
        .with("list.txt", "Contempt, int, 7, -200, 200, 60, 0.02\n")
        .survives_every_fault();
        assert!(faults > 12, "{faults} faults");
    }
}

#[test]
fn self_play_survives_every_fault() {
    if has_faults() {
        let faults = Work::new(
            "selfplay",
            "selfplay --out g.vf --tree-samples s.vf --tree-sample-depth 2 --games 4 --nodes 20 --resign-score 200",
        )
        .survives_every_fault();
        assert!(faults > 12, "{faults} faults");
    }
}

#[test]
fn self_play_with_visit_distributions_survives_every_fault() {
    if has_faults() {
        let faults = Work::new(
            "visits",
            "selfplay --search mcts --visits g.rkv --games 3 --nodes 8 --max-plies 4 --max-opening-score 2000",
        )
        .survives_every_fault();
        assert!(faults > 10, "{faults} faults");
    }
}

/// Games to label and to tune with.
fn games(name: &'static str, seed: u32) -> Vec<u8> {
    let work = Work::new(name, &format!("selfplay --out g.vf --games 2 --nodes 30 --seed {seed}"));
    let folder = work.folder("none");
    assert!(folder.run(None).status.success());
    fs::read(folder.path.join("g.vf")).expect("it was written")
}

#[test]
fn rescoring_survives_every_fault() {
    if has_faults() {
        let faults = Work::new("rescore", "data rescore a.vf b.vf --out l.rkl --nodes 10 --threads 1")
            .with("a.vf", games("rescore-a", 1))
            .with("b.vf", games("rescore-b", 2))
            .survives_every_fault();
        assert!(faults > 10, "{faults} faults");
    }
}

#[test]
fn texel_tuning_survives_every_fault() {
    if has_faults() {
        let faults = Work::new("texel", "texel g.vf --epochs 2 --out weights.txt --svg texel.svg")
            .with("g.vf", games("texel-g", 3))
            .survives_every_fault();
        assert!(faults > 10, "{faults} faults");
    }
}
