//! Options: the listing, and setting them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{TestEngine, talk, talk_of, test_session, transcript};
use rukh_chess::Position;
use rukh_chess::game::Outcome;
use rukh_engine::Engine;
use rukh_engine::api::Settings;
use rukh_eval::{Evaluation, Network, PolicyNetwork};
use rukh_knowledge::polyglot::Maker;
use rukh_protocol::options::{Declaration, OptionKind};

/// The listing as a GUI parses it: for each name, the words after `type`.
fn listing() -> BTreeMap<String, Vec<String>> {
    let lines = talk_of("option name ", "uci\n");
    lines
        .iter()
        .map(|line| {
            let (name, kind) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            (name.to_owned(), kind.split(' ').map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn the_listing_has_the_form_of_uci() {
    let lines = talk("uci\n");
    assert!(lines[0].starts_with("id name Rukh "));
    assert_eq!(lines[1], "id author the Rukh developers");
    assert_eq!(lines.last().unwrap(), "uciok");
    assert_eq!(lines.len(), Declaration::all().count() + 3);
    assert!(lines.contains(&"option name Hash type spin default 16 min 1 max 33554432".to_owned()));
    assert!(lines.contains(&"option name Move Overhead type spin default 10 min 0 max 5000".to_owned()));
    assert!(lines.contains(&"option name UCI_Chess960 type check default false".to_owned()));
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    assert!(lines.contains(&"option name Debug Log File type string default <empty>".to_owned()));
}

#[test]
fn the_listing_matches_the_declarations() {
    transcript(|| {
        let listing = listing();
        assert_eq!(listing.len(), Declaration::all().count());
        for option in Declaration::all() {
            let words = listing[option.name].iter().map(String::as_str).collect::<Vec<_>>();
            match option.kind {
                OptionKind::Spin { default, min, max, .. } => {
                    let ["spin", "default", d, "min", lo, "max", hi] = words[..] else { panic!("{words:?}") };
                    let numbers = [d, lo, hi].map(|word| word.parse::<i32>().unwrap());
                    assert_eq!(numbers, [default, min, max]);
                    assert!((min..=max).contains(&default));
                }
                OptionKind::Check { default, .. } => {
                    assert_eq!(words, ["check", "default", if default { "true" } else { "false" }]);
                }
                OptionKind::Combo { values: choices, .. } => {
                    assert_eq!(words[..3], ["combo", "default", choices[0]]);
                    let choices: Vec<_> = choices.iter().flat_map(|choice| ["var", choice]).collect();
                    assert_eq!(words[3..], choices);
                }
                OptionKind::String { .. } => assert_eq!(words, ["string", "default", "<empty>"]),
                OptionKind::Button { .. } => assert_eq!(words, ["button"]),
            }
        }
    });
}

#[test]
fn defaults_match_the_engine() {
    let default = |name| match Declaration::find(name).unwrap().kind {
        OptionKind::Spin { default, .. } => default,
        _ => panic!("{name} is a number"),
    };
    let settings = Settings::default();
    assert_eq!(default("Hash"), Engine::DEFAULT_HASH as i32);
    assert_eq!(default("Threads"), settings.threads as i32);
    assert_eq!(default("MultiPV"), settings.multipv as i32);
    assert_eq!(default("Move Overhead") as u128, settings.move_overhead.as_millis());
    assert_eq!(default("Contempt"), settings.contempt);
}

#[test]
fn names_ignore_case() {
    for name in ["Move Overhead", "move overhead", "MOVE  OVERHEAD", "MoveOverhead", "moveoverhead"] {
        assert_eq!(Declaration::find(name).unwrap().name, "Move Overhead");
    }
    for option in Declaration::all() {
        assert_eq!(Declaration::find(&option.name.to_uppercase()).unwrap().name, option.name);
    }
    assert!(Declaration::find("").is_none());
}

/// Options that GUIs, tournament managers and bots send without reading the listing.
#[test]
fn common_options_are_accepted() {
    let listing = listing();
    let (mut session, screen, _) = test_session();
    for (name, value) in [
        ("Move Overhead", "100"),
        ("SyzygyPath", ""),
        ("UCI_ShowWDL", "true"),
        ("Ponder", "true"),
        ("UCI_Opponent", "GM 2800 human Gary Kasparov"),
        ("UCI_Opponent", "none none computer Some Engine 1.0"),
        ("UCI_AnalyseMode", "true"),
        ("UCI_Chess960", "true"),
        ("UCI_LimitStrength", "true"),
        ("UCI_Elo", "1800"),
        ("Skill Level", "10"),
        ("Hash", "256"),
        ("Threads", "2"),
        ("MultiPV", "3"),
    ] {
        assert!(listing.contains_key(name), "{name} is not declared");
        session.execute(&format!("setoption name {name} value {value}"));
        assert_eq!(screen.take(), [""; 0], "{name}");
    }
    // The opponent may also be set during a search.
    session.execute("go infinite");
    screen.wait_for("info depth");
    screen.clear();
    session.execute("setoption name UCI_Opponent value WIM 2300 human Somebody");
    session.execute("isready");
    assert_eq!(screen.take(), ["readyok"]);
}

#[test]
fn settings_reach_the_engine() {
    let (mut session, screen, calls) = test_session();
    for line in [
        "setoption name threads value 4",
        "setoption name MULTIPV value 3",
        "setoption name MoveOverhead value 30",
        "setoption name Contempt value -15",
        "setoption name Hash value 64",
        "setoption name clear hash",
        "setoption name Ponder value True",
    ] {
        session.execute(line);
    }
    assert_eq!(screen.take(), [""; 0]);
    let calls = calls.lock().unwrap();
    let expected = Settings {
        threads: 4,
        multipv: 3,
        move_overhead: Duration::from_millis(30),
        contempt: -15,
        ..Settings::default()
    };
    assert_eq!(calls.settings.last(), Some(&expected));
    assert_eq!((calls.hash.as_slice(), calls.clears), ([64].as_slice(), 1));
}

#[test]
fn contempt_is_zero_in_analysis() {
    let (mut session, _, calls) = test_session();
    let contempt = || calls.lock().unwrap().settings.last().unwrap().contempt;
    session.execute("setoption name Contempt value 20");
    assert_eq!(contempt(), 20);
    session.execute("setoption name UCI_AnalyseMode value true");
    assert_eq!(contempt(), 0);
    session.execute("setoption name Contempt value 30");
    assert_eq!(contempt(), 0);
    session.execute("setoption name UCI_AnalyseMode value false");
    assert_eq!(contempt(), 30);
}

/// The network is kept while the classical evaluation is in use. Setting the same evaluation again does nothing.
#[test]
fn the_evaluation_can_be_changed() {
    let (mut session, screen, calls) = test_session();
    let other = std::env::temp_dir().join(format!("rukh-other-{}.net", std::process::id()));
    let network = Network::clone(&Network::built_in()).described("another one");
    std::fs::write(&other, network.to_bytes()).unwrap();
    let load = format!("setoption name EvalFile value {}", other.display());
    for line in [
        "setoption name Evaluation value Network",
        "setoption name Evaluation value classical",
        &load,
        "setoption name Evaluation value network",
        &load,
        "setoption name EvalFile value <empty>",
        "setoption name EvalFile value",
    ] {
        session.execute(line);
    }
    std::fs::remove_file(&other).unwrap();
    assert_eq!(screen.take(), [""; 0]);
    let chosen = &calls.lock().unwrap().evaluations;
    let expected = [
        Evaluation::Classical,
        Evaluation::Network(Arc::new(network)),
        Evaluation::Network(Network::built_in()),
    ];
    assert_eq!(*chosen, expected);
}

/// A wrong policy network is refused and the old one stays; an empty name is that of the built-in one.
#[test]
fn a_wrong_policy_network_is_refused() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        let file = std::env::temp_dir().join(format!("rukh-policy-{}.net", std::process::id()));
        let shown = file.display();
        for (bytes, reason) in [
            (b"RUKH net".as_slice(), "it is no policy network of Rukh"),
            (b"RUKH pol\x07\0\0\0", "it is a policy network of version 7; this program reads version 1"),
        ] {
            std::fs::write(&file, bytes).unwrap();
            session.execute(&format!("setoption name PolicyFile value {shown}"));
            let refusal =
                format!("info string the policy network is unchanged: {shown} cannot be loaded: {reason}");
            assert_eq!(screen.take(), [refusal]);
        }
        std::fs::remove_file(&file).unwrap();
        assert_eq!(calls.lock().unwrap().policies, []);
        session.execute("setoption name PolicyFile value");
        assert_eq!(calls.lock().unwrap().policies, [PolicyNetwork::built_in()]);
    });
}

/// A leaf network is loaded by the hook; a failure leaves the old one. The backend may be chosen before or after the file.
#[cfg(feature = "leaf-network")]
#[test]
fn a_leaf_network_is_loaded_for_a_backend() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        let names = || -> Vec<_> { calls.lock().unwrap().leaf_networks.drain(..).collect() };
        session.execute("setoption name LeafNetwork value a.rkt");
        assert_eq!((screen.take(), names()), (vec![], vec![Some("a.rkt on cpu".to_owned())]));
        session.execute("setoption name LeafNetwork value missing.rkt");
        let refusal =
            "info string the leaf network is unchanged: missing.rkt cannot be loaded: it is not there";
        assert_eq!((screen.take(), names()), (vec![refusal.to_owned()], vec![]));
        session.execute("setoption name Backend value cuda");
        let notice = "info string there is no GPU".to_owned();
        assert_eq!((screen.take(), names()), (vec![notice], vec![Some("a.rkt on cuda".to_owned())]));
        session.execute("setoption name LeafNetwork value");
        assert_eq!((screen.take(), names()), (vec![], vec![None]));
        session.execute("setoption name Backend value cpu");
        assert_eq!((screen.take(), names()), (vec![], vec![]));
        session.execute("setoption name LeafNetwork value b.rkt");
        assert_eq!(names(), [Some("b.rkt on cpu".to_owned())]);
    });
}

