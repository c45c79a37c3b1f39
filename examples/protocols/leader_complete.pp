// Self-stabilising leader election in a complete network (Fischer and Jiang 2006).
//
// Everybody may meet everybody. Of two leaders that meet, one steps down; of two that are none, one becomes the leader if it
// is told that there is none. Who tells it is a detector: for a while it only guesses, and may change its mind at any
// time; once correct, it stays correct. From whatever configuration the nodes start, exactly one leader remains.
//
// The third rule changes nothing. It says that two nodes may meet and find everything in order.

size N = 3
topology complete

field leader: bool
detector someLeader = #leader > 0

rule1: (leader=1), (leader=1) -> *, (leader=0)
rule2: (leader=0), (leader=0) when !someLeader -> (leader=1), *
rule3: (leader=0), (leader=0) when someLeader -> *, *

initial all

predicate oneLeader = #leader == 1

// It is enough that no rule of a pair and no event of the detector is put off forever: weak fairness.
assert self-stabilising to oneLeader
//@ expect: none fails, ewf holds, esf holds, sgf holds

// Whatever happens, the way to a single leader is never lost.
assert AG EF (correct && oneLeader)     //@ expect: none holds
// A correct detector may find nobody leading.
assert reaches correct && #leader == 0  //@ expect: holds
assert deadlockfree                     //@ expect: holds
