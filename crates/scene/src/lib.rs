//! What one viewer sees of a match, as graphics on a plane, and how it changes from move to move.
//!
//! Start reading at [`Scene`], then at [`draw`], which draws any game from a
//! [`View`](houserules_kernel::View) without a line written for it. [`diff`] says what became of a scene as
//! a list of [`Change`]s, and [`Scene::apply`] carries them out.
//!
//! Coordinates are whole numbers, a hundred to the side of a cell; x grows to the right, y downwards. No
//! graphic holds markup, a link or a file: pictures are names in our own set.

pub mod art;
mod change;
mod drawing;
mod faults;
mod graphic;
mod scene;
mod sight;
pub mod stage;
mod svg;
pub mod theme;

pub use change::{Change, Unknown, diff};
pub use drawing::draw;
pub use faults::{bounds, faults};
pub use graphic::{Align, Font, Graphic, GraphicId, Layer, Motion, Paint, Place, Shape, Stroke};
pub use scene::{Question, Scene, Size, Sound, Way};
pub use sight::Sight;
pub use svg::{Theme, svg, text_width};
