//! What one viewer sees of a match, as graphics on a plane, and how it changes from move to move.
//!
//! Start reading at [`Scene`], then at [`draw`], which draws any game from a
//! [`View`](houserules_kernel::View) without a line written for it. [`diff`] says what became of a scene as
//! a list of [`Change`]s, and [`Scene::apply`] carries them out. An [`Audience`] follows a match, and draws only what a
//! move has touched.
//!
//! Coordinates are whole numbers, a hundred to the side of a cell; x grows to the right, y downwards. No
//! graphic holds markup or a link: pictures are names in our own set, or bare names of files that lie beside the game.

pub mod art;
mod audience;
mod bits;
mod change;
mod drawing;
mod faults;
mod graphic;
mod scene;
mod sight;
pub mod stage;
mod svg;
mod targets;
pub mod theme;
mod told;

pub use audience::Audience;
pub use change::{Change, Unknown, diff};
pub use drawing::draw;
pub use faults::{bounds, faults};
pub use graphic::{Align, Font, Graphic, GraphicId, Layer, Motion, Paint, Place, Shape, Stroke, Target, is_picture};
pub use scene::{Question, Scene, Size, Sound, Way};
pub use sight::{Sight, ways};
pub use svg::{Pictures, Theme, board_svg, svg, text_width};
pub use targets::targets;
pub use told::Told;
