//! What collections can be asked and how they are changed: the methods of PAT's library.

use super::{Class, Collection, CollectionType};
use crate::model::{Type, Value};

/// A collection holds at most so many items: a model that fills one without end is told so.
pub(crate) const MAX_ITEMS: usize = 2_000;

/// A method. Which class has which is said by `Method::signature`.
#[allow(missing_docs, reason = "each is the method it is named after")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    Add,
    Clear,
    Concat,
    Contains,
    ContainsKey,
    ContainsValue,
    Count,
    Dequeue,
    Enqueue,
    First,
    Get,
    GetValue,
    IndexOf,
    Insert,
    Intersect,
    IsDisjoint,
    IsEmpty,
    IsOverlapping,
    IsSubsetOf,
    Last,
    Peek,
    Pop,
    Push,
    Remove,
    RemoveAt,
    Set,
    Substract,
    Union,
}

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    /// Of the type that the collection holds.
    Item,
    /// A position or a key.
    Integer,
    /// A collection of the same type.
    Same,
}

/// What the value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    /// Of the type that the collection holds.
    Item,
    /// A number of items, or a position.
    Integer,
    /// A truth value: of a method that changes, whether anything did change.
    Truth,
    /// A collection of the same type.
    Same,
}

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// Its arguments.
    pub(crate) takes: &'static [Takes],
    /// Its value.
    pub(crate) gives: Gives,
    /// It may change the collection.
    pub(crate) changes: bool,
}

impl Gives {
    /// The type of the value.
    pub(crate) fn of(self, ty: CollectionType) -> Type {
        match self {
            Gives::Item => ty.item(),
            Gives::Integer => Type::Int,
            Gives::Truth => Type::Bool,
            Gives::Same => Type::Collection(ty),
        }
    }
}

impl Takes {
    /// The type of the argument.
    pub(crate) fn of(self, ty: CollectionType) -> Type {
        match self {
            Takes::Item => ty.item(),
            Takes::Integer => Type::Int,
            Takes::Same => Type::Collection(ty),
        }
    }
}

