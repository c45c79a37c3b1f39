/* Peterson's algorithm for mutual exclusion in small steps: the twin of bench/models/peterson_fine.csp.
 *
 * One process each, one step for every event. States and steps are those of `fairhold explore`. */

#ifndef N
#define N 3
#endif

byte pos[N];
byte step[N];
byte inside;

/* The one d places after this process is on a lower level, or somebody else is the last. */
#define may_pass (pos[(_pid + d) % N] < j || step[j] != _pid)

active [N] proctype Climb() {
    byte j = 1;
    byte d = 1;

rest:
    skip;
level:
    pos[_pid] = j;
    step[j] = _pid;
    do
    :: d_step { d < N && may_pass -> d = d + 1 }
    :: atomic { d == N && j < N-1 -> d = 1; j = j + 1; goto level }
    :: d_step { d == N && j == N-1 -> d = 1; j = 1; inside = inside + 1 };
        break
    od;
    inside = inside - 1;
    atomic { pos[_pid] = 0; goto rest }
}

ltl exclusion { [] (inside <= 1) }
ltl lockout { [] (pos[0] > 0 -> <> (pos[0] == 0)) }
ltl busy { [] <> (inside == 1) }
