/* The dining philosophers: the twin of examples/dining_philosophers.csp and, with -DFREE, where philosopher 0 takes his
 * forks in the other order, of examples/dining_philosophers_dlfree.csp.
 *
 * There forks are processes, here they are variables. States and steps are the same: who holds a fork follows from
 * where the philosophers are. So are the runs that are fair to processes. A fork can move only together with a
 * philosopher who offers nothing else, and who can move as long as the fork can: the fork's obligation is his. */

#ifndef N
#define N 5
#endif

bit taken[N];

#ifdef FREE
#define first(i) (i == 0 -> 0 : (i + 1) % N)
#define second(i) (i == 0 -> 1 % N : i)
#else
#define first(i) ((i + 1) % N)
#define second(i) (i)
#endif

active [N] proctype Phil() {
hungry:
    atomic { !taken[first(_pid)] -> taken[first(_pid)] = 1 };
    d_step { !taken[second(_pid)] -> taken[second(_pid)] = 1 };
    skip;
eaten:
    taken[(_pid + 1) % N] = 0;
    atomic { taken[_pid] = 0; goto hungry }
}

/* The event eat.0 infinitely often: philosopher 0 just after it again and again, and again and again not. */
ltl eats { [] <> Phil[0]@eaten && [] <> !Phil[0]@eaten }
