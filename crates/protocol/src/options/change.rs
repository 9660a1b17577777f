//! A value that fits its option.

use rukh_chess::notation::Quoted;

use super::declaration::{Declaration, Kind, Setter};
use super::target::Target;

/// A value that has been found fit for its option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Number(i32),
    Truth(bool),
    Word(usize),
    Text(String),
    Nothing,
}

/// A change that may be made: the option exists and the value fits.
#[derive(Clone, Debug)]
pub struct Change {
    declaration: &'static Declaration,
    value: Value,
}

/// How UCI programs write a text that is empty.
const EMPTY: &str = "<empty>";
impl Declaration {
    fn read(&self, text: Option<&str>) -> Result<Value, String> {
        let name = self.name;
        let given = || text.ok_or_else(|| format!("{name} needs a value"));
        match self.kind {
            Kind::Spin { min, max, .. } => {
                let text = given()?;
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(Value::Number).ok_or_else(|| {
                    format!("{name} takes a number from {min} to {max}, not {}", Quoted::new(text))
                })
            }
            Kind::Check { .. } => match given()? {
                text if text.eq_ignore_ascii_case("true") => Ok(Value::Truth(true)),
                text if text.eq_ignore_ascii_case("false") => Ok(Value::Truth(false)),
                text => Err(format!("{name} takes true or false, not {}", Quoted::new(text))),
            },
            Kind::Choice { words, .. } => {
                let text = given()?;
                let word = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                word.map(Value::Word)
                    .ok_or_else(|| format!("{name} takes {}, not {}", words.join(" or "), Quoted::new(text)))
            }
            Kind::Text { .. } => {
                Ok(Value::Text(text.filter(|&text| text != EMPTY).unwrap_or_default().to_owned()))
            }
            Kind::Button { .. } => Ok(Value::Nothing),
        }
    }
}

impl Change {
    /// The change that is asked for, or a sentence that says what is wrong with it.
    pub fn read(name: &str, value: Option<&str>) -> Result<Self, String> {
        let declaration =
            Declaration::find(name).ok_or_else(|| format!("there is no option {}", Quoted::new(name)))?;
        Ok(Self { declaration, value: declaration.read(value)? })
    }

    /// What is changed.
    pub fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// Makes it. If that is not possible nothing changes, and the sentence says why.
    pub fn apply(&self, target: &mut Target<'_>) -> Result<(), String> {
        match (self.declaration.kind, &self.value) {
            (Kind::Spin { apply: Setter::There(apply), .. }, Value::Number(number)) => apply(target, *number),
            (Kind::Spin { apply: Setter::Everywhere(apply), .. }, Value::Number(number)) => {
                apply(*number);
                Ok(())
            }
            (Kind::Check { apply, .. }, Value::Truth(is_on)) => {
                apply(target, *is_on);
                Ok(())
            }
            (Kind::Choice { apply, .. }, Value::Word(word)) => {
                apply(target, *word);
                Ok(())
            }
            (Kind::Text { apply }, Value::Text(text)) => apply(target, text),
            (Kind::Button { apply }, _) => {
                apply(target);
                Ok(())
            }
            _ => unreachable!("a change is only made by reading a value for its option"),
        }
    }
}
