use houserules_kernel::ThingId;

/// A name that stays with a graphic as long as it is drawn, in every scene of a match.
///
/// Graphics of a thing begin with the thing's number, so that a stone that moves is the same graphic
/// before and after.
pub type GraphicId = String;

/// Something drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graphic {
    pub id: GraphicId,
    pub layer: Layer,
    /// Within a layer: more is drawn later, and lies above.
    pub z: i32,
    pub shape: Shape,
    /// The middle of it; of lines, polygons and paths the point from which theirs count.
    pub at: Place,
    /// From edge to edge, before it is turned.
    pub size: Place,
    /// In degrees, clockwise.
    pub turn: i32,
    pub fill: Paint,
    pub stroke: Stroke,
    /// For what is drawn upon the fill of a picture: eyes, crosses, the sign of a seat.
    pub ink: Paint,
    /// From 0, not to be seen, to 100.
    pub opacity: u8,
    /// What it is to a theme, in words with spaces between: `stone seat-2`.
    pub class: String,
    /// What somebody is told who does not see it; empty: it is decoration.
    pub label: String,
    pub motion: Motion,
    /// The thing it shows. Whoever points at the graphic points at the thing.
    pub thing: Option<ThingId>,
    /// Where that thing lies, which is pointed at as well.
    pub on: Option<ThingId>,
    /// It answers a click by itself: its representation wants to hear of it.
    pub clickable: bool,
    /// How it is marked when a choice can begin at its thing; see [`targets`](crate::targets).
    pub target: Option<Target>,
}

/// A mark where something can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// A name of the theme.
    pub paint: &'static str,
    /// How wide a ring around it is.
    pub across: i32,
    /// Always a ring; otherwise a dot where nothing stands.
    pub ring: bool,
}

impl Graphic {
    /// Nothing but a shape in a place; the rest is said where it matters.
    pub fn new(id: impl Into<GraphicId>, layer: Layer, shape: Shape, at: Place, size: Place) -> Graphic {
        Graphic {
            id: id.into(),
            layer,
            z: 0,
            shape,
            at,
            size,
            turn: 0,
            fill: Paint::None,
            stroke: Stroke::default(),
            ink: Paint::None,
            opacity: 100,
            class: String::new(),
            label: String::new(),
            motion: Motion::Still,
            thing: None,
            on: None,
            clickable: false,
            target: None,
        }
    }

    /// Whether two differ in nothing but in what they show and where.
    pub fn looks_like(&self, other: &Graphic) -> bool {
        self.layer == other.layer
            && self.z == other.z
            && self.size == other.size
            && self.turn == other.turn
            && self.opacity == other.opacity
            && self.motion == other.motion
            && self.clickable == other.clickable
            && self.fill == other.fill
            && self.stroke == other.stroke
            && self.ink == other.ink
            && self.class == other.class
            && self.target == other.target
            && self.shape == other.shape
    }

    pub fn fill(mut self, paint: impl Into<Paint>) -> Graphic {
        self.fill = paint.into();
        self
    }

    pub fn stroke(mut self, paint: impl Into<Paint>, width: i32) -> Graphic {
        self.stroke = Stroke { paint: paint.into(), width, dashed: false };
        self
    }

    pub fn ink(mut self, paint: impl Into<Paint>) -> Graphic {
        self.ink = paint.into();
        self
    }

    pub fn dashed(mut self) -> Graphic {
        self.stroke.dashed = true;
        self
    }

    pub fn class(mut self, class: impl Into<String>) -> Graphic {
        self.class = class.into();
        self
    }

    pub fn label(mut self, label: impl Into<String>) -> Graphic {
        self.label = label.into();
        self
    }

    pub fn z(mut self, z: i32) -> Graphic {
        self.z = z;
        self
    }

    pub fn turned(mut self, degrees: i32) -> Graphic {
        self.turn = degrees;
        self
    }

    pub fn opacity(mut self, percent: u8) -> Graphic {
        self.opacity = percent;
        self
    }

    pub fn motion(mut self, motion: Motion) -> Graphic {
        self.motion = motion;
        self
    }

    /// A choice that begins here is shown by a dot, or by a ring where something stands.
    pub fn target(mut self, paint: &'static str, across: i32) -> Graphic {
        self.target = Some(Target { paint, across, ring: false });
        self
    }

    /// A choice that begins here is shown by a ring.
    pub fn ringed(mut self, paint: &'static str, across: i32) -> Graphic {
        self.target = Some(Target { paint, across, ring: true });
        self
    }

    /// It shows a thing, which lies on another.
    pub fn of(mut self, thing: ThingId, on: Option<ThingId>) -> Graphic {
        self.thing = Some(thing);
        self.on = on;
        self
    }
}

/// A point of the plane, or a way across it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    pub x: i32,
    pub y: i32,
}

impl Place {
    pub const fn new(x: i32, y: i32) -> Place {
        Place { x, y }
    }

    pub fn by(self, x: i32, y: i32) -> Place {
        Place { x: self.x + x, y: self.y + y }
    }
}

/// What lies over what. Layers are drawn in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// The board itself, and the table under it.
    Ground,
    /// Places that things lie on.
    Places,
    /// Coordinates, names, numbers.
    Writing,
    /// What was played last, under the things.
    Traces,
    Things,
    /// What can be chosen, over the things.
    Targets,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// With corners rounded by so much.
    Rectangle {
        round: i32,
    },
    Circle,
    Ellipse,
    /// Corners, counted from the graphic's place.
    Polygon(Vec<Place>),
    /// As the `d` of an SVG path, counted from the graphic's place: letters of commands and numbers, nothing else.
    Path(String),
    /// Points joined by straight lines, counted from the graphic's place.
    Line(Vec<Place>),
    /// One line, as high as the graphic.
    Text {
        text: String,
        align: Align,
        font: Font,
    },
    /// One of our own pictures, by its name.
    Image(&'static str),
    /// A picture that lies beside the game, by the bare name of its file: [`is_picture`] holds for it.
    File(String),
    /// Holds graphics together that are named after it; draws nothing.
    Group,
}

/// The kinds of pictures that a game may bring.
const ENDINGS: [&str; 6] = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg"];
const NAME: usize = 120;

/// Whether this is the name of a picture that can lie beside a game: no path, no address, and an ending of a picture.
pub fn is_picture(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_bare = !name.starts_with('.') && !name.contains(['/', '\\', ':', '?', '#', '%']);
    is_bare
        && name.len() <= NAME
        && !name.chars().any(char::is_control)
        && ENDINGS.iter().any(|end| lower.ends_with(end))
}

/// Which side of the words stands at the graphic's place; `size.x` is how much room they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    Left,
    #[default]
    Middle,
    Right,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Font {
    #[default]
    Plain,
    Bold,
    /// For names of games and rules.
    Serif,
}

/// A colour: one of the theme, which is another one in the dark, or one's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Paint {
    #[default]
    None,
    /// A name of the theme, such as `wood-field` or `seat-2`.
    Theme(&'static str),
    /// Red, green, blue.
    Own(u8, u8, u8),
}

impl From<&'static str> for Paint {
    fn from(name: &'static str) -> Paint {
        Paint::Theme(name)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stroke {
    pub paint: Paint,
    pub width: i32,
    pub dashed: bool,
}

/// How a graphic goes from what it was to what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Motion {
    /// At once.
    #[default]
    Still,
    /// It glides from place to place.
    Glide,
    /// It appears and goes away by and by.
    Fade,
    /// It is put down from above, or turned over.
    Drop,
}
