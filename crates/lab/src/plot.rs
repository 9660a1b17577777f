//! Plots: lines and bars as SVG, and the style that all pictures share, for light and dark screens.

use std::fmt::Write;

/// One picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// How the numbers are drawn.
    pub shape: Shape,
    /// The numbers.
    pub series: Vec<Series>,
}

/// How numbers are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// From point to point.
    Line,
    /// A bar from zero for each point.
    Bars,
}

/// Numbers that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// How they are called; nothing where there is only one series.
    pub name: String,
    /// Their places and values.
    pub points: Vec<(f64, f64)>,
}

impl Chart {
    /// A picture of one series.
    pub fn of(title: impl Into<String>, shape: Shape, points: Vec<(f64, f64)>) -> Self {
        let series = vec![Series { name: String::new(), points }];
        Self { title: title.into(), shape, series }
    }
}

impl Series {
    fn finite(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.iter().copied().filter(|point| point.0.is_finite() && point.1.is_finite())
    }
}

/// The size of one picture, and what is left free around it for numbers and title.
const SIZE: (f64, f64) = (460.0, 260.0);
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
/// The height of the line with the names of the series.
const NAMES: f64 = 14.0;
const BOTTOM: f64 = 30.0;
/// About as many marks as an axis has.
const MARKS: f64 = 5.0;
/// The series of a chart have the classes `c0` to `c3` of the style in turn.
const COLORS: usize = 4;

/// The head of a picture: its size, its title for screen readers, and the style. `rules` are the rules of its own, for light
/// screens and for dark ones.
pub fn head(width: usize, height: usize, title: &str, (light, dark): (&str, &str)) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{}\">\n<style>\n{LIGHT}{light}@media (prefers-color-scheme: dark) {{\n{DARK}{dark}}}\n</style>\n",
        escaped(title)
    )
}

const LIGHT: &str = "\
svg { background: #ffffff; font-family: sans-serif; font-size: 11px; }
.text, .title { fill: #222222; } .name { fill: #333333; } .title { font-size: 13px; font-weight: bold; }
.line { stroke: #777777; fill: none; } .grid { stroke: #dddddd; }
.c0 { stroke: #1f5f8b; fill: #1f5f8b; } .c1 { stroke: #c8553d; fill: #c8553d; }
.c2 { stroke: #588157; fill: #588157; } .c3 { stroke: #7b5ea7; fill: #7b5ea7; }
.curve { fill: none; stroke-width: 1.5; } .bar, .label { stroke: none; }
";
const DARK: &str = "\
svg { background: #1d1f21; }
.text, .title, .name { fill: #dddddd; } .line { stroke: #999999; } .grid { stroke: #3c3f42; }
.c0 { stroke: #6cb2e0; fill: #6cb2e0; } .c1 { stroke: #e98f78; fill: #e98f78; }
.c2 { stroke: #94c293; fill: #94c293; } .c3 { stroke: #b9a0e0; fill: #b9a0e0; }
.curve { fill: none; } .bar, .label { stroke: none; }
";

/// The charts side by side, `columns` in a row.
pub fn svg(charts: &[Chart], columns: usize) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    let (width, height) = (SIZE.0 * columns as f64, SIZE.1 * charts.len().div_ceil(columns) as f64);
    let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    let mut text = head(width as usize, height as usize, &titles.join(", "), ("", ""));
    for (at, chart) in charts.iter().enumerate() {
        let (x, y) = (SIZE.0 * (at % columns) as f64, SIZE.1 * (at / columns) as f64);
        add(&mut text, format_args!("<g transform=\"translate({x} {y})\">\n"));
        draw(&mut text, chart);
        text.push_str("</g>\n");
    }
    text + "</svg>\n"
}

fn draw(text: &mut String, chart: &Chart) {
    let points = || chart.series.iter().flat_map(|series| series.points.iter().copied());
    let x = Axis::over(points().map(|point| point.0), LEFT, SIZE.0 - RIGHT);
    let from_zero = (chart.shape == Shape::Bars).then_some(0.0);
    let has_names = chart.series.iter().any(|series| !series.name.is_empty());
    let top = if has_names { TOP + NAMES } else { TOP };
    let y = Axis::over(points().map(|point| point.1).chain(from_zero), SIZE.1 - BOTTOM, top);
    add(text, format_args!("<text class=\"title\" x=\"{LEFT}\" y=\"18\">{}</text>\n", escaped(&chart.title)));
    for mark in y.marks() {
        let at = y.place(mark);
        add(
            text,
            format_args!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>",
                SIZE.0 - RIGHT
            ),
        );
        add(
            text,
            format_args!(
                "<text class=\"name\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                LEFT - 6.0,
                at + 4.0,
                number(mark)
            ),
        );
    }
    for mark in x.marks() {
        let (at, base) = (x.place(mark), SIZE.1 - BOTTOM);
        add(
            text,
            format_args!(
                "<text class=\"name\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                base + 16.0,
                number(mark)
            ),
        );
    }
    for (at, series) in chart.series.iter().enumerate() {
        let color = at % COLORS;
        match chart.shape {
            Shape::Line => line(text, series, &x, &y, color),
            Shape::Bars => bars(text, series, &x, &y, color),
        }
    }
    names(text, chart);
}

/// The names of the series in a line below the title, each in its colour.
fn names(text: &mut String, chart: &Chart) {
    /// The width of a letter, about.
    const LETTER: f64 = 6.2;
    const GAP: f64 = 14.0;
    let mut left = LEFT;
    for (at, series) in chart.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
        let (color, name) = (at % COLORS, escaped(&series.name));
        add(text, format_args!("<text class=\"c{color} label\" x=\"{left:.0}\" y=\"{TOP}\">{name}</text>\n"));
        left += LETTER * series.name.chars().count() as f64 + GAP;
    }
}

fn line(text: &mut String, series: &Series, x: &Axis, y: &Axis, color: usize) {
    add(text, format_args!("<polyline class=\"c{color} curve\" points=\""));
    for point in series.finite() {
        add(text, format_args!("{:.1},{:.1} ", x.place(point.0), y.place(point.1)));
    }
    text.push_str("\"/>\n");
}

fn bars(text: &mut String, series: &Series, x: &Axis, y: &Axis, color: usize) {
    /// Of the way to the next bar.
    const PART: f64 = 0.85;
    let steps = series.points.windows(2).map(|pair| x.place(pair[1].0) - x.place(pair[0].0));
    let width = (PART * steps.fold(f64::INFINITY, f64::min)).clamp(1.0, 30.0);
    let base = y.place(0.0);
    for (place, value) in series.finite() {
        let (left, top) = (x.place(place) - width / 2.0, y.place(value));
        let height = base - top;
        add(
            text,
            format_args!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"c{color} bar\"/>\n"
            ),
        );
    }
}

/// A range of numbers and where it lies in the picture.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        match () {
            () if low > high => Self { low: 0.0, high: 1.0, from, to },
            () if low == high => Self { low: low - 1.0, high: high + 1.0, from, to },
            () => Self { low, high, from, to },
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round numbers along the axis: one, two or five times a power of ten apart.
    fn marks(&self) -> impl Iterator<Item = f64> {
        /// What is a round number but for the last digit is one.
        const ALMOST: f64 = 0.999;
        let rough = (self.high - self.low) / MARKS;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|&step| step >= ALMOST * rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).map(move |mark| mark as f64 * step)
    }
}

/// A number as short as it can be.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{}M", rounded(value / 1e6)),
        size if size >= 1e4 => format!("{}k", rounded(value / 1e3)),
        _ => rounded(value),
    }
}

