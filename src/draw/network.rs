//! The picture of the network: its layers with their widths, activations and quantisation, from the one description that
//! inference and training share.

use std::fmt::Write;
use std::path::PathBuf;

use rukh_eval::nnue::description::{Layer, Stored};
use rukh_eval::nnue::features::MAX_PIECES;
use rukh_eval::nnue::{Architecture, Current, NetworkKind};

use super::parts::head;

/// Draw the layers of the network
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The picture is that of the architecture which this program is built with.

Examples:
  rukh draw network --out network.svg";

const LEFT: usize = 14;
const TOP: usize = 40;
/// The size of a layer.
const WIDTH: usize = 170;
const HEIGHT: usize = 74;
/// The space between two layers, with an arrow.
const GAP: usize = 44;
/// The space between the two perspectives.
const BETWEEN: usize = 30;
/// The height of one output bucket.
const BUCKET: usize = 18;
const LINE: usize = 16;
const BOTTOM: usize = 30;

/// The picture.
pub(super) fn draw(_: &Args) -> Result<String, String> {
    Ok(picture(&Current::ARCHITECTURE))
}

fn picture(architecture: &Architecture) -> String {
    let column = |at: usize| LEFT + at * (WIDTH + GAP);
    let rows = [TOP, TOP + HEIGHT + BETWEEN];
    let middle = TOP + HEIGHT + BETWEEN / 2;
    let (hidden, output) = architecture.dense.split_at(architecture.dense.len() - 1);
    let stack = architecture.output_buckets * BUCKET;
    let height = (rows[1] + HEIGHT).max(middle + stack / 2) + BOTTOM;
    let mut svg = head(column(3 + hidden.len()) + WIDTH, height, "The network");

    title(&mut svg, column(0), "inputs");
    title(&mut svg, column(1), "feature transformer");
    for (row, side) in rows.into_iter().zip(["side to move", "opponent"]) {
        block(&mut svg, column(0), row, &inputs(architecture, side).each_ref().map(String::as_str));
        block(&mut svg, column(1), row, &neurons(&architecture.transformer).each_ref().map(String::as_str));
        arrow(&mut svg, (column(0) + WIDTH, row + HEIGHT / 2), (column(1), row + HEIGHT / 2));
        arrow(&mut svg, (column(1) + WIDTH, row + HEIGHT / 2), (column(2), middle));
    }
    note(&mut svg, column(1) + WIDTH / 2, middle + 4, "the same weights");
    for (at, layer) in hidden.iter().enumerate() {
        title(&mut svg, column(2 + at), layer.name);
        let lines = neurons(layer);
        block(&mut svg, column(2 + at), middle - HEIGHT / 2, &lines.each_ref().map(String::as_str));
        arrow(&mut svg, (column(2 + at) + WIDTH, middle), (column(3 + at), middle));
    }
    outputs(&mut svg, architecture, &output[0], (column(2 + hidden.len()), middle - stack / 2));
    arrow(&mut svg, (column(2 + hidden.len()) + WIDTH, middle), (column(3 + hidden.len()), middle));
    let unit = format!("1 is {} internal units", architecture.scale);
    note_at(&mut svg, column(3 + hidden.len()) + 6, middle - 4, "score");
    note_at(&mut svg, column(3 + hidden.len()) + 6, middle - 4 + LINE, &unit);
    svg + "</svg>\n"
}

/// The output buckets, each with its numbers of pieces.
fn outputs(svg: &mut String, architecture: &Architecture, output: &Layer, (x, y): (usize, usize)) {
    title(svg, x, &format!("{} in {} buckets", output.name, architecture.output_buckets));
    for bucket in 0..architecture.output_buckets {
        let pieces: Vec<u32> =
            (2..=MAX_PIECES as u32).filter(|&pieces| architecture.output_bucket(pieces) == bucket).collect();
        let top = y + bucket * BUCKET;
        add(
            svg,
            format_args!(
                "<rect class=\"cell\" x=\"{x}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{BUCKET}\"/>\n"
            ),
        );
        if let (Some(least), Some(most)) = (pieces.first(), pieces.last()) {
            note(svg, x + WIDTH / 2, top + 13, &format!("{least} to {most} pieces"));
        }
    }
    let below = y + architecture.output_buckets * BUCKET + LINE;
    note(svg, x + WIDTH / 2, below, &quantisation(output));
}

