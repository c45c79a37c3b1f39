//! The resolver, from the outside: what models become.

use fairhold_csp::model::{
    AnnotationKind, Atom, Base, BinaryOp, BoundId, ChannelId, DefId, Expr, Goal, Model, Pattern, Question,
    Refinement, Stmt, Target, Type, Value, Values, VarId,
};
use fairhold_csp::resolve::{self, Loaded, Options};
use fairhold_csp::term::{Operator, Term, TermId};
use fairhold_logic::{AtomId, Ctl, Quantifier};
use fairhold_source::Diagnostic;
use fairhold_system::Verdict;

fn no_files(_: &str, _: &str) -> Result<(String, String), String> {
    Err("no such file".to_owned())
}

fn load(text: &str) -> Loaded {
    load_with(text, &[])
}

fn load_with(text: &str, defines: &[(String, i32)]) -> Loaded {
    resolve::load(
        "m.csp",
        text,
        &Options {
            defines,
            read: &no_files,
        },
    )
}

fn load_files(files: &[(&str, &str)]) -> Loaded {
    let read = |_: &str, path: &str| {
        let file = files.iter().find(|(name, _)| *name == path);
        let (name, text) = file.ok_or("no such file")?;
        Ok(((*name).to_owned(), (*text).to_owned()))
    };
    resolve::load(
        files[0].0,
        files[0].1,
        &Options {
            defines: &[],
            read: &read,
        },
    )
}

fn model(text: &str) -> Model {
    let loaded = load(text);
    assert_eq!(loaded.diagnostics, [], "in {text}");
    loaded.model.expect("a model without diagnostics")
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|d| d.code).collect()
}

fn body(model: &Model, name: &str) -> Term {
    let id = model.definition(name).expect("the definition is there");
    model
        .terms
        .get(model.definitions[id.0 as usize].body)
        .term
        .clone()
}

fn term(model: &Model, id: TermId) -> Term {
    model.terms.get(id).term.clone()
}

fn int(i: i32) -> Expr {
    Expr::Const(Value::Int(i))
}

#[test]
fn constants_are_evaluated_in_any_order_and_can_be_overridden() {
    let text = "#define M N * 2; #define N 3; #define D -5; #define B true; enum {a, b, c};
                #define E c + 1; var x[M]; P = e.E.D -> P;";
    let loaded = load(text);
    assert_eq!(loaded.diagnostics, []);
    let model = loaded.model.unwrap();
    let named = |pairs: &[(&str, i32)]| {
        pairs
            .iter()
            .map(|(n, v)| ((*n).to_owned(), *v))
            .collect::<Vec<_>>()
    };
    assert_eq!(model.constants, named(&[("M", 6), ("N", 3), ("D", -5), ("E", 3)]));
    assert_eq!(model.variables[0].dims, [6]);
    let Term::Prefix(event, None, _) = body(&model, "P") else {
        panic!("a prefix")
    };
    assert_eq!(event.indices, [int(3), int(-5)]);
    let overridden = load_with(text, &named(&[("N", 4)])).model.unwrap();
    assert_eq!(
        overridden.constants,
        named(&[("M", 8), ("N", 4), ("D", -5), ("E", 3)])
    );
}

#[test]
fn variables_get_their_shape() {
    let model = model(
        "var x; var y:{0..5} = 3; hvar b = true; var a[2][3] = [1, 2(2), 6..4]; var r = [1(3)];
         var n[2][2] = [[1, 2], [3, 4]]; var z = y + 1; var u, v = 2; var l:{..9}; P = Skip;",
    );
    let of = |name: &str| model.variables.iter().find(|v| v.name == name).unwrap();
    assert_eq!((of("x").ty, &of("x").init[..]), (Type::Int, &[0][..]));
    assert_eq!(
        (of("y").lower, of("y").upper, of("y").init[0]),
        (Some(0), Some(5), 3)
    );
    assert_eq!(
        (of("b").ty, of("b").hidden, of("b").init[0]),
        (Type::Bool, true, 1)
    );
    assert_eq!(
        (&of("a").dims[..], &of("a").init[..]),
        (&[2, 3][..], &[1, 2, 2, 6, 5, 4][..])
    );
    assert_eq!((&of("r").dims[..], &of("r").init[..]), (&[3][..], &[1, 1, 1][..]));
    assert_eq!(of("n").init, [1, 2, 3, 4]);
    assert_eq!(of("z").init, [4]);
    assert_eq!((of("u").init[0], of("v").init[0]), (0, 2));
    assert_eq!((of("l").lower, of("l").upper), (None, Some(9)));
}

