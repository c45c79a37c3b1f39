//! A graph as a picture of its own, without any other program.
//!
//! Initial states have an arrow from nowhere and a strong border, deadlocks are red octagons, ended states are green with
//! a double border, states with steps that are not shown have a dashed border. States of a component with a loop share
//! a tint. A highlighted run is drawn bold. Where states are labelled with a formula, colour tells who satisfies it and nothing else. Pointing at a state shows it in full.

use crate::caption::Captions;
use crate::graph::{Arrow, Graph, Node};
use crate::layout::{Layout, Link, Place, Route, Size, layout};
use std::fmt::Write;

/// The width of a character at [`FONT`].
const CHARACTER: f64 = 6.7;
/// The size of the letters on states.
const FONT: f64 = 11.0;
/// The size of the letters on arrows, as a part of those on states.
const SMALL: f64 = 0.9;
/// From one line of text to the next.
const LINE: f64 = 14.0;
/// An arrow shows at most so many labels.
const LABELS: usize = 4;
/// So many characters of a label are shown.
const LABEL_WIDTH: usize = 32;
/// Height of the line that explains colours.
const LEGEND: f64 = 30.0;

/// Tints of components with a loop.
const TINTS: [&str; 8] = [
    "#eef4fd", "#fdf3e4", "#f1ecfb", "#e6f6f4", "#fdeef5", "#f4f6dd", "#e8eef0", "#f7ebe4",
];
const BOLD: &str = "#c2410c";
/// The fill of states that satisfy a formula.
const LABELLED: &str = "#bfe3c6";
/// So many characters of a formula are in the legend.
const FORMULA_WIDTH: usize = 60;

/// The colours of a state.
pub(crate) struct Colours {
    pub(crate) fill: &'static str,
    pub(crate) stroke: &'static str,
}

/// The colours of all states: whether a state satisfies the formula, if they are labelled with one; else of what it is, else of its component.
pub(crate) fn palette(graph: &Graph) -> Vec<Colours> {
    if graph.formula.is_some() {
        let colours = |node: &Node| Colours {
            fill: if node.satisfies { LABELLED } else { "#ffffff" },
            stroke: if node.deadlock || node.fault.is_some() {
                "#b42318"
            } else {
                "#475467"
            },
        };
        return graph.nodes.iter().map(colours).collect();
    }
    // Components get their tints in the order in which they are met.
    let mut met: Vec<u32> = Vec::new();
    let mut colours = |node: &Node| {
        let (fill, stroke) = if node.deadlock || node.fault.is_some() {
            ("#fde3e1", "#b42318")
        } else if node.ended {
            ("#e1f5e5", "#1a7f37")
        } else if node.component.looping {
            let number = node.component.number;
            let place = met.iter().position(|&m| m == number).unwrap_or_else(|| {
                met.push(number);
                met.len() - 1
            });
            (TINTS[place % TINTS.len()], "#475467")
        } else {
            ("#ffffff", "#475467")
        };
        Colours { fill, stroke }
    };
    graph.nodes.iter().map(&mut colours).collect()
}

/// The graph as an SVG document.
pub fn graph_to_svg(graph: &Graph, title: &str) -> String {
    let captions = Captions::new(graph);
    let states: Vec<Vec<String>> = (0..graph.nodes.len()).map(|i| captions.state(i)).collect();
    let arrows = graph.arrows();
    let labels: Vec<Vec<String>> = arrows.iter().map(|a| shortened(captions.arrow(a))).collect();
    let ranks: Vec<u32> = graph.nodes.iter().map(|n| n.depth).collect();
    let ports = ports(&ranks, &arrows);
    let sizes: Vec<Size> = states
        .iter()
        .zip(ports)
        .map(|(lines, ports)| state_size(lines, ports))
        .collect();
    let links: Vec<Link> = arrows
        .iter()
        .zip(&labels)
        .map(|(arrow, lines)| Link {
            from: arrow.from.index(),
            to: arrow.to.index(),
            label: label_size(lines),
        })
        .collect();
    let layout = layout(&ranks, &sizes, &links);

    let colours = palette(graph);
    let mut picture = Picture::new(&layout, title);
    // Bold ones come last, on top of the others.
    for bold in [false, true] {
        for (arrow, route) in arrows.iter().zip(&layout.routes) {
            if arrow.highlighted == bold {
                picture.arrow(route, bold);
            }
        }
    }
    for ((arrow, route), lines) in arrows.iter().zip(&layout.routes).zip(&labels) {
        picture.label(arrow, route, lines, &captions.arrow(arrow));
    }
    for (i, (node, place)) in graph.nodes.iter().zip(&layout.nodes).enumerate() {
        picture.state(node, *place, &colours[i], &states[i], &captions.full_state(i));
    }
    picture.legend(graph, &layout);
    picture.finish()
}

