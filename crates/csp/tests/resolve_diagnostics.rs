//! What the resolver says about wrong models: every code, how much one mistake gives, and that nothing panics.

use fairhold_csp::resolve::{self, Loaded, Options};
use fairhold_csp::syntax;
use fairhold_source::{Diagnostic, FileId};

fn load(text: &str) -> Loaded {
    load_with(text, &[])
}

fn load_with(text: &str, defines: &[(String, i32)]) -> Loaded {
    let read = |_: &str, _: &str| Err("no such file".to_owned());
    resolve::load("m.csp", text, &Options { defines, read: &read })
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|d| d.code).collect()
}

/// Every code, with a text that gives it and nothing else.
#[test]
fn every_diagnostic_has_a_text_that_gives_it() {
    let table: &[(&str, &str)] = &[
        ("unknown-name", "P = a -> Q;"),
        ("unknown-name", "P = [x > 0] a.x -> c.x -> P;"),
        ("unknown-name", "P = c!1 -> P;"),
        ("unknown-name", "P = a -> P; #alphabet Q {a};"),
        ("unknown-name", "P = a -> P; #assert P |= []<> b;"),
        ("unknown-name", "P = a -> P; #assert Q deadlockfree;"),
        (
            "unknown-name",
            "channel c 0; P = c!1 -> P; Q = c?x -> Q; #assert P |= [] c!1;",
        ),
        ("duplicate-name", "P = a -> P; P = b -> P;"),
        ("duplicate-name", "var x; var x; P = a -> P;"),
        ("duplicate-name", "P(i, i) = a -> P(i, i);"),
        ("duplicate-name", "channel c 1; P = c?x.x -> P;"),
        ("duplicate-name", "P = a -> P; #alphabet P {a}; #alphabet P {b};"),
        ("name-clash", "var P; P = a -> P;"),
        ("name-clash", "var a; P = a -> P;"),
        ("name-clash", "P(i) = i -> P(i);"),
        ("wrong-kind-of-name", "var x; P = a -> x;"),
        ("wrong-kind-of-name", "P = [P] a -> P;"),
        (
            "wrong-kind-of-name",
            "var x; #define run {x = 1;}; P = [run] a -> P;",
        ),
        ("wrong-arguments", "P(i) = a -> P; Q = P(1, 2);"),
        ("wrong-arguments", "var x; #define p(i) x == i; P = [p] a -> P;"),
        ("wrong-indices", "var x; P = [x[0] == 1] a.(x[1]) -> P;"),
        ("wrong-indices", "var x[2][2]; P = [x[0] == 1] a -> P;"),
        ("wrong-indices", "channel c 1; P = c[0]!1 -> P;"),
        ("wrong-indices", "channel c[2] 1; P = c!1 -> P;"),
        ("cannot-assign", "#define N 1; P = a{N = 2} -> P;"),
        ("cannot-assign", "P(i) = a{i = 2} -> P(i);"),
        ("cannot-assign", "var x[2]; P = a{x = 2} -> P;"),
        ("assignment-outside-program", "var x; P = a.x++ -> P;"),
        ("type-mismatch", "var x; P = [x] a -> P;"),
        ("type-mismatch", "var x; P = a{x = true} -> b{x = false} -> P;"),
        ("type-mismatch", "P = a.(true + 1) -> P;"),
        ("type-mismatch", "var b = true; P = [b == 1] a -> P;"),
        ("not-constant", "var x; var a[x + y]; var y; P = e -> P;"),
        ("not-constant", "var x; P = ||| i:{0..x} @ a.i -> Skip;"),
        ("constant-error", "#define N 1 / 0; P = a.N -> P;"),
        (
            "define-cycle",
            "#define A B; #define B A + 1; var x[A]; P = a.B -> P;",
        ),
        (
            "define-cycle",
            "var x; #define p q && x > 1; #define q p; P = [p] a -> P;",
        ),
        ("array-too-large", "var x[1000000000]; P = a.(x[0]) -> P;"),
        ("array-too-large", "var x[1000][1000]; var y[1000]; P = a -> P;"),
        ("array-too-large", "var x = [0(1000000000)]; P = a -> P;"),
        (
            "array-too-small",
            "#define N 0; var x[N]; var y[N]; P = a.(x[0]) -> P;",
        ),
        ("wrong-initial-value", "var x[3] = [1, 2]; P = a -> P;"),
        ("wrong-initial-value", "var x[3] = [0(1000000000)]; P = a -> P;"),
        ("wrong-initial-value", "var x = [1, true]; P = a -> P;"),
        ("wrong-initial-value", "var x[3] = 1; P = a -> P;"),
        ("out-of-range", "var x:{1..5} = 9; P = a -> P;"),
        ("empty-range", "var x:{5..1} = 3; P = a -> P;"),
        (
            "empty-range",
            "#define N 0; P = ||| i:{0..N-1} @ a.i -> Skip; Q = || j:{0..N-1} @ P;",
        ),
        ("too-many-values", "P = ||| i:{0..1000}; j:{0..1000} @ a -> Skip;"),
        ("too-many-values", "P = ||| i:{0..2000000000} @ a -> Skip;"),
        ("wrong-capacity", "channel c 10001; P = c!1 -> P;"),
        ("wrong-capacity", "channel c -1; P = c!1 -> P;"),
        ("not-supported", "P = |||{..} @ a -> Skip;"),
        ("not-supported", "var x:{0..3} = *; P = a.x -> P;"),
        ("int-too-large", "P = a.2147483648 -> P;"),
        ("input-matches-variable", "var x; channel c 1; P = c?x -> P;"),
        (
            "data-event-does-not-synchronise",
            "var x; P = a{x = 1} -> P; Q = a -> Q; R = P || Q;",
        ),
        ("unguarded-recursion", "P = P;"),
        (
            "unguarded-recursion",
            "P = Q [] a -> Stop; Q = (R; Skip) ||| b -> Stop; R = P \\ {a};",
        ),
        ("mixed-logics", "P = a -> P; #assert P |= AG (<> a);"),
        ("mixed-logics", "P = a -> P; #assert P |= A[a && a];"),
        ("mixed-logics", "var x; P = a -> P; #assert P |= [] EF x == 1;"),
        ("event-in-ctl", "P = a -> P; #assert P |= AG (a -> EF a);"),
        ("event-in-ctl", "P = a -> P; #assert P |= EF \"a\";"),
        (
            "event-in-ctl",
            "channel c 1; P = c!1 -> c?x -> P; #assert P |= AG c!1;",
        ),
        ("step-atom", "P = a -> P; #assert P |= AG engaged(a);"),
        ("step-atom", "P = a -> P; #assert P |= AG ready(a);"),
        ("step-atom", "P = a -> P; #assert P |= [] enabled(a);"),
        ("step-atom", "P = a -> P; #assert P |= buchi(a);"),
        ("unknown-name", "P = a -> P; #assert P |= [] deadlock;"),
        ("ltl-precedence", "P = a -> b -> P; #assert P |= a || b && a;"),
        ("never-happens", "P = a.1 -> P; #assert P |= []<> a;"),
        (
            "bad-directive",
            "P = a -> P;\n#assert P deadlockfree; //@ expect: maybe",
        ),
        (
            "bad-directive",
            "P = a -> P;\n#assert P deadlockfree; //@ fairness: strong",
        ),
        (
            "bad-directive",
            "P = a -> P;\n#assert P deadlockfree; //@ hope: holds",
        ),
        (
            "bad-directive",
            "P = a -> P;\n#assert P deadlockfree; //@ expect: none holds, none fails",
        ),
        (
            "stray-directive",
            "P = a -> P;\n//@ expect: holds\n#assert P deadlockfree;",
        ),
        ("no-effect", "var x; P = a{x == 1; x = 2} -> P;"),
        ("array-as-index", "var x[2]; P = a.x -> P;"),
        ("no-process", "var x;"),
        ("csharp", "#import \"PAT.Lib.Set\"; P = a -> P;"),
    ];
    for (code, text) in table {
        let loaded = load(text);
        assert_eq!(
            codes(&loaded.diagnostics),
            [*code],
            "in {text}\n{:#?}",
            loaded.diagnostics
        );
        let wrong = loaded.diagnostics[0].is_error();
        assert_eq!(loaded.model.is_none(), wrong, "in {text}");
    }
    let loaded = load_with("#define Size 3; P = a -> P;", &[("Sise".to_owned(), 2)]);
    assert_eq!(codes(&loaded.diagnostics), ["unknown-define"]);
    assert!(loaded.diagnostics[0].help.contains("Size"));
}

