//! Text forms for serde: squares as `e4`, pieces as `knight`, colours as `white`. They know no claim.

pub(crate) mod square {
    //! A square as text.
    use rukh_chess::Square;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(square: &Square, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(square)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Square, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a square")))
    }
}

pub(crate) mod squares {
    //! Squares as a list of text.
    use rukh_chess::Square;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(squares: &[Square], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(squares.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Square>, D::Error> {
        let words = Vec::<String>::deserialize(from)?;
        let read =
            |text: &String| text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a square")));
        words.iter().map(read).collect()
    }
}

pub(crate) mod piece {
    //! A kind of piece as text.
    use rukh_chess::Piece;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::piece_text::name;

    pub(crate) fn serialize<S: Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(name(*piece))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let text = String::deserialize(from)?;
        let found = Piece::ALL.into_iter().find(|piece| name(*piece) == text);
        found.ok_or_else(|| D::Error::custom(format!("{text:?} is not a piece")))
    }
}

pub(crate) mod color {
    //! A colour as text.
    use rukh_chess::Color;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(color: &Color, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&color.to_string().to_lowercase())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Color, D::Error> {
        let text = String::deserialize(from)?;
        let found = Color::ALL.into_iter().find(|color| color.to_string().to_lowercase() == text);
        found.ok_or_else(|| D::Error::custom(format!("{text:?} is not a colour")))
    }
}
