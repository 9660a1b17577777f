//! What the server can do, and the words of the search tree.

use std::sync::Arc;

use axum::extract::State;
use rukh_engine::api::Algorithm;
use rukh_engine::strength::Strength;
use rukh_engine::technique::Technique;
use rukh_engine::witness::{NodeKind, Purpose, Reason};
use serde_json::{Value, json};

use crate::app::App;
use crate::body::JsonReply;
use crate::config::Config;

pub(super) async fn info(State(app): State<Arc<App>>) -> JsonReply<Value> {
    let config = &app.config;
    let word = |name: &str, sentence: &str| json!({ "name": name, "sentence": sentence.trim() });
    let reason = |reason: &Reason| {
        let mut json = word(reason.name(), reason.sentence());
        json["technique"] = json!(reason.technique().map(Technique::name));
        json
    };
    let techniques = Technique::ALL.iter().map(|technique| {
        json!({
            "name": technique.name(),
            "sentence": technique.sentence().trim(),
            "is_on": technique.is_in_play(),
            "search": technique.algorithm().name(),
        })
    });
    let levels = (0..=Strength::MAX_LEVEL).map(|level| {
        let strength = Strength::of_level(level);
        json!({ "level": level, "elo": (!strength.is_full()).then(|| strength.elo()) })
    });
    let described = config.evaluations.described();
    let evaluations =
        described.map(|(name, description)| json!({ "name": name, "description": description }));
    JsonReply(json!({
        "name": config.name,
        "most": {
            "threads": config.threads,
            "hash": config.hash,
            "multipv": Config::MULTIPV,
            "sessions": config.sessions,
            "tree_nodes": Config::TREE_NODES,
            "recorded_nodes": Config::RECORDED_NODES,
        },
        "searches": Algorithm::ALL.map(Algorithm::name),
        "evaluations": evaluations.collect::<Vec<_>>(),
        "levels": levels.collect::<Vec<_>>(),
        "elo": [Strength::MIN_ELO, Strength::MAX_ELO],
        "tablebase_pieces": config.tablebase.as_ref().map_or(0, |tables| tables.max_pieces()),
        "has_lab": config.lab.is_some(),
        "words": {
            "reasons": Reason::ALL.iter().map(reason).collect::<Vec<_>>(),
            "purposes": Purpose::ALL.iter().map(|it| word(it.name(), it.sentence())).collect::<Vec<_>>(),
            "kinds": NodeKind::ALL.iter().map(|it| word(it.name(), it.sentence())).collect::<Vec<_>>(),
            "techniques": techniques.collect::<Vec<_>>(),
        },
    }))
}
