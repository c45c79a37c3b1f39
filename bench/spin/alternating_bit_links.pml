/* Links side by side, each with its own alternating bit protocol over lossy queues: the twin of
 * bench/models/alternating_bit_links.csp.
 *
 * One process for each process there, one step for every event. States and steps are those of `fairhold explore`. */

#ifndef Links
#define Links 2
#endif
#ifndef Size
#define Size 2
#endif

chan message[Links] = [Size] of { bit };
chan reply[Links] = [Size] of { bit };

/* The link of a process: there are as many of each kind as there are links. */
#define k (_pid % Links)

active [Links] proctype Sender() {
    bit own;

give:
    skip;
transmit:
    message[k] ! own;
    do
    :: atomic { reply[k] ? eval(own) -> own = 1 - own; goto give }
    :: reply[k] ? eval(1 - own)
    :: goto transmit
    od
}

active [Links] proctype Receiver() {
    bit due;

    do
    ::
        if
        :: message[k] ? eval(due); due = 1 - due
        :: message[k] ? eval(1 - due)
        fi;
        reply[k] ! (1 - due)
    od
}

active [Links] proctype LoseMessage() {
    do :: message[k] ? _ od
}

active [Links] proctype LoseReply() {
    do :: reply[k] ? _ od
}
