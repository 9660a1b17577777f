//! A labelled position: a position with what is known about it, from games, lines of text or files of labels.
//!
//! It does not know what it is used for. Forms for training ([`crate::texel::Sample`], rows of a network trainer) are built
//! from it.

mod position;
mod quiet;
mod text;

pub use position::{LabelledPosition, SampleKind};
pub use text::BadLine;
pub(crate) use text::{board_of, result_name};
