//! Models as people of the field write them, with numbers of states that are argued by hand or counted by a few lines of
//! their own.

use fairhold::Verdict::{Fails, Holds};
use fairhold::{CheckOptions, Language, LoadOptions, Silent, Verdict, load_text, render_all};
use std::collections::BTreeSet;

/// The states that each assertion of a model takes, given the verdicts it must have. A question that is answered by
/// exploring all has all states.
fn states(text: &str, verdicts: &[Verdict]) -> Vec<u64> {
    let loaded = load_text("model.csp", text, Language::Csp, &LoadOptions::default());
    let complaints = render_all(&loaded.map, &loaded.diagnostics, false);
    let model = loaded.model.unwrap_or_else(|| panic!("{text}\n{complaints}"));
    let tasks = model.tasks(&[]).into_iter();
    let results: Vec<_> = tasks
        .flat_map(|tasks| model.check(tasks, &CheckOptions::default(), &Silent))
        .collect();
    let found: Vec<Verdict> = results.iter().map(|result| result.verdict).collect();
    assert_eq!(found, verdicts, "{text}");
    results.iter().map(|result| result.states).collect()
}

/// Two parties sign a contract bit by bit, and neither may be more than one bit ahead.
///
/// A state is how many bits each has sent: both the same, 0 to 3, or one of them one more: 4 + 3 + 3. What is left to be
/// guessed is a function of these and tells no states apart.
#[test]
fn a_contract_is_signed_bit_by_bit() {
    let text = r#"
        #import "PAT.Math";
        #define Bits 3;
        var sent[2];
        var guesses = 8;
        Party(i) = [sent[i] < Bits && sent[i] <= sent[1 - i]]
            send.i{sent[i]++; guesses = call(Pow, 2, Bits - call(Min, sent[0], sent[1]))} -> Party(i);
        Signing = ||| i:{0..1} @ Party(i);
        #define fair {call(Abs, sent[0] - sent[1]) <= 1};
        #assert Signing |= [] fair;
        #assert Signing |= <> (guesses == 1);
        #assert Signing deadlockfree;
        #assert Signing reaches sent[0] > sent[1] + 1;
    "#;
    assert_eq!(states(text, &[Holds, Holds, Fails, Fails])[3], 10);
}

/// Three lifts raise a truck level by level; the next level is for when each has confirmed.
///
/// At rest the truck is at level 0, 1 or 2: 3 states. On each of the two ways up, any of the three may be missing on the
/// list, which keeps its order: 2 * 8 states.
#[test]
fn a_truck_is_lifted() {
    let text = r#"
        #import "PAT.Lib.List";
        var<List> pending = new List();
        var level = 0;
        Lift(i) = [pending.Contains(i)] lift.i{pending.Remove(i)} -> Lift(i);
        Button = [level < 2] press{pending.Add(0); pending.Add(1); pending.Add(2)}
            -> ([pending.IsEmpty()] arrive{level++} -> Button);
        Truck = Button ||| (||| i:{0..2} @ Lift(i));
        #assert Truck reaches level == 3;
        #assert Truck |= <> (level == 2);
        #assert Truck |= [] (press -> (pending.Count() == 3));
    "#;
    assert_eq!(states(text, &[Fails, Holds, Holds])[0], 19);
}

/// Two people post letters of their own kind into a box for two; the owner looks at one after the other.
///
/// The box holds at most two letters of two kinds: 1 + 2 + 4 contents. What the owner saw last is read by nobody, so it
/// tells states apart only for who asks: nothing yet, the one kind or the other, and meanwhile anything may have been
/// posted: 3 * 7.
#[test]
fn a_mailbox_is_emptied() {
    let text = r#"
        #import "PAT.Lib.Queue";
        var<Queue> box;
        var last = 0;
        Poster(kind) = [box.Count() < 2] post.kind{box.Enqueue(kind)} -> Poster(kind);
        Owner = [box.Count() > 0] look{last = box.Dequeue()} -> Owner;
        Mail = Owner ||| Poster(1) ||| Poster(2);
        #assert Mail reaches box.Count() == 3;
        #assert Mail |= []<> look; //@ fairness: ewf
        #assert Mail deadlockfree;
        #assert Mail reaches last == 3;
    "#;
    assert_eq!(states(text, &[Fails, Holds, Holds, Fails]), [7, 7, 7, 21]);
}

/// A queue is turned round by way of a stack.
///
/// One run: three items are put in, three moved over and three moved back, each in a step of its own: 10 states.
#[test]
fn a_queue_is_turned_round() {
    let text = r#"
        #import "PAT.Lib.Queue";
        #import "PAT.Lib.Stack";
        var<Queue> queue = new Queue();
        var<Stack> stack = new Stack();
        Fill(i) = [i < 3] in.i{queue.Enqueue(i)} -> Fill(i + 1) [] [i == 3] Over;
        Over = [queue.Count() > 0] over{stack.Push(queue.Dequeue())} -> Over [] [queue.IsEmpty()] Back;
        Back = [stack.Count() > 0] back{queue.Enqueue(stack.Pop())} -> Back;
        Turn = Fill(0);
        #assert Turn reaches queue.Count() == 3 && queue.First() == 2 && queue.Last() == 0;
        #assert Turn reaches stack.Count() == 4;
    "#;
    assert_eq!(states(text, &[Holds, Fails]), [10, 10]);
}