/// What is written into the inputs of a side.
fn inputs(architecture: &Architecture, side: &str) -> [String; 3] {
    let buckets = match architecture.inputs.buckets() {
        1 => "mirrored by the king".to_owned(),
        buckets => format!("{buckets} king buckets, mirrored"),
    };
    [format!("perspective, {side}"), format!("{} inputs", grouped(architecture.inputs.features())), buckets]
}

/// What is written into a layer.
fn neurons(layer: &Layer) -> [String; 3] {
    [format!("{} neurons", grouped(layer.width)), layer.activation.name().to_owned(), quantisation(layer)]
}

fn quantisation(layer: &Layer) -> String {
    let bits = match layer.weights.stored {
        Stored::I8 => 8,
        Stored::I16 => 16,
        Stored::I32 => 32,
    };
    format!("weights of {bits} bits, 1 is {}", layer.weights.one)
}

fn title(svg: &mut String, x: usize, text: &str) {
    add(svg, format_args!("<text class=\"title\" x=\"{x}\" y=\"20\">{text}</text>\n"));
}

/// A rectangle with lines of text.
fn block(svg: &mut String, x: usize, y: usize, lines: &[&str]) {
    add(
        svg,
        format_args!(
            "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\"/>\n"
        ),
    );
    let first = y + (HEIGHT - (lines.len() - 1) * LINE) / 2 + 4;
    for (at, line) in lines.iter().enumerate() {
        note(svg, x + WIDTH / 2, first + at * LINE, line);
    }
}

/// A text around its middle.
fn note(svg: &mut String, x: usize, y: usize, text: &str) {
    add(svg, format_args!("<text class=\"text\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>\n"));
}

/// A text from its left end.
fn note_at(svg: &mut String, x: usize, y: usize, text: &str) {
    add(svg, format_args!("<text class=\"text\" x=\"{x}\" y=\"{y}\">{text}</text>\n"));
}

/// A line with a head.
fn arrow(svg: &mut String, (from_x, from_y): (usize, usize), (to_x, to_y): (usize, usize)) {
    const HEAD: usize = 7;
    let neck = to_x - HEAD;
    add(
        svg,
        format_args!("<line class=\"line\" x1=\"{from_x}\" y1=\"{from_y}\" x2=\"{neck}\" y2=\"{to_y}\"/>"),
    );
    let (above, below) = (to_y - 4, to_y + 4);
    add(
        svg,
        format_args!("<polygon class=\"low\" points=\"{neck},{above} {to_x},{to_y} {neck},{below}\"/>\n"),
    );
}

fn grouped(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

fn add(svg: &mut String, text: std::fmt::Arguments<'_>) {
    svg.write_fmt(text).expect("a string can grow");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_and_bucket_is_drawn() {
        let output = Current::ARCHITECTURE.dense[Current::ARCHITECTURE.dense.len() - 1];
        let hidden = Layer { name: "hidden layer", width: 16, ..Current::ARCHITECTURE.transformer };
        let dense: &'static [Layer] = Box::leak(Box::new([hidden, output]));
        let architecture = Architecture { dense, output_buckets: 4, ..Current::ARCHITECTURE };
        let svg = picture(&architecture);
        for text in [
            "perspective, side to move",
            "perspective, opponent",
            "16 neurons",
            "output in 4 buckets",
            "26 to 32 pieces",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert_eq!(svg.matches("<rect").count(), 2 + 2 + 1 + 4);
        assert_eq!(svg.matches("<polygon").count(), 2 + 2 + 1 + 1);
    }
}
