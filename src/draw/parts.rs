//! The head that all pictures share, with the colours of boards and trees for light and dark screens.

use rukh_lab::plot;

/// The head of a picture: its size, its title for screen readers, and the style.
pub(super) fn head(width: usize, height: usize, title: &str) -> String {
    plot::head(width, height, title, (LIGHT, DARK))
}

const LIGHT: &str = "\
.light { fill: #f0ead6; } .dark { fill: #b9a27f; } .mark { fill: #2f7fb5; opacity: 0.55; } .from { fill: #d7a021; opacity: 0.6; }
.white { fill: #ffffff; stroke: #222222; } .black { fill: #222222; stroke: #222222; }
.arrow { stroke: #b3412f; fill: #b3412f; opacity: 0.85; }
.cut { stroke: #b3412f; fill: none; stroke-dasharray: 3 3; } .spared { fill: #b3412f; }
.node { fill: #2f7fb5; } .low { fill: #999999; } .fast { fill: #588157; }
.cell { fill: #f4f4f4; stroke: #bbbbbb; } .bit { fill: #2f7fb5; stroke: #bbbbbb; } .frame { fill: none; stroke: #d7a021; stroke-width: 2; }
";
const DARK: &str = "\
.light { fill: #8d8776; } .dark { fill: #5b5142; }
.arrow { stroke: #e07a5f; fill: #e07a5f; } .cut { stroke: #e07a5f; } .spared { fill: #e07a5f; }
.node { fill: #6cb2e0; } .low { fill: #777777; } .fast { fill: #94c293; }
.cell { fill: #2a2d30; stroke: #55585b; } .bit { fill: #6cb2e0; stroke: #55585b; }
";
