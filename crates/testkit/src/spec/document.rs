//! A document of `spec/`: from Markdown to tests, and back with new outputs.
//!
//! Only headings and fences matter; all other lines are prose. One pass, one stack of open headings with the files
//! given under each, so a test sees the files of every heading it stands under, the innermost last.
//!
//! A document with the line [`STORY`] is one test instead: its commands run in one folder from top to bottom, and each
//! file is written when the reader comes to it, so a later one of the same name is an edit.

/// The line that makes a document one story. Nothing of it shows when the page is read.
const STORY: &str = "<!-- one story: the commands run in order, in one folder -->";

/// A file that a test finds in its folder: its name and text.
pub(super) type File = (String, String);

/// A document.
#[derive(Debug)]
pub(super) struct Document {
    /// Its tests, in order.
    pub(super) tests: Vec<Test>,
    /// Models that no test looks at.
    pub(super) idle: Vec<Fault>,
}

/// The commands under one heading.
#[derive(Debug)]
pub(super) struct Test {
    /// The headings above it, from level 2 on.
    pub(super) title: String,
    /// The innermost of these.
    pub(super) heading: String,
    /// Files, outer ones first; a later one of the same name wins.
    pub(super) files: Vec<File>,
    /// Commands, in order.
    pub(super) items: Vec<Item>,
}

/// One command and what it prints.
#[derive(Debug)]
pub(super) struct Item {
    /// The line of the command, from 1.
    pub(super) line: usize,
    /// Files written just before it runs: those of a story since the command before.
    pub(super) files: Vec<File>,
    /// What stands after `$ `.
    pub(super) command: String,
    /// The lines that follow, wildcards and `[exit n]` included.
    pub(super) expected: Vec<String>,
    /// The fence around it: printed lines must not close it.
    fence: usize,
}

impl Item {
    /// The exit status that the transcript shows.
    pub(super) fn status(&self) -> i32 {
        let shown = self.expected.last().and_then(|line| {
            let code = line.strip_prefix("[exit ")?.strip_suffix(']')?;
            code.parse().ok()
        });
        shown.unwrap_or(0)
    }
}

/// What is wrong with a document.
#[derive(Debug)]
pub(super) struct Fault {
    /// The line, from 1.
    pub(super) line: usize,
    /// What is wrong.
    pub(super) message: String,
}

/// An open heading.
struct Heading {
    level: usize,
    title: String,
    files: Vec<File>,
    items: Vec<Item>,
    /// Where its first file is given, until a test sees it.
    unseen: Option<usize>,
}

impl Heading {
    fn new(level: usize, title: &str) -> Heading {
        Heading {
            level,
            title: title.to_owned(),
            files: Vec::new(),
            items: Vec::new(),
            unseen: None,
        }
    }
}

impl Document {
    /// Reads a document.
    pub(super) fn parse(text: &str) -> Result<Document, Fault> {
        let mut parser = Parser {
            // The document itself: level 0 encloses everything.
            open: vec![Heading::new(0, "")],
            tests: Vec::new(),
            idle: Vec::new(),
            story: text.lines().any(|line| line == STORY),
        };
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let fence = fence_width(line);
            if fence > 0 {
                let mut body = Vec::new();
                let closed = loop {
                    match lines.next() {
                        Some((_, inner)) if closes(inner, fence) => break true,
                        Some((_, inner)) => body.push(inner),
                        None => break false,
                    }
                };
                if !closed {
                    return Err(fault(number, "this block is never closed"));
                }
                parser.block(number, line[fence..].trim(), &body, fence)?;
            } else if let Some((level, title)) = heading(line).filter(|_| !parser.story) {
                parser.heading(level, title);
            }
        }
        parser.heading(0, "");
        parser.close();
        // Files come from headings that may close after the test: innermost first there, outermost first here.
        parser.tests.sort_by_key(|test| test.items[0].line);
        parser.idle.sort_by_key(|fault| fault.line);
        Ok(Document {
            tests: parser.tests,
            idle: parser.idle,
        })
    }

    /// A document that must hold a test.
    pub(super) fn tested(self) -> Result<Document, Fault> {
        if self.tests.is_empty() {
            return Err(fault(
                0,
                "there is no test in this document: no `console` block under a heading of level 2 or more",
            ));
        }
        Ok(self)
    }

    /// A document in which every model is looked at by some test.
    pub(super) fn without_idle_models(mut self) -> Result<Document, Fault> {
        match self.idle.is_empty() {
            true => Ok(self),
            false => Err(self.idle.remove(0)),
        }
    }
}

struct Parser {
    open: Vec<Heading>,
    tests: Vec<Test>,
    idle: Vec<Fault>,
    story: bool,
}

