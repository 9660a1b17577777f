//! The result of a workshop as text, as a Markdown page and as JSON.

use serde_json::Value as Json;

/// A table with what is said about it.
pub(super) struct Report {
    /// The headline of the page.
    pub title: &'static str,
    /// The conditions of the games.
    pub conditions: String,
    /// The names of the columns.
    pub head: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
    /// The same for programs.
    pub json: Json,
}

impl Report {
    /// Text with aligned columns; the first column is aligned to the left.
    pub(super) fn text(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|&name| name.to_owned()).collect();
        let lines = || [&head].into_iter().chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        lines().map(line).chain(self.notes.iter().cloned()).collect::<Vec<_>>().join("\n")
    }

    /// A page with the command that made it.
    pub(super) fn page(&self, command: &str) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let head: Vec<String> = self.head.iter().map(|&name| name.to_owned()).collect();
        let mut text = format!("# {}\n\n```sh\n{command}\n```\n\n{}\n\n", self.title, self.conditions);
        text += &line(&head);
        text += &format!("|{}\n", "---|".repeat(head.len()));
        self.rows.iter().for_each(|row| text += &line(row));
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }
}

/// The command line of this process as a shell takes it.
pub(super) fn command_line() -> String {
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=,./+:".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    ["rukh".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_the_page_has_the_same_cells() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let report = Report {
            title: "Title",
            conditions: "Conditions.".to_owned(),
            head: vec!["factor", "Elo"],
            rows: vec![row(["a", "+1.0 ± 2.0"]), row(["much longer", "-10.0 ± 2.0"])],
            notes: vec!["A note.".to_owned()],
            json: Json::Null,
        };
        assert_eq!(
            report.text(),
            "factor               Elo\na             +1.0 ± 2.0\nmuch longer  -10.0 ± 2.0\nA note."
        );
        assert_eq!(
            report.page("rukh x"),
            "# Title\n\n```sh\nrukh x\n```\n\nConditions.\n\n| factor | Elo |\n|---|---|\n| a | +1.0 ± 2.0 |\n\
             | much longer | -10.0 ± 2.0 |\n\nA note.\n"
        );
    }
}
