// Mutual exclusion for two processes, as a graph of eight states.
//
// Each process is in its noncritical region (N), trying to enter (T), or in its critical region (C). Only steps from one
// region to another are drawn. Does a process that tries get in?
//
// Not if the other one is always faster: s1 s4 s7 s1 s4 s7 ... keeps process 1 trying. Weak fairness does not help: in s7
// process 1 has no arc, so it is not enabled all the time. Strong fairness does, and so does impartiality, by which
// every process goes on having steps. mutex_enabled is the same graph with another idea of "enabled".

propositions N1, T1, C1, N2, T2, C2;

init s0;

state s0 {N1, N2};
state s1 {T1, N2};
state s2 {N1, T2};
state s3 {C1, N2};
state s4 {T1, T2};
state s5 {N1, C2};
state s6 {C1, T2};
state s7 {T1, C2};

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

#assert |= AG !(C1 && C2);           //@ expect: holds
#assert |= AG (T1 -> AF C1);
//@ expect: none fails, impartial holds, pwf fails, psf holds
#assert |= AG (T2 -> AF C2);
//@ expect: none fails, impartial holds, pwf fails, psf holds

// Even without fairness the way in is never lost, and all can always be as it was.
#assert |= AG (T1 -> EF C1);         //@ expect: holds
#assert |= AG EF (N1 && N2);         //@ expect: holds

// Of every execution: the same answers in linear time.
#assert |= [](T1 -> <> C1);
//@ expect: none fails, impartial holds, pwf fails, psf holds
