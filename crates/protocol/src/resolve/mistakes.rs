//! Every mistake has a place, and one mistake is one message.

use super::*;

/// The errors and warnings by code and the text they are about.
fn said(text: &str) -> Vec<(&'static str, &str)> {
    let mut map = SourceMap::new();
    let file = map.add("p.pp", text);
    let (protocol, diagnostics) = read_protocol(&map, file, &[]);
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(protocol.is_none(), errors, "{text}");
    let place = |d: &Diagnostic| {
        let span = d.span.expect("a place");
        (d.code, &text[span.start as usize..span.end as usize])
    };
    diagnostics.iter().map(place).collect()
}

fn help(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("p.pp", text);
    read_protocol(&map, file, &[]).1[0].help.clone()
}

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

#[test]
fn every_mistake_has_a_place() {
    for (declaration, expected) in [
        // Rules.
        (
            "a: (leder=x), * -> (leader=x), *",
            vec![("unknown-field", "leder")],
        ),
        (
            "a: (leader=1, leader=0), * -> *, *",
            vec![("impossible-pattern", "(leader=1, leader=0)")],
        ),
        ("a: (c=7), * -> *, *", vec![("impossible-pattern", "c=7")]),
        ("a: (c>3), * -> *, *", vec![("impossible-pattern", "(c>3)")]),
        (
            "a: (c=x, c!=x), * -> *, *",
            vec![("impossible-pattern", "(c=x, c!=x)")],
        ),
        (
            "a: (leader=b), (token=b, token=!b) -> *, *",
            vec![("impossible-pattern", "(token=b, token=!b)")],
        ),
        (
            "a: (c=x, c>1), (c=x, c<1) -> *, *",
            vec![("impossible-pattern", "(c=x, c>1), (c=x, c<1)")],
        ),
        ("a: (colour=blue), * -> *, *", vec![("wrong-value", "blue")]),
        ("a: (leader=red), * -> *, *", vec![("wrong-value", "red")]),
        ("a: (leader, found), * -> *, *", vec![("unknown-field", "found")]),
        ("a: *, * -> (vote=yes), *", vec![("assigned-input", "vote=yes")]),
        ("a: *, * -> (c=1, c=2), *", vec![("assigned-twice", "c=2")]),
        ("a: *, * -> (c=9), *", vec![("out-of-domain", "c=9")]),
        ("a: *, * -> (c=x), *", vec![("unknown-name", "x")]),
        ("a: *, * -> *", vec![("pp-syntax", "*")]),
        ("a: * -> *, *", vec![("pp-syntax", "*, *")]),
        ("a: *, *, * -> *", vec![("pp-syntax", ",")]),
        ("a: (c), * -> *, *", vec![("not-boolean", "c")]),
        ("a: (c=!x), (c=x) -> *, (c=x)", vec![("not-boolean", "c=!x")]),
        ("a: *, * when leader -> *, *", vec![("which-node", "leader")]),
        ("a: * when r.leader -> *", vec![("which-node", "r")]),
        (
            "a: *, * when meet.0.1 -> *, *",
            vec![("not-a-condition", "meet.0.1")],
        ),
        (
            "a: *, * when forall i: leader[i] -> *, *",
            vec![("reserved-name", "i")],
        ),
        ("a: (!leader = 1), * -> *, *", vec![("pp-syntax", "!leader =")]),
        ("a: (leader) (leader) -> *, *", vec![("pp-syntax", "(")]),
        ("a: (leader), (leader) => *, *", vec![("pp-syntax", "=")]),
        ("a: (leader), * -> (leader:=0), *", vec![("pp-syntax", ":")]),
        ("a: (leader), * -> (leader<1), *", vec![("pp-syntax", "<")]),
        ("meet: * -> *", vec![("duplicate-name", "meet")]),
        ("pass: * -> *", vec![("reserved-name", "pass")]),
        // Constants, fields, inputs.
        ("field leader: bool", vec![("duplicate-name", "leader")]),
        ("field F: bool", vec![("reserved-name", "F")]),
        ("field q: 3..1", vec![("empty-domain", "3..1")]),
        ("field q: {}", vec![("empty-domain", "{}")]),
        ("field q: {x, x}", vec![("duplicate-name", "x")]),
        ("field q: {K}", vec![("duplicate-name", "K")]),
        ("field q, w: 0..3000", vec![("too-many-node-states", "q")]),
        ("field q bool", vec![("pp-syntax", "bool")]),
        ("field q: boole", vec![("pp-syntax", "")]),
        ("field q: bool = 1", vec![("pp-syntax", "=")]),
        ("input q: 0..2 = node", vec![("out-of-domain", "node")]),
        ("input q: bool = leader", vec![("not-constant", "leader")]),
        ("input q: bool = 1 / node", vec![("constant-error", "1 / node")]),
        ("const M = L", vec![("unknown-name", "L")]),
        ("const M = leader", vec![("not-constant", "leader")]),
        ("const M = #leader", vec![("not-constant", "#leader")]),
        ("const M = M + 1", vec![("cyclic-constants", "M")]),
        ("const M = 2147483647 + 1", vec![("constant-error", "+")]),
        ("const M = 99999999999", vec![("pp-syntax", "99999999999")]),
        ("size M = 3", vec![("repeated-declaration", "M")]),
        (
            "topology complete",
            vec![("repeated-declaration", "topology complete")],
        ),
        ("detector d = true", vec![("repeated-declaration", "d")]),
        // Predicates.
        (
            "predicate p = q predicate q = !p",
            vec![("cyclic-predicates", "p")],
        ),
        ("predicate p = leader", vec![("which-node", "leader")]),
        ("predicate p = node = 1", vec![("which-node", "node")]),
        ("predicate p = i = 1", vec![("which-node", "i")]),
        ("predicate p = leader[7]", vec![("unknown-node", "7")]),
        ("predicate p = green > 0", vec![("ambiguous-value", "green")]),
        ("predicate p = c[0] = 9", vec![("never-equal", "=")]),
        ("predicate p = 1 < 2 < 3", vec![("ambiguous-operators", "<")]),
        ("predicate p = !#leader == 1", vec![("ambiguous-operators", "==")]),
        ("predicate p = [] one", vec![("pp-syntax", "[]")]),
        ("predicate p = one -> one", vec![("pp-syntax", "->")]),
        ("predicate p = #c = 0", vec![("not-boolean", "c")]),
        (
            "predicate p = forall leader: true",
            vec![("duplicate-name", "leader")],
        ),
        (
            "predicate p = forall a: forall b: forall c2: forall d: forall e: forall f2: forall g: forall h: forall i2: forall j: forall k: leader[k]",
            vec![("too-long", "leader[k]")],
        ),
        (
            "predicate p = onne || twoo",
            vec![("unknown-name", "onne"), ("unknown-name", "twoo")],
        ),
        // Where it starts.
        ("initial where found", vec![("asks-detector", "found")]),
        (
            "initial leader = 0, leader = 1",
            vec![("assigned-twice", "leader")],
        ),
        ("initial root = 0", vec![("assigned-input", "root")]),
        ("initial leader = 2", vec![("out-of-domain", "2")]),
        ("initial leader = c", vec![("not-constant", "c")]),
        (
            "initial all initial all",
            vec![("repeated-declaration", "initial all")],
        ),
        ("schedule cyclical", vec![("pp-syntax", "cyclical")]),
        // Assertions.
        (
            "initial where one assert self-stabilising to one",
            vec![("not-self-stabilising", "self-stabilising")],
        ),
        ("assert one -> one -> one", vec![("ambiguous-operators", "->")]),
        ("assert one && one -> one", vec![("ambiguous-operators", "->")]),
        ("assert one U one && one", vec![("ambiguous-operators", "&&")]),
        ("assert [] AG one", vec![("mixed-logics", "[]")]),
        ("assert A[one]", vec![("mixed-logics", "A[one]")]),
        ("assert AG meet.0.1", vec![("event-in-ctl", "meet.0.1")]),
        ("assert [] meet.1.0", vec![("unknown-event", "meet.1.0")]),
        ("assert [] meet.0", vec![("unknown-event", "meet.0")]),
        ("assert [] meat.0.1", vec![("unknown-event", "meat.0.1")]),
        ("assert [] meet.0.9", vec![("unknown-node", "9")]),
        ("assert [] meet.0.(#leader)", vec![("not-constant", "(#leader)")]),
        ("assert [] \"mt.0.1\"", vec![("unknown-event", "\"mt.0.1\"")]),
        ("assert [] pass.0.1", vec![("unknown-event", "pass.0.1")]),
        ("assert forall k: [] k.leader", vec![("unknown-event", "k")]),
        ("assert forall k: [] leader[k+1]", vec![("unknown-node", "k+1")]),
        ("assert [] enabled(meet.0.1)", vec![("step-atom", "enabled")]),
        ("assert [] deadlock", vec![("step-atom", "deadlock")]),
        ("assert AG engaged(meet.0.1)", vec![("step-atom", "engaged")]),
        (
            "assert AG enabled(meet.0.1, meet.1.2)",
            vec![("pp-syntax", "enabled")],
        ),
        ("assert [] buchi(one)", vec![("step-atom", "buchi")]),
        ("assert [] foo(one)", vec![("unknown-name", "foo")]),
        ("assert [] impartial", vec![("no-processes", "impartial")]),
        ("assert reaches meet.0.1", vec![("not-a-condition", "meet.0.1")]),
        ("assert ([] one) == 1", vec![("not-a-condition", "[]")]),
        (
            "assert computes #leader > 1 by token",
            vec![("computes-from-inputs", "#leader > 1")],
        ),
        ("assert computes #{vote=yes} > 1 by c", vec![("not-boolean", "c")]),
        ("assert computes one", vec![("pp-syntax", "")]),
        ("assert self stabilising", vec![("pp-syntax", "self")]),
        ("assert one //@ fairness: pwf", vec![("no-processes", "pwf")]),
        ("assert one //@ expect: psf holds", vec![("no-processes", "one")]),
        (
            "assert one //@ expect: maybe",
            vec![("bad-directive", "expect: maybe")],
        ),
        (
            "//@ expect: holds",
            vec![("stray-directive", "//@ expect: holds")],
        ),
        // Words.
        ("@", vec![("pp-syntax", "@")]),
        ("\"abc", vec![("pp-syntax", "\"abc")]),
        ("/* abc", vec![("pp-syntax", "/*")]),
    ] {
        let text = format!("{BASE}{declaration}");
        assert_eq!(said(&text), expected, "{declaration}");
    }
}

