/* Election of a leader in a ring (E. Chang and R. Roberts, 1979), with a wrong comparison.
 *
 * Every node sends its number to the next one. A node passes on what is greater than its own number and keeps
 * back what is less; who gets its own number back leads. Here a node that gets anything not greater than its
 * own number thinks that this is its own, and leads. So there may be two leaders.
 * The twin of bench/models/bugs/ring_election.csp. To be found: a violated assertion.
 *
 *     spin -a ring_election.pml; cc -O2 -o pan pan.c; ./pan -m100000
 */

#define N 6

chan link[N] = [N] of { byte };
byte leaders;

/* Numbers that differ, in no order: 4 5 2 3 0 1 for N = 6. */
#define number(i) ((5 * i + 4 + 2 * (i % 2)) % N)

active [N] proctype Node() {
    byte got;

    link[(_pid + 1) % N] ! number(_pid);
end:
    do
    ::  link[_pid] ? got;
        if
        ::  got > number(_pid) -> link[(_pid + 1) % N] ! got
        ::  else ->    /* It should be: got == number(_pid). */
            leaders++;
            assert(leaders <= 1);
            break
        fi
    od
}
