// Token circulation in a ring, first phase: meetings in order (Pang, Luo, Deng 2008).
//
// The protocol of token_ring, its edges activated one after the other, (0,1), (1,2) and so on, around and around; an edge
// without a rule to take passes. After the first round all labels are those of node 0: the configuration is safe, and
// token_ring_safe tells what follows.

size N = 4
topology ring
schedule cyclic

input root: bool = node == 0
field token, label: bool

rule1: (label=b), (root=1, label=b) -> (token=0), (token=1, label=!b)
rule2: (label=b), (root=0, label=!b) -> (token=0), (token=1, label=b)

initial all

predicate safe = all{label = label[0]}
predicate oneToken = #token == 1

// Nothing is left to chance, so fairness has no say.
assert <> safe                          //@ expect: none holds, ewf holds, esf holds, sgf holds
assert self-stabilising to oneToken     //@ expect: none holds, ewf holds, esf holds, sgf holds
assert deadlockfree                     //@ expect: holds
