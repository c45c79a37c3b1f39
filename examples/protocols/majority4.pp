// Exact majority with four states (Draief, Vojnovic 2012; Mertzios and others 2014).
//
// A and B are strong opinions, a and b weak ones. A strong A and a strong B cancel to weak ones; a strong opinion turns the
// weak ones it meets. The difference between the numbers of A and of B never changes, so the majority of strong opinions
// has some left when the other side has none, and turns everybody. In a tie only weak ones remain, and keep what they say.
//
// With everybody meeting everybody, only the numbers of nodes in each state matter: try -D N=200 -f sgf.

size N = 4
topology complete

field state: {A, B, a, b}

cancel: (state=A), (state=B) -> (state=a), (state=b)
turnA: (state=A), (state=b) -> *, (state=a)
turnB: (state=B), (state=a) -> *, (state=b)

initial all

predicate moreA = #{state = A} > #{state = B}
predicate moreB = #{state = B} > #{state = A}
predicate decided = (!moreA || all{state = A || state = a}) && (!moreB || all{state = B || state = b})

assert self-stabilising to decided
//@ expect: none fails, ewf holds, esf holds, sgf holds
// Who is in front stays in front, strong opinions being counted.
assert ([] moreA) || ([] moreB) || ([] !(moreA || moreB))    //@ expect: none holds
assert reaches all{state = a || state = b}                   //@ expect: holds