#[test]
fn channels_know_their_arity() {
    let model =
        model("channel c 0; channel d[2] 3; P = c!1.2 -> d[1]!x -> c!1 -> P; var x; Q = c?y -> d[0]?z -> Q;");
    let c = &model.channels[0];
    assert_eq!((c.len, c.capacity, c.arity), (None, 0, 2));
    let d = &model.channels[1];
    assert_eq!((d.len, d.capacity, d.arity), (Some(2), 3, 1));
}

#[test]
fn inputs_bind_new_names_by_depth_and_match_known_ones() {
    let model = model("#define K 7; channel c 1; P(i) = c?[x > i]x.i.K.y -> c!x.y.i.0 -> P(x);");
    let Term::Receive(channel, guard, patterns, None, then) = body(&model, "P") else {
        panic!("an input")
    };
    assert_eq!(channel.channel, ChannelId(0));
    assert!(matches!(guard, Some(Expr::Binary(BinaryOp::Gt, a, b, _))
        if *a == Expr::Bound(BoundId(1)) && *b == Expr::Bound(BoundId(0))));
    let expected = [
        Pattern::Bind(BoundId(1)),
        Pattern::Match(Expr::Bound(BoundId(0))),
        Pattern::Match(int(7)),
        Pattern::Bind(BoundId(2)),
    ];
    assert_eq!(patterns, expected);
    let Term::Send(_, values, None, then) = term(&model, then) else {
        panic!("an output")
    };
    assert_eq!(
        values,
        [
            Expr::Bound(BoundId(1)),
            Expr::Bound(BoundId(2)),
            Expr::Bound(BoundId(0)),
            int(0)
        ]
    );
    assert!(matches!(term(&model, then), Term::Call(DefId(0), args, _) if args == [Expr::Bound(BoundId(1))]));
}

