// Approximate majority with three states (Angluin, Aspnes and Eisenstat 2008).
//
// Every node votes yes or no and starts with this opinion. A node that meets the opposite opinion gives its own up and is
// blank; a blank one takes over the opinion it meets. Soon all agree, most likely on the majority's opinion: but only likely.

size N = 3
topology complete

input vote: {yes, no}
field opinion: {yes, no, blank}

doubt: (opinion=x), (opinion=y) when x != y && x != blank && y != blank -> *, (opinion=blank)
adopt: (opinion=x), (opinion=blank) when x != blank -> *, (opinion=x)

initial where all{opinion = vote}

predicate agreed = all{opinion = yes} || all{opinion = no}
predicate won = !(#{vote = yes} > #{vote = no}) || all{opinion = yes}

assert stable agreed
//@ expect: none fails, ewf fails, esf fails, sgf holds
// The majority need not win, and the lost vote is lost for good.
assert stable won
//@ expect: none fails, ewf fails, esf fails, sgf fails
assert AG EF agreed                     //@ expect: none holds
assert [] some{opinion != blank}        //@ expect: none holds
