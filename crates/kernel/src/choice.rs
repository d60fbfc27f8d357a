use smallvec::SmallVec;

/// One answer to a decision, as a few numbers.
///
/// The numbers mean something only to the rulebook that gave them; people read
/// [`Position::words`](crate::Position::words). Two choices of one decision are equal exactly when
/// their numbers are.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Choice(pub SmallVec<[u64; 4]>);

impl Choice {
    pub fn of(numbers: &[u64]) -> Self {
        Choice(SmallVec::from_slice(numbers))
    }
}
