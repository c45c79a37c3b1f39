// Dijkstra's random number generator: it counts until it happens to stop.
//
//     x := 0; b := true; do  P1: b -> x := x + 1  []  P2: b -> b := false  od
//
// How far it has counted makes no difference to whether it stops, so one state stands for all numbers. Does it stop?
// "The program has come to an end" is AX false: there is no execution from here on. That is so only if an end has no
// execution, as it is for structures unless --ends idle says otherwise.
//
// Process 1 alone may count forever. Under weak or strong fairness, or impartiality, process 2 must have its turn, and then
// all is over: no execution that goes on forever is fair, and what is said of all fair executions is true for want of
// one. Fairhold says so beside each of these verdicts.

init running;

state running;
state done;

running -> running by process 1;
running -> done    by process 2;

#assert |= AF AX false;
//@ expect: none fails, impartial holds, pwf holds, psf holds

// The same in linear time, where the end is nothing that an execution comes to: none that goes on forever leaves `running`.
#assert |= [] state == running;
//@ expect: none holds, psf holds

// The end can be reached, whatever is fair.
#assert reaches state == done;       //@ expect: holds
#assert deadlockfree;                //@ expect: fails
