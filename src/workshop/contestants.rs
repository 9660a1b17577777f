//! The base and its candidates as described on the command line.

use std::collections::HashSet;

use rukh_lab::arena::{Control, Entrant};

use crate::arena::entrants;

/// The base, then the candidates: at least one, each with a name of its own.
pub(super) fn contestants(
    base: &str,
    candidates: &[String],
    control: &Control,
) -> Result<Vec<Entrant>, String> {
    if candidates.is_empty() {
        return Err("there is no candidate: give --candidate".to_owned());
    }
    let base = entrants::read(base, control)?;
    let candidates = candidates.iter().map(|text| entrants::read_variant(text, &base));
    let all = [Ok(base.clone())].into_iter().chain(candidates).collect::<Result<Vec<_>, _>>()?;
    let mut names = HashSet::new();
    match all.iter().find(|entrant| !names.insert(&entrant.name)) {
        Some(twice) => {
            Err(format!("two engines are called {:?}: give one of them another name=", twice.name))
        }
        None => Ok(all),
    }
}
