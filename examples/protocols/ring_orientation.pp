// Self-stabilising orientation of a ring (Angluin, Aspnes, Fischer and Jiang 2005).
//
// Nodes meet their neighbours on both sides and cannot tell left from right, but neighbours of a node have different colours
// (two_hop_colouring sees to that). Every node keeps the colours of its predecessor and of its successor, and all shall come to
// mean the same direction. A node whose idea of the direction is sound imposes it on the neighbour that it meets.

size N = 3
topology undirected ring

input colour: 0..2
field pre, suc: 0..2

follow: (colour=c, pre=p, suc=s), (colour=d) when d == p && d != s -> *, (suc=c)
lead: (colour=c, pre=p, suc=s), (colour=d) when d == s && d != p -> *, (pre=c)
turn: (colour=c, pre=p, suc=s), (colour=d) when (d == p) == (d == s) -> (pre=d), (suc=c)

predicate coloured = forall k: colour[(k + 1) % N] != colour[(k + N - 1) % N]
initial where coloured

predicate clockwise = forall k: pre[k] == colour[(k + N - 1) % N] && suc[k] == colour[(k + 1) % N]
predicate anticlockwise = forall k: suc[k] == colour[(k + N - 1) % N] && pre[k] == colour[(k + 1) % N]
predicate oriented = clockwise || anticlockwise

assert stable oriented
//@ expect: none fails, ewf fails, esf fails, sgf holds
