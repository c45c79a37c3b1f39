/* Self-stabilising leader election in a complete network, by Fischer and Jiang: the twin of
 * examples/leader_complete.csp, for N from 3 to 8.
 *
 * As [Pang-TASE'08] model it, every action is a process: a rule on a pair of nodes, a guess, the detector's becoming
 * correct. So SPIN's fairness, weak and towards processes, is weak fairness towards our events. With -DPAIRS the
 * processes are those of the example, a pair with its rules and the detector, and it is weak fairness towards our
 * processes. All configurations are initial: init chooses one, then starts the others. States and steps are those
 * of `fairhold explore`. */

#ifndef N
#define N 3
#endif

bit leader[N];
bit guess;
bit right;

#define led(k) (k < N && leader[(k) % N])
#define some_leader (led(0) || led(1) || led(2) || led(3) || led(4) || led(5) || led(6) || led(7))
#define told_yes ((!right && guess) || (right && some_leader))
#define leaders \
    (led(0) + led(1) + led(2) + led(3) + led(4) + led(5) + led(6) + led(7))

#define rule1 d_step { leader[i] && leader[r] -> leader[r] = 0 }
#define rule2 d_step { !leader[i] && !leader[r] && !told_yes -> leader[i] = 1 }
#define rule3 d_step { !leader[i] && !leader[r] && told_yes -> skip }
#define guess_yes d_step { !right -> guess = 1 }
#define guess_no d_step { !right -> guess = 0 }
#define correct d_step { !right -> right = 1; guess = 0 }

#ifdef PAIRS
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
        for (k : 0 .. N-1) {
            for (d : 1 .. N-1) {
#ifdef PAIRS
                run Pair(k, (k + d) % N)
#else
                run Rule1(k, (k + d) % N);
                run Rule2(k, (k + d) % N);
                run Rule3(k, (k + d) % N)
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
        break
    }
    od
}

ltl one_leader { <> [] (leaders == 1) }
ltl settled { [] ((right && leaders == 1) -> [] (right && leaders == 1)) }
ltl becomes_right { <> (right) }
