//! Labels through the real binary: rescoring, resuming, counting, converting, measuring by them, refusing.

use std::fs;

use crate::common::{path, refused, rukh, succeeds};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&succeeds(args)).expect("it is JSON")
}

/// Games of self-play that take a moment.
fn selfplay(out: &str, games: &str) {
    let args =
        ["selfplay", "--classical", "--out", out, "--games", games, "--nodes", "30", "--chess960", "0.3"];
    succeeds(&args);
}

#[test]
fn labels_are_made_in_parts_and_read_back() {
    let ((games, source), (whole, whole_name), (parts, parts_name)) =
        (path("labels.vf"), path("whole.rkl"), path("parts.rkl"));
    selfplay(&source, "70");
    let rescore = |out: &str, more: &[&str]| {
        let args = ["data", "rescore", &source, "--out", out, "--classical", "--nodes", "100", "--json"];
        json(&[&args[..], more].concat())
    };
    let made = rescore(&whole_name, &[]);
    assert_eq!((&made["games"], &made["games_left"]), (&70.into(), &0.into()));
    // A block is finished where it was begun.
    let first = rescore(&parts_name, &["--positions", "1", "--threads", "2"]);
    assert_eq!(first["games"], 64);
    let resumed = rescore(&parts_name, &["--threads", "3"]);
    assert_eq!((&resumed["positions"], &resumed["games"]), (&made["positions"], &made["games"]));
    assert!(resumed["new_positions"].as_u64() < made["positions"].as_u64());
    let bytes = fs::read(&whole).expect("it exists");
    assert_eq!(bytes, fs::read(&parts).expect("it exists"));

    let ((epd, epd_name), (raw, raw_name)) = (path("labels.epd"), path("labels.bin"));
    let told = json(&["data", "labels", &whole_name, "--epd", &epd_name, "--raw", &raw_name, "--json"]);
    let positions = told["positions"].as_u64().expect("a number");
    assert_eq!(made["positions"], positions);
    let kinds = ["played", "perturbed", "tree"].map(|kind| told["kinds"][kind].as_u64().expect("a number"));
    assert_eq!(kinds.iter().sum::<u64>(), positions);
    assert!(kinds[0] > 130 && kinds[1] >= 69 && kinds[2] > 60, "{kinds:?}");
    let lines = fs::read_to_string(epd).expect("it exists");
    assert_eq!(lines.lines().count() as u64, positions);
    assert!(lines.lines().all(|line| line.contains(" bm ") && line.contains(" ce ")), "{lines}");
    assert_eq!(fs::read(raw).expect("it exists").len() as u64, 64 * positions);
    assert!(succeeds(&["data", "labels", &whole_name]).contains("100 nodes, network classical"));
    assert!(succeeds(&["data", "check", &whole_name]).contains(&format!("{positions} labels are sound")));

    // Another self-play of the same name is another source.
    fs::remove_file(&games).expect("it exists");
    succeeds(&["selfplay", "--classical", "--out", &source, "--games", "3", "--nodes", "30", "--seed", "9"]);
    let args = ["data", "rescore", &source, "--out", &whole_name, "--classical", "--nodes", "100"];
    assert!(refused(&args).contains("another list of sources"));
    assert_eq!(fs::read(&whole).expect("it exists"), bytes);
}