/// Models with a bit of everything.
const MODELS: [&str; 4] = [
    "// Dining philosophers
#define N 5;
enum {idle, hungry, full};
var meals[N];
var phase = idle;
hvar total:{0..1000} = 0;
Phil(i) = get.i.(i+1)%N -> get.i.i -> eat.i{meals[i] = meals[i] + 1; total++;} -> put.i.(i+1)%N -> put.i.i -> Phil(i);
Fork(x) = get.x.x -> put.x.x -> Fork(x) [] get.(x-1)%N.x -> put.(x-1)%N.x -> Fork(x);
College() = || x:{0..N-1} @ (Phil(x) || Fork(x));
#define fed meals[0] > 0 && phase == idle;
#assert College() deadlockfree; //@ expect: fails
#assert College() |= []<> eat.0; //@ fairness: esf
#assert College() reaches fed with max(total);
",
    "#define K 2;
channel wire 0;
channel queue[K] 3;
var sum = 0;
var done = false;
Sender(n) = if (n > 0) { wire!n -> queue[n % K]!n.sum -> Sender(n - 1) } else { stop{done = true;} -> Skip };
Receiver = wire?x{sum = sum + x;} -> Receiver [] [done] finish -> Skip;
Drain(i) = queue[i]?x.y -> case { x == 1: one -> Drain(i) x == 2: two -> Drain(i) default: Drain(i); Skip };
System = Sender(3) ||| Receiver ||| (||| i:{0..K-1} @ Drain(i));
#define finished done == true;
#assert System reaches finished;
#assert System |= [](wire.1 -> <> finish);
",
    "var x; var y = 3; var grid[2][3] = [1, 2, 3, 0(3)];
#define small(v) v < 3; #define step { var t = x; x = y; y = t; };
P(i) = [call(small, x) && grid[i][0] > 0] wf(tick.i) -> atomic { a{step;} -> b -> Skip }; Q(i);
Q(i) = (P(i) <> (a -> Stop)) interrupt (stop -> Skip);
Main = (P(0) ||| Q(1)) \\ {a, j:{0..1} @ tick.j};
#alphabet Main {stop, a};
Spec = (a, b, stop) -> Spec [*] ifa (x > 0) { Skip } else { tau -> Stop };
#assert Main refines Spec;
#assert Main |= AG (x == 0 -> EF x == 3);
",
    "var board[9]; var turn = 1; var winner = 0;
#define row(r) board[3*r] != 0 && board[3*r] == board[3*r+1] && board[3*r] == board[3*r+2];
#define over winner != 0 || (&& i:{0..8} @ board[i] != 0);
Move(i) = [board[i] == 0 && !(winner != 0)] move.i{
    board[i] = turn;
    turn = 3 - turn;
    var r = 0;
    while (r < 3) { if (board[3*r] == 1) { winner = 1; } r = r + 1; }
} -> Game;
Game = ([] i:{0..8} @ Move(i)) [] [over] finish -> Skip;
#assert Game reaches over;
#assert Game nonterminating;
",
];

