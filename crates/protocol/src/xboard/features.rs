//! The `feature` command: what the engine supports.

use crate::identity::{NAME, VERSION};
use crate::options::{Declaration, OptionKind};

/// Options that XBoard sets by its own commands, or does not use.
const OMITTED_OPTIONS: [&str; 8] = [
    "Hash",
    "Threads",
    "Ponder",
    "SyzygyPath",
    "UCI_Chess960",
    "UCI_AnalyseMode",
    "UCI_Opponent",
    "UCI_ShowWDL",
];

/// All features except the options.
const FEATURES: &str = "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 \
                        colors=0 ics=0 name=0 pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 egt=\"syzygy\" \
                        variants=\"normal,fischerandom\"";

/// All feature lines.
pub(super) fn all() -> String {
    let options = Declaration::all()
        .filter(|option| !OMITTED_OPTIONS.contains(&option.name))
        .map(|option| format!("feature option=\"{}\"\n", declare(option)))
        .collect::<String>();
    format!(
        "feature done=0\nfeature {FEATURES}\nfeature myname=\"{NAME} {VERSION}\"\n{options}feature done=1"
    )
}

fn declare(option: &Declaration) -> String {
    let kind = match option.kind {
        OptionKind::Spin { default, min, max, .. } => format!("-spin {default} {min} {max}"),
        OptionKind::Check { default, .. } => format!("-check {}", u8::from(default)),
        OptionKind::Combo { values, .. } => {
            let values = values.iter().enumerate().map(|(at, value)| match at {
                0 => format!("*{value}"),
                _ => (*value).to_owned(),
            });
            format!("-combo {}", values.collect::<Vec<_>>().join(" /// "))
        }
        // The default value is empty, so the declaration ends with a space.
        OptionKind::String { .. } if option.name.ends_with("File") => "-file ".to_owned(),
        OptionKind::String { .. } => "-string ".to_owned(),
        OptionKind::Button { .. } => "-button".to_owned(),
    };
    format!("{} {kind}", option.name)
}
