//! Faults of the disk in a training run: every write, sync and rename fails once, and the run is resumed.
//!
//! After each fault the sentence names the file, and the same run gives the files of an undisturbed one: network, plot and
//! checkpoint. The runs are in this process, of a small network.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rukh_eval::nnue::NetworkKind;
use rukh_lab::disk::inject;
use rukh_train::batch::Target;
use rukh_train::data::{Data, Filter};
use rukh_train::model::Objective;
use rukh_train::run::{Plan, Progress, run};
use rukh_train::schedule::Schedule;
use rukh_train::trainer::Settings;

use super::common::{Small, samples};

const KINDS: [&str; 5] = ["write", "short", "sync", "rename", "kill"];
/// More operations than the run has.
const MANY: u64 = 100;

/// A run of three parts in a folder of its own.
struct Training {
    folder: PathBuf,
    plan: Plan,
    samples: usize,
}

impl Training {
    fn new(name: &str, has_checkpoint: bool) -> Self {
        let folder = std::env::temp_dir().join(format!("rukh-train-{name}-{}", std::process::id()));
        let plan = Plan {
            out: folder.join("n.net"),
            checkpoint: has_checkpoint.then(|| folder.join("n.cp")),
            svg: Some(folder.join("n.svg")),
            begin: None,
            part: 2,
            deadline: None,
            description: "faults".to_owned(),
        };
        Self { folder, plan, samples: 200 }
    }

    /// An empty folder.
    fn start(&self) {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("there is room");
    }

    /// Trains, and returns the steps of the parts that were trained.
    fn run(&self) -> Result<Vec<u64>, String> {
        let architecture = Small::ARCHITECTURE;
        let settings = Settings {
            architecture,
            batch: 20,
            schedule: Schedule { peak: 0.001, end: 0.000_01, warm_up: 2, steps: 5 },
            objective: Objective {
                target: Target { scale: architecture.scale as f32, result_share: 0.3 },
                sparsity: 0.01,
            },
            seed: 3,
            threads: 1,
            averaged_steps: 2,
            rounded_steps: 1,
        };
        let mut data = Data::new(&[], Filter::default());
        data.training = samples(self.samples, 3);
        data.validation = samples(20, 4);
        let mut steps = Vec::new();
        let on_part = |progress: Progress| steps.push(progress.loss.step);
        run::<Small>(&self.plan, settings, &mut data, on_part)?;
        Ok(steps)
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(&self.folder).expect("it is there").flatten();
        entries.map(|entry| (name_of(&entry.path()), fs::read(entry.path()).expect("it is there"))).collect()
    }

    /// Runs it undisturbed, then with every fault. Returns how many faults there were, and in how many a part was not trained
    /// again.
    fn survives_every_fault(&self) -> (usize, usize) {
        self.start();
        assert_eq!(self.run(), Ok(vec![2, 4, 5]));
        let whole = self.files();
        let (mut faults, mut resumed) = (0, 0);
        for kind in KINDS {
            for number in 1..=MANY {
                self.start();
                let fault = format!("{kind}:{number}");
                let injected = inject(&fault, || self.run());
                let Some(file) = injected.file else {
                    assert_eq!(injected.result, Some(Ok(vec![2, 4, 5])), "{fault}");
                    break;
                };
                faults += 1;
                let context = format!("{fault} of {}", file.display());
                match injected.result {
                    None => assert_eq!(kind, "kill", "{context}"),
                    Some(result) => check_sentence(&result.expect_err(&context), &file, &context),
                }
                let again = self.run().unwrap_or_else(|sentence| panic!("{context}: {sentence}"));
                resumed += usize::from(again.len() < 3);
                assert!(self.files() == whole, "{context}: {:?}", self.files().keys());
                assert!(number < MANY, "{context}: there are too many operations");
            }
        }
        fs::remove_dir_all(&self.folder).expect("it is there");
        (faults, resumed)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("it has a name").to_string_lossy().into_owned()
}

/// The failure is one sentence that names the file; a temporary file stands for the one that it becomes.
fn check_sentence(sentence: &str, file: &Path, context: &str) {
    let name = name_of(file);
    let name = name.strip_suffix(".part").unwrap_or(&name);
    assert!(sentence.starts_with("cannot write ") && sentence.contains(name), "{context}: {sentence}");
    assert!(sentence.contains("no storage space") && sentence.lines().count() == 1, "{context}: {sentence}");
}

#[test]
fn a_training_with_a_checkpoint_survives_every_fault() {
    let (faults, resumed) = Training::new("faults", true).survives_every_fault();
    // Three files of three parts: 9 writes, syncs and renames.
    assert_eq!((faults, resumed), (9 * 4 + 27, 6 * 4 + 18));
}

#[test]
fn a_training_without_a_checkpoint_starts_again() {
    let (faults, resumed) = Training::new("again", false).survives_every_fault();
    assert_eq!((faults, resumed), (6 * 4 + 18, 0));
}
