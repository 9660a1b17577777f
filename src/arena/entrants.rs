//! Engines as described on the command line: `cmd=PATH,name=NAME,...`.

use std::path::PathBuf;
use std::time::Duration;

use rukh_engine::api::Algorithm;
use rukh_lab::arena::{Control, Entrant, Protocol};

/// Parses `cmd=PATH,name=NAME,...`. An engine without limits of its own has those of `control`.
pub(crate) fn read(text: &str, control: &Control) -> Result<Entrant, String> {
    let mut command = None;
    let mut name = None;
    let mut entrant = Entrant {
        name: String::new(),
        command: PathBuf::new(),
        args: Vec::new(),
        directory: None,
        protocol: Protocol::Uci,
        options: Vec::new(),
        control: Control { margin: control.margin, ..Control::default() },
        ponders: false,
    };
    for part in split(text, ',') {
        let (key, value) = part.split_once('=').unwrap_or((&part, ""));
        let bad = |what: &str| format!("{value:?} is not a {what} (in the engine {text:?})");
        let positive = |what: &str| value.parse().ok().filter(|&number| number > 0).ok_or_else(|| bad(what));
        match key {
            "cmd" => command = Some(value.to_owned()),
            "name" => name = Some(value.to_owned()),
            "proto" => {
                entrant.protocol = match value {
                    "uci" => Protocol::Uci,
                    "xboard" | "cecp" | "winboard" => Protocol::Xboard,
                    _ => return Err(bad("protocol; there are uci and xboard")),
                }
            }
            "args" => entrant.args = split(value, ' '),
            "dir" => entrant.directory = Some(PathBuf::from(value)),
            "tc" => entrant.control.clock = Some(value.parse().map_err(|error| format!("{error}"))?),
            "movetime" => {
                entrant.control.move_time = Some(Duration::from_millis(positive("time in milliseconds")?));
            }
            "nodes" => entrant.control.nodes = Some(positive("number of nodes")?),
            "depth" => entrant.control.depth = Some(positive("depth")?.min(u64::from(u32::MAX)) as u32),
            "margin" => {
                let margin = value.parse().map_err(|_| bad("margin in milliseconds"))?;
                entrant.control.margin = Duration::from_millis(margin);
            }
            "ponder" => entrant.ponders = value.is_empty() || value == "true",
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    entrant.options.push((option.to_owned(), value.to_owned()));
                }
                _ => {
                    return Err(format!(
                        "an engine has no key {key:?}; the keys are cmd, name, proto, args, dir, option.NAME, tc, movetime, nodes, \
                         depth, margin and ponder"
                    ));
                }
            },
        }
    }
    finish(entrant, command, name, text, control)
}

/// Sets the search of those engines that are this program and have none of their own.
pub(crate) fn set_search(entrants: &mut [Entrant], search: Algorithm) {
    const OPTION: &str = "Search";
    let this = std::env::current_exe().ok();
    for entrant in entrants.iter_mut().filter(|entrant| Some(&entrant.command) == this.as_ref()) {
        if !entrant.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(OPTION)) {
            entrant.options.push((OPTION.to_owned(), search.to_string()));
        }
    }
}

/// Parses a variant of `base`: without `cmd=` it is the same program. Options and limits that it does not name are those of
/// the base.
pub(crate) fn read_variant(text: &str, base: &Entrant) -> Result<Entrant, String> {
    let parts = split(text, ',');
    let has = |keys: &[&str]| {
        parts.iter().any(|part| keys.contains(&part.split_once('=').map_or(part.as_str(), |(key, _)| key)))
    };
    let variant = if has(&["cmd"]) {
        read(text, &base.control)?
    } else {
        if !has(&["name"]) {
            return Err(format!("the candidate {text:?} has no name=NAME"));
        }
        if has(&["proto", "args", "dir", "ponder"]) {
            return Err(format!(
                "the candidate {text:?} changes how the program is started: give its cmd=PROGRAM too"
            ));
        }
        let Entrant { name, options, control, .. } = read(&format!("cmd=self,{text}"), &base.control)?;
        Entrant { name, options, control, ..base.clone() }
    };
    let mut options = base.options.clone();
    for (name, value) in variant.options {
        match options.iter_mut().rfind(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some(known) => known.1 = value,
            None => options.push((name, value)),
        }
    }
    Ok(Entrant { options, ..variant })
}

