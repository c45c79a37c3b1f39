/* The alternating bit protocol: the twin of examples/alternating_bit.csp, with rendezvous for its channels.
 *
 * States and steps are those of `fairhold explore`. To SPIN a process that can only receive is not enabled. */

chan send = [0] of { bit };
chan deliver = [0] of { bit };
chan confirm = [0] of { bit };
chan reply = [0] of { bit };

short pending;

active proctype Sender() {
    bit own;

give:
    pending = pending + 1;
transmit:
    send ! own;
    do
    :: atomic { reply ? eval(own) -> own = 1 - own; goto give }
    :: reply ? eval(1 - own)
    :: goto transmit
    od
}

active proctype Forward() {
    do
    :: send ? 0; if :: deliver ! 0 :: skip fi
    :: send ? 1; if :: deliver ! 1 :: skip fi
    od
}

active proctype Backward() {
    do
    :: confirm ? 0; if :: reply ! 0 :: skip fi
    :: confirm ? 1; if :: reply ! 1 :: skip fi
    od
}

active proctype Receiver() {
    bit due;

    do
    ::
        if
        :: deliver ? eval(due) -> d_step { pending = pending - 1; due = 1 - due }
        :: deliver ? eval(1 - due)
        fi;
        confirm ! (1 - due)
    od
}

ltl clear { [] (pending >= 0 && pending <= 1) }
ltl comes_out { [] (pending == 1 -> <> (pending == 0)) }
ltl given { <> (pending == 1) }
ltl goes_on { [] <> (pending == 1) }
