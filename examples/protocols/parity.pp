// Is the number of ones odd? (after Angluin, Aspnes and others 2006).
//
// Every node has a bit. At first all are active and know the parity of their own bit. Of two active nodes that meet, one
// becomes passive and the other stands for both; a passive node believes the active one it meets. In the end a single active
// node stands for all, and everybody believes it.

size N = 3
topology complete

input bit: bool
field active, odd: bool

join: (active=1, odd=x), (active=1, odd=y) -> (odd=(x + y) % 2), (active=0, odd=(x + y) % 2)
tell: (active=1, odd=b), (active=0, odd=!b) -> *, (odd=b)

initial active = 1 where all{odd = bit}

assert computes #bit % 2 == 1 by odd
//@ expect: none fails, ewf holds, esf holds, sgf holds
// The active nodes' parity is always that of all the bits, and one stays active.
assert [] (#{active && odd} % 2 == #bit % 2)     //@ expect: none holds
assert [] #active > 0                            //@ expect: none holds
