//! Every production of the grammar, accepted and with the shape that the node kinds promise.

use fairhold_csp::syntax;
use fairhold_source::FileId;

use crate::{accept, models, shape};

/// The shape of the process that a definition defines.
fn process(text: &str) -> String {
    let root = accept(&format!("P = {text};"));
    let definition = root.first_child().expect("a definition");
    shape(&definition.first_child().expect("a process"))
}

/// The shape of the expression of a macro.
fn expr(text: &str) -> String {
    let root = accept(&format!("#define m {text};"));
    shape(
        &root
            .first_child()
            .and_then(|d| d.first_child())
            .expect("an expression"),
    )
}

/// The shape of a formula.
fn formula(text: &str) -> String {
    let parse = syntax::parse_assertion(FileId(0), &format!("P |= {text}"));
    assert!(parse.diagnostics.is_empty(), "{text}: {:?}", parse.diagnostics);
    let formula = parse.root().children().nth(1).expect("a formula");
    shape(&formula.first_child().expect("the formula's node"))
}

#[test]
fn models_are_accepted() {
    for model in models::ALL {
        accept(model);
    }
}

#[test]
fn items() {
    for item in [
        "#include \"lib.csp\";",
        "channel c 0;",
        "channel c[N] N+1;",
        "enum {red, green};",
        "#define N 3;",
        "#define N -3;",
        "#define yes true;",
        "#define p x == 1 && y > 2;",
        "#define p (x) && y;",
        "#define p (x);",
        "#define m(a, b) a + b;",
        "#define m(a) -a;",
        "#define m(a) && i:{0..1} @ x[i] == a;",
        "#define m(a) {x = a; y = 1}",
        "#define m if (x > 0) { x = 1; } else x = 2;",
        "#define m while (x > 0) x--;",
        "var x;",
        "hvar x = 1;",
        "var x, y = 2, z[3];",
        "var x:{0..3} = 2;",
        "var x:{..} = *;",
        "var x[2][N];",
        "var x[6]:{0..9} = [1, 2(3), 0..2, [5, [6]]];",
        "var x = [N(N)];",
        "#alphabet P {a, b.1, x:{0..2}; y:{1,2} @ c.x.y};",
        "P = Skip;",
        "P() = Skip;",
        "P(i, j:{0..3}) = Skip;",
        "#assert P deadlockfree;",
        "#assert P() nonterminating;",
        "#assert P(1, [1,2]) divergencefree;",
        "#assert P deterministic;",
        "#assert P reaches x == 2 && y;",
        "#assert P reaches p with min(x + 1);",
        "#assert P never x == 2 && y;",
        "#assert P(1) always p;",
        "#assert never never never;",
        "#assert P refines Q(1);",
        "#assert P refines <F> Q;",
        "#assert P refines <FD> Q;",
    ] {
        let item = item
            .strip_suffix('}')
            .map_or(item.to_string(), |_| format!("{item};"));
        accept(&item);
        accept(&format!(
            "\u{feff}// first\r\n{item}\r\n/* x */ Q = a -> Skip; Z = Stop; {item}"
        ));
    }
}

#[test]
fn operators_bind_as_they_should() {
    assert_eq!(
        process("A ||| B || C [] D <> E [*] F interrupt G \\ {a}"),
        "(Interleave (Call A) ||| (Parallel (Call B) || (Choice (Call C) [] (InternalChoice (Call D) <> \
         (ExternalChoice (Call E) [*] (Interrupt (Call F) interrupt (Hiding (Call G) \\ (EventSet { \
         (EventSetItem (EventName a)) }))))))))",
    );
    assert_eq!(
        process("A; B \\ {a} interrupt C [] D || E ||| F ||| G"),
        "(Interleave (Parallel (Choice (Interrupt (Hiding (Sequence (Call A) ; (Call B)) \\ (EventSet { \
         (EventSetItem (EventName a)) })) interrupt (Call C)) [] (Call D)) || (Call E)) ||| (Call F) ||| (Call G))",
    );
    assert_eq!(
        process("[x] a -> Skip; b -> Stop"),
        "(Sequence (Guard [ (NameRef x) ] (Prefix (EventHead (EventName a)) -> (SkipProcess Skip))) ; \
         (Prefix (EventHead (EventName b)) -> (StopProcess Stop)))",
    );
    assert_eq!(
        process("A ||| || i:{0..1} @ B [] C"),
        "(Interleave (Call A) ||| (Indexed || (Bindings (Binding i : { (Literal 0) .. (Literal 1) })) @ \
         (Choice (Call B) [] (Call C))))",
    );
    assert_eq!(process("|||{..} @ A"), "(Indexed ||| (Copies { .. }) @ (Call A))",);
}