fn rounded(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text that may stand in an element or an attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        let marks = |low, high| {
            Axis { low, high, from: 0.0, to: 1.0 }.marks().map(number).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marks(0.0, 100.0), "0 20 40 60 80 100");
        assert_eq!(marks(-3.0, 7.0), "-2 0 2 4 6");
        assert_eq!(marks(0.08, 0.081), "0.08 0.0802 0.0804 0.0806 0.0808 0.081");
        assert_eq!(marks(0.0, 2.5e6), "0 500k 1M 1.5M 2M 2.5M");
    }

    #[test]
    fn points_are_where_they_belong() {
        let chart = Chart::of("a < b", Shape::Line, vec![(0.0, 5.0), (10.0, 15.0)]);
        let text = svg(&[chart.clone(), chart], 2);
        assert_eq!(text.matches("points=\"64.0,230.0 444.0,34.0 \"").count(), 2, "{text}");
        assert!(text.contains("a &lt; b") && text.contains("viewBox=\"0 0 920 260\""));
        assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
    }

    #[test]
    fn a_picture_has_colours_for_light_and_dark_screens() {
        let text = svg(&[Chart::of("a \"b\"", Shape::Line, vec![(0.0, 1.0)])], 1);
        let (light, dark) = text.split_once("@media (prefers-color-scheme: dark)").expect("there are both");
        for class in ["svg {", ".c0 {", ".c3 {", ".grid {", ".title"] {
            assert!(light.contains(class) && dark.contains(class), "{class}");
        }
        assert!(light.contains("aria-label=\"a &quot;b&quot;\"") && !dark.contains("#ffffff"), "{text}");
    }

    #[test]
    fn nothing_and_one_point_can_be_drawn() {
        for points in [vec![], vec![(1.0, 1.0)], vec![(1.0, f64::NAN), (2.0, f64::INFINITY)]] {
            for shape in [Shape::Line, Shape::Bars] {
                let text = svg(&[Chart::of("", shape, points.clone())], 1);
                let drawn = text.split("<g ").nth(1).expect("there is a chart");
                assert!(!drawn.contains("\"NaN") && !drawn.contains("\"inf"), "{text}");
            }
        }
    }
}
