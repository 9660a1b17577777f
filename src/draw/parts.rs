//! The head that all pictures share, with the colours of both settings.

/// The head of a picture: its size, its title for screen readers, and the colours of both settings.
pub(super) fn head(width: usize, height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>\n{STYLE}</style>\n"
    )
}

const STYLE: &str = "\
svg { background: #ffffff; font-family: sans-serif; }
.light { fill: #f0ead6; } .dark { fill: #b9a27f; } .mark { fill: #2f7fb5; opacity: 0.55; } .from { fill: #d7a021; opacity: 0.6; }
.white { fill: #ffffff; stroke: #222222; } .black { fill: #222222; stroke: #222222; }
.name { fill: #333333; font-size: 11px; } .arrow { stroke: #b3412f; fill: #b3412f; opacity: 0.85; }
.line { stroke: #777777; fill: none; } .cut { stroke: #b3412f; fill: none; stroke-dasharray: 3 3; }
.node { fill: #2f7fb5; } .text { fill: #222222; font-size: 11px; }
@media (prefers-color-scheme: dark) {
svg { background: #1d1f21; }
.light { fill: #8d8776; } .dark { fill: #5b5142; } .name, .text { fill: #dddddd; }
.line { stroke: #999999; } .arrow { stroke: #e07a5f; fill: #e07a5f; } .cut { stroke: #e07a5f; }
}
";