#[test]
fn operators_become_terms() {
    let model = model(
        "var x; A = a -> Skip; B = b -> Skip; C = c -> Skip;
         Seq = A; B; C;
         Int = A interrupt B interrupt C;
         Events = (a, b) -> A;
         If = if (x == 0) { A } else if (x == 1) { B };
         Ifa = ifa (x == 0) { A } else { B };
         Ifb = ifb (x == 0) { A };
         Case = case { x == 0: A x == 1: B };
         Guard = [x == 0] A;
         Atomic = atomic { A };
         Silent = tau -> { x = 1; } -> A;
         Assert = assert(x == 0); A;
         Hide = A \\ {a, i:{0..2} @ e.i};
         Idx(n) = ||| i:{0..n}; j:{1, 2} @ P(i, j, n); P(i, j, k) = Skip;
         Copies = |||{3} @ A;
         All = A || B || C; Choice = A [] B; Internal = A <> B; External = A [*] B; Inter = A ||| B;",
    );
    let def = |name: &str| model.definition(name).unwrap();
    let call = |id: TermId| match term(&model, id) {
        Term::Call(id, ..) => id,
        other => panic!("a call, not {other:?}"),
    };
    let Term::Sequence(p, rest) = body(&model, "Seq") else {
        panic!("a sequence")
    };
    assert_eq!(call(p), def("A"));
    assert!(matches!(term(&model, rest), Term::Sequence(q, r) if call(q) == def("B") && call(r) == def("C")));
    let Term::Interrupt(first, r) = body(&model, "Int") else {
        panic!("an interrupt")
    };
    assert_eq!(call(r), def("C"));
    assert!(
        matches!(term(&model, first), Term::Interrupt(p, q) if call(p) == def("A") && call(q) == def("B"))
    );
    let Term::Choice(branches) = body(&model, "Events") else {
        panic!("a choice")
    };
    assert!(
        branches
            .iter()
            .all(|b| matches!(term(&model, *b), Term::Prefix(_, None, p) if call(p) == def("A")))
    );
    let Term::If(_, _, otherwise) = body(&model, "If") else {
        panic!("an if")
    };
    assert!(matches!(term(&model, otherwise), Term::If(_, _, TermId::SKIP)));
    assert!(matches!(body(&model, "Ifa"), Term::IfAtomic(..)));
    assert!(matches!(body(&model, "Ifb"), Term::IfBlocking(..)));
    assert!(matches!(body(&model, "Case"), Term::Case(branches, TermId::SKIP) if branches.len() == 2));
    assert!(matches!(body(&model, "Guard"), Term::Guard(..)));
    assert!(matches!(body(&model, "Atomic"), Term::Atomic(_)));
    let Term::Silent(None, then) = body(&model, "Silent") else {
        panic!("a tau")
    };
    assert!(matches!(term(&model, then), Term::Silent(Some(_), _)));
    assert!(matches!(body(&model, "Assert"), Term::Sequence(..)));
    let Term::HideOpen(_, events) = body(&model, "Hide") else {
        panic!("a hiding")
    };
    assert_eq!(
        (&*events[1].event.name, events[1].bindings[0].bound),
        ("e", BoundId(0))
    );
    let Term::Indexed(Operator::Interleave, bindings, inner) = body(&model, "Idx") else {
        panic!("an index")
    };
    assert_eq!((bindings[0].bound, bindings[1].bound), (BoundId(1), BoundId(2)));
    assert!(matches!(&bindings[0].values, Values::Range(_, upper) if **upper == Expr::Bound(BoundId(0))));
    let bound = |i| Expr::Bound(BoundId(i));
    assert!(matches!(term(&model, inner), Term::Call(_, args, _) if args == [bound(1), bound(2), bound(0)]));
    assert!(matches!(body(&model, "Copies"), Term::Copies(n, ..) if n == int(3)));
    assert!(matches!(body(&model, "All"), Term::Parallel(v) if v.len() == 3));
    assert!(matches!(body(&model, "Choice"), Term::Choice(_)));
    assert!(matches!(body(&model, "Internal"), Term::Internal(_)));
    assert!(matches!(body(&model, "External"), Term::External(_)));
    assert!(matches!(body(&model, "Inter"), Term::Interleave(_)));
}

#[test]
fn programs_have_locals() {
    let model = model(
        "var x; var a[3];
         P(i) = e{ var t = x; x += i; a[i] = t; if (x > 3) { var t = 1; x = t; } else x++; var l = [1, t, 2(2)];
                   while (x > 0) { l[0] = x; x = x - 1; } } -> P(i);",
    );
    let Term::Prefix(_, Some(program), _) = body(&model, "P") else {
        panic!("a program")
    };
    assert_eq!(program.locals, 3);
    assert!(matches!(&program.body[0], Stmt::Local(_, Expr::Var(VarId(0), _))));
    assert!(
        matches!(&program.body[1], Stmt::Expr(Expr::Assign(Target::Var(VarId(0)), e, _))
        if matches!(&**e, Expr::Binary(BinaryOp::Add, ..)))
    );
    assert!(matches!(
        &program.body[2],
        Stmt::Expr(Expr::Assign(Target::Element(VarId(1), _), ..))
    ));
    assert!(matches!(&program.body[3], Stmt::If(_, _, Some(_))));
    assert!(matches!(&program.body[4], Stmt::LocalArray(_, values) if values.len() == 4));
    assert!(matches!(&program.body[5], Stmt::While(..)));
}

