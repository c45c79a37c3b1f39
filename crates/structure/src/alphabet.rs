//! What the steps of a graph are called: events, sets of processes, and the pairs of both that occur.

use fairhold_system::{EventId, Label, ProcessesId};
use rustc_hash::FxHashMap;

/// The name of the silent event.
pub(crate) const TAU: &str = "tau";
/// The name of successful termination.
pub(crate) const TERMINATE: &str = "terminate";

/// A label in an [`Alphabet`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// Events, sets of processes and labels, each once. The first two events are `tau` and `terminate`, the first set of processes is
/// empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alphabet {
    events: Vec<String>,
    event_ids: FxHashMap<String, EventId>,
    sets: Vec<Vec<u32>>,
    set_ids: FxHashMap<Vec<u32>, ProcessesId>,
    labels: Vec<Label>,
    label_ids: FxHashMap<Label, LabelId>,
}

impl Default for Alphabet {
    fn default() -> Alphabet {
        let mut alphabet = Alphabet {
            events: Vec::new(),
            event_ids: FxHashMap::default(),
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
        };
        let first = (
            alphabet.event(TAU),
            alphabet.event(TERMINATE),
            alphabet.processes(&[]),
        );
        debug_assert_eq!(first, (EventId::TAU, EventId::TERMINATE, ProcessesId::NONE));
        alphabet
    }
}

impl Alphabet {
    /// The event with this name, new or known.
    pub fn event(&mut self, name: &str) -> EventId {
        if let Some(&event) = self.event_ids.get(name) {
            return event;
        }
        let event = EventId(self.events.len() as u32);
        self.events.push(name.to_owned());
        self.event_ids.insert(name.to_owned(), event);
        event
    }

    /// The set of these processes, new or known.
    pub fn processes(&mut self, processes: &[u32]) -> ProcessesId {
        let mut set = processes.to_vec();
        set.sort_unstable();
        set.dedup();
        if let Some(&id) = self.set_ids.get(&set) {
            return id;
        }
        let id = ProcessesId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.set_ids.insert(set, id);
        id
    }

    /// The label, new or known.
    pub fn label(&mut self, event: EventId, processes: ProcessesId) -> LabelId {
        let label = Label { event, processes };
        if let Some(&id) = self.label_ids.get(&label) {
            return id;
        }
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(label);
        self.label_ids.insert(label, id);
        id
    }

    /// The label with this id.
    pub fn get(&self, id: LabelId) -> Label {
        self.labels[id.0 as usize]
    }

    /// The names of the events; [`EventId`] is an index.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// The event with this name.
    pub fn find_event(&self, name: &str) -> Option<EventId> {
        self.event_ids.get(name).copied()
    }

    /// The processes of a set, ascending.
    pub fn members(&self, set: ProcessesId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// All processes that occur, ascending.
    pub fn all_processes(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.sets.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
