//! Realistic models that other tests accept, cut, and mutate.

const PHILOSOPHERS: &str = "\
// Dining philosophers: everybody takes the left fork first.
#define N 5;

Phil(i) = get.i.(i+1)%N -> get.i.i -> eat.i -> put.i.(i+1)%N -> put.i.i -> Phil(i);
Fork(x) = get.x.x -> put.x.x -> Fork(x) [] get.(x-1)%N.x -> put.(x-1)%N.x -> Fork(x);
College = || x:{0..N-1} @ (Phil(x) || Fork(x));

#assert College deadlockfree; //@ expect: fails
#assert College |= []<> eat.0;
//@ fairness: esf
#assert College |= [](get.0.1 -> <> eat.0) && !(eat.1 U eat.2);
";

const PETERSON: &str = "\
/* Peterson's algorithm for two processes. */
#define N 2;
var pos[N] = [0, 0];
var step[N];
var counter : {0..N} = 0;
enum {idle, waiting, inside};

P0() = req.0{pos[0] = 1; step[0] = 1} -> Wait0();
Wait0() = [step[0] != 1 || pos[1] < pos[0]] cs.0{counter = counter + 1;} -> leave.0{
        counter = counter - 1;
        if (counter == 0) { pos[0] = 0; } else { pos[0] = 1; pos[0]--; }
    } -> P0();
P1() = req.1{pos[1] = 1; step[0] = 0} -> ifb (step[0] != 0 || pos[0] < pos[1]) {
        cs.1{counter++;} -> leave.1{counter--; pos[1] = 0} -> P1()
    };
Peterson() = P0() ||| P1();

#define mutex counter <= 1;
#define goal (counter == 2);
#assert Peterson() reaches goal;
#assert Peterson() |= []mutex;
#assert Peterson() reaches counter >= 1 with max(counter);
";

const CHANNELS: &str = "\
channel net[3] 2;
channel ack 0;
hvar seen[2][3] = [0(6)];
var lost = false;
#alphabet Receiver {done, i:{0..2}; j:{0,1} @ note.i.j};
#define count(c) call(ccount, c) > 0;

Sender(i:{0..2}) = net[i]!i.1{lost = false} -> ack?x -> Sender(i);
Receiver = net[0]?[lost == false]x.1 -> ack!x -> (
        case {
            x == 0: done -> Skip
            x == 1 && !lost: (a, b.1, tau) -> Receiver
            default: atomic { {lost = true;} -> note.0.1 -> Stop }
        }
        [*] timeout -> Receiver <> Stop
    );
System = (||| i:{0..2} @ Sender(i) ||| Receiver) \\ {done, timeout};
Other = if (lost) { Skip } else if (!lost) { Stop } else { Other }; assert(lost == true) interrupt wf(go{lost = true;}) -> Other;
Many = |||{3} @ Other;

#assert System refines <FD> Other;
#assert System |= <>(net[0]!1 || ack.1) -> (\"odd name\".1 W lost == true);
#assert System |= AG EF done && A[!done U E[lost == false U (&& i:{0..2} @ x[i] == 0)]];
";

/// All of them.
pub(crate) const ALL: [&str; 3] = [PHILOSOPHERS, PETERSON, CHANNELS];
