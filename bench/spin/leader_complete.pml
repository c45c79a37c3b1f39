/* Self-stabilising leader election in a complete network, by Fischer and Jiang: the twin of
 * examples/leader_complete.csp and examples/protocols/leader_complete.pp, for N from 3 to 16, as far as SPIN's 255
 * processes go: without options up to N = 9.
 *
 * As [Pang-TASE'08] model it, every action is a process: a rule on a pair of nodes, a guess, the detector's becoming
 * correct. So SPIN's fairness, weak and towards processes, is weak fairness towards our events. With -DONCE the two
 * actions of rule 3 on a pair of nodes, which have one guard and change nothing either way, share a process: then N may
 * be 10. With -DPAIRS the
 * processes are those of the example, a pair with its rules and the detector, and it is weak fairness towards our
 * processes. With -DFLAT one process takes all steps: fairness means nothing then, but states are small, and SPIN is
 * fastest. All configurations are initial: init chooses one, then starts the others. States and steps are those of
 * `fairhold explore`. */

#ifndef N
#define N 3
#endif

bit leader[N];
bit guess;
bit right;

#define led(k) (k < N && leader[(k) % N])
#define some_leader \
    (led(0) || led(1) || led(2) || led(3) || led(4) || led(5) || led(6) || led(7) || \
     led(8) || led(9) || led(10) || led(11) || led(12) || led(13) || led(14) || led(15))
#define told_yes ((!right && guess) || (right && some_leader))
#define leaders \
    (led(0) + led(1) + led(2) + led(3) + led(4) + led(5) + led(6) + led(7) + \
     led(8) + led(9) + led(10) + led(11) + led(12) + led(13) + led(14) + led(15))

#define rule1 d_step { leader[i] && leader[r] -> leader[r] = 0 }
#define rule2 d_step { !leader[i] && !leader[r] && !told_yes -> leader[i] = 1 }
#define rule3 d_step { !leader[i] && !leader[r] && told_yes -> skip }
#define guess_yes d_step { !right -> guess = 1 }
#define guess_no d_step { !right -> guess = 0 }
#define correct d_step { !right -> right = 1; guess = 0 }

#ifdef FLAT
/* Node i and the one d places after it, written out for all i and d: an index costs SPIN more than a constant. */
#define meets(i, d) (i < N && d < N)
#define other(i, d) ((i + d) % N)
#define one(i, d) \
    :: d_step { meets(i, d) && led(i) && led(other(i, d)) -> leader[other(i, d)] = 0 } \
    :: d_step { meets(i, d) && !led(i) && !led(other(i, d)) && !told_yes -> leader[(i) % N] = 1 } \
    :: d_step { meets(i, d) && !led(i) && !led(other(i, d)) && told_yes -> skip }
#define node(i) \
    one(i, 1) one(i, 2) one(i, 3) one(i, 4) one(i, 5) one(i, 6) one(i, 7) one(i, 8) \
    one(i, 9) one(i, 10) one(i, 11) one(i, 12) one(i, 13) one(i, 14) one(i, 15)
proctype All() {
    do
    node(0) node(1) node(2) node(3) node(4) node(5) node(6) node(7)
    node(8) node(9) node(10) node(11) node(12) node(13) node(14) node(15)
    :: guess_yes
    :: guess_no
    :: correct
    od
}
#elif defined(PAIRS)
proctype Pair(byte i; byte r) { do :: rule1 :: rule2 :: rule3 od }
proctype Detector() { do :: guess_yes :: guess_no :: correct od }
#else
proctype Rule1(byte i; byte r) { do :: rule1 od }
proctype Rule2(byte i; byte r) { do :: rule2 od }
proctype Rule3(byte i; byte r) { do :: rule3 od }
proctype GuessYes() { do :: guess_yes od }
proctype GuessNo() { do :: guess_no od }
proctype Correct() { do :: correct od }
#endif

init {
    byte k, d;
    do
    :: d_step { k < N -> leader[k] = 0; k = k + 1 }
    :: d_step { k < N -> leader[k] = 1; k = k + 1 }
    :: atomic {
        k == N ->
        if :: guess = 0 :: guess = 1 fi;
#ifdef FLAT
        run All();
#else
        for (k : 0 .. N-1) {
            for (d : 1 .. N-1) {
#ifdef PAIRS
                run Pair(k, (k + d) % N)
#else
                run Rule1(k, (k + d) % N);
                run Rule2(k, (k + d) % N);
#ifdef ONCE
                if :: k + d < N -> run Rule3(k, k + d) :: else fi
#else
                run Rule3(k, (k + d) % N)
#endif
#endif
            }
        }
#ifdef PAIRS
        run Detector();
#else
        run GuessYes();
        run GuessNo();
        run Correct();
#endif
#endif
        break
    }
    od
}

ltl one_leader { <> [] (leaders == 1) }
ltl settled { [] ((right && leaders == 1) -> [] (right && leaders == 1)) }
ltl becomes_right { <> (right) }
