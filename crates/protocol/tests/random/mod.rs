//! Random protocols, small enough to be looked through.

use fairhold_protocol::{
    Assign, Detector, Expr, Field, FieldId, Initial, Operator, Place, Protocol, Rule, Schedule, Shape,
    Topology,
};
use fairhold_source::Span;
use fairhold_testkit::Rng;

/// What expressions may read, by where they stand.
#[derive(Clone, Copy)]
struct May {
    initiator: bool,
    responder: bool,
    each: bool,
    configuration: bool,
}

/// A generator of protocols.
pub(crate) struct Maker {
    rng: Rng,
    fields: Vec<Field>,
    nodes: u32,
    detector: bool,
    /// Whether nodes are told apart by their number, and things may go wrong.
    plain: bool,
}

/// A random protocol, and some predicates on its configurations. A plain one is a complete network of nodes that nothing tells apart, and does not go wrong.
pub(crate) fn protocol(seed: u64, plain: bool) -> (Protocol, Vec<Expr>) {
    let mut maker = Maker {
        rng: Rng::new(seed),
        fields: Vec::new(),
        nodes: 0,
        detector: false,
        plain,
    };
    maker.protocol()
}

impl Maker {
    fn protocol(&mut self) -> (Protocol, Vec<Expr>) {
        self.nodes = 2 + self.rng.below(3) as u32;
        self.detector = self.rng.chance(1, 3);
        let count = 1 + self.rng.below(2) as u32;
        for number in 0..count {
            let low = self.rng.below(2) as i32 - i32::from(!self.plain && self.rng.chance(1, 4));
            let high = low + 1 + i32::from(self.rng.chance(1, 3));
            self.fields.push(Field {
                name: format!("f{number}"),
                low,
                high,
                names: Vec::new(),
                input: number > 0 && self.rng.chance(1, 3),
                value: None,
                span: Span::default(),
            });
        }
        if !self.plain && self.fields.last().is_some_and(|f| f.input) && self.rng.chance(1, 2) {
            let field = self.fields.last_mut().expect("just made");
            let first = Expr::Binary(
                Operator::Equal,
                Box::new(Expr::Node(Place::Each)),
                Box::new(Expr::Const(0)),
                Span::default(),
            );
            let low = Box::new(Expr::Const(field.low));
            field.value = Some(Expr::Binary(Operator::Add, Box::new(first), low, Span::default()));
        }
        let topology = self.topology();
        let nobody = May {
            initiator: false,
            responder: false,
            each: false,
            configuration: true,
        };
        let detector = self.detector.then(|| {
            self.detector = false;
            let truth = self.expr(nobody, 3);
            self.detector = true;
            Detector {
                name: "d".into(),
                truth,
            }
        });
        let rules = (0..1 + self.rng.below(4))
            .map(|number| self.rule(number))
            .collect();
        let condition = self.rng.chance(1, 4).then(|| {
            let detector = std::mem::replace(&mut self.detector, false);
            let condition = self.expr(nobody, 3);
            self.detector = detector;
            condition
        });
        let schedule = match !self.plain && self.rng.chance(1, 4) {
            true => Schedule::Cyclic,
            false => Schedule::Free,
        };
        let predicates = (0..3).map(|_| self.expr(nobody, 4)).collect();
        let protocol = Protocol {
            constants: Vec::new(),
            nodes: self.nodes,
            topology,
            fields: self.fields.clone(),
            detector,
            rules,
            schedule,
            initial: Initial {
                values: Vec::new(),
                condition,
            },
            predicates: Vec::new(),
            assertions: Vec::new(),
        };
        (protocol, predicates)
    }

    fn topology(&mut self) -> Topology {
        let all = (0..self.nodes).flat_map(|i| (0..self.nodes).map(move |r| (i, r)));
        let mut edges: Vec<(u32, u32)> = all.filter(|(i, r)| i != r).collect();
        let complete = self.plain || self.rng.chance(1, 2);
        if !complete {
            edges.retain(|_| self.rng.chance(2, 3));
            if edges.is_empty() {
                edges.push((1, 0));
            }
        }
        Topology {
            shape: if complete { Shape::Complete } else { Shape::Graph },
            edges,
        }
    }

    fn rule(&mut self, number: usize) -> Rule {
        let pair = self.rng.chance(4, 5);
        let may = May {
            initiator: true,
            responder: pair,
            each: false,
            configuration: true,
        };
        let alternatives = (0..1 + self.rng.below(3)).map(|_| self.assigns(may)).collect();
        Rule {
            name: format!("r{number}"),
            pair,
            guard: self.expr(may, 4),
            alternatives,
            span: Span::default(),
        }
    }

    fn assigns(&mut self, may: May) -> Vec<Assign> {
        let mut assigns = Vec::new();
        for (id, field) in (0..).map(FieldId).zip(self.fields.clone()) {
            for place in [Place::Initiator, Place::Responder] {
                if field.input || (place == Place::Responder && !may.responder) || self.rng.chance(1, 2) {
                    continue;
                }
                let value = match self.rng.below(if self.plain { 2 } else { 3 }) {
                    0 => Expr::Const(field.low + self.rng.below(2) as i32),
                    1 => Expr::Field(Place::Initiator, id),
                    _ => self.expr(may, 2),
                };
                assigns.push(Assign {
                    place,
                    field: id,
                    value,
                    span: Span::default(),
                });
            }
        }
        assigns
    }

    fn expr(&mut self, may: May, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(1, 5) {
            return self.leaf(may);
        }
        let sub = |maker: &mut Maker| Box::new(maker.expr(may, depth - 1));
        use Operator::*;
        match self.rng.below(8) {
            0 => Expr::Not(sub(self)),
            1 if may.configuration => {
                let each = May { each: true, ..may };
                Expr::Count(Box::new(self.expr(each, depth - 1)))
            }
            2 | 3 => Expr::Binary(And, sub(self), sub(self), Span::default()),
            4 => Expr::Binary(Or, sub(self), sub(self), Span::default()),
            5 if !self.plain => {
                let operator = *self.rng.pick(&[Add, Subtract, Multiply, Divide, Modulo]);
                Expr::Binary(operator, sub(self), sub(self), Span::default())
            }
            _ => {
                let operator = *self
                    .rng
                    .pick(&[Equal, Equal, Unequal, Less, AtMost, Greater, AtLeast]);
                Expr::Binary(operator, sub(self), sub(self), Span::default())
            }
        }
    }

    fn leaf(&mut self, may: May) -> Expr {
        let mut leaves = vec![Expr::Const(self.rng.below(3) as i32)];
        let field = FieldId(self.rng.below(self.fields.len()) as u32);
        let mut place = |place: Place, number: bool| {
            leaves.push(Expr::Field(place.clone(), field));
            leaves.push(Expr::Field(place.clone(), field));
            if number {
                leaves.push(Expr::Node(place));
            }
        };
        if may.initiator {
            place(Place::Initiator, !self.plain);
        }
        if may.responder {
            place(Place::Responder, !self.plain);
        }
        if may.each {
            place(Place::Each, !self.plain);
        }
        if may.configuration && !self.plain {
            let number = Expr::Const(self.rng.below(self.nodes as usize + 1) as i32);
            leaves.push(Expr::Field(Place::At(Box::new(number)), field));
        }
        if self.detector && may.configuration {
            leaves.push(Expr::Detector);
            leaves.push(Expr::Correct);
        }
        self.rng.pick(&leaves).clone()
    }
}
