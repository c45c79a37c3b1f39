/* Readers and writers: the twin of examples/readers_writers.csp.
 *
 * The controller's books are variables here, and who moves by them is the reader or writer. States and steps are those
 * of `fairhold explore`; the processes are not (there the controller is one and all its clients another), so
 * only runs without fairness compare. */

#ifndef N
#define N 2
#endif

byte reading;
bit writing;
bit broken;
bit wrong;

active [N] proctype Reader() {
    do
    :: d_step { !broken && !writing && reading < N -> reading = reading + 1 };
        d_step { !broken -> if :: writing || reading == 0 -> broken = 1 :: else -> reading = reading - 1 fi }
    od
}

active [N] proctype Writer() {
    do
    :: d_step { !broken && !writing && reading == 0 -> writing = 1 };
        d_step { !broken -> if :: writing -> writing = 0 :: else -> broken = 1 fi }
    od
}

active proctype Error() {
    d_step { broken -> wrong = 1 }
}

ltl coordinated { [] !wrong }