fn shortened(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > LABELS {
        let more = lines.len() - (LABELS - 1);
        lines.truncate(LABELS - 1);
        lines.push(format!("… {more} more"));
    }
    for line in &mut lines {
        if line.chars().count() > LABEL_WIDTH {
            let kept: String = line.chars().take(LABEL_WIDTH - 1).collect();
            *line = kept + "…";
        }
    }
    lines
}

fn widest(lines: &[String]) -> f64 {
    let widest = lines.iter().map(|line| line.chars().count()).max();
    widest.unwrap_or(0) as f64 * CHARACTER
}

/// About how many arrows meet the fuller side of every state.
fn ports(ranks: &[u32], arrows: &[Arrow]) -> Vec<usize> {
    let mut sides = vec![[0; 2]; ranks.len()];
    for arrow in arrows.iter().filter(|a| a.from != a.to) {
        let (from, to) = (arrow.from.index(), arrow.to.index());
        sides[from][usize::from(ranks[to] < ranks[from])] += 1;
        sides[to][usize::from(ranks[from] < ranks[to])] += 1;
    }
    sides.iter().map(|[below, above]| *below.max(above)).collect()
}

fn state_size(lines: &[String], ports: usize) -> Size {
    Size {
        width: (widest(lines) + 16.0)
            .max(34.0)
            .max((ports as f64 * 12.0).min(110.0)),
        height: lines.len() as f64 * LINE + 10.0,
    }
}

fn label_size(lines: &[String]) -> Size {
    Size {
        width: widest(lines) * SMALL + 6.0,
        height: lines.len() as f64 * LINE * SMALL + 2.0,
    }
}

struct Picture {
    out: String,
}

