/* Readers and writers behind a monitor, with a lost wakeup.
 *
 * Everybody visits the room twice. Who finds it taken looks first and goes to sleep in a second step. Who
 * leaves wakes those that sleep. If the last one leaves between the two steps, the wakeup is lost, and the
 * sleeper sleeps for ever.
 * The twin of bench/models/bugs/readers_writers.csp. To be found: a deadlock (an invalid end state).
 *
 *     spin -a readers_writers.pml; cc -O2 -o pan pan.c; ./pan -m100000
 */

#define Readers 3
#define Writers 2
#define Visits 2

byte reading;
bit writing;
bit asleep[5];

inline wake_all() {
    asleep[0] = 0; asleep[1] = 0; asleep[2] = 0; asleep[3] = 0; asleep[4] = 0
}

active [Readers] proctype Reader() {
    byte visits;

    do
    ::  visits < Visits ->
        if
        ::  atomic { !writing -> reading++ };
            d_step { reading--; wake_all(); visits++ }
        ::  writing ->
            asleep[_pid] = 1;    /* Looking and going to sleep should be one step. */
            !asleep[_pid]
        fi
    ::  else -> break
    od
}

active [Writers] proctype Writer() {
    byte visits;

    do
    ::  visits < Visits ->
        if
        ::  atomic { !writing && reading == 0 -> writing = 1 };
            d_step { writing = 0; wake_all(); visits++ }
        ::  (writing || reading > 0) ->
            asleep[_pid] = 1;
            !asleep[_pid]
        fi
    ::  else -> break
    od
}
