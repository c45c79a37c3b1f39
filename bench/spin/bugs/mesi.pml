/* Cache coherence (MESI) for four caches and a line, with a missing invalidation.
 *
 * A line in a cache is invalid, shared, exclusive or modified. Who reads a line that he has not gets it
 * exclusive if nobody else has it, else all have it shared. Who writes makes it his and invalidates it
 * elsewhere. Here a cache that has the line shared and writes forgets the cache before it.
 * The twin of bench/models/bugs/mesi.csp. To be found: a violation of the never claim `coherent`.
 *
 *     spin -a mesi.pml; cc -O2 -o pan pan.c; ./pan -a -m100000
 */

#define N 4
#define Invalid 0
#define Shared 1
#define Exclusive 2
#define Modified 3

byte line[N];

#define others(me, s) (line[(me + 1) % N] >= s || line[(me + 2) % N] >= s || line[(me + 3) % N] >= s)

inline share(i) { if :: line[i] > Shared -> line[i] = Shared :: else fi }

active [N] proctype Cache() {
    do
    ::  d_step { line[_pid] == Invalid && !others(_pid, Shared) -> line[_pid] = Exclusive }
    ::  d_step {
            line[_pid] == Invalid && others(_pid, Shared) ->
            share(0); share(1); share(2); share(3);
            line[_pid] = Shared
        }
    ::  d_step { line[_pid] == Exclusive -> line[_pid] = Modified }
    ::  d_step {
            line[_pid] == Shared ->
            line[(_pid + 1) % N] = Invalid;
            line[(_pid + 2) % N] = Invalid;
            /* Missing: line[(_pid + 3) % N] = Invalid; */
            line[_pid] = Modified
        }
    ::  d_step {
            line[_pid] == Invalid ->
            line[(_pid + 1) % N] = Invalid;
            line[(_pid + 2) % N] = Invalid;
            line[(_pid + 3) % N] = Invalid;
            line[_pid] = Modified
        }
    ::  d_step { line[_pid] != Invalid -> line[_pid] = Invalid }
    od
}

#define alone(i) (line[i] != Modified || !others(i, Shared))

ltl coherent { [] (alone(0) && alone(1) && alone(2) && alone(3)) }