#[test]
fn bad_labels_are_refused_and_left_alone() {
    let ((_, source), (labels, name), (raw, raw_name)) = (path("bad.vf"), path("bad.rkl"), path("bad.bin"));
    selfplay(&source, "3");
    let args = ["data", "rescore", &source, "--out", &name, "--classical", "--nodes", "50"];
    succeeds(&args);
    let bytes = fs::read(&labels).expect("it exists");
    for (more, why) in [
        (["--nodes", "60"], "nodes (50, not 60)"),
        (["--seed", "2"], "seed"),
        (["--played", "1.5"], "played"),
        (["--tree", "0"], "tree"),
    ] {
        let base = ["data", "rescore", &source, "--out", &name, "--classical"];
        let nodes: &[&str] = if more[0] == "--nodes" { &[] } else { &["--nodes", "50"] };
        let sentence = refused(&[&base[..], nodes, &more].concat());
        assert!(sentence.contains(why), "{sentence}");
    }
    let network = ["data", "rescore", &source, "--out", &name, "--nodes", "50"];
    assert!(refused(&network).contains("another network"));
    assert_eq!(fs::read(&labels).expect("it exists"), bytes, "what is refused changes nothing");

    let refuse = |bytes: &[u8], why: &str| {
        fs::write(&labels, bytes).expect("it can be written");
        for args in [&["data", "labels", &name, "--raw", &raw_name][..], &args] {
            // What a kill left of the last block is not damage to the rescoring.
            if !(why.contains("ends within block") && args[1] == "rescore") {
                let sentence = refused(args);
                assert!(sentence.contains(why) && sentence.contains(&name), "{sentence}");
            }
        }
        assert_eq!(fs::read(&labels).expect("it exists"), bytes);
        assert!(!raw.exists(), "nothing is written of what is refused");
        let check = rukh(&["data", "check", &name]);
        assert_eq!(check.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&check.stdout).contains(why));
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    refuse(b"these are no labels", "it is no file of labels");
    refuse(&with(8, 9), "version 9");
    refuse(&with(20, b'#'), "the header is damaged");
    refuse(&with(bytes.len() - 30, !bytes[bytes.len() - 30]), "block 1 is damaged");
    refuse(&bytes[..bytes.len() - 30], "it ends within block 1");
    succeeds(&args);
    assert_eq!(fs::read(&labels).expect("it exists"), bytes, "the block that was cut is made again");

    assert!(refused(&["data", "labels", "/nowhere/x.rkl"]).contains("/nowhere/x.rkl"));
    let (new, new_name) = path("new.rkl");
    let base = ["data", "rescore", &source, "--out", &new_name];
    let sentence = refused(&[&base[..], &["--played", "0", "--perturbed", "0", "--tree", "0"]].concat());
    assert!(sentence.contains("nothing is labelled"), "{sentence}");
    let sentence = refused(&["data", "rescore", &name, "--out", &new_name]);
    assert!(sentence.contains(&name), "{sentence}");
    assert!(refused(&["data", "rescore", &source, "--out", "/nowhere/x.rkl"]).contains("/nowhere/x.rkl"));
    assert!(!new.exists(), "what is refused leaves nothing behind");
}

/// Positions in which one side is ahead by as much as everyone can see, and what is expected of them.
const TABLE: &str = "\
fen\twin\tdraw\tloss
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t60\t920\t20
rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1000\t0\t0
rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\t0\t0\t1000
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\t0\t50\t950
r3k2r/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R3K2R w KQkq - 0 1\t50\t930\t20
r3k2r/ppp2ppp/2n2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1\t0\t100\t900
4k2r/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R3K2R w KQk - 0 1\t980\t20\t0
4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1\t100\t800\t100
4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K2R w K - 0 1\t1000\t0\t0
4k2r/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w k - 0 1\t0\t0\t1000
4k3/ppp2ppp/8/8/8/8/PPP3PP/4K3 w - - 0 1\t10\t390\t600
";

