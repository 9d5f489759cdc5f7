//! A persistent ordered tree: the ground under the Set's long lists.
//!
//! A [`Tree`] maps `u64` keys to items in key order. Cloning it copies one pointer; an edit copies the nodes on its way
//! down and shares all others, so it costs the logarithm of the length, and two versions of a tree are compared by
//! walking only what they do not share. Every node knows the length and the [`Summary`] of what is below it: positions,
//! ranks and counts over the whole list are never searched for.
//!
//! The tree is height-balanced (AVL): the heights of two siblings differ by one at most. See D6 in `docs/decisions.md`.

mod compare;
mod iter;
#[cfg(test)]
mod tests;

pub use iter::Iter;

use std::cmp::Ordering;
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

impl<I: Item + std::fmt::Debug> std::fmt::Debug for Tree<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
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

    /// How many items have a key below this one.
    pub fn count_below(&self, key: u64) -> usize {
        let mut passed = 0;
        let mut at = self.root.as_ref();
        while let Some(node) = at {
            at = if node.key < key {
                passed += size(&node.left) + 1;
                node.right.as_ref()
            } else {
                node.left.as_ref()
            };
        }
        passed
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

    /// The items from a position on.
    pub fn iter_from(&self, position: usize) -> Iter<'_, I> {
        Iter::from(self.root.as_deref(), position, self.len().saturating_sub(position))
    }

    pub fn iter(&self) -> Iter<'_, I> {
        Iter::new(self.root.as_deref(), self.len())
    }
}
