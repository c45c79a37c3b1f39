// Self-stabilising leader election in rings of odd size, without a detector (Jiang 2007).
//
// Every node meets its successor, as the initiator. Neighbours with the same label are a barrier; in a ring of odd size there
// is at least one, always. Barriers move on, one from each node that flips its label, and two that meet are gone, so in the end
// one barrier goes around. Probes look for leaders behind a barrier, and where there is none the barrier makes one; bullets,
// fired at leaders, remove what is too much.

size N = 3
topology ring

field leader, bullet, label, probe, phase: bool

// A barrier: equal labels.
rule1: (label=b, probe=1, phase=0), (label=b, leader=0) -> (leader=1, probe=0, phase=1), (probe=1)
rule2: (label=b, probe=1, phase=0), (label=b, leader=1) -> (leader=1, probe=0, phase=1), *
rule3: (label=b, probe=1, phase=1), (label=b, probe=0) -> (leader=1, probe=0), (bullet=0, label=!b, phase=0)
rule4: (label=b, probe=1, phase=1), (label=b, probe=1) -> (leader=1, probe=0), *
rule5: (label=b, probe=0, phase=0), (label=b, leader=0) -> (phase=1), (probe=1)
rule6: (label=b, probe=0, phase=0), (label=b, leader=1) -> (phase=1), *
rule7: (label=b, probe=0, phase=1), (label=b, probe=0) -> *, (bullet=0, label=!b, phase=0)

// Elsewhere: different labels.
rule8: (label=b), (label=!b, leader=1, bullet=1) -> *, (leader=0)
rule9: (label=b), (label=!b, leader=1, bullet=0) -> (bullet=1, probe=0), *
rule10: (label=b, probe=1), (label=!b, leader=0, bullet=1) -> (bullet=1, probe=0), (bullet=0, probe=1)
rule11: (label=b, probe=1), (label=!b, leader=0, bullet=0) -> (probe=0), (probe=1)
rule12: (label=b, probe=0), (label=!b, leader=0, bullet=1) -> (bullet=1), (bullet=0)

initial all

predicate oneLeader = #leader == 1

assert self-stabilising to oneLeader
//@ expect: none fails, ewf fails, esf fails, sgf holds
assert deadlockfree                     //@ expect: holds