impl CollectionType {
    /// The type of an item.
    pub(crate) fn item(self) -> Type {
        match self.truth {
            true => Type::Bool,
            false => Type::Int,
        }
    }
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 28] = [
        Method::Add,
        Method::Clear,
        Method::Concat,
        Method::Contains,
        Method::ContainsKey,
        Method::ContainsValue,
        Method::Count,
        Method::Dequeue,
        Method::Enqueue,
        Method::First,
        Method::Get,
        Method::GetValue,
        Method::IndexOf,
        Method::Insert,
        Method::Intersect,
        Method::IsDisjoint,
        Method::IsEmpty,
        Method::IsOverlapping,
        Method::IsSubsetOf,
        Method::Last,
        Method::Peek,
        Method::Pop,
        Method::Push,
        Method::Remove,
        Method::RemoveAt,
        Method::Set,
        Method::Substract,
        Method::Union,
    ];

    /// The method with this name. PAT spells one of them `Substract`.
    pub fn by_name(name: &str) -> Option<Method> {
        match name {
            "Subtract" => Some(Method::Substract),
            "Size" | "Length" => Some(Method::Count),
            "SetValue" | "Put" => Some(Method::Set),
            _ => Method::ALL.into_iter().find(|method| method.name() == name),
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// How it is called with so many arguments on a collection of this class; none if it cannot be.
    pub(crate) fn signature(self, class: Class, args: usize) -> Option<Signature> {
        use Class::{Array, HashTable, List, Queue, Set, Stack};
        use Takes::{Integer, Item, Same};
        let asks = |takes: &'static [Takes], gives| Signature {
            takes,
            gives,
            changes: false,
        };
        let changes = |takes: &'static [Takes], gives| Signature {
            takes,
            gives,
            changes: true,
        };
        let signature = match (self, class, args) {
            (Method::Add, List | Set, _) => changes(&[Item], Gives::Truth),
            (Method::Add, HashTable, _) => changes(&[Integer, Item], Gives::Truth),
            (Method::Clear, List | Set | Queue | Stack | HashTable, _) => changes(&[], Gives::Truth),
            (Method::Concat, List | Queue | Stack, 2) => asks(&[Same, Same], Gives::Same),
            (Method::Concat, List | Queue | Stack, _) => asks(&[Same], Gives::Same),
            (Method::Contains, List | Set | Queue | Stack | Array, _) => asks(&[Item], Gives::Truth),
            (Method::ContainsKey, HashTable, _) => asks(&[Integer], Gives::Truth),
            (Method::ContainsValue, HashTable, _) => asks(&[Item], Gives::Truth),
            (Method::Count, ..) => asks(&[], Gives::Integer),
            (Method::IsEmpty, ..) => asks(&[], Gives::Truth),
            (Method::Enqueue, Queue, _) | (Method::Push, Stack, _) => changes(&[Item], Gives::Truth),
            (Method::Dequeue, Queue, _) | (Method::Pop, Stack, _) => changes(&[], Gives::Item),
            (Method::Peek, Queue | Stack, _) => asks(&[], Gives::Item),
            (Method::First | Method::Last, List | Set | Queue | Array, _) => asks(&[], Gives::Item),
            (Method::Get, List | Set | Queue | Stack | Array, _) => asks(&[Integer], Gives::Item),
            (Method::GetValue | Method::Get, HashTable, _) => asks(&[Integer], Gives::Item),
            (Method::IndexOf, List | Array, _) => asks(&[Item], Gives::Integer),
            (Method::Insert, List, _) => changes(&[Integer, Item], Gives::Truth),
            (Method::Set, List | Array | HashTable, _) => changes(&[Integer, Item], Gives::Truth),
            (Method::Remove, List | Set, _) => changes(&[Item], Gives::Truth),
            (Method::Remove, HashTable, _) | (Method::RemoveAt, List, _) => changes(&[Integer], Gives::Truth),
            (Method::Union | Method::Intersect | Method::Substract, Set, 2) => {
                asks(&[Same, Same], Gives::Same)
            }
            (Method::Union | Method::Intersect | Method::Substract, Set, _) => asks(&[Same], Gives::Same),
            (Method::IsDisjoint | Method::IsOverlapping | Method::IsSubsetOf, Set, _) => {
                asks(&[Same], Gives::Truth)
            }
            _ => return None,
        };
        (signature.takes.len() == args).then_some(signature)
    }

    /// Whether any class has a method of this name that changes it.
    pub(crate) fn may_change(self) -> bool {
        let of = |class| (0..=2).filter_map(move |args| self.signature(class, args));
        Class::ALL.into_iter().flat_map(of).any(|s| s.changes)
    }
}

/// What a method did.
pub(crate) struct Applied {
    /// The collection afterwards, if the method is one that changes.
    pub(crate) changed: Option<Collection>,
    /// Its value.
    pub(crate) value: Value,
}

/// Calls a method, or says what is wrong with that.
pub(crate) fn apply(method: Method, receiver: &Value, args: &[Value]) -> Result<Applied, String> {
    let Value::Collection(collection) = receiver else {
        return Err(format!("{receiver} has no method `{}`", method.name()));
    };
    let ty = collection.ty;
    let class = ty.class.name();
    let Some(signature) = method.signature(ty.class, args.len()) else {
        let (method, args) = (method.name(), args.len());
        return Err(format!(
            "a {class} has no method `{method}` that takes {args} arguments"
        ));
    };
    for (takes, arg) in signature.takes.iter().zip(args) {
        let wanted = takes.of(ty);
        if arg.ty() != Some(wanted) {
            return Err(format!("`{}` takes {}, not {arg}", method.name(), wanted.word()));
        }
    }
    let outcome;
    let mut changed = None;
    if signature.changes {
        let mut items = collection.items.to_vec();
        outcome = match ty.class {
            Class::HashTable => change_table(method, &mut items, args),
            _ => change(method, ty, &mut items, args),
        }?;
        changed = Some(collection_of(ty, items)?);
    } else {
        outcome = match ty.class {
            Class::HashTable => ask_table(method, &collection.items, args),
            _ => ask(method, ty, &collection.items, args),
        }?;
    }
    let value = match outcome {
        Outcome::Word(word) => Value::of_word(signature.gives.of(ty), word),
        Outcome::Items(items) => Value::Collection(collection_of(ty, items)?),
    };
    Ok(Applied { changed, value })
}