#[test]
fn networks_that_cannot_be() {
    let rest =
        "field f: bool\nmeet: (f), (f) -> *, (!f)\nassert forall k: []<> f[k] = 1\nassert [] meet.0.1\n";
    for (declarations, expected) in [
        ("size 0\ntopology ring", vec![("wrong-size", "0")]),
        ("size N = 1 - 4\ntopology ring", vec![("wrong-size", "1 - 4")]),
        ("size N = 20000\ntopology ring", vec![("wrong-size", "20000")]),
        (
            "size N = 9000\ntopology complete",
            vec![("wrong-size", "topology complete")],
        ),
        (
            "size N = 1\ntopology ring",
            vec![("empty-topology", "topology ring")],
        ),
        (
            "size N = 4\ntopology graph {}",
            vec![("empty-topology", "topology graph {}")],
        ),
        ("size N = 4\ntopology", vec![("pp-syntax", "field")]),
        ("size N = 4\ntopology rign", vec![("pp-syntax", "rign")]),
        ("size N = 4\ntopology grid 3", vec![("wrong-grid", "3")]),
        ("size N = 4\ntopology grid", vec![("pp-syntax", "field")]),
        ("size N\ntopology ring", vec![("pp-syntax", "topology")]),
        ("topology ring", vec![("missing-declaration", "topology")]),
        ("size 4", vec![("missing-declaration", "size")]),
        (
            "size 4\ntopology graph { 0->1, 1->4, 2->2, 0->1, 3--0, 0->3 }",
            vec![
                ("unknown-node", "4"),
                ("self-edge", "2->2"),
                ("duplicate-edge", "0->1"),
                ("duplicate-edge", "0->3"),
            ],
        ),
        ("size 4\ntopology graph { 0->1, 1 }", vec![("pp-syntax", "}")]),
        ("size 4\ntopology graph { 0->1", vec![("pp-syntax", "field")]),
    ] {
        let text = format!("{declarations}\n{rest}");
        assert_eq!(said(&text), expected, "{declarations}");
    }
    let codes: Vec<_> = said("").into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["missing-declaration"; 4]);
}