impl Parser {
    /// Closes what ends here and opens a heading.
    fn heading(&mut self, level: usize, title: &str) {
        while self.open.last().is_some_and(|h| h.level >= level && h.level > 0) {
            self.close();
        }
        if level > 0 {
            self.open.push(Heading::new(level, title));
        }
    }

    fn close(&mut self) {
        let path: Vec<&str> = self
            .open
            .iter()
            .filter(|h| h.level >= 2)
            .map(|h| h.title.as_str())
            .collect();
        let title = match self.story {
            true => "in order".to_owned(),
            false => path.join(" / "),
        };
        let files: Vec<File> = match self.story {
            true => Vec::new(),
            false => self.open.iter().flat_map(|h| h.files.clone()).collect(),
        };
        let heading = self
            .open
            .pop()
            .expect("a heading is open: the document's own level is closed last, once");
        if let Some(line) = heading.unseen.filter(|_| heading.items.is_empty() || self.story) {
            self.idle.push(fault(line, "no command looks at this model"));
        }
        if !heading.items.is_empty() {
            for outer in self.open.iter_mut().filter(|_| !self.story) {
                outer.unseen = None;
            }
            self.tests.push(Test {
                title,
                heading: heading.title,
                files,
                items: heading.items,
            });
        }
    }

    fn block(&mut self, number: usize, info: &str, body: &[&str], fence: usize) -> Result<(), Fault> {
        let heading = self
            .open
            .last_mut()
            .expect("the document's own level is never closed");
        if info == "console" {
            if heading.level < 2 && !self.story {
                return Err(fault(
                    number,
                    "a `console` block needs a heading of level 2 or more above it",
                ));
            }
            let first = heading.items.len();
            commands(number, body, fence, &mut heading.items)?;
            if self.story {
                heading.items[first].files = std::mem::take(&mut heading.files);
                heading.unseen = None;
            }
            return Ok(());
        }
        if info == "csp" {
            self.idle
                .push(fault(number, "a model without a file name is run by nobody"));
        }
        let mut words = info.split_whitespace();
        if let (Some(_language), Some(name), None) = (words.next(), words.next(), words.next()) {
            if heading.files.iter().any(|(other, _)| other == name) {
                return Err(fault(
                    number,
                    &format!("`{name}` is given twice under this heading"),
                ));
            }
            let mut text = body.join("\n");
            text.push('\n');
            heading.files.push((name.to_owned(), text));
            heading.unseen.get_or_insert(number);
        }
        Ok(())
    }
}

/// Splits a `console` block into commands and expected lines.
fn commands(number: usize, body: &[&str], fence: usize, items: &mut Vec<Item>) -> Result<(), Fault> {
    let mut any = false;
    for (i, &line) in body.iter().enumerate() {
        // The body starts one line after the fence.
        let here = number + 1 + i;
        if let Some(command) = line.strip_prefix("$ ") {
            any = true;
            let command = command.trim().to_owned();
            items.push(Item {
                line: here + 1,
                files: Vec::new(),
                command,
                expected: Vec::new(),
                fence,
            });
        } else if let Some(item) = items.last_mut().filter(|_| any) {
            item.expected.push(line.to_owned());
        } else {
            return Err(fault(here, "a `console` block starts with `$ ` and a command"));
        }
    }
    if any {
        Ok(())
    } else {
        Err(fault(number, "this `console` block holds no command"))
    }
}

fn fault(number: usize, message: &str) -> Fault {
    Fault {
        line: number + 1,
        message: message.to_owned(),
    }
}

/// The number of backticks that open a fence here; 0 if none does.
fn fence_width(line: &str) -> usize {
    let ticks = line.len() - line.trim_start_matches('`').len();
    if ticks >= 3 && !line[ticks..].contains('`') {
        ticks
    } else {
        0
    }
}

fn closes(line: &str, fence: usize) -> bool {
    fence_width(line) >= fence && line.trim_start_matches('`').trim().is_empty()
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.len() - line.trim_start_matches('#').len();
    let title = line[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| (level, title.trim()))
}

/// The text with other outputs. A line that would close its fence is kept out by a blank in front of it.
pub(super) fn rewrite(text: &str, edits: &[(&Item, Vec<String>)]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut next = 0;
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|(item, _)| item.line);
    for (item, printed) in edits {
        out.extend(lines[next..item.line].iter().map(|&l| l.to_owned()));
        out.extend(printed.iter().map(|line| {
            if closes(line, item.fence) {
                format!(" {line}")
            } else {
                line.clone()
            }
        }));
        next = item.line + item.expected.len();
    }
    out.extend(lines[next..].iter().map(|&l| l.to_owned()));
    let mut text = out.join("\n");
    text.push('\n');
    text
}
