//! A persistent ordered tree: the ground under the Set's long lists.
//!
//! A [`Tree`] maps `u64` keys to items in key order. Cloning it copies one pointer; an edit copies the nodes on its way
//! down and shares all others, so it costs the logarithm of the length, and two versions of a tree are compared by
//! walking only what they do not share. Every node knows the length and the [`Summary`] of what is below it: positions,
//! ranks and counts over the whole list are never searched for.
//!
//! The tree is height-balanced (AVL): the heights of two siblings differ by one at most.

use std::cmp::Ordering;
use std::iter::FusedIterator;
use std::sync::Arc;

/// What is counted over all items of a tree. `plus` must not depend on the order of its operands.
pub trait Summary: Clone + Default {
    fn plus(&mut self, other: &Self);
}

impl Summary for () {
    fn plus(&mut self, (): &()) {}
}

/// An item of a tree; cheap to clone, as path copying does it.
pub trait Item: Clone {
    type Sum: Summary;
    /// What this item adds to the tree's summary.
    fn sum(&self) -> Self::Sum;
}

type Link<I> = Option<Arc<Node<I>>>;

#[derive(Clone)]
struct Node<I: Item> {
    left: Link<I>,
    right: Link<I>,
    key: u64,
    item: I,
    size: u32,
    height: u8,
    sum: I::Sum,
}

fn height<I: Item>(link: &Link<I>) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

fn size<I: Item>(link: &Link<I>) -> usize {
    link.as_ref().map_or(0, |node| node.size as usize)
}

impl<I: Item> Node<I> {
    fn new(left: Link<I>, key: u64, item: I, right: Link<I>) -> Arc<Node<I>> {
        let sum = item.sum();
        let mut node = Node { left, right, key, item, size: 0, height: 0, sum };
        node.recount();
        Arc::new(node)
    }

    /// Makes size, height and summary those of what is below now.
    fn recount(&mut self) {
        self.size = (size(&self.left) + size(&self.right) + 1) as u32;
        self.height = height(&self.left).max(height(&self.right)) + 1;
        self.resum();
    }

    fn resum(&mut self) {
        self.sum = self.item.sum();
        for child in [&self.left, &self.right].into_iter().flatten() {
            self.sum.plus(&child.sum);
        }
    }
}

/// A node over two subtrees whose heights differ by two at most, turned until they differ by one at most.
fn balanced<I: Item>(left: Link<I>, key: u64, item: I, right: Link<I>) -> Arc<Node<I>> {
    match (&left, &right) {
        (Some(top), _) if top.height > height(&right) + 1 => match &top.right {
            Some(middle) if middle.height > height(&top.left) => Node::new(
                Some(Node::new(top.left.clone(), top.key, top.item.clone(), middle.left.clone())),
                middle.key,
                middle.item.clone(),
                Some(Node::new(middle.right.clone(), key, item, right)),
            ),
            inner => {
                let under = Node::new(inner.clone(), key, item, right);
                Node::new(top.left.clone(), top.key, top.item.clone(), Some(under))
            }
        },
        (_, Some(top)) if top.height > height(&left) + 1 => match &top.left {
            Some(middle) if middle.height > height(&top.right) => Node::new(
                Some(Node::new(left, key, item, middle.left.clone())),
                middle.key,
                middle.item.clone(),
                Some(Node::new(middle.right.clone(), top.key, top.item.clone(), top.right.clone())),
            ),
            inner => {
                let under = Node::new(left, key, item, inner.clone());
                Node::new(Some(under), top.key, top.item.clone(), top.right.clone())
            }
        },
        _ => Node::new(left, key, item, right),
    }
}

fn insert<I: Item>(link: &Link<I>, key: u64, item: I) -> Arc<Node<I>> {
    let Some(node) = link else { return Node::new(None, key, item, None) };
    let (left, right) = (&node.left, &node.right);
    match key.cmp(&node.key) {
        Ordering::Less => balanced(Some(insert(left, key, item)), node.key, node.item.clone(), right.clone()),
        Ordering::Greater => balanced(left.clone(), node.key, node.item.clone(), Some(insert(right, key, item))),
        Ordering::Equal => Node::new(left.clone(), key, item, right.clone()),
    }
}

