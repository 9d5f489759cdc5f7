//! What all benchmarks share: how much to do, and tables. Samples and clients are files beside this one.

/// `--quick` makes a tenth of the samples: enough to see that a benchmark works.
pub fn rounds(full: usize) -> usize {
    if std::env::args().any(|argument| argument == "--quick") { (full / 10).max(1) } else { full }
}

/// `--only TEXT` measures what has the text in its name, for a look at one thing.
#[allow(dead_code, reason = "not every benchmark has rows that stand alone")]
pub fn wanted(name: &str) -> bool {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--only");
    arguments.nth(1).is_none_or(|text| name.contains(&text))
}

/// Rows under a head, the first column left, the others right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    pub fn row(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    }

    pub fn print(&self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
    }
}
