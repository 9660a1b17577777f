//! Weight averaging: a network whose weights are a mean of those of two others.
//!
//! A network that began as another one stays so near to it that the mean of their weights is a network, too, and often a
//! better one than both. It knows weights, not what they were trained on.

use rukh_eval::nnue::{NetworkKind, QuantisedNetwork};

/// The network between two others; `share` is that of the second, from 0 to 1.
pub fn average<K: NetworkKind>(
    first: &QuantisedNetwork<K>,
    second: &QuantisedNetwork<K>,
    share: f64,
) -> QuantisedNetwork<K> {
    let mean = |(&first, &second): (&i32, &i32)| {
        (f64::from(first) * (1.0 - share) + f64::from(second) * share).round() as i32
    };
    let sections: Vec<Vec<i32>> = first
        .sections()
        .iter()
        .zip(&second.sections())
        .map(|(first, second)| first.iter().zip(second).map(mean).collect())
        .collect();
    let description = format!(
        "{:.2} of ({}) and {share:.2} of ({})",
        1.0 - share,
        first.description(),
        second.description()
    );
    QuantisedNetwork::new(&description, &sections).expect("a mean of two weights is no greater than both")
}

#[cfg(test)]
mod tests {
    use rukh_eval::Network;
    use rukh_eval::nnue::Architecture;

    use super::average;

    /// A network whose weights count up, within what every section allows, multiplied by `factor`.
    fn network(factor: i32, description: &str) -> Network {
        const ARCHITECTURE: Architecture = Network::ARCHITECTURE;
        let sections: Vec<Vec<i32>> = ARCHITECTURE
            .sections()
            .iter()
            .map(|section| (0..section.count()).map(|at| (at % 15) as i32 * factor).collect())
            .collect();
        Network::new(description, &sections).expect("the weights are small")
    }

    #[test]
    fn weights_are_the_rounded_mean() {
        let (first, second) = (network(0, "first"), network(5, "second"));
        let mean = average(&first, &second, 0.3);
        for (mean, second) in mean.sections().iter().flatten().zip(second.sections().iter().flatten()) {
            assert_eq!(*mean, (f64::from(*second) * 0.3).round() as i32);
        }
        assert_eq!(mean.description(), "0.70 of (first) and 0.30 of (second)");
    }

    #[test]
    fn the_ends_are_the_networks_themselves() {
        let (first, second) = (network(-4, "first"), network(5, "second"));
        assert_eq!(average(&first, &second, 0.0).sections(), first.sections());
        assert_eq!(average(&first, &second, 1.0).sections(), second.sections());
    }
}