/// Checks that there is a program and a limit, and fills in the name.
fn finish(
    mut entrant: Entrant,
    command: Option<String>,
    name: Option<String>,
    text: &str,
    control: &Control,
) -> Result<Entrant, String> {
    let command = command.filter(|command| !command.is_empty());
    let command = command.ok_or_else(|| format!("the engine {text:?} has no cmd=PROGRAM"))?;
    if !entrant.control.is_limited() {
        entrant.control = Control { margin: entrant.control.margin, ..control.clone() };
    }
    if !entrant.control.is_limited() {
        return Err("the engines have no limit: give --tc, --movetime, --nodes or --depth".to_owned());
    }
    entrant.command = match command.as_str() {
        "self" => std::env::current_exe()
            .map_err(|error| format!("cannot find the path of this program: {error}"))?,
        command => PathBuf::from(command),
    };
    let file_name = || PathBuf::from(&command).file_name().map(|name| name.to_string_lossy().into_owned());
    entrant.name = name.filter(|name| !name.is_empty()).or_else(file_name).unwrap_or(command);
    Ok(entrant)
}

/// Splits a text. Separators in quotes do not split; the quotes are removed.
fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_quoted = false;
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c == separator && !is_quoted => parts.push(String::new()),
            c => parts.last_mut().expect("there is at least one part").push(c),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control() -> Control {
        Control { nodes: Some(1_000), margin: Duration::from_millis(5), ..Control::default() }
    }

    #[test]
    fn engines_are_parsed() {
        let text = "cmd=/usr/games/old,proto=xboard,args=\"-a b,c\",option.Hash=16,option.Move Overhead=5,tc=40/60,ponder";
        let entrant = read(text, &control()).expect("it is well formed");
        assert_eq!(entrant.name, "old");
        assert_eq!(entrant.protocol, Protocol::Xboard);
        assert_eq!(entrant.args, ["-a", "b,c"]);
        assert_eq!(entrant.options[1], ("Move Overhead".to_owned(), "5".to_owned()));
        assert_eq!(entrant.control.to_string(), "40/60");
        assert!(entrant.ponders);
        let plain = read("cmd=x,name=First", &control()).expect("it is well formed");
        assert_eq!((plain.name.as_str(), plain.control), ("First", control()));
    }

    #[test]
    fn a_search_is_that_of_the_engines_of_this_program_that_name_none() {
        let texts = ["cmd=self,name=a", "cmd=self,name=b,option.search=uct", "cmd=other"];
        let mut entrants = texts.map(|text| read(text, &control()).expect("it is well formed"));
        set_search(&mut entrants, Algorithm::Mcts);
        let option = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        assert_eq!(entrants[0].options, option("Search", "mcts"));
        assert_eq!(entrants[1].options, option("search", "uct"));
        assert!(entrants[2].options.is_empty());
    }

    #[test]
    fn a_variant_has_what_it_does_not_name_from_the_base() {
        let base = read("cmd=old,args=x,option.Hash=8,option.Contempt=0,nodes=500", &control())
            .expect("well formed");
        let options = |entrant: &Entrant| {
            entrant
                .options
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let keen = read_variant("name=keen,option.contempt=20,option.Ponder=x", &base).expect("well formed");
        assert_eq!((keen.command.to_str(), keen.args.len(), keen.name.as_str()), (Some("old"), 1, "keen"));
        assert_eq!(options(&keen), "Hash=8 Contempt=20 Ponder=x");
        assert_eq!(keen.control.nodes, Some(500));
        let new = read_variant("cmd=new,nodes=900", &base).expect("well formed");
        assert_eq!((new.command.to_str(), new.args.len(), new.name.as_str()), (Some("new"), 0, "new"));
        assert_eq!((options(&new).as_str(), new.control.nodes), ("Hash=8 Contempt=0", Some(900)));
        for (text, complaint) in [
            ("option.Hash=1", "has no name"),
            ("name=x,ponder", "give its cmd="),
            ("name=x,args=y", "give its cmd="),
            ("name=x,colour=blue", "has no key \"colour\""),
        ] {
            let error = read_variant(text, &base).expect_err(text);
            assert!(error.contains(complaint), "{text:?}: {error}");
        }
    }

    #[test]
    fn malformed_engines_are_refused() {
        for (text, complaint) in [
            ("", "has no cmd"),
            ("name=x", "has no cmd"),
            ("cmd=x,proto=usi", "not a protocol"),
            ("cmd=x,tc=abc", "no time control"),
            ("cmd=x,nodes=0", "not a number of nodes"),
            ("cmd=x,colour=blue", "has no key \"colour\""),
            ("cmd=x,option.=4", "has no key \"option.\""),
        ] {
            let error = read(text, &control()).expect_err(text);
            assert!(error.contains(complaint), "{text:?}: {error}");
        }
        assert!(read("cmd=x", &Control::default()).expect_err("no limit").contains("have no limit"));
    }
}
