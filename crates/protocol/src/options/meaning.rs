//! The meaning of every option in one sentence, for the documentation.

use rukh_engine::params::tunables;

use super::declaration::Declaration;

impl Declaration {
    /// What the option does, in one sentence; empty for an option without one, which a test refuses.
    pub fn meaning(&self) -> &'static str {
        let tunable = tunables().find(|tunable| tunable.name == self.name);
        tunable.map_or_else(|| meaning_of(self.name), |tunable| tunable.sentence.trim())
    }
}

/// The sentence for an option of play.
fn meaning_of(name: &str) -> &'static str {
    match name {
        "Hash" => "Size of the transposition table in mebibytes.",
        "Threads" => "Search threads (Lazy SMP).",
        "MultiPV" => "Number of best lines that are searched and reported.",
        "Move Overhead" => "Milliseconds kept back for each move, for the transmission to the GUI or server.",
        "Contempt" => "Centipawns by which a draw is worse than equal for the engine.",
        "Ponder" => "Listed so that GUIs ponder; the GUI decides when.",
        "UCI_Chess960" => "Castling moves are written as the king taking its rook.",
        "UCI_ShowWDL" => "Reports win, draw and loss probabilities in thousandths with each score.",
        "UCI_AnalyseMode" => "The game is analysed, not played: contempt is ignored.",
        "UCI_Opponent" => "Title, rating, kind and name of the opponent; accepted and not used.",
        "Clear Hash" => "Clears the transposition table and everything learnt from searches.",
        "Evaluation" => "The evaluation: the network or the classical one; a change clears the engine.",
        "EvalFile" => "A network file to use instead of the embedded network; empty for the embedded one.",
        "UCI_LimitStrength" => "Limits the strength to the rating of UCI_Elo.",
        "UCI_Elo" => "The rating to play at if UCI_LimitStrength is on; 3200 is full strength.",
        "Skill Level" => {
            "The strength in equal steps of rating, used if UCI_LimitStrength is off; 20 is full strength."
        }
        "OwnBook" => "Plays moves from the opening book.",
        "BookFile" => "A Polyglot book to use instead of the embedded book; empty for the embedded one.",
        "BookDepth" => "Moves of each side for which the book is used.",
        "BookVariety" => {
            "How often other book moves than the heaviest are played: 0 never, 100 in proportion to their weights."
        }
        "SyzygyPath" => "Folders of Syzygy tablebases, separated as in PATH; empty closes them.",
        "SyzygyProbeDepth" => "Least depth at which positions with the most pieces are probed.",
        "SyzygyProbeLimit" => "Positions with more pieces are not probed.",
        "Syzygy50MoveRule" => "Tablebase results count the fifty-move rule.",
        "Techniques" => {
            "Names of search techniques, with commas between them, that are switched against their default."
        }
        "Debug Log File" => "A file to which all input and output is appended; empty for none.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_meaning() {
        for option in Declaration::all() {
            assert!(!option.meaning().is_empty(), "{} has no meaning in meaning.rs", option.name);
        }
    }
}
