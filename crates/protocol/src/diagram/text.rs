//! A diagram for a terminal.
//!
//! ```text
//!   nodes show token, label; * marks what a step changes
//!   step  event         0      1      2
//!      0               11     10     01
//!      1  rule2.0.1   *01 --> *11    01
//!         the loop starts here
//!   |  2  rule1.2.0 ->*10     11     *01 --
//!         back to the configuration after step 1
//! ```

use super::{Act, Cell, Diagram, Row};

/// Between two columns; arrows run here.
const GAP: usize = 5;
/// Before the first column and after the last, in a ring.
const MARGIN: usize = 3;

impl Diagram {
    /// The diagram in lines of at most `width` characters; none if it is wider.
    pub fn to_text(&self, width: usize) -> Option<String> {
        let event = self.rows.iter().map(|row| row.event.chars().count());
        let event = event.fold("event".len(), usize::max);
        let cell = self.rows.iter().flat_map(|row| &row.cells);
        let cell = cell.map(|cell| cell.text.chars().count());
        let numbers = self.nodes.iter().map(|n| n.to_string().len());
        let inputs = self.inputs.iter().flat_map(|(_, values)| values);
        let inputs = inputs.map(|value| value.chars().count());
        let cell = cell.chain(numbers).chain(inputs).fold(1, usize::max);
        let around = self.rows.iter().any(|row| matches!(row.act, Act::Around(..)));
        let layout = Layout {
            event,
            cell,
            margin: if around { MARGIN } else { 0 },
        };
        let mut out = format!(
            "  nodes show {}; * marks what a step changes\n",
            self.fields.join(", ")
        );
        if self.fields.is_empty() {
            out.clear();
        }
        let numbers: Vec<String> = self.nodes.iter().map(u32::to_string).collect();
        let others: String = self.others.iter().map(|name| format!("   {name}")).collect();
        out.push_str(&layout.heading("step", "event", &numbers, &others));
        for (name, values) in &self.inputs {
            out.push_str(&layout.heading("", name, values, ""));
        }
        for (number, row) in self.rows.iter().enumerate() {
            if self.prefix.is_some_and(|prefix| number == prefix + 1) {
                out.push_str("        the loop starts here\n");
            }
            let looping = self.prefix.is_some_and(|prefix| number > prefix);
            out.push_str(&layout.row(number, row, looping, &self.others));
        }
        match self.prefix {
            Some(0) => out.push_str("        back to the first configuration\n"),
            Some(prefix) => out.push_str(&format!(
                "        back to the configuration after step {prefix}\n"
            )),
            None => {}
        }
        let fits = out.lines().all(|line| line.chars().count() <= width);
        fits.then_some(out)
    }
}

/// The widths of columns.
struct Layout {
    event: usize,
    cell: usize,
    margin: usize,
}

impl Layout {
    fn heading(&self, step: &str, event: &str, cells: &[String], rest: &str) -> String {
        let (width, cell) = (self.event, self.cell);
        let mut line = format!("  {step:>4}  {event:<width$}  {:1$}", "", self.margin);
        for (column, text) in cells.iter().enumerate() {
            let gap = if column == 0 { 0 } else { GAP };
            line.push_str(&format!("{:gap$} {text:<cell$}", ""));
        }
        line.push_str(&format!("{:1$}{rest}", "", self.margin));
        line.trim_end().to_owned() + "\n"
    }

    fn row(&self, number: usize, row: &Row, looping: bool, names: &[String]) -> String {
        let width = self.event;
        let bar = if looping { '|' } else { ' ' };
        let mut line = format!("  {bar}{number:>3}  {:<width$}  ", row.event);
        let last = row.cells.len() - 1;
        if self.margin > 0 {
            line.push_str(match row.act {
                Act::Around(_, 0) => "-> ",
                Act::Around(..) => "<- ",
                _ => "   ",
            });
        }
        for (column, cell) in row.cells.iter().enumerate() {
            if column > 0 {
                line.push_str(gap(row.act, column));
            }
            line.push_str(&self.cell(cell));
        }
        if self.margin > 0 {
            line.push_str(match row.act {
                Act::Around(i, _) if i == last => " ->",
                Act::Around(..) => " <-",
                _ => "   ",
            });
        }
        for (cell, name) in row.others.iter().zip(names) {
            let width = name.chars().count();
            let mark = if cell.changed { '*' } else { ' ' };
            line.push_str(&format!("  {mark}{:<width$}", cell.text));
        }
        line.trim_end().to_owned() + "\n"
    }

    /// A value with its mark.
    fn cell(&self, cell: &Cell) -> String {
        let (mark, width) = (if cell.changed { '*' } else { ' ' }, self.cell);
        format!("{mark}{:<width$}", cell.text)
    }
}

/// What is drawn before a column.
fn gap(act: Act, column: usize) -> &'static str {
    let Act::Between(i, r) = act else { return "     " };
    let (left, right) = (i.min(r), i.max(r));
    if column <= left || column > right {
        "     "
    } else if r > i && column == right {
        " --> "
    } else if r < i && column == left + 1 {
        " <-- "
    } else {
        " --- "
    }
}