#[test]
fn macros_are_expanded_where_they_are_used() {
    let model = model(
        "var x; var a[3]; channel c 2;
         #define goal x == 3 && a[0] > 1; #define at(i) a[i] == x; #define inc(v) v = v + 1;
         #define both { call(inc, x); a[0] = 1; };
         P(j) = [goal || call(at, j + 1)] e{ both; call(inc, a[j]); } -> ([call(ccount, c) < call(csize, c)] P(j));
         #assert P(1) reaches goal;",
    );
    let Term::Guard(Expr::Binary(BinaryOp::Or, _, at, _), then) = body(&model, "P") else {
        panic!("a guard")
    };
    let Expr::Binary(BinaryOp::Eq, element, ..) = *at else {
        panic!("an equation")
    };
    let Expr::Element(Base::Var(VarId(1)), index, _) = *element else {
        panic!("an element")
    };
    assert!(matches!(&index[0], Expr::Binary(BinaryOp::Add, j, ..) if **j == Expr::Bound(BoundId(0))));
    let Term::Prefix(_, Some(program), _) = term(&model, then) else {
        panic!("an event")
    };
    assert!(matches!(&program.body[0], Stmt::Block(inner) if inner.len() == 2));
    assert!(matches!(
        &program.body[1],
        Stmt::Expr(Expr::Assign(Target::Element(VarId(1), _), ..))
    ));
    assert_eq!(model.assertions[0].args, [Value::Int(1)]);
}

#[test]
fn what_a_macro_binds_clashes_with_no_argument() {
    let model =
        model("var a[3]; #define some(v) (|| i:{0..2} @ a[i] == v); P(i) = [call(some, i)] e -> P(i);");
    let Term::Guard(Expr::Quantified(BinaryOp::Or, bindings, inner), _) = body(&model, "P") else {
        panic!("a quantified guard")
    };
    assert_eq!(bindings[0].bound, BoundId(1));
    let Expr::Binary(_, left, right, _) = *inner else {
        panic!("an equation")
    };
    assert!(matches!(*left, Expr::Element(_, index, _) if index == [Expr::Bound(BoundId(1))]));
    assert_eq!(*right, Expr::Bound(BoundId(0)));
}

