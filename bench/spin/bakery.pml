/* Lamport's bakery algorithm with bounded tickets: the twin of examples/bakery.csp, for N from 2 to 5.
 *
 * One process each, one step for every event. States and steps are those of `fairhold explore`. */

#ifndef N
#define N 2
#endif
#ifndef Max
#define Max 3
#endif

bit choosing[N];
byte number[N];
byte seen[N];
byte inside;

#define room(k) (k >= N || number[(k) % N] < Max)
#define look(k) if :: k < N && number[(k) % N] > seen[_pid] -> seen[_pid] = number[(k) % N] :: else fi

active [N] proctype Customer() {
    byte j;

arrive:
    atomic {
        (room(0) && room(1) && room(2) && room(3) && room(4)) ->
        choosing[_pid] = 1;
        look(0); look(1); look(2); look(3); look(4)
    };
    d_step { number[_pid] = seen[_pid] + 1; seen[_pid] = 0; choosing[_pid] = 0 };
    do
    :: d_step {
            j < N && choosing[j] == 0 &&
            (number[j] == 0 || number[j] > number[_pid] || (number[j] == number[_pid] && j >= _pid)) ->
            j = j + 1
        }
    :: d_step { j == N -> inside = inside + 1; j = 0 };
        break
    od;
    atomic { inside = inside - 1; number[_pid] = 0; goto arrive }
}

ltl exclusion { [] (inside <= 1) }
ltl served { [] (number[0] > 0 -> <> (number[0] == 0)) }
ltl arrives { <> (number[0] > 0) }