#[test]
fn the_models_are_right() {
    for text in MODELS {
        assert_eq!(load(text).diagnostics, [], "in {text}");
    }
}

/// Splits a text into words, numbers, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// One wrong word gives one to three diagnostics.
#[test]
fn a_misspelt_word_gives_few_diagnostics() {
    for text in MODELS {
        let words = words(text);
        for i in 0..words.len() {
            if !words[i].starts_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            for wrong in ["zzz", "0", "true", "99999999999", "+", "@"] {
                let mut copy = words.clone();
                copy[i] = wrong;
                let copy = copy.concat();
                let loaded = load(&copy);
                let said = loaded.diagnostics.len();
                // What the parser says is its own matter; the resolver adds nothing beyond three.
                let parsed = syntax::parse(FileId(0), &copy).diagnostics.len();
                assert!(
                    said <= parsed.max(3),
                    "{wrong} for {} gives {said}: {:#?}",
                    words[i],
                    loaded.diagnostics
                );
                assert_eq!(
                    loaded.model.is_none(),
                    loaded.diagnostics.iter().any(Diagnostic::is_error)
                );
            }
        }
    }
}

/// Random damage never makes the resolver panic.
#[test]
fn damaged_models_do_not_panic() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    let pool: Vec<&str> = MODELS.iter().flat_map(|m| words(m)).collect();
    for round in 0..2000 {
        let mut copy = words(MODELS[round % MODELS.len()]);
        for _ in 0..=random(4) {
            let at = random(copy.len());
            match random(4) {
                0 => {
                    copy.remove(at);
                }
                1 => copy.insert(at, pool[random(pool.len())]),
                2 => copy[at] = pool[random(pool.len())],
                _ => {
                    let other = random(copy.len());
                    copy.swap(at, other);
                }
            }
        }
        let mut loaded = load(&copy.concat());
        assert_eq!(
            loaded.model.is_none(),
            loaded.diagnostics.iter().any(Diagnostic::is_error)
        );
        if loaded.model.is_some() {
            let _ = resolve::assertion(&mut loaded, "P(1) |= []<> a.1");
        }
    }
}
