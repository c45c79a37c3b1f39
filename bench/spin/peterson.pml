/* Peterson's algorithm for mutual exclusion: the twin of examples/peterson.csp, for N from 2 to 7.
 *
 * One process each, one step for every event; going on from a level is one step with what comes next. States and steps
 * are those of `fairhold explore`. */

#ifndef N
#define N 3
#endif

byte pos[N];
byte step[N];
byte inside;

/* The others are on lower levels. Written out, so that the compiler folds it: a loop would cost SPIN time. */
#define low(k) (k >= N || k == _pid || pos[(k) % N] < j)
#define may_pass \
    (step[j] != _pid || (low(0) && low(1) && low(2) && low(3) && low(4) && low(5) && low(6)))

active [N] proctype Climb() {
    byte j = 1;

arrive:
    pos[_pid] = 1;
level:
    step[j] = _pid;
    if
    :: atomic { j < N-1 && may_pass -> j = j + 1; pos[_pid] = j; goto level }
    :: d_step { j == N-1 && may_pass -> inside = inside + 1 }
    fi;
    atomic { inside = inside - 1; pos[_pid] = 0; j = 1; goto arrive }
}

ltl exclusion { [] (inside <= 1) }
ltl lockout { [] (pos[0] > 0 -> <> (pos[0] == 0)) }
ltl busy { [] <> (inside == 1) }