#[test]
fn reading_goes_on_behind_a_mistake() {
    let text = "size N = 4 topology ring\nfield leader bool\nfield token: bool\n\
                meet: (leader=1), (leader=1 -> *, (leader=0)\nother: (token), (tokn) -> *, *\n\
                predicate one = #leader == \npredicate two = #token = 2 & one\nassert <>[] one && leader[0]\n\
                assert [] (meet.0.1 || other.0.9)\n//@ expect: holds\n";
    assert_eq!(
        said(text),
        [
            ("pp-syntax", "bool"),
            ("pp-syntax", "->"),
            ("pp-syntax", "predicate"),
            ("unknown-field", "tokn"),
            ("unknown-node", "9"),
        ]
    );
}

#[test]
fn not_more_errors_than_anyone_reads() {
    let text = "-> ; ".repeat(1000);
    assert_eq!(
        said(&text)
            .iter()
            .filter(|(code, _)| *code == "pp-syntax")
            .count(),
        20
    );
    let many: String = (0..1000)
        .map(|k| format!("predicate p{k} = unknown{k}\n"))
        .collect();
    assert_eq!(said(&format!("{BASE}{many}")).len(), 50);
}

#[test]
fn suggestions() {
    let add = |declaration: &str| help(&format!("{BASE}{declaration}"));
    assert_eq!(add("a: (leder=1), * -> *, *"), "did you mean `leader`?");
    assert_eq!(add("a: (colour=blue), * -> *, *"), "its values are red, green");
    assert_eq!(add("feild q: bool"), "did you mean `field`?");
    assert_eq!(add("field q: boole"), "did you mean `bool`?");
    assert_eq!(add("assert [] onee"), "did you mean `one`?");
    assert_eq!(add("assert [] meat.0.1"), "did you mean `meet`?");
    assert_eq!(add("assert [] meet.1.0"), "there is one from 0 to 1: `meet.0.1`");
    assert_eq!(add("#assert one"), "write `assert`, without `#`");
    assert_eq!(
        add("a: (leader, found), * -> *, *"),
        "the detector is asked in a guard: `when found`"
    );
    assert_eq!(help("size 3 topology rnig"), "did you mean `ring`?");
}