#[test]
fn prefixes() {
    assert_eq!(
        process("a -> b.1.-x+1.(y) -> {x = 1} -> tau{;} -> \"q r\".0 -> (a, tau) -> A"),
        "(Prefix (EventHead (EventName a)) -> (EventHead (EventName b . (Literal 1) . (Binary (Unary - (NameRef x)) + \
         (Literal 1)) . (ParenExpr ( (NameRef y) )))) -> (Block { (ExprStmt (Assign (NameRef x) = (Literal 1))) }) -> \
         (EventHead tau (Block { (EmptyStmt ;) })) -> (EventHead (EventName \"q r\" . (Literal 0))) -> (EventChoice ( \
         (EventHead (EventName a)) , (EventHead tau) )) -> (Call A))",
    );
    assert_eq!(
        process("c!1.x{y = 2;} -> c[i]?[x > 1]y.2 -> c?x -> A(1)"),
        "(Prefix (Send c ! (Literal 1) . (NameRef x) (Block { (ExprStmt (Assign (NameRef y) = (Literal 2)) ;) })) -> \
         (Receive c (ChannelIndex [ (NameRef i) ]) ? (ReceiveGuard [ (Binary (NameRef x) > (Literal 1)) ]) (NameRef y) . \
         (Literal 2)) -> (Receive c ? (NameRef x)) -> (Call A (ArgList ( (Literal 1) ))))",
    );
    assert_eq!(
        process("wf(a.1{x = 1}) -> sl(b){x = 2} -> sf -> wl(1)"),
        "(Prefix (EventHead wf ( (EventName a . (Literal 1)) (Block { (ExprStmt (Assign (NameRef x) = (Literal 1))) }) )) -> \
         (EventHead sl ( (EventName b) ) (Block { (ExprStmt (Assign (NameRef x) = (Literal 2))) })) -> \
         (EventHead (EventName sf)) -> (Call wl (ArgList ( (Literal 1) ))))",
    );
}

#[test]
fn other_processes() {
    assert_eq!(
        process("case {x: A (y): [z] B(1); B z > 0: c -> A default: Stop()}"),
        "(CaseProcess case { (CaseBranch (NameRef x) : (Call A)) (CaseBranch (ParenExpr ( (NameRef y) )) : \
         (Sequence (Guard [ (NameRef z) ] (Call B (ArgList ( (Literal 1) )))) ; (Call B))) (CaseBranch (Binary (NameRef z) > \
         (Literal 0)) : (Prefix (EventHead (EventName c)) -> (Call A))) (DefaultBranch default : (StopProcess Stop ( ))) })",
    );
    assert_eq!(
        process("if (x) {A} else ifa (y) {B} else {Skip()}"),
        "(IfProcess if ( (NameRef x) ) { (Call A) } (ElseBranch else (IfProcess ifa ( (NameRef y) ) { (Call B) } \
         (ElseBranch else { (SkipProcess Skip ( )) }))))",
    );
    assert_eq!(
        process("case {x: A !y && (z): c!x -> B}"),
        "(CaseProcess case { (CaseBranch (NameRef x) : (Call A)) (CaseBranch (Binary (Unary ! (NameRef y)) && \
         (ParenExpr ( (NameRef z) ))) : (Prefix (Send c ! (NameRef x)) -> (Call B))) })",
    );
    assert_eq!(
        process("atomic{(A)}"),
        "(AtomicProcess atomic { (ParenProcess ( (Call A) )) })"
    );
    assert_eq!(
        process("assert(x > 0)"),
        "(AssertProcess assert ( (Binary (NameRef x) > (Literal 0)) ))"
    );
    assert_eq!(
        process("A(1, [1, 2])"),
        "(Call A (ArgList ( (Literal 1) , (Record [ (RecordElement (Literal 1)) , (RecordElement (Literal 2)) ]) )))"
    );
}

#[test]
fn expressions() {
    assert_eq!(
        expr("a || b && c xor d & e == f < g + h * -i"),
        "(Binary (NameRef a) || (Binary (NameRef b) && (Binary (NameRef c) xor (Binary (NameRef d) & (Binary (NameRef e) == \
         (Binary (NameRef f) < (Binary (NameRef g) + (Binary (NameRef h) * (Unary - (NameRef i))))))))))",
    );
    assert_eq!(
        expr("a - b + c * d % 2 > 1"),
        "(Binary (Binary (NameRef a) - (NameRef b) + (Binary (NameRef c) * (NameRef d) % (Literal 2))) > (Literal 1))",
    );
    assert_eq!(
        expr("x = y = 3"),
        "(Assign (NameRef x) = (Assign (NameRef y) = (Literal 3)))"
    );
    assert_eq!(
        expr("x[i][j+1]++"),
        "(Postfix (ElementRef x [ (NameRef i) ] [ (Binary (NameRef j) + (Literal 1)) ]) ++)"
    );
    assert_eq!(expr("x += 2"), "(Assign (NameRef x) += (Literal 2))");
    assert_eq!(
        expr("call(f, x, [1])"),
        "(CallExpr call ( f , (NameRef x) , (Record [ (RecordElement (Literal 1)) ]) ))"
    );
    assert_eq!(
        expr("|| i:{0..1}; j:{2, 3} @ x[i] == j && true"),
        "(Quantified || (Bindings (Binding i : { (Literal 0) .. (Literal 1) }) ; (Binding j : { (Literal 2) , (Literal 3) })) @ \
         (Binary (Binary (ElementRef x [ (NameRef i) ]) == (NameRef j)) && (Literal true)))",
    );
    assert_eq!(
        expr("!(x) == !y"),
        "(Binary (Unary ! (ParenExpr ( (NameRef x) ))) == (Unary ! (NameRef y)))"
    );
}

