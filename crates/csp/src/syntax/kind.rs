//! Kinds of tokens and nodes of the CSP# tree, with the shape of every node.
//!
//! The tree is lossless: all tokens, blanks and comments included, are in it. Shapes below list the children that
//! matter, in order: `NODE` for a child node, `'x'` for a token, `?` optional, `*` any number, `+` at least one,
//! *process*, *expr*, *stmt*, *formula* for any node of that class. A node that the parser could not complete
//! lacks children; whoever reads the tree treats every child as optional, for the error is already reported.
//!
//! Chains are flat (`a -> b -> P`, `P ||| Q ||| R`, `x + y + z`), so that the depth of a tree is the depth of nesting
//! that a person wrote, which the parser bounds.

/// Writes the enum and the list of its variants from one text, so that a raw kind of the tree turns back into a
/// [`SyntaxKind`] by a look into the list.
macro_rules! kinds {
    ($(#[$of_enum:meta])* pub enum SyntaxKind { $($(#[$of_kind:meta])* $kind:ident,)* }) => {
        $(#[$of_enum])*
        pub enum SyntaxKind { $($(#[$of_kind])* $kind,)* }

        const KINDS: &[SyntaxKind] = &[$(SyntaxKind::$kind),*];
    };
}

kinds! {
/// A token or node kind.
#[allow(missing_docs, reason = "tokens are named after what they are; nodes are described by their shape")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u16)]
pub enum SyntaxKind {
    // Trivia.
    Whitespace,
    /// `// ...`, `/* ... */`, and `//@ ...`
    Comment,
    /// Text that is no token.
    Unknown,

    // Literals and names. Keywords are tokens of their own; `G`, `wf`, `AG` and the like are `Ident`s.
    Ident,
    Int,
    Str,

    // Keywords.
    ImportKw,
    IncludeKw,
    ChannelKw,
    AssertKw,
    TauKw,
    DeadlockfreeKw,
    NonterminatingKw,
    DivergencefreeKw,
    DeterministicKw,
    ReachesKw,
    RefinesKw,
    WithKw,
    MinKw,
    MaxKw,
    AlphabetKw,
    DefineKw,
    TrueKw,
    FalseKw,
    EnumKw,
    VarKw,
    HvarKw,
    CallKw,
    NewKw,
    IfKw,
    IfaKw,
    IfbKw,
    ElseKw,
    WhileKw,
    CaseKw,
    DefaultKw,
    InterruptKw,
    AtomicKw,
    SkipKw,
    StopKw,
    XorKw,

    // Punctuation, longest first.
    Interleave3, // |||
    Bar2,        // ||
    Amp2,        // &&
    Arrow,       // ->
    Iff,         // <->
    Box,         // []
    Diamond,     // <>
    StarBox,     // [*]
    Models,      // |=
    Eq2,         // ==
    Neq,         // !=
    Le,          // <=
    Ge,          // >=
    Plus2,       // ++
    Minus2,      // --
    PlusEq,      // +=
    MinusEq,     // -=
    StarEq,      // *=
    SlashEq,     // /=
    PercentEq,   // %=
    Dot2,        // ..
    Wedge,       // /\
    Vee,         // \/
    FailuresRef, // <F>
    FdRef,       // <FD>
    Hash,
    LParen,
    RParen,
    LBrace,
    RBrace,
    LBracket,
    RBracket,
    Semi,
    Comma,
    Colon,
    Dot,
    At,
    Bang,
    Question,
    Eq,
    Lt,
    Gt,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Bar,
    Caret,
    Backslash,
    Dollar,
    Eof,

    // Nodes: file and declarations.
    /// item*
    SourceFile,
    /// '#' 'include' 'Str' ';'
    Include,
    /// '#' 'import' 'Str' ';'
    Import,
    /// 'channel' 'Ident' ARRAY_SIZE? *expr*(capacity) ';'
    ChannelDecl,
    /// 'enum' '{' 'Ident' (',' 'Ident')* '}' ';'
    EnumDecl,
    /// '#' 'define' 'Ident' PARAM_LIST? (*expr* | BLOCK | IF_STMT | WHILE_STMT)? ';'
    Define,
    /// ('var' | 'hvar') TYPE_ARG? DECLARATOR (',' DECLARATOR)* ';'
    VarDecl,
    /// '<' 'Ident' '>'
    TypeArg,
    /// 'Ident' ARRAY_SIZE* RANGE? ('=' (*expr* | RECORD | '*'))?
    Declarator,
    /// '[' *expr* ']'
    ArraySize,
    /// ':' '{' RANGE_LOWER? '..' RANGE_UPPER? '}'
    Range,
    /// *expr*
    RangeLower,
    /// *expr*
    RangeUpper,
    /// '[' RECORD_ELEMENT (',' RECORD_ELEMENT)* ']'
    Record,
    /// RECORD | *expr* | *expr* REPEAT | *expr* '..' *expr*
    RecordElement,
    /// '(' *expr* ')'
    Repeat,
    /// '#' 'alphabet' 'Ident' EVENT_SET ';'
    Alphabet,
    /// '{' EVENT_SET_ITEM (',' EVENT_SET_ITEM)* '}'
    EventSet,
    /// (BINDINGS '@')? EVENT_NAME
    EventSetItem,
    /// BINDING (';' BINDING)*
    Bindings,
    /// 'Ident' ':' '{' *expr* (',' *expr*)* '}' | 'Ident' ':' '{' *expr* '..' *expr* '}'
    Binding,
    /// ('Ident' | 'Str') ('.' *expr*)*
    EventName,
    /// 'Ident' PARAM_LIST? '=' *process* ';'
    Definition,
    /// '(' PARAM (',' PARAM)* ')'
    ParamList,
    /// 'Ident' RANGE?
    Param,

    // Nodes: processes.
    /// *process* ('|||' *process*)+
    Interleave,
    /// *process* ('||' *process*)+
    Parallel,
    /// *process* ('[]' *process*)+
    Choice,
    /// *process* ('<>' *process*)+
    InternalChoice,
    /// *process* ('\[*]' *process*)+
    ExternalChoice,
    /// *process* ('interrupt' *process*)+, left-associative
    Interrupt,
    /// *process* '\' EVENT_SET
    Hiding,
    /// *process* (';' *process*)+
    Sequence,
    /// '[' *expr* ']' *process*
    Guard,
    /// ((EVENT_HEAD | SEND | RECEIVE | BLOCK | EVENT_CHOICE) '->')+ *process*
    Prefix,
    /// (EVENT_NAME | 'tau') BLOCK? | 'Ident'(wf sf wl sl) '(' EVENT_NAME BLOCK? ')' BLOCK?
    EventHead,
    /// '(' EVENT_HEAD (',' EVENT_HEAD)* ')'
    EventChoice,
    /// 'Ident' CHANNEL_INDEX? '!' *expr* ('.' *expr*)* BLOCK?
    Send,
    /// 'Ident' CHANNEL_INDEX? '?' RECEIVE_GUARD? *expr* ('.' *expr*)* BLOCK?
    Receive,
    /// '[' *expr* ']'
    ChannelIndex,
    /// '[' *expr* ']'
    ReceiveGuard,
    /// 'case' '{' CASE_BRANCH* DEFAULT_BRANCH? '}'
    CaseProcess,
    /// *expr* ':' *process*
    CaseBranch,
    /// 'default' ':' *process*
    DefaultBranch,
    /// ('if' | 'ifa' | 'ifb') '(' *expr* ')' '{' *process* '}' ELSE_BRANCH?
    IfProcess,
    /// 'else' (IF_PROCESS | '{' *process* '}')
    ElseBranch,
    /// 'atomic' '{' *process* '}'
    AtomicProcess,
    /// 'Ident' ARG_LIST?
    Call,
    /// '(' (*expr* | RECORD) (',' (*expr* | RECORD))* ')'
    ArgList,
    /// 'Skip' ('(' ')')?
    SkipProcess,
    /// 'Stop' ('(' ')')?
    StopProcess,
    /// 'assert' '(' *expr* ')'
    AssertProcess,
    /// '(' *process* ')'
    ParenProcess,
    /// ('|||' | '||' | '[]' | '<>' | '\[*]') (BINDINGS | COPIES) '@' *process*
    Indexed,
    /// '{' '..' '}' | '{' *expr* '}'
    Copies,

    // Nodes: expressions.
    /// 'Int' | 'true' | 'false'
    Literal,
    /// 'Ident'
    NameRef,
    /// 'Ident' ('[' *expr* ']')+
    ElementRef,
    /// ('+' | '-' | '!') *expr*
    Unary,
    /// *expr* ('++' | '--')
    Postfix,
    /// *expr* (op *expr*)+ with all ops of one precedence level, left-associative
    Binary,
    /// '(' *expr* ')'
    ParenExpr,
    /// 'call' '(' 'Ident' (',' (*expr* | RECORD))* ')' ; a channel built-in or a macro
    CallExpr,
    /// 'new' 'Ident' ARG_LIST
    NewExpr,
    /// (NAME_REF | ELEMENT_REF) '.' 'Ident' ARG_LIST
    MethodCall,
    /// A field of C#, or a function called by its name; already reported
    ForeignExpr,
    /// ('&&' | '||' | 'xor') BINDINGS '@' *expr*
    Quantified,
    /// *expr* ('=' | '+=' | '-=' | '*=' | '/=' | '%=') *expr*
    Assign,

    // Nodes: statements.
    /// '{' *stmt* * '}'
    Block,
    /// 'var' DECLARATOR (',' DECLARATOR)* ';'
    LocalVar,
    /// 'if' '(' *expr* ')' *stmt* ('else' *stmt*)?
    IfStmt,
    /// 'while' '(' *expr* ')' *stmt*
    WhileStmt,
    /// *expr* ';'?
    ExprStmt,
    /// ';'
    EmptyStmt,

    // Nodes: assertions.
    /// '#' 'assert' CALL ('|=' FORMULA | 'deadlockfree' | ... | REACHES | NEVER | ALWAYS | REFINES) ';'
    Assertion,
    /// 'reaches' *expr* OBJECTIVE?
    Reaches,
    /// 'Ident': never *expr*
    Never,
    /// 'Ident': always *expr*
    Always,
    /// 'with' ('min' | 'max') '(' *expr* ')'
    Objective,
    /// 'refines' ('\<F>' | '\<FD>')? CALL
    Refines,
    /// *formula*
    Formula,
    /// *formula* (('&&' | '||' | '->' | '<->' | '/\' | '\/' | 'xor') *formula*)+, one level, left-associative
    FChain,
    /// *formula* (('U' | 'R' | 'V' | 'W') *formula*)+, left-associative
    FTemporal,
    /// ('!' | '[]' | '<>' | 'Ident': G F X GF FG AG AF AX EG EF EX) EVENT_SET?(after AX, EX) *formula*
    FUnary,
    /// 'Ident'(A | E) '[' *formula* ']'
    FPath,
    /// '(' *formula* ')'
    FParen,
    /// ('&&' | '||') BINDINGS '@' *formula*
    FQuantified,
    /// EVENT_NAME (a bare name is one too) | 'Ident' CHANNEL_INDEX? ('!' | '?') *expr* ('.' *expr*)* | *expr* (comparison level) | 'true' | 'false'
    FAtom,
    /// 'Ident'(enabled | ready | engaged) '(' ('Ident'(process) *expr* | F_ATOM) ')'
    FStep,
    /// 'Ident'(buchi | rabin | streett) '(' *formula* (',' *formula* (';' *formula* ',' *formula*)*)? ')'
    FConstraint,

    /// Tokens that fit nowhere.
    Error,
}
}

impl SyntaxKind {
    /// The kind with this number.
    pub(crate) fn from_raw(raw: u16) -> SyntaxKind {
        KINDS[raw as usize]
    }

    /// A word that cannot be a name.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::ImportKw..=SyntaxKind::XorKw).contains(&self)
    }

    /// Blank or comment.
    pub fn is_trivia(self) -> bool {
        matches!(self, SyntaxKind::Whitespace | SyntaxKind::Comment)
    }
}
