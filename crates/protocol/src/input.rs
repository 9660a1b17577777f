//! Input lines from arbitrary bytes. Lines have a maximum length; invalid UTF-8 is replaced.

use std::io::{self, BufRead, ErrorKind};

/// The maximum length of a line: a hundred times that of a game of ten thousand moves.
const MAX_BYTES: usize = 8 << 20;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InputLine {
    /// The text without the line break. Invalid UTF-8 has become replacement characters.
    Text(String),
    /// The line was too long and has been skipped.
    TooLong,
}

/// The next line; `None` at the end of the input.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok((length > 0).then(|| finish(&line, length)));
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
            return Ok(Some(finish(&line, length)));
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

    use crate::input::{InputLine, MAX_BYTES, read_line};

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        // A small buffer splits lines into several chunks.
        let mut input = BufReader::with_capacity(5, Cursor::new(bytes));
        std::iter::from_fn(|| read_line(&mut input).expect("a cursor can be read")).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn all_line_breaks_are_accepted() {
        assert_eq!(
            lines(b"one\r\ntwo long line\n\nend"),
            [text("one"), text("two long line"), text(""), text("end")]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(lines(b"a\xff\0b\nc"), [text("a\u{fffd}\0b"), text("c")]);
    }

    #[test]
    fn too_long_a_line_is_skipped() {
        let mut bytes = vec![b'x'; MAX_BYTES + 1];
        bytes.extend(b"\nafter\n");
        assert_eq!(lines(&bytes), [InputLine::TooLong, text("after")]);
    }
}
