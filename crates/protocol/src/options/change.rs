//! Option changes: a value parsed and validated against its declaration.

use rukh_chess::notation::Quoted;

use super::declaration::{Declaration, OptionKind, Setter};
use super::target::OptionTarget;

/// A valid value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum OptionValue {
    Spin(i32),
    Check(bool),
    Combo(usize),
    String(String),
    Button,
}

/// A valid change: the option exists and accepts the value.
#[derive(Clone, Debug)]
pub struct OptionChange {
    declaration: &'static Declaration,
    value: OptionValue,
}

/// UCI's spelling of an empty text.
const EMPTY: &str = "<empty>";

impl Declaration {
    fn parse_value(&self, text: Option<&str>) -> Result<OptionValue, String> {
        let name = self.name;
        let given = || text.ok_or_else(|| format!("{name} needs a value"));
        match self.kind {
            OptionKind::Spin { min, max, .. } => {
                let text = given()?;
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(OptionValue::Spin).ok_or_else(|| {
                    format!("{name} takes a number from {min} to {max}, not {}", Quoted::new(text))
                })
            }
            OptionKind::Check { .. } => match given()? {
                text if text.eq_ignore_ascii_case("true") => Ok(OptionValue::Check(true)),
                text if text.eq_ignore_ascii_case("false") => Ok(OptionValue::Check(false)),
                text => Err(format!("{name} takes true or false, not {}", Quoted::new(text))),
            },
            OptionKind::Combo { values, .. } => {
                let text = given()?;
                let index = values.iter().position(|value| value.eq_ignore_ascii_case(text));
                index
                    .map(OptionValue::Combo)
                    .ok_or_else(|| format!("{name} takes {}, not {}", values.join(" or "), Quoted::new(text)))
            }
            OptionKind::String { .. } => {
                Ok(OptionValue::String(text.filter(|&text| text != EMPTY).unwrap_or_default().to_owned()))
            }
            OptionKind::Button { .. } => Ok(OptionValue::Button),
        }
    }
}

impl OptionChange {
    /// The change to this value, or the reason why it is not valid.
    pub fn parse(name: &str, value: Option<&str>) -> Result<Self, String> {
        let declaration =
            Declaration::find(name).ok_or_else(|| format!("there is no option {}", Quoted::new(name)))?;
        Ok(Self { declaration, value: declaration.parse_value(value)? })
    }

    /// The option.
    pub(crate) fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// Applies the change. On an error, nothing changes and the sentence gives the reason.
    pub(crate) fn apply(&self, target: &mut OptionTarget<'_>) -> Result<(), String> {
        match (self.declaration.kind, &self.value) {
            (OptionKind::Spin { apply: Setter::Session(apply), .. }, OptionValue::Spin(number)) => {
                apply(target, *number)
            }
            (OptionKind::Spin { apply: Setter::Global(apply), .. }, OptionValue::Spin(number)) => {
                apply(*number);
                Ok(())
            }
            (OptionKind::Check { apply, .. }, OptionValue::Check(is_on)) => {
                apply(target, *is_on);
                Ok(())
            }
            (OptionKind::Combo { apply, .. }, OptionValue::Combo(index)) => {
                apply(target, *index);
                Ok(())
            }
            (OptionKind::String { apply }, OptionValue::String(text)) => apply(target, text),
            (OptionKind::Button { apply }, _) => {
                apply(target);
                Ok(())
            }
            _ => unreachable!("the value was parsed for this declaration"),
        }
    }
}