/// A program without leaf networks refuses their options.
#[cfg(not(feature = "leaf-network"))]
#[test]
fn without_the_feature_there_is_no_leaf_network() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        session.execute("setoption name LeafNetwork value a.rkt");
        assert_eq!(screen.take(), ["info string there is no option \"LeafNetwork\""]);
        assert_eq!(calls.lock().unwrap().leaf_networks, []);
    });
}

/// The book is used only in games, and only in the opening.
#[test]
fn book_moves_are_played() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        let file = std::env::temp_dir().join(format!("rukh book {}.bin", std::process::id()));
        let mut maker = Maker::default();
        let start = Position::default();
        maker.add(&start, &[start.parse_san("b3").unwrap()], 1, Outcome::Draw);
        std::fs::write(&file, maker.finish(1).to_bytes()).unwrap();
        session.execute(&format!("setoption name BookFile value {}", file.display()));
        session.execute("setoption name OwnBook value true");
        session.execute("go wtime 1000 btime 1000");
        assert_eq!(screen.take(), ["info string book move", "bestmove b2b3"]);
        assert!(calls.lock().unwrap().requests.is_empty());
        for line in ["go infinite", "go movetime 5 searchmoves e2e4", "go mate 3"] {
            session.execute(line);
            session.execute("stop");
        }
        session.execute("position startpos moves b2b3 b7b6");
        session.execute("go movetime 5");
        session.execute("stop");
        assert_eq!(calls.lock().unwrap().requests.len(), 4);
        screen.clear();
        std::fs::write(&file, b"no book").unwrap();
        session.execute(&format!("setoption name BookFile value {}", file.display()));
        let refusal = format!(
            "{file:?} cannot be loaded: it is not a Polyglot book: its 7 bytes are not entries of 16 bytes"
        );
        assert_eq!(screen.take(), [format!("info string the book is unchanged: {refusal}")]);
        std::fs::remove_file(&file).unwrap();
        session.execute("position startpos");
        session.execute("go depth 1");
        let output = screen.take();
        assert_eq!(output, ["info string book move", "bestmove b2b3"], "the old book is kept");
    });
}

