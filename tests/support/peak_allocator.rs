//! An allocator that follows how many bytes the watched thread holds. It counts for a whole binary, so a test that uses
//! it has a file of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Following;

thread_local! {
    /// Bytes that this thread holds more than when it began to be watched: now, and at most.
    static HELD: Cell<Option<(i64, i64)>> = const { Cell::new(None) };
}

fn change(bytes: i64) {
    // Allocations before and after the thread's own life are nobody's.
    let _ = HELD.try_with(|held| {
        held.set(held.get().map(|(now, most)| (now + bytes, most.max(now + bytes))));
    });
}

fn size(layout: Layout) -> i64 {
    i64::try_from(layout.size()).unwrap_or(i64::MAX)
}

// SAFETY: every call goes to the system's allocator as it came; counting touches a constant-initialised thread local.
unsafe impl GlobalAlloc for Following {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        change(size(layout));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        change(-size(layout));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new: usize) -> *mut u8 {
        // While it moves, both are there.
        let new_size = i64::try_from(new).unwrap_or(i64::MAX);
        change(new_size);
        change(-size(layout));
        unsafe { System.realloc(pointer, layout, new) }
    }
}

#[global_allocator]
static ALLOCATOR: Following = Following;

/// What `act` gives, and how many bytes this thread held at most meanwhile.
pub fn peak_of<T>(act: impl FnOnce() -> T) -> (T, u64) {
    HELD.set(Some((0, 0)));
    let made = act();
    let (_, most) = HELD.take().expect("it was watched");
    (made, u64::try_from(most).unwrap_or(0))
}
