//! Walking a tree in order, without an allocation.

use crate::set::document::ordered::{Item, Link, Node, size};
use std::iter::FusedIterator;

/// A tree of 2^32 items is not higher than this.
const MAX_HEIGHT: usize = 48;

/// Nodes whose own item comes next, the next one last. Lies in the iterator itself: the audio thread walks trees, too.
struct PendingNodes<'a, I: Item> {
    nodes: [Option<&'a Node<I>>; MAX_HEIGHT],
    len: usize,
}

impl<'a, I: Item> PendingNodes<'a, I> {
    fn push(&mut self, node: &'a Node<I>) {
        if let Some(place) = self.nodes.get_mut(self.len) {
            *place = Some(node);
            self.len += 1;
        }
    }

    fn descend(&mut self, mut at: Option<&'a Node<I>>, side: fn(&Node<I>) -> &Link<I>) {
        while let Some(node) = at {
            self.push(node);
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
    front: Option<PendingNodes<'a, I>>,
    back: Option<PendingNodes<'a, I>>,
    left: usize,
}

impl<'a, I: Item> Iter<'a, I> {
    /// Skips what is before `position`.
    pub(super) fn from(root: Option<&'a Node<I>>, mut position: usize, left: usize) -> Iter<'a, I> {
        let mut front = PendingNodes { nodes: [None; MAX_HEIGHT], len: 0 };
        let mut at = root;
        while let Some(node) = at {
            let before = size(&node.left);
            if position > before {
                position -= before + 1;
                at = node.right.as_deref();
            } else {
                front.push(node);
                at = if position < before { node.left.as_deref() } else { None };
            }
        }
        Iter { root, front: Some(front), back: None, left }
    }

    pub(super) fn new(root: Option<&'a Node<I>>, left: usize) -> Iter<'a, I> {
        Iter { root, front: None, back: None, left }
    }

    fn start(root: Option<&'a Node<I>>, side: fn(&Node<I>) -> &Link<I>) -> PendingNodes<'a, I> {
        let mut spine = PendingNodes { nodes: [None; MAX_HEIGHT], len: 0 };
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