impl Picture {
    fn new(layout: &Layout, title: &str) -> Picture {
        let (width, height) = (layout.size.width.max(180.0), layout.size.height + LEGEND);
        let mut picture = Picture { out: String::new() };
        picture.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="{FONT}">"#
        ));
        picture.add(format_args!("<title>{}</title>", escaped(title)));
        for (id, colour) in [("fairhold_arrow", "#667085"), ("fairhold_bold", BOLD)] {
            picture.add(format_args!(
                r#"<marker id="{id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{colour}"/></marker>"#
            ));
        }
        picture.add(format_args!(
            r##"<rect width="100%" height="100%" fill="#ffffff"/>"##
        ));
        picture
    }

    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("a string takes all that is written");
    }

    fn arrow(&mut self, route: &Route, bold: bool) {
        let mut path = format!("M{:.1},{:.1}", route.start.0, route.start.1);
        for [(ax, ay), (bx, by), (x, y)] in &route.curves {
            write!(path, " C{ax:.1},{ay:.1} {bx:.1},{by:.1} {x:.1},{y:.1}")
                .expect("a string takes all that is written");
        }
        let (colour, width, marker) = match bold {
            true => (BOLD, 2.4, "fairhold_bold"),
            false => ("#667085", 1.1, "fairhold_arrow"),
        };
        self.add(format_args!(
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" marker-end="url(#{marker})"/>"#
        ));
    }

    fn label(&mut self, arrow: &Arrow, route: &Route, lines: &[String], full: &[String]) {
        let Place { x, y, size } = route.label;
        let colour = if arrow.highlighted { BOLD } else { "#344054" };
        self.add(format_args!(
            r#"<g fill="{colour}" font-size="{:.1}"><title>{}</title>"#,
            FONT * SMALL,
            escaped(&full.join("\n"))
        ));
        // The line runs behind the words.
        self.add(format_args!(
            r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="3" fill="#ffffff" fill-opacity="0.88"/>"##,
            x - size.width / 2.0,
            y - size.height / 2.0,
            size.width,
            size.height
        ));
        self.lines(x, y, LINE * SMALL, lines, false);
        self.add(format_args!("</g>"));
    }

    /// Lines of text around a middle.
    fn lines(&mut self, x: f64, y: f64, line: f64, lines: &[String], heading: bool) {
        let top = y - line * (lines.len() as f64 - 1.0) / 2.0;
        for (i, text) in lines.iter().enumerate() {
            let weight = if heading && i == 0 {
                r#" font-weight="bold""#
            } else {
                ""
            };
            self.add(format_args!(
                r#"<text x="{x:.1}" y="{:.1}" dy="0.35em" text-anchor="middle"{weight}>{}</text>"#,
                top + line * i as f64,
                escaped(text)
            ));
        }
    }

    fn state(&mut self, node: &Node, place: Place, colours: &Colours, lines: &[String], full: &[String]) {
        let Place { x, y, size } = place;
        self.add(format_args!("<g><title>{}</title>", escaped(&full.join("\n"))));
        let stroke = if node.highlighted { BOLD } else { colours.stroke };
        let width = match (node.highlighted, node.initial) {
            (true, _) => 3.0,
            (false, true) => 2.2,
            (false, false) => 1.1,
        };
        let dashes = if node.cut {
            r#" stroke-dasharray="4 3""#
        } else {
            ""
        };
        let look = format!(
            r#"fill="{}" stroke="{stroke}" stroke-width="{width}"{dashes}"#,
            colours.fill
        );
        if node.deadlock || node.fault.is_some() {
            self.octagon(place, &look);
        } else {
            self.rectangle(place, 0.0, &look);
            if node.ended {
                self.rectangle(place, 3.0, &look);
            }
        }
        if node.initial {
            let top = y - size.height / 2.0;
            self.add(format_args!(
                r#"<path d="M{x:.1},{:.1} L{x:.1},{top:.1}" fill="none" stroke="{}" stroke-width="1.6" marker-end="url(#fairhold_arrow)"/>"#,
                top - 22.0,
                "#667085"
            ));
        }
        self.add(format_args!(r##"<g fill="#101828">"##));
        self.lines(x, y, LINE, lines, true);
        self.add(format_args!("</g></g>"));
    }

    fn rectangle(&mut self, place: Place, inset: f64, look: &str) {
        let Place { x, y, size } = place;
        self.add(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="6" {look}/>"#,
            x - size.width / 2.0 + inset,
            y - size.height / 2.0 + inset,
            size.width - 2.0 * inset,
            size.height - 2.0 * inset
        ));
    }

    fn octagon(&mut self, place: Place, look: &str) {
        let Place { x, y, size } = place;
        let (w, h, c) = (size.width / 2.0, size.height / 2.0, 7.0);
        let corners = [
            (-w + c, -h),
            (w - c, -h),
            (w, -h + c),
            (w, h - c),
            (w - c, h),
            (-w + c, h),
            (-w, h - c),
            (-w, -h + c),
        ];
        let points: Vec<String> = corners
            .iter()
            .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
            .collect();
        self.add(format_args!(r#"<polygon points="{}" {look}/>"#, points.join(" ")));
    }

    /// What the marks mean, as far as they occur.
    fn legend(&mut self, graph: &Graph, layout: &Layout) {
        let any = |is: fn(&Node) -> bool| graph.nodes.iter().any(is);
        let plain = graph.formula.is_none();
        let (red, green) = if plain {
            ("#fde3e1", "#e1f5e5")
        } else {
            ("#ffffff", "#ffffff")
        };
        let mut formula = graph.formula.clone().unwrap_or_default();
        if formula.chars().count() > FORMULA_WIDTH {
            formula = formula.chars().take(FORMULA_WIDTH - 1).collect::<String>() + "…";
        }
        let formula = format!("satisfies {}", escaped(&formula));
        let entries = [
            (!plain, formula.as_str(), LABELLED, "#475467"),
            (any(|n| n.deadlock), "deadlock", red, "#b42318"),
            (any(|n| n.fault.is_some()), "goes wrong", red, "#b42318"),
            (
                any(|n| n.ended),
                "ended",
                green,
                if plain { "#1a7f37" } else { "#475467" },
            ),
            (any(|n| n.cut), "dashed: more steps", "#ffffff", "#475467"),
            (
                plain && any(|n| n.component.looping),
                "tint: component",
                TINTS[0],
                "#475467",
            ),
            (any(|n| n.highlighted), "run", "#ffffff", BOLD),
        ];
        let y = layout.size.height + LEGEND / 2.0 - 8.0;
        let mut x = 12.0;
        for (_, words, fill, stroke) in entries.into_iter().filter(|e| e.0) {
            self.add(format_args!(
                r#"<rect x="{x:.1}" y="{:.1}" width="12" height="12" rx="2" fill="{fill}" stroke="{stroke}"/>"#,
                y - 6.0
            ));
            self.add(format_args!(
                r##"<text x="{:.1}" y="{y:.1}" dy="0.35em" font-size="10" fill="#667085">{words}</text>"##,
                x + 17.0
            ));
            x += 17.0 + words.len() as f64 * 6.1 + 16.0;
        }
    }

    fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// A text as XML takes it; what XML cannot hold becomes a question mark.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