/// Folder names may contain spaces. Folders that cannot be opened change nothing.
#[test]
fn tablebases_are_opened() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        let folder = std::env::temp_dir().join(format!("rukh some tables {}", std::process::id()));
        let open = format!("setoption name SyzygyPath value {}", folder.display());
        // It may be left over from a run that was meant to fail.
        let _ = std::fs::remove_dir_all(&folder);
        session.execute(&open);
        let (shown, missing) = (folder.display(), std::fs::read_dir(&folder).unwrap_err());
        let refusal = "info string the tablebases are unchanged:";
        assert_eq!(screen.take(), [format!("{refusal} {shown} cannot be read: {missing}")]);
        std::fs::create_dir_all(&folder).unwrap();
        session.execute(&open);
        assert_eq!(screen.take(), [format!("{refusal} there are no tablebase files in {shown}")]);
        std::fs::write(folder.join("KRvK.rtbw"), b"sixteen bytes...").unwrap();
        session.execute(&open);
        assert_eq!(screen.take(), ["info string 1 tablebases with up to 3 pieces"]);
        session.execute("setoption name SyzygyPath value <empty>");
        session.execute("setoption name Syzygy50MoveRule value false");
        session.execute("setoption name SyzygyProbeLimit value 5");
        session.execute("setoption name SyzygyProbeDepth value 3");
        assert_eq!(screen.take(), [""; 0]);
        std::fs::remove_dir_all(&folder).unwrap();
        let calls = calls.lock().unwrap();
        assert_eq!(calls.tablebases, [Some(3), None]);
        let used = calls.settings.last().unwrap().tablebase;
        assert_eq!((used.depth, used.pieces, used.counts_fifty), (3, 5, false));
    });
}

