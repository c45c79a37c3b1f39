//! Everything again and again for as long as one has time: `cargo xtask long --minutes 30`.

use crate::liveness::{Case, Spread, WORKERS, size};
use crate::safety::{check_all, wide};
use crate::shapes::Shape;
use fairhold_testkit::{Rng, time};
use std::time::{Duration, Instant};

#[test]
fn nothing_differs_however_long_one_looks() {
    let time = time(Duration::from_secs(2));
    let start = Instant::now();
    let mut spread = Spread::default();
    let mut rounds = 0;
    while start.elapsed() < time {
        // The round is the seed, so that one that fails can be had again.
        let mut rng = Rng::new(0x57_4e55_0000 + rounds as u64);
        let shape = Shape::ALL[rounds % 4];
        let crews = [WORKERS[1 + rounds / 4 % 3]];
        match rounds % 8 {
            5 => {
                let width = 8 + rng.below(40);
                let states = 10_000 + rng.below(60_000);
                check_all(&wide(&mut rng, states, width), &crews, |_, _| ());
            }
            7 => _ = Case::many_steps(&mut rng, Shape::ALL[rounds / 8 % 3]).check_escalating(crews[0]),
            6 => {
                let states = size(&mut rng);
                let case = Case::random(&mut rng, shape, states);
                check_all(&case.drawn.graph, &crews, |_, _| ());
            }
            0..3 => Case::hard(&mut rng).check(&mut rng, &crews, &mut spread),
            _ => {
                let states = size(&mut rng);
                Case::random(&mut rng, shape, states).check(&mut rng, &crews, &mut spread);
            }
        }
        rounds += 1;
    }
    println!("{rounds} rounds in {:?}", start.elapsed());
    spread.print();
}
