// Self-stabilising two-hop colouring of a ring (Angluin, Aspnes, Fischer, Jiang 2005).
//
// The two neighbours of a node shall have different colours, so that it can tell them apart. Each node keeps a bit for every
// colour that a neighbour can have. When two nodes meet, each looks at the bit it keeps for the other's colour. Equal bits are
// flipped together, so a node and its only neighbour of a colour stay in step. Two neighbours of the same colour share a bit
// and get out of step; then the initiator moves on to the next colour, but only every other time, when its coin says so.

size N = 3
topology undirected ring

field colour: 0..2
field coin: bool
// The bits for neighbours of the colours 0, 1 and 2. A comparison is worth 1 if it is true, else 0.
field f0, f1, f2: bool

same: (colour=c, coin=x), (colour=d)
  when (d == 0) * i.f0 + (d == 1) * i.f1 + (d == 2) * i.f2 == (c == 0) * r.f0 + (c == 1) * r.f1 + (c == 2) * r.f2
  -> (coin=!x, f0=(i.f0 + (d == 0)) % 2, f1=(i.f1 + (d == 1)) % 2, f2=(i.f2 + (d == 2)) % 2),
     (f0=(r.f0 + (c == 0)) % 2, f1=(r.f1 + (c == 1)) % 2, f2=(r.f2 + (c == 2)) % 2)

// With its new colour, the initiator takes over the bit that the other keeps for it.
differ: (colour=c, coin=x), (colour=d)
  when (d == 0) * i.f0 + (d == 1) * i.f1 + (d == 2) * i.f2 != (c == 0) * r.f0 + (c == 1) * r.f1 + (c == 2) * r.f2
  -> (colour=(c + x) % 3, coin=!x,
      f0=(d != 0) * i.f0 + (d == 0) * (((c + x) % 3 == 0) * r.f0 + ((c + x) % 3 == 1) * r.f1 + ((c + x) % 3 == 2) * r.f2),
      f1=(d != 1) * i.f1 + (d == 1) * (((c + x) % 3 == 0) * r.f0 + ((c + x) % 3 == 1) * r.f1 + ((c + x) % 3 == 2) * r.f2),
      f2=(d != 2) * i.f2 + (d == 2) * (((c + x) % 3 == 0) * r.f0 + ((c + x) % 3 == 1) * r.f1 + ((c + x) % 3 == 2) * r.f2)),
     *

initial all

predicate coloured = forall k: colour[(k + 1) % N] != colour[(k + N - 1) % N]

assert self-stabilising to coloured
//@ expect: none fails, ewf fails, esf fails, sgf holds
