//! A growing array whose pointer, length and room lie where native code can find them.
#![allow(unsafe_code, reason = "native code reads these arrays by address")]

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// As a `Vec`, with a known layout.
#[repr(C)]
pub struct Buffer<T: Copy> {
    ptr: *mut T,
    len: usize,
    room: usize,
}

// SAFETY: it owns what it points to, as a `Vec` does.
unsafe impl<T: Copy + Send> Send for Buffer<T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Sync> Sync for Buffer<T> {}

impl<T: Copy> Buffer<T> {
    /// Where native code finds pointer, length and room.
    pub(crate) const PTR: usize = std::mem::offset_of!(Buffer<T>, ptr);
    pub(crate) const LEN: usize = std::mem::offset_of!(Buffer<T>, len);
    pub(crate) const ROOM: usize = std::mem::offset_of!(Buffer<T>, room);

    /// How many there is room for.
    pub fn room(&self) -> usize {
        self.room
    }

    fn adopt(list: Vec<T>) -> Buffer<T> {
        let mut list = ManuallyDrop::new(list);
        Buffer { ptr: list.as_mut_ptr(), len: list.len(), room: list.capacity() }
    }

    /// Runs a change that may move the array, on the array as a `Vec`.
    #[cold]
    fn as_vec<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let parts = ManuallyDrop::new(std::mem::take(self));
        // SAFETY: the three parts come from a `Vec`, and nobody else has them now.
        let mut list = unsafe { Vec::from_raw_parts(parts.ptr, parts.len, parts.room) };
        let result = change(&mut list);
        *self = Buffer::adopt(list);
        result
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len == self.room {
            self.make_room(1);
        }
        // SAFETY: there is room for one more.
        unsafe { self.ptr.add(self.len).write(value) };
        self.len += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    #[cold]
    pub(crate) fn make_room(&mut self, more: usize) {
        self.as_vec(|list| list.reserve(more));
    }

    /// Room for so many more.
    #[inline]
    pub(crate) fn make_room_for(&mut self, more: usize) {
        if self.room - self.len < more {
            self.make_room(more);
        }
    }

    /// Takes in what was written behind the end.
    ///
    /// # Safety
    /// So many values were written there.
    #[inline]
    pub(crate) unsafe fn take_in(&mut self, n: usize) {
        debug_assert!(self.room - self.len >= n);
        self.len += n;
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn resize(&mut self, len: usize, value: T) {
        self.as_vec(|list| list.resize(len, value));
    }

    pub fn extend_from_slice(&mut self, more: &[T]) {
        self.make_room_for(more.len());
        // SAFETY: there is room, and a slice of somebody else does not overlap it.
        unsafe { self.ptr.add(self.len).copy_from_nonoverlapping(more.as_ptr(), more.len()) };
        self.len += more.len();
    }
}

impl<T: Copy> Extend<T> for Buffer<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|value| self.push(value));
    }
}

impl<T: Copy> From<Vec<T>> for Buffer<T> {
    fn from(list: Vec<T>) -> Buffer<T> {
        Buffer::adopt(list)
    }
}

impl<T: Copy> Default for Buffer<T> {
    fn default() -> Buffer<T> {
        Buffer::adopt(Vec::new())
    }
}

impl<T: Copy> Deref for Buffer<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` are initialised; an empty one has a dangling but aligned pointer.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }
}

impl<T: Copy> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) }
    }
}

impl<T: Copy> Clone for Buffer<T> {
    fn clone(&self) -> Buffer<T> {
        Buffer::adopt(self.to_vec())
    }

    #[inline]
    fn clone_from(&mut self, source: &Buffer<T>) {
        self.len = 0;
        if source.len > 0 {
            self.extend_from_slice(source);
        }
    }
}

impl<T: Copy> Drop for Buffer<T> {
    fn drop(&mut self) {
        // SAFETY: the parts of a `Vec`, given back once.
        drop(unsafe { Vec::from_raw_parts(self.ptr, self.len, self.room) });
    }
}

impl<T: Copy + std::fmt::Debug> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.deref().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_behaves_as_a_list() {
        let mut buffer = Buffer::default();
        let mut list = Vec::new();
        for number in 0..1000u64 {
            buffer.push(number);
            list.push(number);
            if number % 7 == 0 {
                assert_eq!(buffer.pop(), list.pop());
            }
        }
        buffer.extend_from_slice(&[1, 2, 3]);
        list.extend_from_slice(&[1, 2, 3]);
        buffer.resize(1100, 9);
        list.resize(1100, 9);
        let copy = buffer.clone();
        buffer.truncate(5);
        list.truncate(5);
        assert_eq!((&*buffer, copy.len()), (&*list, 1100));
    }
}
