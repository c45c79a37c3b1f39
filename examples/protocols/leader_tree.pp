// Self-stabilising leader election in a rooted tree (Canepa and Potop-Butucaru 2008).
//
// Node k has the children 2k+1 and 2k+2, as far as there are so many nodes, and meets them as the initiator. Of two leaders
// the child steps down; a leader below a node that is none hands the leadership up; and where nobody leads, as far as the
// detector knows, the parent becomes the leader. As in leader_complete the detector is right in the end.
//
// Leadership only moves towards the root. Once the detector is correct and the root alone leads, no rule has anything left to
// do: this deadlock is the goal, and there is no other.

size N = 5
topology tree

field leader: bool
detector someLeader = #leader > 0

rule1: (leader=1), (leader=1) -> *, (leader=0)
rule2: (leader=0), (leader=0) when !someLeader -> (leader=1), *
rule3: (leader=0), (leader=1) -> (leader=1), (leader=0)

initial all

predicate oneLeader = #leader == 1
predicate rootAlone = leader[0] && oneLeader

assert self-stabilising to oneLeader
//@ expect: none fails, ewf holds, esf holds, sgf holds
assert stable rootAlone
//@ expect: none fails, ewf holds, esf holds, sgf holds

assert AG (deadlock <-> (correct && rootAlone))    //@ expect: none holds
assert deadlockfree                     //@ expect: fails
