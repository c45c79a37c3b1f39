// A flock of birds: are at least K of them ill? (Angluin, Aspnes and others 2006).
//
// Each bird knows whether it is ill, and counts 1 if so. Two birds that meet put their counts together in one of them, as long
// as the sum is less than K. Two that come to K raise the alarm, and the alarm spreads.

size N = 4
const K = 3
topology complete

input ill: bool
field count: 0..K-1
field alarm: bool

gather: (count=x), (count=y) when x > 0 && y > 0 && x + y < K -> (count=x + y), (count=0)
raise: (count=x, alarm=0), (count=y) when x + y >= K -> (alarm=1), (alarm=1)
spread: (alarm=1), (alarm=0) -> *, (alarm=1)

initial alarm = 0 where all{count = ill}

// Every meeting leaves less to be done, so it comes to an end in any case.
assert computes #ill >= K by alarm
//@ expect: none holds, ewf holds, esf holds, sgf holds
assert [] (!some{alarm} || #ill >= K)            //@ expect: none holds
assert AF deadlock                               //@ expect: none holds
