/* Self-stabilising token circulation in a ring, by Angluin and others: the twin of examples/token_ring.csp, for N from
 * 2 to 9.
 *
 * All configurations are initial: init chooses one, then starts a process for each pair of neighbours. `fairhold explore`
 * counts more states and steps: a configuration just chosen is another state there than the same one after a rule. */

#ifndef N
#define N 3
#endif

bit token[N];
bit label[N];

#define has(k) (k < N && token[(k) % N])
#define tokens (has(0) + has(1) + has(2) + has(3) + has(4) + has(5) + has(6) + has(7) + has(8))

proctype Pair(byte i; byte r) {
    do
    :: d_step { r == 0 && label[i] == label[r] -> token[i] = 0; token[r] = 1; label[r] = 1 - label[r] }
    :: d_step { r != 0 && label[i] != label[r] -> token[i] = 0; token[r] = 1; label[r] = label[i] }
    od
}

#define choose \
    if :: token[k] = 0 :: token[k] = 1 fi; \
    if :: label[k] = 0 :: label[k] = 1 fi; \
    k = k + 1

init {
    byte k;
    do
    :: atomic { k < N-1 -> choose }
    :: atomic {
        k == N-1 -> choose;
        for (k : 0 .. N-1) {
            run Pair(k, (k + 1) % N)
        }
        break
    }
    od
}

ltl one_token { <> [] (tokens == 1) }
ltl comes_round { [] <> (token[0] == 1) && [] <> (token[1] == 1) }
