/* Readers and writers with shared variables: the twin of bench/models/readers_writers_shared.csp.
 *
 * One process each, one step for every event. States and steps are those of `fairhold explore`. */

#ifndef N
#define N 2
#endif

byte reading;
bit writing;

active [N] proctype Reader() {
    do
    :: d_step { !writing -> reading = reading + 1 };
reads:
        reading = reading - 1
    od
}

active [N] proctype Writer() {
    do
    :: d_step { !writing && reading == 0 -> writing = 1 };
        writing = 0
    od
}

ltl apart { [] !(reading > 0 && writing) }
ltl stops { [] (Reader[0]@reads -> <> !Reader[0]@reads) }
