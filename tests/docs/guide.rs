//! The figures of the guide: what the techniques of a chapter are worth, and the table of all techniques with their chapters.
//!
//! In a chapter `<!-- worth of NAME, NAME: generated -->` begins a table and `<!-- /worth -->` ends it.

use std::path::{Path, PathBuf};

use rukh_engine::technique::Technique;

use super::ablation::{self, Figures};
use super::{generated, techniques, tree};

const FOLDER: &str = "docs/guide";
const OVERVIEW: &str = "docs/guide/at-a-glance.md";
const BEGIN: &str = "<!-- worth of ";

/// The techniques that the tables of a chapter name.
fn named(text: &str) -> Vec<String> {
    let marks = text.split(BEGIN).skip(1).filter_map(|part| part.split_once(": generated -->"));
    marks.flat_map(|(names, _)| names.split(", ").map(str::to_owned)).collect()
}

/// The chapter with its tables made anew by `table`, which gets the names.
fn with_tables(text: &str, table: impl Fn(&[&str]) -> String) -> Option<String> {
    let mut parts = text.split(BEGIN);
    let mut new = parts.next()?.to_owned();
    for part in parts {
        let (names, rest) = part.split_once(": generated -->\n")?;
        let (_, after) = rest.split_once("<!-- /worth -->")?;
        let content = table(&names.split(", ").collect::<Vec<_>>());
        new += &format!("{BEGIN}{names}: generated -->\n{content}<!-- /worth -->{after}");
    }
    Some(new)
}

/// Where a technique has its section, and its code: both as links from the folder of the guide.
fn links(pages: &[(PathBuf, String)], name: &str) -> (String, String) {
    let (page, section) = techniques::section(pages, name).unwrap_or_else(|| panic!("{name} has no section"));
    let page = page.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let code = techniques::named_code(section);
    let (file, identifier) = code.first().unwrap_or_else(|| panic!("{name} does not name its code"));
    (format!("[{name}](../techniques/{page}#{name})"), format!("[`{identifier}`]({file})"))
}

fn games(figures: &Figures) -> [String; 2] {
    match &figures.games {
        None => ["not measured".to_owned(), String::new()],
        Some(games) => {
            let test = games.test.as_deref().map_or_else(String::new, |test| format!(", {test}"));
            [games.elo_text(), format!("{}{test}", games.results_text())]
        }
    }
}

fn nodes(figures: &Figures) -> String {
    figures.nodes_change.map_or_else(String::new, |change| format!("{change:+.1}%"))
}

fn figures(name: &str, all: &[(Technique, Figures)]) -> Figures {
    let found = all.iter().find(|(technique, _)| technique.name() == name);
    found.unwrap_or_else(|| panic!("there is no technique {name}")).1.clone()
}

/// The table of a chapter.
fn table(names: &[&str], pages: &[(PathBuf, String)], all: &[(Technique, Figures)]) -> String {
    let mut text = "| technique | code | Elo with it | games with it against without | nodes without it |\n|---|---|---|---|---|\n"
        .to_owned();
    for name in names {
        let (link, code) = links(pages, name);
        let figures = figures(name, all);
        let [elo, results] = games(&figures);
        text += &format!("| {link} | {code} | {elo} | {results} | {} |\n", nodes(&figures));
    }
    text
}

/// The table of all techniques.
fn overview(
    chapters: &[(PathBuf, String)],
    pages: &[(PathBuf, String)],
    all: &[(Technique, Figures)],
) -> String {
    let mut text =
        "| technique | chapter | code | Elo with it | nodes without it |\n|---|---|---|---|---|\n".to_owned();
    for &technique in Technique::ALL.iter().filter(|technique| technique.candidate().is_none()) {
        let name = technique.name();
        let (link, code) = links(pages, name);
        let figures = figures(name, all);
        let found = chapters.iter().filter(|(_, text)| named(text).iter().any(|other| other == name));
        let found: Vec<String> = found.map(|(file, _)| chapter_link(file)).collect();
        let off = if technique.is_in_play() { "" } else { " (off)" };
        let [elo, _] = games(&figures);
        text += &format!("| {link}{off} | {} | {code} | {elo} | {} |\n", found.join(", "), nodes(&figures));
    }
    text
}

fn chapter_link(file: &Path) -> String {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    format!("[{}]({name})", name.trim_end_matches(".md").replace('-', " "))
}

fn chapters() -> Vec<(PathBuf, String)> {
    tree::pages().into_iter().filter(|(page, _)| page.starts_with(FOLDER)).collect()
}

#[test]
fn the_figures_of_the_guide_are_those_of_the_ablation() {
    let (pages, (_, all)) = (techniques::pages(), ablation::stored());
    let chapters = chapters();
    for (file, text) in chapters.iter().filter(|(file, _)| file != Path::new(OVERVIEW)) {
        let new = with_tables(text, |names| table(names, &pages, &all));
        generated::settle(
            file,
            text,
            &new.unwrap_or_else(|| panic!("{}: a table has no end", file.display())),
        );
    }
    let (file, text) = chapters.iter().find(|(file, _)| file == Path::new(OVERVIEW)).expect("there is one");
    let new = generated::with_part(text, "techniques", &overview(&chapters, &pages, &all));
    generated::settle(file, text, &new.expect("the overview has its table"));
}

#[test]
fn every_technique_in_play_has_a_chapter() {
    let named: Vec<String> = chapters().iter().flat_map(|(_, text)| named(text)).collect();
    let in_play = Technique::ALL.iter().filter(|technique| technique.is_in_play());
    let missing: Vec<_> =
        in_play.map(|technique| technique.name()).filter(|name| !named.iter().any(|n| n == name)).collect();
    assert!(missing.is_empty(), "no chapter has the figures of {missing:?}");
}

#[test]
fn tables_are_replaced_and_nothing_else() {
    let text = "a\n<!-- worth of x, y: generated -->\nold\n<!-- /worth -->\nb\n";
    let new = with_tables(text, |names| format!("{}\n", names.join("+")));
    assert_eq!(new.as_deref(), Some("a\n<!-- worth of x, y: generated -->\nx+y\n<!-- /worth -->\nb\n"));
    assert_eq!(named(text), ["x", "y"]);
    assert_eq!(with_tables("<!-- worth of x: generated -->\n", |_| String::new()), None);
}
