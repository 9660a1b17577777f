//! Screening designs: Hadamard matrices, two levels for each factor. A design must not know what its factors are.
//!
//! A Hadamard matrix has entries of +1 and -1 and orthogonal columns. Its first column, all +1, is that of the constant; each
//! further column gives the levels of a factor. Columns that no factor needs are left out: what remains is orthogonal still.

use rukh_chess::random::SplitMix64;

/// The largest number of factors.
pub const MAX_FACTORS: usize = 127;

/// Settings of two-level factors, chosen so that the effects of all factors are estimated independently of each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    rows: Vec<Vec<bool>>,
}

impl Design {
    /// The smallest design for so many factors; none for no factor or more than [`MAX_FACTORS`].
    ///
    /// The seed decides the order of rows and columns, and which level of a factor is the first: without that the first row
    /// would have all factors at one level.
    pub fn new(factors: usize, seed: u64) -> Option<Self> {
        if !(1..=MAX_FACTORS).contains(&factors) {
            return None;
        }
        let order = (factors + 1..).find(|&order| is_constructible(order))?;
        let mut rows = hadamard(order)?;
        for row in &mut rows {
            let first = row[0];
            row.iter_mut().for_each(|is_plus| *is_plus = *is_plus == first);
        }
        let mut random = SplitMix64::new(seed);
        let mut columns: Vec<usize> = (1..order).collect();
        random.shuffle(&mut columns);
        let columns: Vec<(usize, bool)> =
            columns.into_iter().take(factors).map(|column| (column, random.below(2) == 1)).collect();
        let of_row = |row: &Vec<bool>| columns.iter().map(|&(column, plus)| row[column] == plus).collect();
        let mut rows: Vec<Vec<bool>> = rows.iter().map(of_row).collect();
        random.shuffle(&mut rows);
        Some(Self { rows })
    }

    /// Whether each factor is at its high level, row by row. The other side of a row has all of them at the other level.
    pub fn rows(&self) -> &[Vec<bool>] {
        &self.rows
    }

    /// How many factors there are.
    pub fn factors(&self) -> usize {
        self.rows[0].len()
    }
}

/// Whether [`hadamard`] has a matrix of that order.
fn is_constructible(order: usize) -> bool {
    matches!(order, 1 | 2)
        || (order.is_multiple_of(4)
            && (is_paley_one(order) || is_paley_two(order) || is_constructible(order / 2)))
}

/// A Hadamard matrix, true for +1: by the first or second construction of Paley, or by Sylvester's from one of half the order.
fn hadamard(order: usize) -> Option<Vec<Vec<bool>>> {
    match order {
        1 => Some(vec![vec![true]]),
        _ if !is_constructible(order) => None,
        _ if is_paley_one(order) => Some(paley_one(order - 1)),
        _ if is_paley_two(order) => Some(paley_two(order / 2 - 1)),
        _ => hadamard(order / 2).map(|half| sylvester(&half)),
    }
}

fn is_paley_one(order: usize) -> bool {
    is_prime(order - 1) && (order - 1) % 4 == 3
}

fn is_paley_two(order: usize) -> bool {
    order.is_multiple_of(4) && is_prime(order / 2 - 1) && (order / 2 - 1) % 4 == 1
}

fn is_prime(number: usize) -> bool {
    number > 1
        && (2..number).take_while(|divisor| divisor * divisor <= number).all(|it| !number.is_multiple_of(it))
}

/// Whether a number is a square modulo the prime `q`, and not 0.
fn is_residue(number: usize, q: usize) -> bool {
    !number.is_multiple_of(q) && (1..q).any(|root| root * root % q == number % q)
}

/// `[[H, H], [H, -H]]`.
fn sylvester(half: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let double = |row: &Vec<bool>, is_plus: bool| {
        row.iter().copied().chain(row.iter().map(|&it| it == is_plus)).collect::<Vec<bool>>()
    };
    let upper = half.iter().map(|row| double(row, true));
    upper.chain(half.iter().map(|row| double(row, false))).collect()
}

/// Of order q + 1, for a prime q that is 3 modulo 4: the unit matrix and a skew one of the squares modulo q.
fn paley_one(q: usize) -> Vec<Vec<bool>> {
    let entry = |row: usize, column: usize| match (row, column) {
        (0, _) => true,
        (_, 0) => false,
        _ => row == column || is_residue(q + row - column, q),
    };
    (0..=q).map(|row| (0..=q).map(|column| entry(row, column)).collect()).collect()
}

/// Of order 2(q + 1), for a prime q that is 1 modulo 4: each entry of a symmetric conference matrix becomes two by two.
fn paley_two(q: usize) -> Vec<Vec<bool>> {
    let entry = |row: usize, column: usize| {
        let (outer_row, outer_column) = (row / 2, column / 2);
        let is_last = row % 2 == 1 && column % 2 == 1;
        match (outer_row, outer_column) {
            // 0 becomes [[1, -1], [-1, -1]].
            _ if outer_row == outer_column => row.is_multiple_of(2) && column.is_multiple_of(2),
            // 1 becomes [[1, 1], [1, -1]], and -1 the opposite.
            (0, _) | (_, 0) => !is_last,
            _ => is_residue(q + outer_row - outer_column, q) != is_last,
        }
    };
    let order = 2 * (q + 1);
    (0..order).map(|row| (0..order).map(|column| entry(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(is_plus: bool) -> i32 {
        if is_plus { 1 } else { -1 }
    }

    #[test]
    fn designs_are_balanced_and_orthogonal() {
        for factors in (1..12).chain((12..=MAX_FACTORS).step_by(5)) {
            let design = Design::new(factors, 7 + factors as u64).expect("the number is in range");
            let count = design.rows().len();
            assert!(count > factors && count <= factors + 8, "{factors} factors in {count} rows");
            assert_eq!(design.factors(), factors);
            for one in 0..factors {
                let sum: i32 = design.rows().iter().map(|row| sign(row[one])).sum();
                assert_eq!(sum, 0, "{factors} factors: column {one}");
                for other in 0..one {
                    let product: i32 =
                        design.rows().iter().map(|row| sign(row[one]) * sign(row[other])).sum();
                    assert_eq!(product, 0, "{factors} factors: columns {other} and {one}");
                }
            }
        }
    }

    #[test]
    fn the_size_is_the_next_order() {
        for (factors, rows) in
            [(1, 2), (2, 4), (3, 4), (4, 8), (11, 12), (12, 16), (20, 24), (27, 28), (48, 56)]
        {
            assert_eq!(Design::new(factors, 1).map(|design| design.rows().len()), Some(rows), "{factors}");
        }
        assert_eq!(Design::new(0, 1), None);
        assert_eq!(Design::new(MAX_FACTORS + 1, 1), None);
    }

    #[test]
    fn the_seed_decides_the_design() {
        assert_eq!(Design::new(20, 3), Design::new(20, 3));
        assert_ne!(Design::new(20, 3), Design::new(20, 4));
        // No row is extreme by construction, as the first row of a plain matrix is.
        let design = Design::new(20, 3).expect("the number is in range");
        let high = |row: &Vec<bool>| row.iter().filter(|&&is_high| is_high).count();
        assert!(design.rows().iter().all(|row| (3..18).contains(&high(row))), "{design:?}");
    }
}