/// What is left without `key`, which must be there.
fn remove<I: Item>(link: &Link<I>, key: u64) -> Link<I> {
    let node = link.as_ref()?;
    let (left, right) = (&node.left, &node.right);
    match key.cmp(&node.key) {
        Ordering::Less => Some(balanced(remove(left, key), node.key, node.item.clone(), right.clone())),
        Ordering::Greater => Some(balanced(left.clone(), node.key, node.item.clone(), remove(right, key))),
        Ordering::Equal => match right {
            None => left.clone(),
            Some(next) => {
                let (first, rest) = without_first(next);
                Some(balanced(left.clone(), first.key, first.item.clone(), rest))
            }
        },
    }
}

/// The first node of a tree, and what is left without it.
fn without_first<I: Item>(node: &Arc<Node<I>>) -> (Arc<Node<I>>, Link<I>) {
    match &node.left {
        None => (node.clone(), node.right.clone()),
        Some(left) => {
            let (first, rest) = without_first(left);
            (first, Some(balanced(rest, node.key, node.item.clone(), node.right.clone())))
        }
    }
}

/// Changes the item of `key`, which must be there.
fn edit<I: Item, R>(link: &mut Link<I>, key: u64, change: impl FnOnce(&mut I) -> R) -> Option<R> {
    let node = Arc::make_mut(link.as_mut()?);
    let done = match key.cmp(&node.key) {
        Ordering::Less => edit(&mut node.left, key, change),
        Ordering::Greater => edit(&mut node.right, key, change),
        Ordering::Equal => Some(change(&mut node.item)),
    };
    node.resum();
    done
}

fn set_key<I: Item>(link: &mut Link<I>, at: usize, key: u64) {
    let Some(node) = link.as_mut().map(Arc::make_mut) else { return };
    let before = size(&node.left);
    match at.cmp(&before) {
        Ordering::Less => set_key(&mut node.left, at, key),
        Ordering::Equal => node.key = key,
        Ordering::Greater => set_key(&mut node.right, at - before - 1, key),
    }
}

/// A tree over pairs in key order, as flat as can be.
fn build<I: Item>(pairs: &mut impl Iterator<Item = (u64, I)>, count: usize) -> Link<I> {
    if count == 0 {
        return None;
    }
    let before = count / 2;
    let left = build(pairs, before);
    let (key, item) = pairs.next()?;
    let right = build(pairs, count - before - 1);
    Some(Node::new(left, key, item, right))
}

/// See the [module](self).
#[derive(Clone)]
pub struct Tree<I: Item> {
    root: Link<I>,
}

impl<I: Item> Default for Tree<I> {
    fn default() -> Self {
        Tree { root: None }
    }
}

