//! An allocator that counts what the watched thread allocates and frees. It counts for a whole binary, so a test that
//! uses it has a file of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Allocations, reallocations and frees of this thread while it is watched.
    static COUNT: Cell<Option<u64>> = const { Cell::new(None) };
}

fn count() {
    // Allocations before and after the thread's own life are nobody's.
    let _ = COUNT.try_with(|count| count.set(count.get().map(|n| n + 1)));
}

// SAFETY: every call goes to the system's allocator as it came; counting touches a constant-initialised thread local.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count();
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `act` allocates, reallocates or frees on this thread.
pub fn watched(act: impl FnOnce()) -> u64 {
    COUNT.set(Some(0));
    act();
    COUNT.take().expect("it was watched")
}
