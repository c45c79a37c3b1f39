//! A report as JUnit XML, which CI systems show as tests: a suite a file, a case an assertion.
//!
//! A result that passes is a passing case, also where `fails` was expected. `fails` is a failure; `error` and
//! `unknown` are errors, for a check that gave up must not look green. An input that cannot be run is an error of
//! its own.

use crate::report::{CheckResult, Message, Report};
use fairhold_source::Severity;
use fairhold_system::Verdict;
use fairhold_trace::{Detail, run_to_text};
use std::fmt::Write;

/// The report as one XML document.
pub fn report_to_junit(report: &Report, detail: Detail) -> String {
    let mut suites: Vec<(&str, Vec<Case>)> = Vec::new();
    let mut add = |file, case| match suites.iter_mut().find(|(f, _)| *f == file) {
        Some((_, cases)) => cases.push(case),
        None => suites.push((file, vec![case])),
    };
    for message in &report.messages {
        if message.severity == Severity::Error {
            add(message.file.as_deref().unwrap_or("fairhold"), input(message));
        }
    }
    for result in &report.results {
        add(result.file.as_str(), case(result, detail));
    }

    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = suites.iter().flat_map(|(_, cases)| cases);
    writeln!(out, "<testsuites name=\"fairhold\"{}>", totals(all)).expect(TAKES);
    for (file, cases) in &suites {
        let totals = totals(cases.iter());
        writeln!(out, "  <testsuite name=\"{}\"{totals}>", escape(file)).expect(TAKES);
        for case in cases {
            write_case(&mut out, file, case);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

const TAKES: &str = "a String takes every write";

struct Case {
    name: String,
    seconds: f64,
    /// The element, its type, its message and its body, unless the case passes.
    outcome: Option<(&'static str, &'static str, String, String)>,
}

fn input(message: &Message) -> Case {
    let place = message.place;
    let at = place.map_or(String::new(), |p| format!("{}:{}: ", p.line, p.column));
    Case {
        name: message.code.clone(),
        seconds: 0.0,
        outcome: Some((
            "error",
            "input",
            format!("{at}{}", message.message),
            message.help.clone(),
        )),
    }
}

fn case(result: &CheckResult, detail: Detail) -> Case {
    let fairness = result.fairness.as_ref();
    let under = fairness.map_or(String::new(), |f| format!(" under {f}"));
    let element = match result.verdict {
        Verdict::Fails | Verdict::Holds => "failure",
        Verdict::Unknown | Verdict::Error => "error",
    };
    let outcome = (!result.passes()).then(|| {
        let word = result.verdict.word();
        let mut message = word.to_owned();
        if let Some(expected) = result.expected {
            write!(message, ", expected {}", expected.word()).expect(TAKES);
        }
        if let Some(reason) = &result.reason {
            write!(message, ": {reason}").expect(TAKES);
        }
        let run = result.run();
        let body = run.map_or(String::new(), |(title, run)| run_to_text(run, title, detail));
        (element, word, message, body)
    });
    Case {
        name: format!("#{} {}{under}", result.index, result.assertion),
        seconds: result.seconds,
        outcome,
    }
}

/// The counting attributes of a suite.
fn totals<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut errors, mut seconds) = (0, 0, 0, 0.0);
    for case in cases {
        tests += 1;
        seconds += case.seconds;
        match case.outcome {
            Some(("failure", ..)) => failures += 1,
            Some(_) => errors += 1,
            None => {}
        }
    }
    format!(
        " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" time=\"{seconds:.3}\""
    )
}

fn write_case(out: &mut String, file: &str, case: &Case) {
    let (name, class) = (escape(&case.name), escape(file));
    let open = format!(
        "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"",
        case.seconds
    );
    out.push_str(&open);
    let Some((element, kind, message, body)) = &case.outcome else {
        out.push_str("/>\n");
        return;
    };
    let (message, body) = (escape(message), escape(body));
    let inner = format!(">\n      <{element} type=\"{kind}\" message=\"{message}\">{body}</{element}>\n");
    out.push_str(&inner);
    out.push_str("    </testcase>\n");
}

/// Text for an element or a quoted attribute. Characters that XML 1.0 cannot carry become `?`.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b & \"c\"\u{1}>\n"), "a&lt;b &amp; &quot;c&quot;?&gt;\n");
    }

    #[test]
    fn an_input_error_is_a_case() {
        let report = Report {
            messages: vec![Message::usage("cannot-read", "cannot read x.csp")],
            ..Report::default()
        };
        let xml = report_to_junit(&report, Detail::Short);
        assert!(xml.contains("<testsuite name=\"fairhold\" tests=\"1\" failures=\"0\" errors=\"1\""));
        assert!(xml.contains("<error type=\"input\" message=\"cannot read x.csp\"></error>"));
    }
}
