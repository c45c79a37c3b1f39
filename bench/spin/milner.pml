/* Milner's cyclic scheduler: the twin of examples/milner.csp.
 *
 * A token passes by rendezvous, one step of both cells. States and steps are those of `fairhold explore`. To SPIN a
 * cell that can only receive is not enabled; that makes no difference, since the cell before it offers the token and
 * nothing else, and is obliged. */

#ifndef N
#define N 4
#endif

chan token[N] = [0] of { bit };

/* Cell 0 begins with its work. */
active proctype First() {
ready:
    skip;
working:
    token[1 % N] ! 1;
    if
    :: skip -> token[0] ? 1; goto ready
    :: token[0] ? 1; skip; goto ready
    fi
}

/* The others wait for the token, as they do again when they have finished. */
active [N - 1] proctype Cell() {
idle:
    token[_pid] ? 1;
ready:
    skip;
    token[(_pid + 1) % N] ! 1;
    if
    :: skip -> goto idle
    :: token[_pid] ? 1; skip; goto ready
    fi
}

/* The event work.0 infinitely often: cell 0 just after it again and again, and again and again not. */
ltl works { [] <> First[0]@working && [] <> !First[0]@working }
