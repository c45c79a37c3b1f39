/* The alternating bit protocol with a wrong bit.
 *
 * Messages and replies may be lost. The receiver confirms a message that it has already, and should go on to
 * wait for the other bit. Here it waits for the bit of that message, and takes the next copy of it for a new
 * one.
 * The twin of bench/models/bugs/alternating_bit.csp. To be found: a violated assertion.
 *
 *     spin -a alternating_bit.pml; cc -O2 -o pan pan.c; ./pan -m100000
 */

#define Values 4

chan message = [2] of { bit, byte };
chan reply = [2] of { bit };

active proctype Sender() {
    bit own, b;
    byte value;

    do
    ::  message ! own, value
    ::  reply ? b;
        if
        :: b == own -> own = 1 - own; value = (value + 1) % Values
        :: else
        fi
    od
}

active proctype Receiver() {
    bit due, b;
    byte value, expected;

    do
    ::  message ? b, value;
        if
        ::  b == due ->
            assert(value == expected);
            expected = (expected + 1) % Values;
            reply ! due;
            due = 1 - due
        ::  else ->
            reply ! b;
            due = b    /* It should be 1 - b, as it was. */
        fi
    od
}

active proctype Loss() {
    do
    :: message ? _, _
    :: reply ? _
    od
}
