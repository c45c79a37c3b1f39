// Consensus on the least value, while nodes crash (folklore).
//
// Whoever meets a smaller value takes it over. A live node may crash at any time, silently, but the last one never does. Those
// who are left agree in the end; not always on the value that was the least, for its owner may be gone before telling.

size N = 3
topology complete

field value: 0..2
field crashed: bool

meet: (crashed=0, value=x), (crashed=0, value=y) when x < y -> *, (value=x)
crash: (crashed=0) when #crashed < N - 1 -> (crashed=1)

initial crashed = 0

predicate agreed = forall k: forall j: crashed[k] || crashed[j] || value[k] == value[j]

// Values only fall and crashes are few, so nothing goes on forever.
assert stable agreed
//@ expect: none holds, ewf holds, esf holds, sgf holds
// An execution goes on as long as something can happen, so in the end one node is left.
assert stable #crashed == N - 1
//@ expect: none holds, ewf holds, esf holds, sgf holds
assert [] (agreed -> [] agreed)         //@ expect: none holds
assert [] some{crashed=0}               //@ expect: none holds
// But no crash is needed for that.
assert AG (#crashed == 0 -> EF (agreed && #crashed == 0))     //@ expect: none holds
// The least value of the start may be lost.
assert [] (!some{value=0} || some{crashed=0 && value=0})     //@ expect: none fails
