//! Protocols as text: what is read, and that every mistake has its place.

use super::*;
use crate::model::{Action, Operator, Place, Question, Rule};
use fairhold_logic::AtomId;
use fairhold_system::Verdict;

fn read_with(text: &str, defines: &[(&str, i32)]) -> (Option<Protocol>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("p.pp", text);
    let defines: Vec<(String, i32)> = defines.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    read_protocol(&map, file, &defines)
}

fn protocol(text: &str) -> Protocol {
    let (protocol, diagnostics) = read_with(text, &[]);
    protocol.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// A text with everything that can be spoken of.
const BASE: &str = "\
size N = 4
const K = 3
topology ring
field leader, token: bool
field c: 0..K
field colour: {red, green}
field hue: {green, blue}
input vote: {yes, no}
input root: bool = node == 0
detector found = #leader > 0
predicate one = #leader == 1
meet: (leader=1), (leader=1) -> *, (leader=0)
drop: (token) -> (!token)
";

fn with(declaration: &str) -> Protocol {
    protocol(&format!("{BASE}{declaration}\n"))
}

/// An expression with all parentheses.
fn show(protocol: &Protocol, expr: &Expr) -> String {
    let show_one = |e: &Expr| show(protocol, e);
    let place = |p: &Place| match p {
        Place::Initiator => "i".to_owned(),
        Place::Responder => "r".to_owned(),
        Place::Each => "each".to_owned(),
        Place::At(index) => format!("[{}]", show_one(index)),
    };
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Field(p, id) => format!("{}.{}", place(p), protocol.fields[id.index()].name),
        Expr::Node(p) => place(p),
        Expr::Detector => "detector".to_owned(),
        Expr::Correct => "correct".to_owned(),
        Expr::Count(e) => format!("#{{{}}}", show_one(e)),
        Expr::Not(e) => format!("!{}", show_one(e)),
        Expr::Minus(e) => format!("-{}", show_one(e)),
        Expr::Binary(operator, a, b, _) => {
            let sign = match operator {
                Operator::Or => "||",
                Operator::And => "&&",
                Operator::Equal => "==",
                Operator::Unequal => "!=",
                Operator::Less => "<",
                Operator::AtMost => "<=",
                Operator::Greater => ">",
                Operator::AtLeast => ">=",
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::Divide => "/",
                Operator::Modulo => "%",
            };
            format!("({} {sign} {})", show_one(a), show_one(b))
        }
    }
}

/// A predicate of the base text, read and shown.
fn condition(text: &str) -> String {
    let protocol = with(&format!("predicate p = {text}"));
    let (_, expr) = protocol.predicates.last().expect("a predicate");
    show(&protocol, expr)
}

/// A rule added to the base text: its guard, then its alternatives.
fn rule(text: &str) -> String {
    let protocol = with(text);
    let rule: &Rule = protocol.rules.last().expect("a rule");
    let mut shown = show(&protocol, &rule.guard);
    for alternative in &rule.alternatives {
        let assigns = alternative.iter().map(|a| {
            let place = if a.place == Place::Initiator { "i" } else { "r" };
            let field = &protocol.fields[a.field.index()].name;
            format!("{place}.{field}={}", show(&protocol, &a.value))
        });
        shown += &format!(" -> {}", assigns.collect::<Vec<_>>().join(", "));
    }
    shown
}