#[test]
fn a_file_that_is_no_network_is_refused() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        let bad = std::env::temp_dir().join(format!("rukh-bad-{}.net", std::process::id()));
        // It may be left over from a run that was meant to fail.
        let _ = std::fs::remove_file(&bad);
        let missing = std::fs::read(&bad).unwrap_err().to_string();
        let good = Network::built_in().to_bytes();
        for (bytes, reason) in [
            (None, missing),
            (Some(b"not a network".as_slice()), "it is no network of Rukh".to_owned()),
            (Some(&good[..1000]), format!("it has 1000 bytes, not {}", good.len())),
        ] {
            if let Some(bytes) = bytes {
                std::fs::write(&bad, bytes).unwrap();
            }
            let shown = bad.display();
            session.execute(&format!("setoption name EvalFile value {shown}"));
            let refusal = format!("info string the network is unchanged: {shown} cannot be loaded: {reason}");
            assert_eq!(screen.take(), [refusal]);
        }
        std::fs::remove_file(&bad).unwrap();
        session.execute("setoption name Evaluation value magic");
        assert_eq!(screen.take(), ["info string Evaluation takes network or classical, not \"magic\""]);
        assert_eq!(calls.lock().unwrap().evaluations, []);
    });
}

#[test]
fn invalid_values_are_refused_and_change_nothing() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        for (line, reason) in [
            ("setoption name Hash value 0", "Hash takes a number from 1 to 33554432, not \"0\""),
            (
                "setoption name Hash value 33554433",
                "Hash takes a number from 1 to 33554432, not \"33554433\"",
            ),
            ("setoption name Hash value many", "Hash takes a number from 1 to 33554432, not \"many\""),
            ("setoption name Hash value 16 MB", "Hash takes a number from 1 to 33554432, not \"16 MB\""),
            (
                "setoption name Threads value 99999999999999999999",
                "Threads takes a number from 1 to 1024, not \"99999999999999999999\"",
            ),
            ("setoption name Threads value 2.5", "Threads takes a number from 1 to 1024, not \"2.5\""),
            ("setoption name MultiPV value -1", "MultiPV takes a number from 1 to 256, not \"-1\""),
            ("setoption name Contempt value 201", "Contempt takes a number from -200 to 200, not \"201\""),
            ("setoption name Hash", "Hash needs a value"),
            ("setoption name Ponder value yes", "Ponder takes true or false, not \"yes\""),
            ("setoption name Ponder", "Ponder needs a value"),
            ("setoption name Style value wild", "there is no option \"Style\""),
            (
                "setoption name Hash value 2000",
                "there is no memory for a table of 2000 MiB; the old one stays",
            ),
        ] {
            session.execute(line);
            assert_eq!(screen.take(), [format!("info string {reason}")], "{line}");
        }
        let calls = calls.lock().unwrap();
        assert!(calls.settings.is_empty() && calls.hash.is_empty(), "{calls:?}");
    });
}

