/* Two-phase commit with a lost vote.
 *
 * A participant that votes no aborts at once. The coordinator takes the votes from one queue, but looks only
 * at the last one: a no that comes before a yes is lost. So one commits though another has aborted.
 * The twin of bench/models/bugs/two_phase_commit.csp. To be found: a violation of the never claim
 * `agreement`.
 *
 *     spin -a two_phase_commit.pml; cc -O2 -o pan pan.c; ./pan -a -m100000
 */

#define N 4

chan votes = [N] of { bit };
chan decision[N] = [1] of { bit };
byte commits, aborts;

active [N] proctype Participant() {
    bit d;

    if
    ::  votes ! 1; decision[_pid] ? d;
        if
        :: d -> commits++
        :: else -> aborts++
        fi
    ::  votes ! 0; aborts++; decision[_pid] ? d
    fi
}

active proctype Coordinator() {
    byte i;
    bit v, all = 1;

    do
    :: i < N -> votes ? v; all = v; i++    /* It should be: all = all && v. */
    :: else -> break
    od;
    i = 0;
    do
    :: i < N -> decision[i] ! all; i++
    :: else -> break
    od
}

ltl agreement { [] !(commits > 0 && aborts > 0) }
