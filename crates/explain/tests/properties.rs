//! Properties of explanations, whatever the searches say: an analyst with random scores and lines, on positions of random
//! games of Chess960.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position, Setup};
use rukh_eval::Score;
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::claims::claim::Claim;
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::fact::Predicate;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::level::Level;
use rukh_explain::claims::question::{Explanation, NOISE, Question};
use rukh_explain::claims::words;
use rukh_explain::review::PositionAnalysis;

/// Random lines, with scores from a list.
struct RandomAnalyst {
    random: SplitMix64,
    /// Wins in thousandths; the rest is lost.
    wins: &'static [u32],
    /// Whether lines have neither captures nor checks nor promotions.
    is_quiet: bool,
}

impl RandomAnalyst {
    fn new(seed: u64, wins: &'static [u32], is_quiet: bool) -> Self {
        Self { random: SplitMix64::new(seed), wins, is_quiet }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        let at = self.random.next() % list.len().max(1) as u64;
        list.get(at as usize).copied()
    }

    fn reply(&mut self, position: &Position) -> Option<Move> {
        let legal = position.legal_moves();
        let is_calm = |mv: &Move| !self.is_quiet || !mv.is_noisy() && !position.gives_check(*mv);
        let moves: Vec<_> = legal.iter().copied().filter(is_calm).collect();
        self.pick(&moves)
    }
}

impl Analyst for RandomAnalyst {
    fn analyse(&mut self, position: &Position, moves: &[Move], _: f64) -> Option<PositionAnalysis> {
        let first = if moves.is_empty() { self.reply(position) } else { self.pick(moves) };
        let mut here = position.clone();
        let mut pv = Vec::new();
        let mut next = first.or_else(|| position.legal_moves().first().copied());
        while let Some(mv) = next.filter(|_| pv.len() < 10) {
            here = here.after(mv);
            pv.push(mv);
            next = self.reply(&here);
        }
        let wins = self.pick(self.wins)?;
        let score = Score::new(wins as i32 - 500);
        Some(PositionAnalysis { score, wdl: [wins, 0, 1000 - wins], pv })
    }

    fn nodes(&self, _: f64) -> Option<u64> {
        Some(1)
    }
}

/// Explanations of random moves of random games.
fn explanations(count: u64, wins: &'static [u32], is_quiet: bool) -> Vec<Explanation> {
    let mut found = Vec::new();
    for seed in 0..count {
        let mut analyst = RandomAnalyst::new(seed, wins, is_quiet);
        let number = (analyst.random.next() % 960) as u16;
        let mut here = Setup::chess960(number, number).validate().expect("a start position is valid");
        let mut previous = None;
        for _ in 0..analyst.random.next() % 100 {
            let Some(mv) = analyst.pick(&here.legal_moves()) else { break };
            previous = Some((here.clone(), mv));
            here = here.after(mv);
        }
        let Some(mv) = analyst.pick(&here.legal_moves()) else { continue };
        let previous = previous.as_ref().map(|(before, mv)| (before, *mv));
        let question = Question { position: &here, previous, mv: Some(mv), against: None };
        found.extend(explain(&question, &mut analyst));
    }
    found
}

#[test]
fn a_move_within_two_percent_of_the_best_is_never_called_a_mistake() {
    let (mut close, mut far) = (0, 0);
    for answer in explanations(600, &[480, 490, 495, 500, 505, 510, 515, 520, 540, 800], false) {
        if answer.mv != answer.best && answer.loss() > NOISE {
            far += usize::from(answer.judgement().is_some());
            continue;
        }
        close += 1;
        let position = &answer.position;
        assert_eq!(answer.judgement(), None, "{position}");
        for claim in &answer.claims {
            let blames =
                matches!(claim.kind, ClaimKind::WhyNot | ClaimKind::AllowsMate | ClaimKind::LeavesEnPrise);
            let is_for_opponent = claim.side != position.side_to_move() && claim.kind != ClaimKind::Fortress;
            assert!(!blames && !is_for_opponent, "{position}: {claim:?}");
        }
        for level in [Level::Beginner, Level::Club, Level::Expert] {
            let text = words::sentences(&answer, level, 3).join(" ");
            assert!(!text.contains("loses at least") || text.contains("every other loses"), "{text}");
        }
    }
    assert!(close > 100 && far > 50, "{close} close moves, {far} bad ones");
}

#[test]
fn lines_without_tactics_give_no_tactical_claim() {
    let mut quiet = 0;
    for answer in explanations(300, &[495, 500, 505], true) {
        // Mates by checks are found by the rules, whatever the analyst says.
        if answer.position.gives_check(answer.mv) || answer.mv.is_noisy() || answer.expected != [0.5, 0.5] {
            continue;
        }
        quiet += 1;
        let is_calm = |kind: ClaimKind| {
            matches!(
                kind,
                ClaimKind::AsGood
                    | ClaimKind::Forced
                    | ClaimKind::Fortress
                    | ClaimKind::Plan
                    | ClaimKind::PositionalChange
            )
        };
        let is_mate = |claim: &Claim| {
            let after_pass = claim.pass.iter().flat_map(|pass| &pass.facts);
            claim
                .facts
                .iter()
                .chain(after_pass)
                .any(|fact| matches!(fact.predicate, Predicate::ForcedMate { .. }))
        };
        let position = &answer.position;
        let is_right = |claim: &Claim| is_calm(claim.kind) || is_mate(claim);
        assert!(answer.claims.iter().all(is_right), "{position}: {:?}", answer.claims);
    }
    assert!(quiet > 20, "{quiet} quiet moves");
}
