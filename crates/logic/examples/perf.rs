use fairhold_logic::*;
fn main() {
    let t = std::env::args().nth(1).unwrap();
    let p = parse(fairhold_source::FileId(0), &t);
    let f = p.formula.unwrap();
    let s = std::time::Instant::now();
    match translate(&f, &|a| p.atoms[a.0 as usize].clone()) {
        Ok(x) => println!(
            "{} states {} edges {:?}",
            x.automaton.states.len(),
            x.automaton.edge_count(),
            s.elapsed()
        ),
        Err(e) => println!("{e} {:?}", s.elapsed()),
    }
}