fn edges(declarations: &str) -> String {
    let protocol = protocol(&format!("{declarations} field f: bool a: *, * -> *, *"));
    let edges = protocol.topology.edges.iter();
    edges
        .map(|(i, r)| format!("{i}{r}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The formula of an assertion with its atoms as they were written.
fn formula(text: &str) -> String {
    let protocol = with(&format!("schedule cyclic\nassert {text}"));
    asked(&protocol, &protocol.assertions[0].question)
}

fn atom(protocol: &Protocol, atom: &Atom) -> String {
    match atom {
        Atom::State(_, text) => format!("<{text}>"),
        Atom::Event(action) => protocol.action_name(*action),
        Atom::Enabled(action) => format!("enabled({})", protocol.action_name(*action)),
        Atom::Deadlock => "deadlock".to_owned(),
    }
}

fn asked(protocol: &Protocol, question: &Question) -> String {
    let name = |atoms: &[Atom], id: AtomId| atom(protocol, &atoms[id.0 as usize]);
    match question {
        Question::DeadlockFree => "deadlockfree".to_owned(),
        Question::Reaches(condition) => format!("reaches {}", show(protocol, condition)),
        Question::Never(condition) => format!("never {}", show(protocol, condition)),
        Question::Always(condition) => format!("not always: {}", show(protocol, condition)),
        Question::Ltl(formula, atoms) => formula.display(&|id| name(atoms, id)).to_string(),
        Question::Ctl(formula, atoms) => formula.display(&|id| name(atoms, id)).to_string(),
    }
}

#[test]
fn fields_inputs_and_constants() {
    let p = with("const M = K * (N - 1) % 5");
    assert_eq!(
        p.constants,
        [("N".to_owned(), 4), ("K".to_owned(), 3), ("M".to_owned(), 4)]
    );
    let fields: Vec<_> = p
        .fields
        .iter()
        .map(|f| (f.name.as_str(), f.low, f.high, f.names.len(), f.input))
        .collect();
    assert_eq!(
        fields,
        [
            ("leader", 0, 1, 0, false),
            ("token", 0, 1, 0, false),
            ("c", 0, 3, 0, false),
            ("colour", 0, 1, 2, false),
            ("hue", 0, 1, 2, false),
            ("vote", 0, 1, 2, true),
            ("root", 0, 1, 0, true),
        ]
    );
    assert_eq!(p.fields[5].value, None);
    assert_eq!(
        show(&p, p.fields[6].value.as_ref().expect("an input with a value")),
        "(each == 0)"
    );
    let detector = p.detector.as_ref().expect("a detector");
    assert_eq!(detector.name, "found");
    assert_eq!(show(&p, &detector.truth), "(#{each.leader} > 0)");
    assert!(p.initial.is_all() && p.schedule == Schedule::Free);
}

#[test]
fn constants_are_overridden() {
    let text = "size N = K + 1 const K = 3 topology ring field f: 0..K a: * -> *";
    let (p, _) = read_with(text, &[("K", 5)]);
    let p = p.expect("no errors");
    assert_eq!((p.nodes, p.fields[0].high), (6, 5));
    let (p, _) = read_with(text, &[("N", 7), ("N", 3)]);
    assert_eq!(p.expect("no errors").nodes, 3, "the last one counts");
    let (p, wrong) = read_with(text, &[("k", 7)]);
    assert!(p.is_none());
    assert_eq!((wrong[0].code, wrong[0].span), ("unknown-define", None));
    assert_eq!(wrong[0].help, "did you mean `K`?");
    let (_, wrong) = read_with(text, &[("N", 0)]);
    assert_eq!(wrong[0].code, "wrong-size");
    assert_eq!(wrong[0].message, "a network of 0 nodes, by -D N=0");
    for (text, name) in [
        ("size M = 3", Some("M")),
        ("size 3", Some("N")),
        ("field f: bool", None),
    ] {
        let mut map = SourceMap::new();
        let file = map.add("p.pp", text);
        assert_eq!(size_name(&map, file).as_deref(), name);
    }
    // A cycle is broken by an override.
    let text = "size N = M const M = N topology ring field f: bool a: * -> *";
    assert!(read_with(text, &[("M", 2)]).0.is_some());
}

#[test]
fn networks() {
    assert_eq!(edges("size 3 topology complete"), "01 02 10 12 20 21");
    assert_eq!(edges("size 3 topology ring"), "01 12 20");
    assert_eq!(edges("size 3 topology directed ring"), "01 12 20");
    assert_eq!(edges("size 3 topology undirected ring"), "01 10 12 21 20 02");
    assert_eq!(edges("size 2 topology ring"), "01 10");
    assert_eq!(edges("size 2 topology undirected ring"), "01 10");
    assert_eq!(edges("size 4 topology line"), "01 12 23");
    assert_eq!(edges("size 3 topology undirected line"), "01 10 12 21");
    assert_eq!(edges("size 4 topology star"), "01 02 03");
    assert_eq!(edges("size 7 topology tree"), "01 02 13 14 25 26");
    assert_eq!(edges("size 6 topology grid 3"), "01 03 12 14 25 34 45");
    assert_eq!(
        edges("size 4 topology undirected grid 2"),
        "01 10 02 20 13 31 23 32"
    );
    assert_eq!(
        edges("size N = 4 topology graph { 0->1, N-1->0 2--(1+0), }"),
        "01 30 21 12"
    );
    assert_eq!(
        edges("size 3 topology undirected graph { 0->1, 1->2 }"),
        "01 10 12 21"
    );
    let p = protocol("size 6 topology undirected grid 3 field f: bool a: * -> *");
    assert_eq!(
        p.topology.shape,
        Shape::Grid {
            columns: 3,
            directed: false
        }
    );
}

#[test]
fn expressions() {
    for (text, expected) in [
        ("#leader == N - 1", "(#{each.leader} == 3)"),
        ("all{c = c[0]}", "(#{(each.c == [0].c)} == 4)"),
        (
            "some{!leader & node != 2}",
            "(#{(!each.leader && (each != 2))} > 0)",
        ),
        (
            "one || found and not correct",
            "((#{each.leader} == 1) || (detector && !correct))",
        ),
        (
            "#leader + 2 * #token % 3 < -1",
            "((#{each.leader} + ((2 * #{each.token}) % 3)) < -1)",
        ),
        ("colour[0] = green", "([0].colour == 1)"),
        ("green = hue[0]", "(0 == [0].hue)"),
        (
            "#{vote=no} >= #{vote != yes}",
            "(#{(each.vote == 1)} >= #{(each.vote != 0)})",
        ),
        ("leader[#token % N]", "[(#{each.token} % 4)].leader"),
        ("exists k: k < 2 && c[k] = k", "(([0].c == 0) || ([1].c == 1))"),
        ("exists k: k > 3 && leader[k]", "0"),
        (
            "forall k: k = N - 1 || !leader[k + 1]",
            "((![1].leader && ![2].leader) && ![3].leader)",
        ),
        ("1 / 2 = 0 && leader[0] = 1", "([0].leader == 1)"),
        ("-7 % 3 = 2 && -7 / 3 = -2", "1"),
        ("true & (one | false)", "(#{each.leader} == 1)"),
    ] {
        assert_eq!(condition(text), expected, "{text}");
    }
}

#[test]
fn connectives_bind_as_in_textbooks() {
    assert_eq!(
        condition("one || found && correct || leader[0] = 1"),
        "(((#{each.leader} == 1) || (detector && correct)) || ([0].leader == 1))"
    );
    assert_eq!(
        condition("found && found && found && found"),
        "((detector && detector) && (detector && detector))"
    );
}

#[test]
fn patterns_and_letters() {
    for (text, expected) in [
        ("a: (leader=1, *), (*) -> *, ()", "(i.leader == 1) -> "),
        ("a: *, * -> (leader=1), (token=0)", "1 -> i.leader=1, r.token=0"),
        (
            "a: (leader=b), (root=0, leader=!b) -> (token=0), (token, leader=b)",
            "((r.root == 0) && (r.leader == !i.leader)) -> i.token=0, r.token=1, r.leader=i.leader",
        ),
        (
            "a: (c=x), (c=y) when x < y && i.c + r.c > 0 -> (c=y), (c=x) | *, (c=0)",
            "((i.c < r.c) && ((i.c + r.c) > 0)) -> i.c=r.c, r.c=i.c -> r.c=0",
        ),
        (
            "a: (leader=!b), (leader=b) -> *, *",
            "(r.leader == !i.leader) -> ",
        ),
        ("a: (c!=x), (c=x) -> *, *", "(i.c != r.c) -> "),
        (
            "a: (c>=x), (c=x) when r.c = 1 -> *, *",
            "((i.c >= r.c) && (r.c == 1)) -> ",
        ),
        (
            "a: (c=K-1, !leader), (c=(1 + 1)) -> *, *",
            "(((i.c == 2) && !i.leader) && (r.c == 2)) -> ",
        ),
        (
            "a: (colour=green), (hue=green) -> *, (hue=blue)",
            "((i.colour == 1) && (r.hue == 0)) -> r.hue=1",
        ),
        (
            "a: (colour=x), (colour=x) when x != red -> *, *",
            "((r.colour == i.colour) && (i.colour != 0)) -> ",
        ),
        (
            "a: (token) when #token < N - 1 & i != 0 -> (!token)",
            "((i.token != 0) && ((#{each.token} < 3) && (i != 0))) -> i.token=0",
        ),
        (
            "a: (c=i), * when r = 1 && leader[r] = 0 -> *, *",
            "((i.c == i) && ((r == 1) && ([r].leader == 0))) -> ",
        ),
        ("a: (c=X), (c=X) -> *, *", "(r.c == i.c) -> "),
        (
            "a: *, * when #{leader & node != i} = 0 -> (leader = i.c < r.c), *",
            "(#{(each.leader && (each != i))} == 0) -> i.leader=(i.c < r.c)",
        ),
    ] {
        assert_eq!(rule(text), expected, "{text}");
    }
    let p = with("a: * -> *");
    assert!(p.rules[0].pair && !p.rules[1].pair && !p.rules[2].pair);
}

#[test]
fn where_it_starts() {
    let p = with("initial leader = node == 0, colour = green where #token == 1;");
    let values: Vec<_> = p
        .initial
        .values
        .iter()
        .map(|(id, e)| (id.index(), show(&p, e)))
        .collect();
    assert_eq!(values, [(0, "(each == 0)".to_owned()), (3, "1".to_owned())]);
    assert_eq!(
        show(&p, p.initial.condition.as_ref().expect("a condition")),
        "(#{each.token} == 1)"
    );
    assert!(with("initial all").initial.is_all());
    assert!(with("initial all where one").initial.condition.is_some());
    assert!(with("initial where one schedule cyclic").schedule == Schedule::Cyclic);
}

#[test]
fn formulas_and_templates() {
    for (text, expected) in [
        ("<>[] one", "<>[]<one>"),
        ("|= []<> token[0] = 1", "[]<><token[0] = 1>"),
        ("[](one  &&  found)", "[]<(one && found)>"),
        ("[](one -> <> !one)", "[](<one> -> <><!one>)"),
        (
            "[](meet.0.1 -> X (correct || \"correct\"))",
            "[](meet.0.1 -> X (<correct> || correct))",
        ),
        (
            "forall k: []<> drop.k",
            "(([]<>drop.0 && []<>drop.1) && ([]<>drop.2 && []<>drop.3))",
        ),
        (
            "exists k: (k < 2) && [] pass.k.(k + 1)",
            "([]pass.0.1 || []pass.1.2)",
        ),
        (
            "forall k: (k = 3) || [] leader[k + 1]",
            "(([]<leader[0 + 1]> && []<leader[1 + 1]>) && []<leader[2 + 1]>)",
        ),
        ("one U (guessT R !guessF)", "(<one> U (guessT R !guessF))"),
        ("GF one || FG one", "([]<><one> || <>[]<one>)"),
        ("![] one && <> one", "(![]<one> && <><one>)"),
        ("AG EF one", "AG EF <one>"),
        ("A[one U E[true W deadlock]]", "A[<one> U E[true W deadlock]]"),
        (
            "AG (enabled(meet.0.1) -> EX{meet.0.1, \"correct\"} !deadlock)",
            "AG (enabled(meet.0.1) -> EX{meet.0.1, correct} !deadlock)",
        ),
        (
            "self-stabilising to one && #token == 1",
            "<>[]<one && #token == 1>",
        ),
        ("self-stabilizing to one", "<>[]<one>"),
        ("stable #token == 1", "<>[]<#token == 1>"),
        (
            "computes #{vote=yes} > #{vote=no} by token",
            "<>[]<all{token = (#{vote=yes} > #{vote=no})}>",
        ),
        ("deadlockfree", "deadlockfree"),
        ("reaches one", "reaches (#{each.leader} == 1)"),
        ("never one", "never (#{each.leader} == 1)"),
        ("never (one)", "never (#{each.leader} == 1)"),
        ("always one", "not always: !(#{each.leader} == 1)"),
        (
            "exists i: exists r: (i < r && r < 2) && [] c[i] = c[r]",
            "[]<c[0] = c[1]>",
        ),
        (
            "one -> (one <-> (one xor found))",
            "<one -> (one <-> (one xor found))>",
        ),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
    let p = with("assert computes some{vote=yes} by token");
    let Question::Ltl(_, atoms) = &p.assertions[0].question else {
        panic!("LTL")
    };
    let [Atom::State(goal, _)] = &atoms[..] else {
        panic!("one condition")
    };
    assert_eq!(
        show(&p, goal),
        "(((#{(each.vote == 0)} > 0) && (#{each.token} == 4)) || (!(#{(each.vote == 0)} > 0) && (#{each.token} == 0)))"
    );
}

#[test]
fn remarks_are_those_of_every_language() {
    let p = with(
        "assert <>[] one   //@ expect: none fails, weak holds\nassert deadlockfree;\n//@ expect: holds\nassert one //@ fairness: global",
    );
    let expected: Vec<_> = p.assertions[0]
        .remarks
        .expect
        .iter()
        .map(|e| (e.notion.as_deref(), e.verdict))
        .collect();
    assert_eq!(
        expected,
        [(Some("none"), Verdict::Fails), (Some("ewf"), Verdict::Holds)]
    );
    assert_eq!(p.assertions[1].remarks.expect.len(), 1);
    let fairness = p.assertions[2].remarks.fairness.as_ref().map(|(f, _)| f.as_str());
    assert_eq!(fairness, Some("sgf"));
    let texts: Vec<&str> = p.assertions.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["<>[] one", "deadlockfree", "one"]);
}

#[test]
fn texts_from_elsewhere() {
    let p = with("");
    for text in [
        "assert <>[]  one;",
        "|= <>[] one",
        "<>[] one // so",
        "assert |= <>[] one",
    ] {
        let assertion = read_assertion(&p, FileId(1), text).expect("an assertion");
        assert_eq!(asked(&p, &assertion.question), "<>[]<one>", "{text}");
    }
    let codes = |text: &str| -> Vec<&'static str> {
        let wrong = read_assertion(&p, FileId(1), text).expect_err("no assertion");
        wrong.iter().map(|d| d.code).collect()
    };
    assert_eq!(codes("<>[] one two"), ["pp-syntax"]);
    assert_eq!(codes("<>[] (onne || toto[1])"), ["unknown-name", "unknown-field"]);
    assert_eq!(codes(""), ["pp-syntax"]);
    assert_eq!(codes("self-stabilising to \u{1}"), ["pp-syntax"]);

    let place = Span {
        file: FileId(2),
        start: 10,
        end: 100,
    };
    let fair = |text: &str| match read_fairness(&p, place, text) {
        Ok((formula, atoms)) => formula
            .display(&|id: AtomId| atom(&p, &atoms[id.0 as usize]))
            .to_string(),
        Err(wrong) => format!("{} {}", wrong.code, wrong.span.expect("a place").start),
    };
    assert_eq!(
        fair("GF enabled(meet.0.1) -> GF engaged(meet.0.1)"),
        "([]<>enabled(meet.0.1) -> []<>meet.0.1)"
    );
    assert_eq!(
        fair("forall k: streett(one, drop.k)"),
        "((([]<><one> -> []<>drop.0) && ([]<><one> -> []<>drop.1)) && (([]<><one> -> []<>drop.2) && ([]<><one> -> []<>drop.3)))"
    );
    assert_eq!(
        fair("rabin(one, found) && buchi(one)"),
        "((<>[]!<one> && []<><found>) && []<><one>)"
    );
    assert_eq!(fair("AG one"), "fairness-shape 10");
    assert_eq!(fair("impartial"), "no-processes 10");
    assert_eq!(fair("GF enabled(process)"), "no-processes 21");
    assert_eq!(fair("rabin(one)"), "pp-syntax 10");
    assert_eq!(fair("GF ready(meet.0.1)"), "step-atom 13");

    let read = |text: &str| read_atom(&p, place, text).map_err(|wrong| wrong.code);
    assert_eq!(read("meet.1.2"), Ok(Atom::Event(Action::Pair(0, 1))));
    assert_eq!(read("drop.3"), Ok(Atom::Event(Action::Single(1, 3))));
    assert_eq!(read("\"correct\""), Ok(Atom::Event(Action::Correct)));
    assert_eq!(
        read("correct"),
        Ok(Atom::State(Expr::Correct, "correct".to_owned()))
    );
    assert_eq!(read("true"), Ok(Atom::State(Expr::Const(1), "true".to_owned())));
    assert_eq!(read("[] one"), Err("not-an-atom"));
}
