//! The description of an architecture as JSON, from which `scripts/pupil` builds and writes networks.

use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::description::{Layer, Quantisation};
use serde_json::{Value, json};

/// The layers from below, how their weights are stored, and the hash that is in the header of network files.
pub fn described(architecture: &Architecture) -> Value {
    let quantised = |Quantisation { one, max, stored }: Quantisation| json!({ "one": one, "max": max, "bytes": stored.bytes() });
    let described = |layer: &Layer, inputs| {
        json!({
            "name": layer.name,
            "width": layer.width,
            "inputs": inputs,
            "activation": layer.activation.name(),
            "weights": quantised(layer.weights),
            "biases": quantised(layer.bias),
        })
    };
    let transformer = described(&architecture.transformer, architecture.inputs.features());
    let dense =
        architecture.dense.iter().enumerate().map(|(at, layer)| described(layer, architecture.inputs_of(at)));
    json!({
        "notation": architecture.to_string(),
        "hash": format!("{:016x}", architecture.hash()),
        "hash_of_one_bucket": format!("{:016x}", architecture.without_king_buckets().hash()),
        "king_buckets": architecture.inputs.king_buckets,
        "output_buckets": architecture.output_buckets,
        "scale": architecture.scale,
        "layers": std::iter::once(transformer).chain(dense).collect::<Vec<_>>(),
    })
}
