//! Tables as text: aligned for the terminal, piped for Markdown.

/// Rows of cells under a heading. The first column is text, the others are numbers.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column headings.
    pub(crate) fn new(headings: &[&str]) -> Table {
        Table {
            rows: vec![headings.iter().map(ToString::to_string).collect()],
        }
    }

    /// Adds a row, one cell a column.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.rows[0].len());
        self.rows.push(cells);
    }

    /// For the terminal.
    pub(crate) fn text(&self) -> String {
        let width = |column: usize| {
            self.rows
                .iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(i, cell)| match (i, widths[i]) {
                    (0, width) => format!("{cell:<width$}"),
                    (_, width) => format!("{cell:>width$}"),
                })
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// For a Markdown page.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            text.push_str(&format!("| {} |\n", row.join(" | ")));
            if i == 0 {
                text.push_str(&format!("|---|{}\n", "---:|".repeat(row.len() - 1)));
            }
        }
        text
    }
}

/// A number with a comma after every three digits from the right.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let mut table = Table::new(&["model", "states"]);
        table.row(vec!["a".into(), "12".into()]);
        assert_eq!(table.text(), "model  states\na          12\n");
        assert_eq!(table.markdown(), "| model | states |\n|---|---:|\n| a | 12 |\n");
    }

    #[test]
    fn grouping() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
