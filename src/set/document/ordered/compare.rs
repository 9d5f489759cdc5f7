//! Two versions of a tree, compared by what they do not share: both are walked in step, and where they meet in the same
//! node, all below it is passed over.

use crate::set::document::ordered::{Item, Link, Node, Tree};
use std::cmp::Ordering;
use std::sync::Arc;

impl<I: Item> Tree<I> {
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
        if self.is_shared_with(other) {
            return true;
        }
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

    /// Visits the keys whose items the trees do not share, in order, with the item on each side that has one. Looks
    /// only at what the trees do not share.
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