impl<I: Item> Tree<I> {
    /// The keys must rise.
    pub fn from_sorted(pairs: Vec<(u64, I)>) -> Tree<I> {
        debug_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0));
        let count = pairs.len();
        Tree { root: build(&mut pairs.into_iter(), count) }
    }

    pub fn len(&self) -> usize {
        size(&self.root)
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The summary of all items.
    pub fn sum(&self) -> I::Sum {
        self.root.as_ref().map_or_else(I::Sum::default, |root| root.sum.clone())
    }

    pub fn get(&self, key: u64) -> Option<&I> {
        let mut at = self.root.as_ref();
        while let Some(node) = at {
            at = match key.cmp(&node.key) {
                Ordering::Less => node.left.as_ref(),
                Ordering::Greater => node.right.as_ref(),
                Ordering::Equal => return Some(&node.item),
            };
        }
        None
    }

    /// Key and item at a position.
    pub fn at(&self, mut position: usize) -> Option<(u64, &I)> {
        let mut at = self.root.as_ref();
        while let Some(node) = at {
            let before = size(&node.left);
            at = match position.cmp(&before) {
                Ordering::Less => node.left.as_ref(),
                Ordering::Equal => return Some((node.key, &node.item)),
                Ordering::Greater => {
                    position -= before + 1;
                    node.right.as_ref()
                }
            };
        }
        None
    }

    /// The position of a key that is there.
    pub fn rank(&self, key: u64) -> Option<usize> {
        let mut passed = 0;
        let mut at = self.root.as_ref();
        while let Some(node) = at {
            let before = size(&node.left);
            at = match key.cmp(&node.key) {
                Ordering::Less => node.left.as_ref(),
                Ordering::Equal => return Some(passed + before),
                Ordering::Greater => {
                    passed += before + 1;
                    node.right.as_ref()
                }
            };
        }
        None
    }

    /// Puts an item at a key, in place of what was there.
    pub fn insert(&mut self, key: u64, item: I) {
        self.root = Some(insert(&self.root, key, item));
    }

    pub fn remove(&mut self, key: u64) -> Option<I> {
        let item = self.get(key)?.clone();
        self.root = remove(&self.root, key);
        Some(item)
    }

    /// Changes the item of a key; `None` when there is none.
    pub fn edit<R>(&mut self, key: u64, change: impl FnOnce(&mut I) -> R) -> Option<R> {
        // A miss must copy nothing.
        self.get(key)?;
        edit(&mut self.root, key, change)
    }

    /// Gives the item at a position another key. The caller keeps the order.
    pub fn set_key(&mut self, position: usize, key: u64) {
        if position < self.len() {
            set_key(&mut self.root, position, key);
        }
    }

    pub fn iter(&self) -> Iter<'_, I> {
        Iter { root: self.root.as_deref(), front: None, back: None, left: self.len() }
    }

    /// Whether both trees are the very same value in memory.
    pub fn is_shared_with(&self, other: &Tree<I>) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether both trees hold the same items in the same order, by `same`; keys do not count. Looks only at what the
    /// trees do not share.
    pub fn has_items_of(&self, other: &Tree<I>, same: impl Fn(&I, &I) -> bool) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let (mut a, mut b) = (Pending::of(&self.root), Pending::of(&other.root));
        loop {
            match (a.0.pop(), b.0.pop()) {
                (None, None) => return true,
                (Some(x), Some(y)) if x.is_shared_with(y) => {}
                (Some(Part::Item(x)), Some(Part::Item(y))) => {
                    if !same(&x.item, &y.item) {
                        return false;
                    }
                }
                (Some(x), Some(y)) => {
                    let (larger, equal) = (x.size() > y.size(), x.size() == y.size());
                    a.put(x, larger || equal);
                    b.put(y, !larger || equal);
                }
                _ => return false,
            }
        }
    }

    /// Visits the keys whose items the trees do not share, in order, with the item on each side that has one. Looks only
    /// at what the trees do not share.
    pub fn differences<'a>(
        &'a self,
        other: &'a Tree<I>,
        same: impl Fn(&I, &I) -> bool,
        mut visit: impl FnMut(Option<&'a I>, Option<&'a I>),
    ) {
        let (mut a, mut b) = (Pending::of(&self.root), Pending::of(&other.root));
        loop {
            match (a.0.pop(), b.0.pop()) {
                (None, None) => return,
                (Some(x), Some(y)) if x.is_shared_with(y) => {}
                (Some(Part::Item(x)), Some(Part::Item(y))) => match x.key.cmp(&y.key) {
                    Ordering::Less => {
                        visit(Some(&x.item), None);
                        b.put(Part::Item(y), false);
                    }
                    Ordering::Greater => {
                        visit(None, Some(&y.item));
                        a.put(Part::Item(x), false);
                    }
                    Ordering::Equal if same(&x.item, &y.item) => {}
                    Ordering::Equal => visit(Some(&x.item), Some(&y.item)),
                },
                (Some(x), Some(y)) => {
                    let (taller, equal) = (x.height() > y.height(), x.height() == y.height());
                    a.put(x, taller || equal);
                    b.put(y, !taller || equal);
                }
                (Some(Part::Item(x)), None) => visit(Some(&x.item), None),
                (None, Some(Part::Item(y))) => visit(None, Some(&y.item)),
                (Some(x), None) => a.put(x, true),
                (None, Some(y)) => b.put(y, true),
            }
        }
    }
}

/// What a comparison has still to look at, in reverse order.
struct Pending<'a, I: Item>(Vec<Part<'a, I>>);

/// A subtree, or a node's item alone.
enum Part<'a, I: Item> {
    Tree(&'a Arc<Node<I>>),
    Item(&'a Node<I>),
}

impl<I: Item> Clone for Part<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Item> Copy for Part<'_, I> {}

impl<I: Item> Part<'_, I> {
    fn is_shared_with(self, other: Self) -> bool {
        match (self, other) {
            (Part::Tree(a), Part::Tree(b)) => Arc::ptr_eq(a, b),
            (Part::Item(a), Part::Item(b)) => std::ptr::eq(a, b),
            _ => false,
        }
    }

    fn size(self) -> u32 {
        match self {
            Part::Tree(node) => node.size,
            Part::Item(_) => 0,
        }
    }

    fn height(self) -> u8 {
        match self {
            Part::Tree(node) => node.height,
            Part::Item(_) => 0,
        }
    }
}