/// Two tiles slide in a row of three cells; every move keeps the board as it was, and can be undone.
///
/// The tiles cannot pass one another, so the gap's place is the board: 3 of them. In the beginning there is no board
/// before; later the board before is one move away: 1 + 4 states.
#[test]
fn a_puzzle_copies_its_board() {
    let text = r#"
        var board = [1, 2, 0];
        var before[3];
        Slide(from, to) = [board[to] == 0 && board[from] != 0]
            slide.from.to{before = board; board[to] = board[from]; board[from] = 0} -> Game;
        Undo = [before[0] + before[1] + before[2] > 0]
            undo{var now = board; board = before; before = now} -> Game;
        Game = (([] i:{0..1} @ Slide(i, i + 1)) [] ([] i:{0..1} @ Slide(i + 1, i))) [] Undo;
        #assert Game reaches board[0] == 2;
        #assert Game reaches board[1] == 0;
        #assert Game |= [] (board[0] + board[1] + board[2] == 3);
    "#;
    let states = states(text, &[Fails, Holds, Holds]);
    assert_eq!([states[0], states[2]], [5, 5]);
}

/// Frogs and toads, each move one operand of an indexed choice, and going on after each.
///
/// There is nothing but the board in a state, so there are as many states as boards: counted here, move by move.
#[test]
fn frogs_and_toads_change_places() {
    let text = r#"
        var board = [1, 1, 0, 2, 2];
        #define done (board[0] == 2 && board[1] == 2 && board[2] == 0 && board[3] == 1 && board[4] == 1);
        Jump(i) = [board[i] == 0] Skip
            [] [i < 4 && board[i] == 1 && board[(i + 1) % 5] == 0] hop.i{board[i] = 0; board[i + 1] = 1} -> Skip
            [] [i < 3 && board[i] == 1 && board[(i + 2) % 5] == 0] leap.i{board[i] = 0; board[i + 2] = 1} -> Skip
            [] [i > 0 && board[i] == 2 && board[(i + 4) % 5] == 0] hop.i{board[i] = 0; board[i - 1] = 2} -> Skip
            [] [i > 1 && board[i] == 2 && board[(i + 3) % 5] == 0] leap.i{board[i] = 0; board[i - 2] = 2} -> Skip;
        Game = ([] i:{0..4} @ Jump(i)); Game;
        #assert Game reaches done;
        #assert Game |= [] !done;
        #assert Game deadlockfree;
    "#;
    let mut boards = BTreeSet::from([[1, 1, 0, 2, 2]]);
    let mut waiting: Vec<[i32; 5]> = boards.iter().copied().collect();
    while let Some(board) = waiting.pop() {
        let gap = board.iter().position(|&cell| cell == 0).expect("there is a gap");
        let moves = [(-2, 1), (-1, 1), (1, 2), (2, 2)];
        for (by, who) in moves {
            let from = gap as i32 + by;
            if (0..5).contains(&from) && board[from as usize] == who {
                let mut next = board;
                next.swap(gap, from as usize);
                if boards.insert(next) {
                    waiting.push(next);
                }
            }
        }
    }
    let all = states(text, &[Holds, Fails, Holds])[2];
    assert_eq!(all, boards.len() as u64);
    assert!(all < 100);
}

/// A call has no state of its own, nor has a choice between what is the same.
#[test]
fn a_name_costs_no_state() {
    let body = "P = a -> b -> P; Q = P; R() = Q; Same = P [] R() [] P;";
    let count = |process: &str| {
        let text = format!("{body} System() = {process}; #assert System() deadlockfree;");
        states(&text, &[Holds])[0]
    };
    for process in ["P", "Q", "R()", "Same", "(P [] Stop)", "(Skip; P)"] {
        assert_eq!(count(process), 2, "{process}");
    }
}

/// Two lifts keep the order they took from the bus in a hidden variable of their own, and go there floor by floor.
///
/// What a lift has taken is written before it is read and read once, as an argument; so there are as many states as where
/// the message is passed on itself, though one parameter counts and another says which element is meant.
#[test]
fn a_hidden_order_costs_no_state() {
    let lifts = |hidden: &str, take: &str, goal: &str| {
        let text = format!(
            "channel bus 2; {hidden}
            Button(f) = press.f -> bus!f -> Button(f);
            Lift(i) = bus?m{take} -> Handle(i, {goal}, 0);
            Handle(i, goal, at) = [at < goal] up.i -> Handle(i, goal, at + 1)
                [] [at == goal] open.i.at -> Return(i, at);
            Return(i, at) = [at > 0] down.i -> Return(i, at - 1) [] [at == 0] Lift(i);
            System = (||| f:{{0..2}} @ Button(f)) ||| (||| i:{{0..1}} @ Lift(i));
            #assert System deadlockfree;
            #assert System |= [](press.1 -> <> open.0.1); //@ fairness: esf"
        );
        states(&text, &[Holds, Fails])
    };
    let direct = lifts("", "", "m");
    assert_eq!(lifts("hvar h[2];", "{h[i] = m}", "h[i]"), direct);
    assert_eq!(lifts("hvar h[2][2];", "{h[i][1] = m}", "h[i][1]"), direct);
}
