//! The logistic curve from scores to expected scores, and the scale of it that fits best.

/// The expected score, from 0 to 1, of an evaluation in the unit of `scale`.
pub(crate) fn expected_score(evaluation: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-evaluation / scale).exp())
}

/// The mean squared error of what is expected by scores, each with the target beside it.
pub(crate) fn mean_squared_error(scores: &[(f64, f64)], scale: f64) -> f64 {
    let errors = scores.iter().map(|&(score, target)| (expected_score(score, scale) - target).powi(2));
    errors.sum::<f64>() / scores.len().max(1) as f64
}

/// The scale with the least squared error, in the unit of the evaluations.
pub(crate) fn best_scale(scores: &[(f64, f64)]) -> f64 {
    let error = |logarithm: f64| mean_squared_error(scores, logarithm.exp());
    // Ternary search over logarithms: there is one minimum.
    let (mut low, mut high) = (10_f64.ln(), 10_000_f64.ln());
    while high - low > 1e-4 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    low.midpoint(high).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_that_made_the_targets_is_found() {
        for scale in [40.0, 200.0, 900.0] {
            let scores: Vec<(f64, f64)> = (-100..=100)
                .map(|step| 10.0 * f64::from(step))
                .map(|score| (score, expected_score(score, scale)))
                .collect();
            let found = best_scale(&scores);
            assert!((found / scale - 1.0).abs() < 1e-3, "{found}, not {scale}");
            assert!(mean_squared_error(&scores, found) < 1e-6);
            assert!(mean_squared_error(&scores, 2.0 * scale) > 1e-4);
        }
    }
}