impl<'a, I: Item> Pending<'a, I> {
    fn of(root: &'a Link<I>) -> Self {
        Pending(root.iter().map(Part::Tree).collect())
    }

    /// Puts a part back, taken apart if `open`.
    fn put(&mut self, part: Part<'a, I>, open: bool) {
        match part {
            Part::Tree(node) if open => {
                self.0.extend(node.right.as_ref().map(Part::Tree));
                self.0.push(Part::Item(node));
                self.0.extend(node.left.as_ref().map(Part::Tree));
            }
            part => self.0.push(part),
        }
    }
}

/// A tree of 2^32 items is not higher than this.
const MAX_HEIGHT: usize = 48;

/// Nodes whose own item comes next, the next one last. Lies in the iterator itself: the audio thread walks trees, too.
struct Spine<'a, I: Item> {
    nodes: [Option<&'a Node<I>>; MAX_HEIGHT],
    len: usize,
}

impl<'a, I: Item> Spine<'a, I> {
    fn descend(&mut self, mut at: Option<&'a Node<I>>, side: fn(&Node<I>) -> &Link<I>) {
        while let Some(node) = at {
            if let Some(place) = self.nodes.get_mut(self.len) {
                *place = Some(node);
                self.len += 1;
            }
            at = side(node).as_deref();
        }
    }

    fn next(&mut self, near: fn(&Node<I>) -> &Link<I>, far: fn(&Node<I>) -> &Link<I>) -> Option<&'a Node<I>> {
        self.len = self.len.checked_sub(1)?;
        let node = self.nodes.get(self.len).copied().flatten()?;
        self.descend(far(node).as_deref(), near);
        Some(node)
    }
}

/// The items in order, from both ends.
pub struct Iter<'a, I: Item> {
    root: Option<&'a Node<I>>,
    front: Option<Spine<'a, I>>,
    back: Option<Spine<'a, I>>,
    left: usize,
}

impl<'a, I: Item> Iter<'a, I> {
    fn start(root: Option<&'a Node<I>>, side: fn(&Node<I>) -> &Link<I>) -> Spine<'a, I> {
        let mut spine = Spine { nodes: [None; MAX_HEIGHT], len: 0 };
        spine.descend(root, side);
        spine
    }
}

impl<'a, I: Item> Iterator for Iter<'a, I> {
    type Item = &'a I;

