// Mutual exclusion for two processes that are always enabled: weak fairness suffices.
//
// The graph of mutex, but who waits while the other is in its critical region counts as enabled: it would go on if only the
// scheduler let it. Structures in the literature on fairness often take "enabled" to be true in every state. A
// process that is enabled all the time must then have steps again and again, under weak fairness already.

propositions N1, T1, C1, N2, T2, C2;

init s0;

state s0 {N1, N2};
state s1 {T1, N2};
state s2 {N1, T2};
state s3 {C1, N2};
state s4 {T1, T2};
state s5 {N1, C2};
state s6 {C1, T2} enabled {process 2};
state s7 {T1, C2} enabled {process 1};

s0 -> s1 by process 1;
s1 -> s3 by process 1;
s3 -> s0 by process 1;
s2 -> s4 by process 1;
s4 -> s6 by process 1;
s6 -> s2 by process 1;
s5 -> s7 by process 1;

s0 -> s2 by process 2;
s2 -> s5 by process 2;
s5 -> s0 by process 2;
s1 -> s4 by process 2;
s4 -> s7 by process 2;
s7 -> s1 by process 2;
s3 -> s6 by process 2;

#assert |= AG (T1 -> AF C1);
//@ expect: none fails, impartial holds, pwf holds, psf holds
#assert |= AG (T2 -> AF C2);
//@ expect: none fails, impartial holds, pwf holds, psf holds
#assert |= [](T1 -> <> C1);
//@ expect: none fails, impartial holds, pwf holds, psf holds
#assert |= AG (enabled(process 1) && enabled(process 2));   //@ expect: holds
