//! A diagram as a picture.
//!
//! Every node has a line downwards. A step is an arrow from the initiator's line to the responder's, and what it changes stands in boxes below
//! it. The whole configuration stands at the start, where the loop starts, and at the end. A bracket at the left spans the loop. Pointing at a
//! step shows the configuration that it leads to.

use super::{Act, Cell, Diagram, Row};
use std::fmt::Write;

/// The size of letters, and the width of one.
const FONT: f64 = 11.0;
const CHARACTER: f64 = 6.7;
/// From one step to the next.
const STEP: f64 = 46.0;
/// From an arrow down to the boxes of what it changes.
const BELOW: f64 = 18.0;
const BOX: f64 = 18.0;
/// From the top to the first configuration: title, numbers, and a line for each input.
const TOP: f64 = 64.0;
const INPUT: f64 = 15.0;
/// Before the numbers of the steps: the bracket of the loop.
const BRACKET: f64 = 44.0;
/// At the bottom: the legend.
const BOTTOM: f64 = 40.0;

const INK: &str = "#101828";
const LINE: &str = "#667085";
const FAINT: &str = "#d0d5dd";
const BOLD: &str = "#c2410c";

/// Where everything is, across.
struct Across {
    /// The middle of every node's column.
    nodes: Vec<f64>,
    /// The middle of every other column.
    others: Vec<f64>,
    /// Where events are written.
    events: f64,
    /// The edges that arrows around a ring leave and come in at.
    edges: (f64, f64),
    width: f64,
}

struct Picture<'a> {
    diagram: &'a Diagram,
    across: Across,
    out: String,
}

impl Diagram {
    /// The diagram as an SVG document.
    pub fn to_svg(&self, title: &str) -> String {
        let top = TOP + self.inputs.len() as f64 * INPUT;
        let height = top + (self.rows.len() as f64) * STEP + BOTTOM;
        let mut picture = Picture {
            diagram: self,
            across: self.across(title),
            out: String::new(),
        };
        picture.open(height, title);
        picture.head(top, height);
        picture.bracket(top);
        for (number, row) in self.rows.iter().enumerate() {
            picture.row(number, row, top + number as f64 * STEP);
        }
        picture.legend(height - 14.0);
        picture.out.push_str("</svg>\n");
        picture.out
    }

    fn across(&self, title: &str) -> Across {
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            let widest = texts.map(|text| text.chars().count()).max();
            widest.unwrap_or(0) as f64 * CHARACTER
        };
        let step = format!("{}  ", self.steps()).len() as f64 * CHARACTER;
        let event = widest(&mut self.rows.iter().map(|row| row.event.as_str()));
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        let inputs = self.inputs.iter().flat_map(|(_, values)| values);
        let texts = cells.map(|cell| &cell.text).chain(inputs).map(String::as_str);
        let cell = widest(&mut { texts }) + 12.0;
        let pitch = (cell + 26.0).max(64.0);
        let names = self.inputs.iter().map(|(name, _)| name.as_str());
        let event = event.max(widest(&mut { names })).max(40.0);
        let left = BRACKET + step + event + 22.0;
        let nodes: Vec<f64> = (0..self.nodes.len())
            .map(|column| left + pitch * (column as f64 + 0.5))
            .collect();
        let mut x = left + pitch * nodes.len() as f64;
        let edges = (left, x);
        let mut others = Vec::with_capacity(self.others.len());
        for (at, name) in self.others.iter().enumerate() {
            let values = self.rows.iter().map(|row| row.others[at].text.as_str());
            let width = widest(&mut values.chain([name.as_str()])) + 24.0;
            others.push(x + 12.0 + width / 2.0);
            x += 12.0 + width;
        }
        Across {
            nodes,
            others,
            events: BRACKET + step,
            edges,
            width: (x + 16.0).max(widest(&mut [title, &self.legend()].into_iter()) + 32.0),
        }
    }

    fn legend(&self) -> String {
        let arrows = "arrows go from initiator to responder";
        match self.fields.is_empty() {
            true => arrows.to_owned(),
            false => format!("nodes show {}; {arrows}", self.fields.join(", ")),
        }
    }
}