#[test]
fn options_that_need_an_idle_engine_wait_for_the_end_of_the_search() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        session.execute("go infinite");
        screen.wait_for("info depth");
        screen.clear();
        for line in
            ["setoption name Hash value 32", "setoption name Threads value 2", "setoption name Clear Hash"]
        {
            session.execute(line);
        }
        session.execute("setoption name Threads value 0");
        session.execute("setoption name UCI_ShowWDL value true");
        session.execute("isready");
        assert_eq!(
            screen.take(),
            [
                "info string Hash is set when the search has ended",
                "info string Threads is set when the search has ended",
                "info string Clear Hash is set when the search has ended",
                "info string Threads takes a number from 1 to 1024, not \"0\"",
                "readyok",
            ]
        );
        assert!(calls.lock().unwrap().hash.is_empty());
        session.execute("stop");
        assert_eq!(screen.take(), ["bestmove a2a3 ponder a7a6"]);
        let calls = calls.lock().unwrap();
        assert_eq!((calls.hash.as_slice(), calls.clears), ([32].as_slice(), 1));
        assert_eq!(calls.settings.last().unwrap().threads, 2);
    });
}

#[test]
fn options_wait_for_a_limited_search() {
    transcript(|| {
        let (mut session, screen, calls) = test_session();
        session.execute("go depth 3");
        session.execute(&format!("setoption name Hash value {}", TestEngine::MAX_HASH + 1));
        session.execute("setoption name MultiPV value 2");
        screen.wait_for("bestmove");
        screen.clear();
        // A refusal is reported when the change is applied.
        session.execute("isready");
        assert_eq!(
            screen.take(),
            ["info string there is no memory for a table of 1001 MiB; the old one stays", "readyok"]
        );
        assert_eq!(calls.lock().unwrap().settings.last().unwrap().multipv, 2);
    });
}

#[test]
fn the_log_contains_input_and_output() {
    let folder = std::env::temp_dir().join(format!("rukh log {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("two words.txt");
    let shown = path.display();
    let output = talk(&format!(
        "isready\nsetoption name Debug Log File value {shown}\nisready\nxyz\nsetoption name debug log file value <empty>\nisready\n"
    ));
    assert_eq!(output.len(), 4);
    let log = std::fs::read_to_string(&path).unwrap();
    let expected = [
        "<< isready",
        ">> readyok",
        "<< xyz",
        ">> info string \"xyz\" is not a command; help lists them all",
        "<< setoption name debug log file value <empty>",
    ];
    assert_eq!(log.lines().collect::<Vec<_>>(), expected);

    let output = talk(&format!("setoption name Debug Log File value {}\nisready\n", folder.display()));
    assert!(
        output[0].starts_with("info string the log ") && output[0].contains("cannot be opened"),
        "{output:?}"
    );
    assert_eq!(output[1], "readyok");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A tuner is shown only what `setoption` takes; a plain build says how to get there.
#[test]
fn tuners_are_shown_what_can_be_set() {
    let (lines, listing) = (talk("spsa\n"), listing());
    if !listing.contains_key("see_pawn") {
        let sentence =
            "info string the tunables are constants in this build; make TUNE=yes builds them as options";
        assert_eq!(lines, [sentence]);
        return;
    }
    assert!(lines.len() > 50);
    for line in &lines {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", value, min, max, step, rate] = fields[..] else { panic!("{line}") };
        assert_eq!(listing[name], ["spin", "default", value, "min", min, "max", max], "{line}");
        let [value, min, max, step, rate] =
            [value, min, max, step, rate].map(|number| number.parse::<f64>().unwrap());
        assert!(min < max && (min..=max).contains(&value) && step > 0.0 && rate > 0.0, "{line}");
    }
}
