/* Milner's cyclic scheduler: the twin of examples/milner.csp.
 *
 * A token passes by rendezvous, one step of both cells. States and steps are those of `fairhold explore`. To SPIN a
 * cell that can only receive is not enabled; that makes no difference, since the cell before it offers the token and
 * nothing else, and is obliged. */

#ifndef N
#define N 4
#endif

chan token[N] = [0] of { bit };

active [N] proctype Cell() {
    if
    :: _pid == 0 -> goto working
    :: token[_pid] ? 1
    fi;
ready:
    skip;
working:
    token[(_pid + 1) % N] ! 1;
    if
    :: skip -> token[_pid] ? 1; goto ready
    :: token[_pid] ? 1; skip; goto ready
    fi
}

/* The event work.0 infinitely often: cell 0 just after it again and again, and again and again not. */
ltl works { [] <> Cell[0]@working && [] <> !Cell[0]@working }