fn collection_of(ty: CollectionType, items: Vec<i32>) -> Result<Collection, String> {
    match items.len() {
        0..=MAX_ITEMS => Ok(Collection {
            ty,
            items: items.into(),
        }),
        _ => Err(format!("a collection holds at most {MAX_ITEMS} items")),
    }
}

/// What comes of a method, the collection apart.
enum Outcome {
    /// An integer or a truth value.
    Word(i32),
    /// The items of another collection.
    Items(Vec<i32>),
}

/// The word of an integer or a truth value.
fn word(arg: &Value) -> i32 {
    arg.word().expect("the types of arguments were checked").1
}

fn items_of(arg: &Value) -> &[i32] {
    match arg {
        Value::Collection(collection) => &collection.items,
        _ => unreachable!("the types of arguments were checked"),
    }
}

/// A position of an item.
fn position(index: i32, len: usize) -> Result<usize, String> {
    let inside = usize::try_from(index).ok().filter(|&i| i < len);
    inside.ok_or_else(|| format!("index {index} is outside 0..{}", len as i64 - 1))
}

/// A truth value as an outcome.
fn truth(b: bool) -> Outcome {
    Outcome::Word(i32::from(b))
}

/// The item, if there is one.
fn some(item: Option<i32>, method: Method, class: Class) -> Result<Outcome, String> {
    let item = item.map(Outcome::Word);
    item.ok_or_else(|| format!("`{}` on an empty {}", method.name(), class.name()))
}

/// A question to a class that has plain items.
fn ask(method: Method, ty: CollectionType, items: &[i32], args: &[Value]) -> Result<Outcome, String> {
    Ok(match method {
        Method::Count => Outcome::Word(items.len() as i32),
        Method::IsEmpty => truth(items.is_empty()),
        Method::Contains => truth(items.contains(&word(&args[0]))),
        Method::IndexOf => {
            let found = items.iter().position(|&item| item == word(&args[0]));
            Outcome::Word(found.map_or(-1, |i| i as i32))
        }
        Method::Get => Outcome::Word(items[position(word(&args[0]), items.len())?]),
        Method::Peek if ty.class == Class::Stack => some(items.last().copied(), method, ty.class)?,
        Method::First | Method::Peek => some(items.first().copied(), method, ty.class)?,
        Method::Last => some(items.last().copied(), method, ty.class)?,
        _ => two_collections(method, items, args),
    })
}

/// A change to a class that has plain items.
fn change(
    method: Method,
    ty: CollectionType,
    items: &mut Vec<i32>,
    args: &[Value],
) -> Result<Outcome, String> {
    Ok(match method {
        Method::Pop => some(items.pop(), method, ty.class)?,
        Method::Dequeue => {
            let first = some(items.first().copied(), method, ty.class)?;
            items.remove(0);
            first
        }
        Method::Add if ty.class == Class::Set => {
            let found = items.binary_search(&word(&args[0]));
            if let Err(at) = found {
                items.insert(at, word(&args[0]));
            }
            truth(found.is_err())
        }
        Method::Add | Method::Enqueue | Method::Push => {
            items.push(word(&args[0]));
            truth(true)
        }
        Method::Insert => {
            let at = position(word(&args[0]), items.len() + 1)?;
            items.insert(at, word(&args[1]));
            truth(true)
        }
        Method::Set => {
            let at = position(word(&args[0]), items.len())?;
            let old = std::mem::replace(&mut items[at], word(&args[1]));
            truth(old != items[at])
        }
        Method::Remove => {
            let found = items.iter().position(|&item| item == word(&args[0]));
            if let Some(at) = found {
                items.remove(at);
            }
            truth(found.is_some())
        }
        Method::RemoveAt => {
            items.remove(position(word(&args[0]), items.len())?);
            truth(true)
        }
        Method::Clear => clear(items),
        _ => unreachable!("the signature was checked"),
    })
}

