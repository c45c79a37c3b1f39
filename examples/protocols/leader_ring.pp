// Self-stabilising leader election in a ring (Fischer and Jiang 2006).
//
// Every node meets its successor, as the initiator. Leaders fire bullets, which travel against the direction of the ring,
// and carry shields, which travel with it; a bullet that reaches a node without a shield ends its leadership. As in
// leader_complete a detector tells whether there is a leader at all, at first by guessing.

size N = 3
topology ring

field bullet, leader, shield: bool
detector someLeader = #leader > 0

rule1: *, * when !someLeader -> (bullet=1, leader=1, shield=1), *
rule2: (leader=0, shield=1), * when someLeader -> (shield=0), (bullet=0, shield=1)
rule3: (leader=1, shield=1), * when someLeader -> (bullet=1, shield=0), (bullet=0, shield=1)
rule4: (leader=1, shield=0), (bullet=0) when someLeader -> (bullet=1), *
rule5: (shield=0), (bullet=1) when someLeader -> (bullet=1, leader=0), (bullet=0)

initial all

predicate oneLeader = #leader == 1

// Fairness to rules and edges is not enough: two leaders can keep their shields between them forever. What is needed is that
// every step that is possible again and again is taken again and again, global fairness.
assert self-stabilising to oneLeader
//@ expect: none fails, ewf fails, esf fails, sgf holds

assert AG EF AG oneLeader               //@ expect: none holds
