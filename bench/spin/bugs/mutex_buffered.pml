/* Peterson's algorithm on a machine with store buffers, and the fence left out.
 *
 * A process writes its flag into its own buffer, from where it gets to memory some time later, and then turn,
 * which gets there at once. The fence between the two would wait until the buffer is empty; here it is
 * missing. So a process may read the other's flag before its own, or the other's, has arrived.
 * The twin of bench/models/bugs/mutex_buffered.csp. To be found: a violated assertion.
 *
 *     spin -a mutex_buffered.pml; cc -O2 -o pan pan.c; ./pan -m100000
 */

bit flag[2];
bit turn;
bit buffered[2];    /* a flag is on its way to memory */
byte inside;

active [2] proctype Process() {
    do
    ::  buffered[_pid] = 1;
        /* The fence would be: !buffered[_pid]; */
        turn = 1 - _pid;
        (flag[1 - _pid] == 0 || turn == _pid);
        inside++;
        assert(inside == 1);
        inside--;
        !buffered[_pid];
        flag[_pid] = 0
    od
}

active [2] proctype Buffer() {
    do
    ::  atomic { buffered[_pid - 2] -> buffered[_pid - 2] = 0; flag[_pid - 2] = 1 }
    od
}