    fn next(&mut self) -> Option<&'a I> {
        self.left = self.left.checked_sub(1)?;
        let root = self.root;
        let spine = self.front.get_or_insert_with(|| Iter::start(root, |node| &node.left));
        spine.next(|node| &node.left, |node| &node.right).map(|node| &node.item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: Item> DoubleEndedIterator for Iter<'_, I> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let root = self.root;
        let spine = self.back.get_or_insert_with(|| Iter::start(root, |node| &node.right));
        spine.next(|node| &node.right, |node| &node.left).map(|node| &node.item)
    }
}

impl<I: Item> ExactSizeIterator for Iter<'_, I> {}
impl<I: Item> FusedIterator for Iter<'_, I> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    impl Summary for u64 {
        fn plus(&mut self, other: &u64) {
            *self += other;
        }
    }

    impl Item for u64 {
        type Sum = u64;
        fn sum(&self) -> u64 {
            *self
        }
    }

    /// The rules of the tree, node by node. Gives size, height and sum.
    fn check(link: &Link<u64>, low: Option<u64>, high: Option<u64>) -> (usize, u8, u64) {
        let Some(node) = link else { return (0, 0, 0) };
        assert!(low.is_none_or(|low| low < node.key) && high.is_none_or(|high| node.key < high), "keys out of order");
        let (left_size, left, left_sum) = check(&node.left, low, Some(node.key));
        let (right_size, right, right_sum) = check(&node.right, Some(node.key), high);
        assert!(left.abs_diff(right) <= 1, "heights {left} and {right}");
        let counted = (left_size + right_size + 1, left.max(right) + 1, left_sum + right_sum + node.item);
        assert_eq!((node.size as usize, node.height, node.sum), counted);
        counted
    }

    #[derive(Clone, Debug)]
    enum Deed {
        Insert(u64, u64),
        Remove(u64),
        Edit(u64, u64),
    }

    fn deeds() -> impl Strategy<Value = Vec<Deed>> {
        let key = 0u64..200;
        let deed = prop_oneof![
            3 => (key.clone(), 0u64..9).prop_map(|(key, item)| Deed::Insert(key, item)),
            2 => key.clone().prop_map(Deed::Remove),
            1 => (key, 0u64..9).prop_map(|(key, item)| Deed::Edit(key, item)),
        ];
        prop::collection::vec(deed, 0..250)
    }

    fn act(tree: &mut Tree<u64>, map: &mut BTreeMap<u64, u64>, deed: &Deed) {
        match *deed {
            Deed::Insert(key, item) => {
                tree.insert(key, item);
                map.insert(key, item);
            }
            Deed::Remove(key) => assert_eq!(tree.remove(key), map.remove(&key)),
            Deed::Edit(key, item) => {
                let edited = tree.edit(key, |old| std::mem::replace(old, item));
                assert_eq!(edited, map.get_mut(&key).map(|old| std::mem::replace(old, item)));
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_map(deeds in deeds()) {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            for deed in &deeds {
                let (before, was) = (tree.clone(), map.clone());
                act(&mut tree, &mut map, deed);
                check(&tree.root, None, None);
                prop_assert!(before.iter().eq(was.values()), "an older version changed");
            }
            prop_assert!(tree.iter().eq(map.values()));
            prop_assert!(tree.iter().rev().eq(map.values().rev()));
            prop_assert_eq!(tree.iter().len(), map.len());
            let mut ends = tree.iter();
            let (first, last) = (ends.next(), ends.next_back());
            prop_assert_eq!((first, last), (map.values().next(), map.values().skip(1).next_back()));
            prop_assert_eq!(ends.count(), map.len().saturating_sub(2));
            for (at, (key, item)) in map.iter().enumerate() {
                prop_assert_eq!((tree.at(at), tree.rank(*key), tree.get(*key)), (Some((*key, item)), Some(at), Some(item)));
            }
            prop_assert_eq!((tree.at(map.len()), tree.rank(1000), tree.sum()), (None, None, map.values().sum()));
            let built = Tree::from_sorted(map.into_iter().collect());
            check(&built.root, None, None);
            prop_assert!(built.has_items_of(&tree, |a, b| a == b));
        }

        #[test]
        fn versions_are_compared_by_what_they_do_not_share(first in deeds(), second in deeds()) {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            first.iter().for_each(|deed| act(&mut tree, &mut map, deed));
            let (before, was) = (tree.clone(), map.clone());
            second.iter().take(5).for_each(|deed| act(&mut tree, &mut map, deed));
            let same_items = was.values().eq(map.values());
            prop_assert_eq!(before.has_items_of(&tree, |a, b| a == b), same_items);
            let mut seen = Vec::new();
            before.differences(&tree, |a, b| a == b, |a, b| seen.push((a.copied(), b.copied())));
            let keys: std::collections::BTreeSet<_> = was.keys().chain(map.keys()).collect();
            let want = keys.into_iter().map(|key| (was.get(key).copied(), map.get(key).copied()));
            prop_assert_eq!(seen, want.filter(|(a, b)| a != b).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_comparison_looks_at_no_more_than_the_paths_that_differ() {
        let before = Tree::from_sorted((0..10_000).map(|key| (key * 2, key)).collect());
        type Change = fn(&mut Tree<u64>);
        let table: [(&str, Change); 4] = [
            ("edit", |tree| tree.edit(5000, |item| *item += 1).unwrap()),
            ("insert in front", |tree| tree.insert(0, 7)),
            ("insert inside", |tree| tree.insert(7001, 7)),
            ("remove", |tree| assert!(tree.remove(7000).is_some())),
        ];
        for (name, change) in table {
            let mut after = before.clone();
            change(&mut after);
            let looked = std::cell::Cell::new(0);
            let same = |a: &u64, b: &u64| {
                looked.set(looked.get() + 1);
                a == b
            };
            let mut changed = 0;
            before.differences(&after, same, |_, _| changed += 1);
            assert_eq!(changed, 1, "{name}");
            assert!(looked.get() < 60, "{name}: {}", looked.get());
        }
    }
}