impl Picture<'_> {
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("a string takes all that is written");
    }

    fn open(&mut self, height: f64, title: &str) {
        let width = self.across.width;
        self.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="{FONT}">"#
        ));
        self.add(format_args!("<title>{}</title>", escaped(title)));
        for (id, colour) in [("fairhold_act", INK), ("fairhold_loop", BOLD)] {
            self.add(format_args!(
                r#"<marker id="{id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{colour}"/></marker>"#
            ));
        }
        self.add(format_args!(
            r##"<rect width="100%" height="100%" fill="#ffffff"/>"##
        ));
        self.text(16.0, 20.0, title, "start", INK, true);
    }

    fn text(&mut self, x: f64, y: f64, text: &str, anchor: &str, colour: &str, bold: bool) {
        let weight = if bold { r#" font-weight="bold""# } else { "" };
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" dy="0.35em" text-anchor="{anchor}" fill="{colour}"{weight}>{}</text>"#,
            escaped(text)
        ));
    }

    /// Numbers of nodes, inputs, and the lines downwards.
    fn head(&mut self, top: f64, height: f64) {
        let (diagram, bottom) = (self.diagram, height - BOTTOM - STEP / 2.0);
        let lines = [self.across.nodes.clone(), self.across.others.clone()].concat();
        for x in lines {
            self.add(format_args!(
                r#"<path d="M{x:.1},{top:.1} L{x:.1},{bottom:.1}" stroke="{FAINT}" stroke-width="1.5"/>"#
            ));
        }
        for (column, node) in diagram.nodes.iter().enumerate() {
            self.text(
                self.across.nodes[column],
                42.0,
                &node.to_string(),
                "middle",
                INK,
                true,
            );
        }
        for (column, name) in diagram.others.iter().enumerate() {
            self.text(self.across.others[column], 42.0, name, "middle", INK, true);
        }
        for (row, (name, values)) in diagram.inputs.iter().enumerate() {
            let y = 42.0 + INPUT * (row as f64 + 1.0);
            self.text(self.across.events, y, name, "start", LINE, false);
            for (column, value) in values.iter().enumerate() {
                self.text(self.across.nodes[column], y, value, "middle", LINE, false);
            }
        }
    }

    /// The bracket from the configuration that the loop starts in to the one that ends it.
    fn bracket(&mut self, top: f64) {
        let Some(prefix) = self.diagram.prefix else { return };
        let from = top + prefix as f64 * STEP + BELOW;
        let to = top + self.diagram.steps() as f64 * STEP + BELOW;
        let (x, end) = (24.0, BRACKET - 8.0);
        self.add(format_args!(
            r#"<path d="M{end:.1},{to:.1} L{x:.1},{to:.1} L{x:.1},{from:.1} L{end:.1},{from:.1}" fill="none" stroke="{BOLD}" stroke-width="1.8" marker-end="url(#fairhold_loop)"/>"#
        ));
        let y = f64::midpoint(from, to);
        self.add(format_args!(
            r#"<text transform="translate(14,{y:.1}) rotate(-90)" text-anchor="middle" fill="{BOLD}">loop</text>"#
        ));
    }

    fn row(&mut self, number: usize, row: &Row, y: f64) {
        let diagram = self.diagram;
        let looping = diagram.prefix.is_some_and(|prefix| number > prefix);
        let whole = number == 0 || number == diagram.steps() || diagram.prefix == Some(number);
        let full: Vec<String> = diagram
            .nodes
            .iter()
            .zip(&row.cells)
            .map(|(node, cell)| format!("{node}: {}", cell.text))
            .collect();
        self.add(format_args!(
            "<g><title>{}</title>",
            escaped(&format!("{} {}\n{}", number, row.event, full.join("\n")))
        ));
        if number > 0 {
            let colour = if looping { BOLD } else { INK };
            self.text(
                self.across.events - 2.0 * CHARACTER,
                y,
                &number.to_string(),
                "end",
                LINE,
                false,
            );
            self.text(self.across.events, y, &row.event, "start", colour, false);
            self.act(row.act, y, looping);
        }
        for (column, cell) in row.cells.iter().enumerate() {
            self.cell(self.across.nodes[column], y + BELOW, cell, whole);
        }
        for (column, cell) in row.others.iter().enumerate() {
            self.cell(self.across.others[column], y + BELOW, cell, whole);
        }
        self.add(format_args!("</g>"));
    }

    /// The arrow of a step.
    fn act(&mut self, act: Act, y: f64, looping: bool) {
        let (colour, marker) = match looping {
            true => (BOLD, "fairhold_loop"),
            false => (INK, "fairhold_act"),
        };
        let look = format!(r#"stroke="{colour}" stroke-width="1.6""#);
        let dot = |x: f64| format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{colour}"/>"#);
        let line = |from: f64, to: f64, head: bool| {
            let head = match head {
                true => format!(r#" marker-end="url(#{marker})""#),
                false => String::new(),
            };
            format!(r#"<path d="M{from:.1},{y:.1} L{to:.1},{y:.1}" {look}{head}/>"#)
        };
        match act {
            Act::Nobody => {}
            Act::Alone(node) => self.out.push_str(&(dot(self.across.nodes[node]) + "\n")),
            Act::Between(i, r) => {
                let (from, to) = (self.across.nodes[i], self.across.nodes[r]);
                self.out
                    .push_str(&format!("{}{}\n", dot(from), line(from, to, true)));
            }
            Act::Around(i, r) => {
                let (from, to) = (self.across.nodes[i], self.across.nodes[r]);
                let (left, right) = self.across.edges;
                let (out, back) = if i > r { (right, left) } else { (left, right) };
                let drawn = format!(
                    "{}{}{}\n",
                    dot(from),
                    line(from, out, false),
                    line(back, to, true)
                );
                self.out.push_str(&drawn);
            }
        }
    }

    /// A value in a box, if it is new or the whole configuration is shown.
    fn cell(&mut self, x: f64, y: f64, cell: &Cell, whole: bool) {
        if !cell.changed && !whole {
            return;
        }
        let width = cell.text.chars().count() as f64 * CHARACTER + 12.0;
        let (fill, stroke) = match cell.changed {
            true => ("#fdf3e4", "#475467"),
            false => ("#ffffff", FAINT),
        };
        self.add(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{width:.1}" height="{BOX}" rx="5" fill="{fill}" stroke="{stroke}"/>"#,
            x - width / 2.0,
            y - BOX / 2.0
        ));
        self.text(x, y, &cell.text, "middle", INK, false);
    }

    fn legend(&mut self, y: f64) {
        let text = self.diagram.legend();
        self.text(16.0, y, &text, "start", LINE, false);
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
            '\n' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
