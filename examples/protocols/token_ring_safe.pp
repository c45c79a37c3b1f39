// Token circulation in a ring, second phase: from equal labels on (Pang, Luo, Deng 2008).
//
// The protocol of token_ring, started with the same label everywhere. From there one node at a time has something to do, so
// the three goals are met whatever the fairness: there is one token in the end; a node that has it hands it to its successor
// before anybody else gets it; and everybody has it again and again. token_ring_scheduled is the first phase.

size N = 4
topology ring

input root: bool = node == 0
field token, label: bool

rule1: (label=b), (root=1, label=b) -> (token=0), (token=1, label=!b)
rule2: (label=b), (root=0, label=!b) -> (token=0), (token=1, label=b)

predicate safe = all{label = label[0]}
initial where safe

predicate oneToken = #token == 1

assert stable oneToken
//@ expect: none holds, ewf holds, esf holds, sgf holds
assert forall k: <>[] (token[k] -> ((!some{token && node != k && node != (k + 1) % N}) U token[(k + 1) % N]))
//@ expect: none holds, ewf holds, esf holds, sgf holds
assert forall k: []<> token[k]
//@ expect: none holds, ewf holds, esf holds, sgf holds

// The labels are all equal again and again, not always.
assert []<> safe                        //@ expect: none holds, sgf holds
assert [] safe                          //@ expect: none fails, sgf fails