#[test]
fn nothing_is_too_deep_for_the_stack() {
    let deep = |text: String| {
        let text = format!("{BASE}{text}\n");
        assert!(
            said(&text).iter().any(|(code, _)| *code == "too-deep"),
            "{}",
            &text[BASE.len()..][..40]
        );
    };
    let n = 100_000;
    deep(format!("predicate p = {}1{}", "(".repeat(n), ")".repeat(n)));
    deep(format!("predicate p = {}1", "!".repeat(n)));
    deep(format!("predicate p = {}1", "- ".repeat(n)));
    deep(format!("predicate p = 1{}", " + 1".repeat(n)));
    deep(format!("predicate p = 1{}", " * 1".repeat(n)));
    deep(format!("predicate p = {}0{}", "leader[".repeat(n), "]".repeat(n)));
    deep(format!("predicate p = {}true{}", "all{".repeat(n), "}".repeat(n)));
    deep(format!("assert {}one", "[]".repeat(n)));
    deep(format!("assert {}one", "! <>".repeat(n)));
    deep(format!("assert {}one", "forall k: ".repeat(n)));
    deep(format!("assert {}one", "AG (".repeat(n)));
    deep(format!("a: (c={}1), * -> *, *", "(".repeat(n)));
    let chain: String = (1..2000)
        .map(|k| format!("predicate p{k} = !p{}\n", k - 1))
        .collect();
    deep(format!("predicate p0 = one\n{chain}"));
    let double: String = (1..40)
        .map(|k| format!("predicate p{k} = p{0} & p{0}\n", k - 1))
        .collect();
    let double = format!("{BASE}predicate p0 = one\n{double}");
    assert_eq!(
        said(&double).iter().map(|(code, _)| *code).collect::<Vec<_>>(),
        ["too-long"]
    );
    // What is long and not deep is fine.
    let long = format!("{BASE}predicate p = one{}\n", " && one".repeat(10_000));
    assert_eq!(said(&long), []);
}