#[test]
fn statements() {
    assert_eq!(
        process(
            "a{var x = 1; var y[2] = [1, 2]; {x = 2;} while (x > 0) x--; if (x == 1) {y[0] = 2} else if (true) ; x = 3} -> A"
        ),
        "(Prefix (EventHead (EventName a) (Block { (LocalVar var (Declarator x = (Literal 1)) ;) (LocalVar var \
         (Declarator y (ArraySize [ (Literal 2) ]) = (Record [ (RecordElement (Literal 1)) , (RecordElement (Literal 2)) ])) ;) \
         (Block { (ExprStmt (Assign (NameRef x) = (Literal 2)) ;) }) (WhileStmt while ( (Binary (NameRef x) > (Literal 0)) ) \
         (ExprStmt (Postfix (NameRef x) --) ;)) (IfStmt if ( (Binary (NameRef x) == (Literal 1)) ) (Block { \
         (ExprStmt (Assign (ElementRef y [ (Literal 0) ]) = (Literal 2))) }) else (IfStmt if ( (Literal true) ) (EmptyStmt ;))) \
         (ExprStmt (Assign (NameRef x) = (Literal 3))) })) -> (Call A))",
    );
}

#[test]
fn formulas() {
    assert_eq!(
        formula("[]<>p -> G F q.1 && !r"),
        "(FChain (FUnary [] (FUnary <> (FAtom (EventName p)))) -> (FUnary G (FUnary F (FAtom (EventName q . (Literal 1))))) && \
         (FUnary ! (FAtom (EventName r))))",
    );
    assert_eq!(
        formula("p U q R r || X s W true"),
        "(FChain (FTemporal (FAtom (EventName p)) U (FAtom (EventName q)) R (FAtom (EventName r))) || \
         (FTemporal (FUnary X (FAtom (EventName s))) W (FAtom true)))",
    );
    assert_eq!(
        formula("(p /\\ q) \\/ (x + 1) * 2 == y <-> x[1] > 0"),
        "(FChain (FParen ( (FChain (FAtom (EventName p)) /\\ (FAtom (EventName q))) )) \\/ (FAtom (Binary (Binary \
         (ParenExpr ( (Binary (NameRef x) + (Literal 1)) )) * (Literal 2)) == (NameRef y))) <-> (FAtom (Binary \
         (ElementRef x [ (Literal 1) ]) > (Literal 0))))",
    );
    assert_eq!(
        formula("AG EX {a, b} p xor A[p U q]"),
        "(FChain (FUnary AG (FUnary EX (EventSet { (EventSetItem (EventName a)) , (EventSetItem (EventName b)) }) \
         (FAtom (EventName p)))) xor (FPath A [ (FTemporal (FAtom (EventName p)) U (FAtom (EventName q))) ]))",
    );
    assert_eq!(
        formula("&& i:{0..1} @ <> e.i && c!1.2 || c[0]?x"),
        "(FQuantified && (Bindings (Binding i : { (Literal 0) .. (Literal 1) })) @ (FChain (FUnary <> (FAtom (EventName e . \
         (NameRef i)))) && (FAtom c ! (Literal 1) . (Literal 2)) || (FAtom c (ChannelIndex [ (Literal 0) ]) ? (NameRef x))))",
    );
    assert_eq!(formula("\"G\""), "(FAtom (EventName \"G\"))");
    assert_eq!(
        formula("-1 < x"),
        "(FAtom (Binary (Unary - (Literal 1)) < (NameRef x)))"
    );
}

#[test]
fn a_semicolon_ends_or_joins() {
    let root = accept(
        "P = a -> Skip; b -> Skip; Q(1);\nQ(i) = P;\nvar x = 1; R = Skip; x -> Stop; #assert P deadlockfree;",
    );
    let kinds: Vec<_> = root.children().map(|c| format!("{:?}", c.kind())).collect();
    assert_eq!(
        kinds,
        ["Definition", "Definition", "VarDecl", "Definition", "Assertion"]
    );
}

#[test]
fn assertions_and_calls_alone() {
    for text in [
        "College deadlockfree",
        "College deadlockfree;",
        " P(3) |= []<> eat.0 ",
        "P refines <F> Q",
    ] {
        let parse = syntax::parse_assertion(FileId(0), text);
        assert!(parse.diagnostics.is_empty(), "{text}: {:?}", parse.diagnostics);
        assert_eq!(parse.root().kind(), syntax::SyntaxKind::Assertion);
        assert_eq!(parse.root().text().to_string(), text);
    }
    assert_eq!(
        syntax::parse_assertion(FileId(0), "P deadlockfree Q")
            .diagnostics
            .len(),
        1
    );
    let call = syntax::parse_call(FileId(0), "P(3, x)");
    assert!(call.diagnostics.is_empty());
    assert_eq!(
        shape(&call.root()),
        "(Call P (ArgList ( (Literal 3) , (NameRef x) )))"
    );
}