#[test]
fn alphabets_and_annotations_see_parameters() {
    let model = model(
        "#alphabet P {a.i, j:{0..i} @ b.j}; P(i) = wf(a.i) -> sl(b.0) -> Skip; Q = wf(a.i) -> Q; var i;",
    );
    let alphabet = model.definitions[0].alphabet.as_ref().unwrap();
    assert_eq!(alphabet[0].event.indices, [Expr::Bound(BoundId(0))]);
    assert_eq!(alphabet[1].event.indices, [Expr::Bound(BoundId(1))]);
    let kinds: Vec<_> = model.annotations.iter().map(|a| (a.kind, a.definition)).collect();
    let expected = [
        (AnnotationKind::WeakFair, DefId(0)),
        (AnnotationKind::StrongLive, DefId(0)),
        (AnnotationKind::WeakFair, DefId(1)),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn assertions_are_read() {
    let model = model(
        "var x = 0; P = a{x = x + 1} -> P; Q(i) = a -> Q(i);
         #assert P deadlockfree; #assert P nonterminating; #assert P divergencefree; #assert P deterministic;
         #assert P   reaches /* here */ x == 2 with max(x * 2);
         #assert Q(1) refines P; #assert P refines<F> Q(2); #assert P refines <FD> Q(3);",
    );
    let questions: Vec<&Question> = model.assertions.iter().map(|a| &a.question).collect();
    assert!(matches!(questions[0], Question::DeadlockFree));
    assert!(matches!(questions[1], Question::NonTerminating));
    assert!(matches!(questions[2], Question::DivergenceFree));
    assert!(matches!(questions[3], Question::Deterministic));
    assert!(matches!(
        questions[4],
        Question::Reaches {
            objective: Some((Goal::Max, _)),
            ..
        }
    ));
    assert_eq!(model.assertions[4].text, "P reaches x == 2 with max(x * 2)");
    assert!(matches!(questions[5], Question::Refines(Refinement::Traces, DefId(0), args) if args.is_empty()));
    assert!(
        matches!(questions[6], Question::Refines(Refinement::Failures, DefId(1), args) if *args == [Value::Int(2)])
    );
    assert!(matches!(
        questions[7],
        Question::Refines(Refinement::FailuresDivergences, ..)
    ));
}

fn ltl(model: &Model, i: usize) -> String {
    let Question::Ltl(formula, atoms) = &model.assertions[i].question else {
        panic!("LTL")
    };
    let name = |id| match Atom::of(atoms, id) {
        Atom::State(_, text) => format!("{{{text}}}"),
        Atom::Event(name) => name.clone(),
        other => panic!("{other:?} in LTL"),
    };
    formula.display(&name).to_string()
}

#[test]
fn formulas_are_read() {
    let model = model(
        "#define N 2; var x; channel c 1; channel s 0; #define p x > 1;
         P = get.0.2 -> c!1 -> c?y -> s!3.4 -> eat -> \"odd name\" -> P;
         #assert P |= [](p -> <> get.0.N); #assert P |= G (x == 1 /\\ F eat); #assert P |= !eat U (c!1 R c?1);
         #assert P |= && i:{0..1} @ []<> x == i; #assert P |= X s.3.4 xor true; #assert P |= \"odd name\" W \"eat\";
         #assert P |= <>terminate;",
    );
    assert_eq!(ltl(&model, 0), "[]({p} -> <>get.0.2)");
    assert_eq!(ltl(&model, 1), "[]({x == 1} && <>eat)");
    assert_eq!(ltl(&model, 2), "(!eat U (c!1 R c?1))");
    assert_eq!(ltl(&model, 3), "([]<>{x == 0} && []<>{x == 1})");
    assert_eq!(ltl(&model, 4), "!(X s.3.4 <-> true)");
    assert_eq!(ltl(&model, 5), "(odd name W eat)");
    assert_eq!(ltl(&model, 6), "<>terminate");
}

#[test]
fn path_quantifiers_make_ctl() {
    let model = model(
        "var x; P = a -> P; #assert P |= AG (x == 0 -> EF A[x == 0 U x == 1]); #assert P |= EX{a} true;",
    );
    let Question::Ctl(Ctl::Globally(Quantifier::All, inner), atoms) = &model.assertions[0].question else {
        panic!("AG")
    };
    assert_eq!(atoms.len(), 2);
    let Ctl::Implies(_, q) = &**inner else {
        panic!("->")
    };
    let Ctl::Finally(Quantifier::Exists, q) = &**q else {
        panic!("EF")
    };
    assert!(matches!(&**q, Ctl::Until(Quantifier::All, ..)));
    let Question::Ctl(next, _) = &model.assertions[1].question else {
        panic!("CTL")
    };
    assert_eq!(
        *next,
        Ctl::Next(Quantifier::Exists, Some(vec![AtomId(0)]), Box::new(Ctl::True))
    );
}

fn ctl(model: &Model, i: usize) -> String {
    let Question::Ctl(formula, atoms) = &model.assertions[i].question else {
        panic!("CTL")
    };
    let name = |id| match Atom::of(atoms, id) {
        Atom::State(_, text) => text.clone(),
        Atom::Event(name) => name.clone(),
        Atom::Enabled(name) => format!("enabled({name})"),
        Atom::EnabledProcess(process) => format!("enabled(process {process})"),
        Atom::Deadlock => "deadlock".to_owned(),
        Atom::Terminated => "terminated".to_owned(),
        other => panic!("{other:?} in CTL"),
    };
    formula.display(&name).to_string()
}

#[test]
fn atoms_of_ctl_speak_of_states() {
    let model = model(
        "var x; channel c 1; P = a.0 -> c!1 -> c?y -> P; #define terminated x == 7;
         #assert P |= AG (enabled(a.0) -> EF deadlock); #assert P |= A(x == 1 U E[x == 2 R terminated]);
         #assert P |= EX{a.0, \"c!1\"} AX{i:{0..1} @ a.i} enabled(c?1); #assert P |= E[G enabled(process 0)] xor AF x == 3;
         #assert P |= A[x == 1 W x == 2] && E(x == 1 V x == 2);",
    );
    assert_eq!(ctl(&model, 0), "AG (enabled(a.0) -> EF deadlock)");
    // What is declared comes before the word.
    assert_eq!(ctl(&model, 1), "A[(x == 1) U E[(x == 2) R terminated]]");
    assert!(matches!(&model.assertions[1].question, Question::Ctl(_, atoms)
        if atoms.iter().all(|atom| matches!(atom, Atom::State(..)))));
    assert_eq!(ctl(&model, 2), "EX{a.0, c!1} AX{a.0, a.1} enabled(c?1)");
    assert_eq!(ctl(&model, 3), "!(EG enabled(process 0) <-> AF (x == 3))");
    assert_eq!(ctl(&model, 4), "A[(x == 1) W (x == 2)] && E[(x == 1) R (x == 2)]");
}

#[test]
fn operators_of_one_level_are_read_from_the_left_with_a_warning() {
    let loaded = load("P = a -> b -> c -> P; #assert P |= a -> b && [] c;");
    assert_eq!(codes(&loaded.diagnostics), ["ltl-precedence"]);
    assert!(
        loaded.diagnostics[0].help.contains("`(a -> b) && [] c`"),
        "{}",
        loaded.diagnostics[0].help
    );
    assert_eq!(ltl(&loaded.model.unwrap(), 0), "((a -> b) && []c)");
}

#[test]
fn directives_ride_in_comments() {
    let model = model(
        "P = a -> P;
         #assert P |= []<> a; //@ fairness: esf //@ expect: holds
         #assert P |= <> a;
         //@ fairness: \"GF enabled(a) -> GF engaged(a)\"
         //@ expect: none fails, esf holds
         // an ordinary comment
         #assert P deadlockfree; //@ expect: fails",
    );
    let [first, second, third] = model.assertions.as_slice() else {
        panic!("three")
    };
    assert_eq!(first.fairness.as_ref().unwrap().0, "esf");
    assert_eq!(
        (first.expect[0].notion.as_deref(), first.expect[0].verdict),
        (None, Verdict::Holds)
    );
    assert_eq!(
        second.fairness.as_ref().unwrap().0,
        "GF enabled(a) -> GF engaged(a)"
    );
    assert_eq!(
        (second.expect[1].notion.as_deref(), second.expect[1].verdict),
        (Some("esf"), Verdict::Holds)
    );
    assert_eq!(second.expect.len(), 2);
    assert_eq!(third.expect[0].verdict, Verdict::Fails);
}

#[test]
fn what_is_loaded_can_be_sent() {
    fn sent<T: Send + Sync>(_: T) {}
    sent(load("P = a -> P;"));
}

#[test]
fn includes_are_textual() {
    let loaded = load_files(&[
        ("main", "#include \"defs\"; P = a.N -> Q;"),
        ("defs", "#define N 4; Q = b -> P;"),
    ]);
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(loaded.model.unwrap().definitions.len(), 2);
    assert_eq!(loaded.map.files().len(), 2);
    let cycle = load_files(&[
        ("main", "#include \"other\"; P = a -> P;"),
        ("other", "#include \"main\";"),
    ]);
    assert_eq!(codes(&cycle.diagnostics), ["include-cycle"]);
    let twice = load_files(&[
        ("main", "#include \"q\"; #include \"q\"; P = Q;"),
        ("q", "Q = b -> Q;"),
    ]);
    assert_eq!(codes(&twice.diagnostics), ["duplicate-name"]);
    let missing = load_files(&[("main", "#include \"none\"; P = Q;")]);
    assert!(missing.model.is_none());
    assert!(codes(&missing.diagnostics).contains(&"cannot-read"));
}

#[test]
fn assertions_and_processes_come_from_the_command_line() {
    let mut loaded = load("#define N 2; #define p x == 1; var x; P(i) = a.i{x = i} -> P(i); Q = b -> Q;");
    let assertion = resolve::assertion(&mut loaded, "P(N) |= []<> a.2 && [] p").unwrap();
    assert_eq!(
        (assertion.process, &assertion.args[..]),
        (DefId(0), &[Value::Int(2)][..])
    );
    assert_eq!(assertion.text, "P(N) |= []<> a.2 && [] p");
    assert_eq!(
        resolve::process(&mut loaded, "P(N + 1)").unwrap(),
        (DefId(0), vec![Value::Int(3)])
    );
    assert_eq!(resolve::process(&mut loaded, "Q").unwrap(), (DefId(1), vec![]));
    assert_eq!(
        codes(&resolve::process(&mut loaded, "R").unwrap_err()),
        ["unknown-name"]
    );
    assert_eq!(
        codes(&resolve::process(&mut loaded, "P").unwrap_err()),
        ["wrong-arguments"]
    );
    assert_eq!(
        codes(&resolve::assertion(&mut loaded, "Q |= [] nothing").unwrap_err()),
        ["unknown-name"]
    );
    assert!(!resolve::assertion(&mut loaded, "Q |= [").unwrap_err().is_empty());
    assert!(
        !resolve::process(&mut loaded, "P(1) deadlockfree")
            .unwrap_err()
            .is_empty()
    );
    assert!(loaded.model.is_some());
}

#[test]
fn guarded_recursion_is_fine() {
    model(
        "var x; P = [x > 0] P [] a -> P; Q = if (x > 0) { Q }; R = a -> S; S = R <> S; T = Skip; U;  U = b -> T;",
    );
}

#[test]
fn long_chains_are_fine_and_huge_expressions_are_refused() {
    let chain = "a -> ".repeat(4000);
    model(&format!("P = {chain} P;"));
    let sum = vec!["1"; 900].join(" + ");
    model(&format!("#define N {sum}; P = a.N -> P;"));
    let sum = vec!["x"; 3000].join(" + ");
    assert_eq!(
        codes(&load(&format!("var x; P = a.({sum}) -> P;")).diagnostics),
        ["too-long"]
    );
    let mut doubling = "var x; #define m0 x;".to_owned();
    for i in 1..60 {
        doubling += &format!("#define m{i} m{} + m{};", i - 1, i - 1);
    }
    assert_eq!(
        codes(&load(&format!("{doubling} P = a.m59 -> P;")).diagnostics),
        ["too-long"]
    );
    let nested = |inner: &str| format!("{}{inner}{}", "(1 + ".repeat(50), ")".repeat(50));
    let mut deep = format!("var x; #define d0 {};", nested("x"));
    for i in 1..60 {
        deep += &format!("#define d{i} {};", nested(&format!("d{}", i - 1)));
    }
    assert_eq!(
        codes(&load(&format!("{deep} P = a.d59 -> P;")).diagnostics),
        ["too-long"]
    );
    let postfix = format!("{}0{}", "a[".repeat(60), "]++".repeat(60));
    assert_eq!(
        codes(&load(&format!("var a[2]; P = e{{{postfix}}} -> P;")).diagnostics),
        ["too-long"]
    );
    let constants: String = (1..3000)
        .rev()
        .map(|i| format!("#define c{i} c{} + 1;", i - 1))
        .collect();
    model(&format!("{constants} #define c0 0; P = a.c2999 -> P;"));
}
