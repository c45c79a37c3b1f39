//! The share of runs that have converged, over the number of steps, as a picture: the empirical distribution.

use super::sample::Sample;
use crate::junit::escape;
use std::fmt::Write;

/// The size of the picture, and what is left of it at the sides for words.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 56.0;
/// About so many marks on the axis of steps.
const MARKS: u64 = 6;

const INK: &str = "#101828";
const GREY: &str = "#667085";
const FAINT: &str = "#e4e7ec";
const CURVE: &str = "#1f5fbf";
const MEDIAN: &str = "#c2410c";

/// The picture as an SVG document.
pub fn sample_to_svg(sample: &Sample) -> String {
    let mut steps: Vec<u64> = sample.steps.iter().copied().flatten().collect();
    steps.sort_unstable();
    let longest = steps.last().copied().unwrap_or(0).max(1);
    let mark = round_mark(longest);
    let end = longest.div_ceil(mark) * mark;
    let x = |steps: u64| LEFT + (WIDTH - LEFT - RIGHT) * steps as f64 / end as f64;
    let y = |share: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
    let mut picture = Picture { out: String::new() };

    let title = format!("Steps until `{}` holds, {}", sample.until, named(sample));
    picture.add(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="11">"#
    ));
    picture.add(format_args!("<title>{}</title>", escape(&title)));
    picture.add(format_args!(
        r##"<rect width="100%" height="100%" fill="#ffffff"/>"##
    ));
    picture.text(LEFT, 18.0, &title, "start", INK);
    picture.text(LEFT, 36.0, &summary(sample), "start", GREY);
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        picture.line((x(0), y(share)), (x(end), y(share)), FAINT, "");
        picture.text(LEFT - 8.0, y(share), &format!("{} %", quarter * 25), "end", GREY);
    }
    for at in (0..=end).step_by(mark as usize) {
        picture.line((x(at), y(0.0)), (x(at), y(0.0) + 5.0), GREY, "");
        picture.text(x(at), y(0.0) + 16.0, &at.to_string(), "middle", GREY);
    }
    picture.line((x(0), y(0.0)), (x(end), y(0.0)), GREY, "");
    picture.text((x(0) + x(end)) / 2.0, HEIGHT - 16.0, "steps", "middle", GREY);

    let runs = sample.steps.len().max(1) as f64;
    let mut path = format!("M{:.1},{:.1}", x(0), y(0.0));
    for (place, &at) in steps.iter().enumerate() {
        // Runs of one length are one step upwards.
        if steps.get(place + 1) != Some(&at) {
            let share = (place + 1) as f64 / runs;
            write!(path, " H{:.1} V{:.1}", x(at), y(share)).expect("a string takes all that is written");
        }
    }
    write!(path, " H{:.1}", x(end)).expect("a string takes all that is written");
    picture.add(format_args!(
        r#"<path d="{path}" fill="none" stroke="{CURVE}" stroke-width="1.8" stroke-linejoin="round"/>"#
    ));
    if let Some(median) = sample.statistics.median() {
        picture.line(
            (x(median), y(0.0)),
            (x(median), y(1.0)),
            MEDIAN,
            r#" stroke-dasharray="4 3""#,
        );
        let right = x(median) > WIDTH - 140.0;
        let (at, anchor) = if right {
            (x(median) - 6.0, "end")
        } else {
            (x(median) + 6.0, "start")
        };
        picture.text(at, y(0.04), &format!("median {median}"), anchor, MEDIAN);
    }
    picture.out.push_str("</svg>\n");
    picture.out
}

/// The file and its constants.
fn named(sample: &Sample) -> String {
    let defines = sample
        .defines
        .iter()
        .map(|(name, value)| format!(", {name} = {value}"));
    format!("{}{}", sample.file, defines.collect::<String>())
}

fn summary(sample: &Sample) -> String {
    let found = &sample.statistics;
    let mean = found
        .mean
        .map_or(String::new(), |mean| format!(", mean {mean:.1}"));
    let (runs, converged) = (found.runs, found.converged);
    format!(
        "{runs} random runs, {converged} converged{mean}; seed {}",
        sample.options.seed
    )
}

/// A round distance of marks: 1, 2 or 5 times a power of ten.
fn round_mark(longest: u64) -> u64 {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if longest / (factor * power) <= MARKS {
                return factor * power;
            }
        }
        power *= 10;
    }
}

struct Picture {
    out: String,
}

impl Picture {
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("a string takes all that is written");
    }

    fn text(&mut self, x: f64, y: f64, text: &str, anchor: &str, colour: &str) {
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" dy="0.35em" text-anchor="{anchor}" fill="{colour}">{}</text>"#,
            escape(text)
        ));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, look: &str) {
        self.add(format_args!(
            r#"<path d="M{:.1},{:.1} L{:.1},{:.1}" stroke="{colour}"{look}/>"#,
            from.0, from.1, to.0, to.1
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::Statistics;
    use super::*;
    use crate::SampleOptions;

    #[test]
    fn marks_are_round() {
        let marks: Vec<u64> = [1, 6, 7, 13, 30, 99, 1234].map(round_mark).into();
        assert_eq!(marks, [1, 1, 2, 2, 5, 20, 200]);
    }

    #[test]
    fn a_plot_is_closed_and_escaped_whatever_the_runs() {
        for steps in [
            vec![],
            vec![None],
            vec![Some(0)],
            vec![Some(3), Some(3), None, Some(70)],
        ] {
            let sample = Sample {
                file: "a&b.pp".into(),
                defines: vec![("N".into(), 3)],
                until: "#x < 2".into(),
                options: SampleOptions::default(),
                statistics: Statistics::new(&steps),
                steps,
            };
            let svg = sample_to_svg(&sample);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("a&amp;b.pp, N = 3") && svg.contains("#x &lt; 2") && !svg.contains("NaN"));
        }
    }
}