#[test]
fn evaluations_searches_and_engines_are_measured() {
    let ((table, name), (_, games), (_, labels)) =
        (path("yardstick.tsv"), path("yardstick.vf"), path("yardstick.rkl"));
    fs::write(&table, TABLE).expect("it can be written");
    let measure = |args: &[&str]| json(&[&["data", "yardstick", &name, "--json"], args].concat());
    let error = |report: &Value| report["total"]["error"].as_f64().expect("a number");
    let network = measure(&[]);
    assert_eq!(network["by"], "built-in network");
    assert_eq!(
        ["opening", "middlegame", "endgame", "total"].map(|part| network[part]["positions"].as_u64()),
        [Some(4), Some(3), Some(4), Some(11)]
    );
    assert!(error(&network) < 0.02 && network["total"]["correlation"].as_f64() > Some(0.8), "{network}");
    let (values, values_name) = path("values.tsv");
    measure(&["--values", &values_name]);
    let values = fs::read_to_string(&values).expect("it was written");
    let column = |line: &str, at: usize| -> f64 {
        line.split('\t').nth(at).expect("a column").parse().expect("a number")
    };
    let squares = TABLE.lines().zip(values.lines()).skip(1).map(|(label, value)| {
        let target = (column(label, 1) + column(label, 2) / 2.0) / 1000.0;
        (target - column(value, 1)).powi(2)
    });
    let squares: Vec<f64> = squares.collect();
    assert_eq!(squares.len(), 11);
    assert!((squares.iter().sum::<f64>() / 11.0 - error(&network)).abs() < 1e-5, "{values}");
    assert!(refused(&["data", "yardstick", &name, &name, "--values", &values_name]).contains("one file"));

    let engine = measure(&["--engine", "cmd=self,name=another"]);
    assert_eq!((&engine["by"], &engine["without_score"]), (&"another".into(), &0.into()));
    assert!((error(&engine) - error(&network)).abs() < 1e-3, "what is told is rounded: {engine}");
    let search = measure(&["--nodes", "300", "--threads", "2"]);
    assert!(search["by"] == "built-in network, 300 nodes" && error(&search) < 0.02, "{search}");
    assert_eq!(measure(&["--nodes", "300"]), search);

    selfplay(&games, "5");
    succeeds(&["data", "rescore", &games, "--out", &labels, "--nodes", "200", "--classical"]);
    let text = succeeds(&["data", "yardstick", &name, &labels, "--classical"]);
    let blocks = text.lines().filter(|line| line.contains("classical evaluation, scale")).count();
    assert_eq!(blocks, 2, "{text}");
    assert!(["perturbed ", "tree ", "endgame ", "total "].iter().all(|part| text.contains(part)), "{text}");

    assert!(refused(&["data", "yardstick", &games]).contains("no text"));
    assert!(refused(&["data", "yardstick", &name, "/nowhere/x.tsv"]).contains("/nowhere/x.tsv"));
    assert!(refused(&["data", "yardstick", &name, "--network", &name]).contains("no network of Rukh"));
    assert!(
        refused(&["data", "yardstick", &name, "--engine", "cmd=/nowhere/engine"])
            .contains("cannot be started")
    );
    fs::write(&table, TABLE.replace("\t60\t920", "\t61\t920")).expect("it can be written");
    assert!(refused(&["data", "yardstick", &name]).contains("line 2: win, draw and loss add up to 1001"));
}

/// The mean of a network with itself is the network.
#[test]
fn networks_are_averaged() {
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/eval/networks/default.net");
    let ((_, mean), (table, name), (other, other_name)) =
        (path("mean.net"), path("average.tsv"), path("other.net"));
    fs::write(&table, TABLE).expect("it can be written");
    let told = succeeds(&["data", "average", network, network, "--share", "0.25", "--out", &mean]);
    assert!(told.starts_with("0.75 of (") && told.contains(" and 0.25 of ("), "{told}");
    let total =
        |network: &str| json(&["data", "yardstick", &name, "--network", network, "--json"])["total"].clone();
    assert_eq!(total(&mean), total(network));

    assert!(
        refused(&["data", "average", network, &name, "--out", &other_name]).contains("no network of Rukh")
    );
    assert!(
        refused(&["data", "average", network, network, "--share", "2", "--out", &other_name])
            .contains("0 to 1")
    );
    assert!(!other.exists());
}

/// Games come back from the store byte for byte; a damaged store is refused and writes nothing.
#[test]
fn games_are_packed_and_unpacked() {
    let ((games, source), (store, store_name), (back, back_name)) =
        (path("pack.vf"), path("pack.rkg"), path("back.vf"));
    selfplay(&source, "20");
    let pack = [
        "data",
        "pack",
        &source,
        "--out",
        &store_name,
        "--nodes",
        "30",
        "--seed",
        "1",
        "--network",
        "classical",
    ];
    assert!(succeeds(&pack).starts_with("20 games, "));
    let told = json(&["data", "unpack", &store_name, "--out", &back_name, "--json"]);
    assert_eq!(
        (&told["games"], &told["nodes"], &told["network"]),
        (&20.into(), &30.into(), &"classical".into())
    );
    assert_eq!(fs::read(&games).expect("it exists"), fs::read(&back).expect("it exists"));

    let bytes = fs::read(&store).expect("it exists");
    fs::write(&store, &bytes[..bytes.len() - 9]).expect("it can be written");
    fs::remove_file(&back).expect("it exists");
    let unpack = ["data", "unpack", &store_name, "--out", &back_name];
    assert!(refused(&unpack).contains("it ends within block 1") && !back.exists());
    assert!(refused(&["data", "unpack", &source]).contains("it is no store of games"));
    [games, store].iter().for_each(|path| fs::remove_file(path).expect("it exists"));
}
