// Self-stabilising token circulation in a ring (Angluin, Aspnes, Fischer, Jiang 2005).
//
// Every node meets its successor, as the initiator; node 0 is the leader. Each node has a label, and may have a token. The
// leader takes the token, or makes one, when its predecessor's label equals its own, and flips its label; any other node takes
// it when the labels differ, and copies the label. In the end one token goes around.

size N = 4
topology ring

input root: bool = node == 0
field token, label: bool

rule1: (label=b), (root=1, label=b) -> (token=0), (token=1, label=!b)
rule2: (label=b), (root=0, label=!b) -> (token=0), (token=1, label=b)

initial all

predicate oneToken = #token == 1

// Three nodes need no fairness at all: try -D N=3. From four on nothing less than global fairness will do.
assert self-stabilising to oneToken
//@ expect: none fails, ewf fails, esf fails, sgf holds
// Too many tokens or not, everybody has one again and again.
assert forall k: []<> token[k] = 1
//@ expect: none holds, ewf holds, esf holds, sgf holds
assert deadlockfree                     //@ expect: holds
