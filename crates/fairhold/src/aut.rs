//! Explicit graphs (`.aut`) behind the façade's interface.
//!
//! A graph brings no assertions, no constants and no processes of its own: what is asked of it comes from the command
//! line, in the syntax of [`fairhold_structure::read_property`].

use crate::front::{Asks, Assertion, FrontEnd, Kind};
use crate::live::Annotated;
use crate::load::{LoadOptions, Understood};
use fairhold_logic::{AtomId, Ltl};
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap};
use fairhold_store::StateId;
use fairhold_structure::{
    Atom as PropertyAtom, Condition, Lts, LtsJudge, LtsSystem, Property, read_aut, read_property,
};
use fairhold_system::{Fault, PredicateId, Verdict};
use std::sync::Arc;

/// A graph and what is asked of it.
#[derive(Debug)]
pub(crate) struct AutModel {
    lts: Arc<Lts>,
    properties: Vec<Property>,
}

/// Reads a graph and the properties asked of it.
pub(crate) fn understand(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let (lts, mut diagnostics) = read_aut(file, text);
    let mut properties = Vec::new();
    if let Some(lts) = &lts {
        for property in &options.properties {
            let file = map.add("<property>", property.as_str());
            match read_property(lts, file, property) {
                Ok(property) => properties.push(property),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        if let Some((name, _)) = options.defines.first() {
            let message = format!("there is no constant `{name}` to override: a graph has none");
            diagnostics.push(Diagnostic::bare("unknown-define", message));
        }
        if let Some(process) = &options.process {
            let message = format!("there is no process `{process}`: a graph has none to choose");
            diagnostics.push(Diagnostic::bare("unknown-name", message).help("leave out --process"));
        }
    }
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let lts = lts.filter(|_| !errors);
    Understood {
        map,
        diagnostics,
        kind: lts.map(|lts| {
            Kind::Aut(AutModel {
                lts: Arc::new(lts),
                properties,
            })
        }),
    }
}

impl AutModel {
    /// The properties, as the façade sees them.
    pub(crate) fn assertions(&self) -> Vec<Assertion> {
        use fairhold_structure::Question;
        let seen = |p: &Property| Assertion {
            text: p.text.clone(),
            asks: match &p.question {
                Question::DeadlockFree => Asks::DeadlockFree,
                Question::NonTerminating => Asks::NonTerminating,
                Question::DivergenceFree => Asks::DivergenceFree,
                Question::Deterministic => Asks::Deterministic,
                Question::Reaches(_) => Asks::Reaches,
                Question::Ltl(..) => Asks::Ltl,
            },
            fairness: None,
            expect: Vec::new(),
            span: p.span,
        };
        self.properties.iter().map(seen).collect()
    }

    /// The predicates of a property: the condition of a `reaches`, or one for each atom of a formula.
    fn predicates(&self, assertion: usize) -> Vec<Condition> {
        let of_atom = |atom: &PropertyAtom| match atom {
            PropertyAtom::State(condition) => condition.clone(),
            PropertyAtom::Event(_) => Condition::Const(false),
        };
        match &self.properties[assertion].question {
            fairhold_structure::Question::Reaches(condition) => vec![condition.clone()],
            fairhold_structure::Question::Ltl(_, atoms) => atoms.iter().map(of_atom).collect(),
            _ => Vec::new(),
        }
    }

    fn ltl(&self, assertion: usize) -> (&Ltl, &[PropertyAtom]) {
        match &self.properties[assertion].question {
            fairhold_structure::Question::Ltl(formula, atoms) => (formula, atoms),
            _ => unreachable!("only formulas are asked for their formula"),
        }
    }

    /// The condition of a `reaches` property.
    fn condition(&self, assertion: usize) -> Option<&Condition> {
        match &self.properties.get(assertion)?.question {
            fairhold_structure::Question::Reaches(condition) => Some(condition),
            _ => None,
        }
    }
}

impl FrontEnd for AutModel {
    /// The number of the property that is asked, if one is.
    type Subject = Option<usize>;
    type System = LtsSystem;
    type Judge = LtsJudge;

    fn asserted(&self, assertion: usize) -> Option<usize> {
        Some(assertion)
    }

    fn explored(&self) -> Result<Option<usize>, Diagnostic> {
        Ok(None)
    }

    fn name(&self, _: &Option<usize>) -> String {
        "the graph".to_owned()
    }

    fn system(&self, subject: &Option<usize>) -> Result<LtsSystem, Fault> {
        let predicates = subject.map_or(Vec::new(), |assertion| self.predicates(assertion));
        Ok(LtsSystem::new(Arc::clone(&self.lts), predicates))
    }

    fn judge(&self, _: &Option<usize>) -> Result<LtsJudge, Fault> {
        Ok(LtsJudge(Arc::clone(&self.lts)))
    }

    fn hidden(&self) -> Vec<String> {
        Vec::new()
    }

    fn defines(&self) -> Vec<(String, i32)> {
        Vec::new()
    }

    fn annotations(&self, _: &SourceMap) -> Vec<String> {
        Vec::new()
    }

    fn ask(&self, _: &LtsSystem, assertion: usize) -> Question {
        use fairhold_structure::Question as Asked;
        match &self.properties[assertion].question {
            Asked::DeadlockFree => Question::DeadlockFree,
            Asked::NonTerminating => Question::NonTerminating,
            Asked::DivergenceFree => Question::DivergenceFree,
            Asked::Deterministic => Question::Deterministic,
            // The system of a property has its condition, and no other.
            Asked::Reaches(_) => Question::Reaches(PredicateId(0)),
            Asked::Ltl(..) => unreachable!("formulas are decided by another search"),
        }
    }

    fn formula(&self, assertion: usize) -> &Ltl {
        self.ltl(assertion).0
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match &self.ltl(assertion).1[atom.0 as usize] {
            PropertyAtom::State(_) => format!("state condition {}", atom.0),
            PropertyAtom::Event(event) => self.lts.events()[event.0 as usize].clone(),
        }
    }

    fn atom(&self, _: &LtsSystem, assertion: usize, atom: AtomId) -> Atom {
        match &self.ltl(assertion).1[atom.0 as usize] {
            // The system of a formula has a predicate for each of its atoms, used or not.
            PropertyAtom::State(_) => Atom::State(PredicateId(atom.0)),
            PropertyAtom::Event(event) => Atom::Event(*event),
        }
    }

    fn atom_holds(
        &self,
        _: &LtsJudge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &u32,
    ) -> Result<bool, Fault> {
        Ok(match &self.ltl(assertion).1[atom.0 as usize] {
            PropertyAtom::State(condition) => condition.holds(StateId(*state)),
            PropertyAtom::Event(of) => event == Some(&self.lts.events()[of.0 as usize]),
        })
    }

    fn annotated(&self, _: &LtsSystem) -> Result<Vec<Annotated>, Fault> {
        Ok(Vec::new())
    }

    fn decides(&self, _: &LtsJudge, assertion: usize, verdict: Verdict, ends: &[u32]) -> bool {
        let holds = |c: &Condition| ends.iter().any(|&end| c.holds(StateId(end)));
        verdict == Verdict::Holds && self.condition(assertion).is_some_and(holds)
    }
}
