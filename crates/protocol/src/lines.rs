//! Lines from bytes that may be anything.

use std::io::{BufRead, ErrorKind};

/// A game of ten thousand moves fits in a hundredth of this; what is longer is not meant seriously.
const MAX_BYTES: usize = 8 << 20;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InputLine {
    /// Its text without the line break. Bytes that are not UTF-8 have become replacement characters.
    Text(String),
    /// It was too long, and has been passed over.
    TooLong,
}

/// The next line, or nothing at the end. A source that fails has ended.
pub(crate) fn next_line(input: &mut impl BufRead) -> Option<InputLine> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if chunk.is_empty() {
            return (length > 0).then(|| finish(&line, length));
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        length += part.len();
        if length <= MAX_BYTES {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Some(finish(&line, length));
        }
    }
}

fn finish(line: &[u8], length: usize) -> InputLine {
    if length > MAX_BYTES {
        return InputLine::TooLong;
    }
    InputLine::Text(String::from_utf8_lossy(line).trim_end_matches('\r').to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use crate::lines::{InputLine, MAX_BYTES, next_line};

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        // A small buffer, so that lines come in several parts.
        let mut input = BufReader::with_capacity(5, Cursor::new(bytes));
        std::iter::from_fn(|| next_line(&mut input)).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn line_breaks_of_all_systems() {
        assert_eq!(
            lines(b"one\r\ntwo long line\n\nend"),
            [text("one"), text("two long line"), text(""), text("end")]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert_eq!(lines(b"a\xff\0b\nc"), [text("a\u{fffd}\0b"), text("c")]);
    }

    #[test]
    fn too_long_a_line_is_passed_over() {
        let mut bytes = vec![b'x'; MAX_BYTES + 1];
        bytes.extend(b"\nafter\n");
        assert_eq!(lines(&bytes), [InputLine::TooLong, text("after")]);
    }
}