fn clear(items: &mut Vec<i32>) -> Outcome {
    let any = !items.is_empty();
    items.clear();
    truth(any)
}

/// A method that takes other collections: PAT calls `s.Union(a, b)`, where `s` plays no part, and `s.Union(b)` is the
/// same with `s` for `a`.
fn two_collections(method: Method, items: &[i32], args: &[Value]) -> Outcome {
    let (left, right) = match args {
        [left, right] => (items_of(left), items_of(right)),
        [right] => (items, items_of(right)),
        _ => unreachable!("the number of arguments was checked"),
    };
    let common = |item: &&i32| right.contains(item);
    match method {
        Method::Concat => Outcome::Items([left, right].concat()),
        Method::Union => {
            let mut all = [left, right].concat();
            all.sort_unstable();
            all.dedup();
            Outcome::Items(all)
        }
        Method::Intersect => Outcome::Items(left.iter().filter(common).copied().collect()),
        Method::Substract => Outcome::Items(left.iter().filter(|i| !common(i)).copied().collect()),
        Method::IsOverlapping => truth(left.iter().any(|i| common(&i))),
        Method::IsDisjoint => truth(!left.iter().any(|i| common(&i))),
        Method::IsSubsetOf => truth(left.iter().all(|i| common(&i))),
        _ => unreachable!("the signature was checked"),
    }
}

/// Where a table has a key, or where it would have it.
fn find(items: &[i32], key: i32) -> Result<usize, usize> {
    let at = 2 * items.chunks(2).take_while(|entry| entry[0] < key).count();
    match items.get(at) == Some(&key) {
        true => Ok(at),
        false => Err(at),
    }
}

/// A question to a table.
fn ask_table(method: Method, items: &[i32], args: &[Value]) -> Result<Outcome, String> {
    Ok(match method {
        Method::Count => Outcome::Word((items.len() / 2) as i32),
        Method::IsEmpty => truth(items.is_empty()),
        Method::ContainsKey => truth(find(items, word(&args[0])).is_ok()),
        Method::ContainsValue => truth(items.chunks(2).any(|entry| entry[1] == word(&args[0]))),
        Method::GetValue | Method::Get => {
            let key = word(&args[0]);
            let at = find(items, key).map_err(|_| format!("the table has no key {key}"))?;
            Outcome::Word(items[at + 1])
        }
        _ => unreachable!("the signature was checked"),
    })
}

/// A change to a table.
fn change_table(method: Method, items: &mut Vec<i32>, args: &[Value]) -> Result<Outcome, String> {
    if method == Method::Clear {
        return Ok(clear(items));
    }
    let key = word(&args[0]);
    Ok(match (method, find(items, key)) {
        // As in PAT, a key that is there keeps what it leads to.
        (Method::Add, Ok(_)) | (Method::Remove, Err(_)) => truth(false),
        (Method::Set, Ok(at)) => {
            let old = std::mem::replace(&mut items[at + 1], word(&args[1]));
            truth(old != items[at + 1])
        }
        (Method::Add | Method::Set, Err(at)) => {
            items.splice(at..at, [key, word(&args[1])]);
            truth(true)
        }
        (Method::Remove, Ok(at)) => {
            items.drain(at..at + 2);
            truth(true)
        }
        _ => unreachable!("the signature was checked"),
    })
}
