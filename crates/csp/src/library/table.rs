//! The numbers that stand for collections in the words of a state.

use super::{Class, Collection, CollectionType};
use rustc_hash::FxHashMap;
use std::sync::RwLock;

/// All collections that a model has come across, each with a number. One is never forgotten, so a number means the
/// same for as long as the model lives; the empty collection of each type has a number that is known beforehand.
#[derive(Debug)]
pub(crate) struct Collections(RwLock<Numbered>);

#[derive(Debug, Default)]
struct Numbered {
    list: Vec<Collection>,
    numbers: FxHashMap<Collection, i32>,
    bytes: u64,
}

impl PartialEq for Collections {
    /// There is one table a model.
    fn eq(&self, other: &Collections) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Default for Collections {
    fn default() -> Collections {
        let collections = Collections(RwLock::default());
        for class in Class::ALL {
            for truth in [false, true] {
                let ty = CollectionType { class, truth };
                let number = collections.number(&Collection::empty(ty));
                debug_assert_eq!(number, Collections::empty(ty));
            }
        }
        collections
    }
}

impl Collections {
    /// The number of the empty collection of a type.
    pub(crate) fn empty(ty: CollectionType) -> i32 {
        2 * ty.class as i32 + i32::from(ty.truth)
    }

    /// The number of a collection.
    pub(crate) fn number(&self, collection: &Collection) -> i32 {
        let known = self.0.read().expect("no holder of the collections panics");
        if let Some(&number) = known.numbers.get(collection) {
            return number;
        }
        drop(known);
        let mut known = self.0.write().expect("no holder of the collections panics");
        if let Some(&number) = known.numbers.get(collection) {
            return number;
        }
        let number = known.list.len() as i32;
        known.list.push(collection.clone());
        known.numbers.insert(collection.clone(), number);
        // Both tables hold the items by reference; the rest is what entries of the tables take.
        known.bytes += 4 * collection.items.len() as u64 + 96;
        number
    }

    /// The collection with a number that was given out.
    pub(crate) fn get(&self, number: i32) -> Collection {
        self.0.read().expect("no holder of the collections panics").list[number as usize].clone()
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.read().expect("no holder of the collections panics").bytes
    }
}
