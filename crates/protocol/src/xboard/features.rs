//! What the engine can do, as XBoard wants to be told.

use crate::about::{NAME, VERSION};
use crate::options::{Declaration, Kind};

/// Options that XBoard sets by commands of its own, or has no use for.
const NOT_TOLD: [&str; 8] = [
    "Hash",
    "Threads",
    "Ponder",
    "SyzygyPath",
    "UCI_Chess960",
    "UCI_AnalyseMode",
    "UCI_Opponent",
    "UCI_ShowWDL",
];

/// Everything but the options.
const FEATURES: &str = "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 \
                        colors=0 ics=0 name=0 pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 egt=\"syzygy\" \
                        variants=\"normal,fischerandom\"";

/// All features, a line each for those that are long.
pub(super) fn all() -> String {
    let options = Declaration::all()
        .filter(|option| !NOT_TOLD.contains(&option.name))
        .map(|option| format!("feature option=\"{}\"\n", declare(option)))
        .collect::<String>();
    format!(
        "feature done=0\nfeature {FEATURES}\nfeature myname=\"{NAME} {VERSION}\"\n{options}feature done=1"
    )
}

fn declare(option: &Declaration) -> String {
    let kind = match option.kind {
        Kind::Spin { default, min, max, .. } => format!("-spin {default} {min} {max}"),
        Kind::Check { default, .. } => format!("-check {}", u8::from(default)),
        Kind::Choice { words, .. } => {
            let words = words.iter().enumerate().map(|(at, word)| match at {
                0 => format!("*{word}"),
                _ => (*word).to_owned(),
            });
            format!("-combo {}", words.collect::<Vec<_>>().join(" /// "))
        }
        // An empty text ends with the word itself.
        Kind::Text { .. } if option.name.ends_with("File") => "-file ".to_owned(),
        Kind::Text { .. } => "-string ".to_owned(),
        Kind::Button { .. } => "-button".to_owned(),
    };
    format!("{} {kind}", option.name)
}
