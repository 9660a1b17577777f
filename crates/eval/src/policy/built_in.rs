//! The policy network that is built into the program.

use std::sync::{Arc, LazyLock};

use super::network::PolicyNetwork;

impl PolicyNetwork {
    /// The built-in policy network; `None` if the program was built without one.
    pub fn built_in() -> Option<Arc<Self>> {
        const BYTES: &[u8] = include_bytes!(env!("RUKH_POLICY"));
        static NETWORK: LazyLock<Option<Arc<PolicyNetwork>>> = LazyLock::new(|| {
            if BYTES.is_empty() {
                return None;
            }
            match PolicyNetwork::read(BYTES) {
                Ok(network) => Some(Arc::new(network)),
                Err(error) => panic!("the built-in policy network cannot be used: {error}"),
            }
        });
        NETWORK.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::Position;

    /// The built-in network has a description, and takes a queen that is free.
    #[test]
    fn the_built_in_network_can_be_used() {
        let Some(network) = PolicyNetwork::built_in() else { return };
        assert!(!network.description().is_empty());
        let position: Position =
            "rnb1kbnr/pppp1ppp/8/4q3/8/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 4".parse().expect("it is valid");
        let moves = position.legal_moves();
        let mut logits = Vec::new();
        network.logits(&position, &moves, &mut logits);
        let best =
            (0..moves.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).expect("there are moves");
        assert_eq!(moves[best], position.parse_uci("f3e5").expect("it is legal"));
    }
}
