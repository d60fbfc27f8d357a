//! Our own pictures, drawn as paths in a square of a hundred by a hundred.
//!
//! One set with one hand: broad silhouettes on a common foot, lines upon them in ink, light from the upper left.

/// One stroke of a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// As the `d` of an SVG path.
    pub path: &'static str,
    pub fill: Role,
    pub line: Role,
    /// Of the line, a hundred to the width of the picture.
    pub width: i32,
}

/// Which of a graphic's colours a stroke takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    None,
    Fill,
    Edge,
    Ink,
    /// White, so many percent of it: where light falls.
    Light(u8),
    /// Black, so many percent of it: where shadow lies.
    Shade(u8),
}

use Role::{Edge, Fill, Ink, Light, None as No, Shade};

const fn body(path: &'static str) -> Part {
    Part { path, fill: Fill, line: Edge, width: 4 }
}

const fn line(path: &'static str, width: i32) -> Part {
    Part { path, fill: No, line: Ink, width }
}

const fn spot(path: &'static str) -> Part {
    Part { path, fill: Ink, line: No, width: 0 }
}

const fn tone(path: &'static str, fill: Role) -> Part {
    Part { path, fill, line: No, width: 0 }
}

/// The strokes of a picture, from the bottom up; none if there is no such picture.
pub fn art(name: &str) -> Option<&'static [Part]> {
    ART.iter().find(|(known, _)| *known == name).map(|(_, parts)| *parts)
}

/// The name of a picture as the set has it.
pub fn named(name: &str) -> Option<&'static str> {
    ART.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

/// The names of all pictures.
pub fn names() -> impl Iterator<Item = &'static str> {
    ART.iter().map(|(name, _)| *name)
}

const ROUND: &str = "M50 4a46 46 0 1 1 0 92a46 46 0 0 1 0-92Z";
const LOW: &str = "M92 31a46 46 0 1 1-84 38a50 50 0 0 0 84-38Z";
const HIGH: &str = "M24 37a30 30 0 0 1 26-19a6 4 0 0 1 1 8a24 24 0 0 0-18 15a5 5 0 0 1-9-4Z";
const RIM: &str = "M50 16a34 34 0 1 1 0 68a34 34 0 0 1 0-68Z";

const STONE: &[Part] = &[body(ROUND), tone(LOW, Shade(14)), tone(HIGH, Light(45))];
const DISC: &[Part] = &[body(ROUND), tone(LOW, Shade(12)), line(RIM, 3)];

macro_rules! counter {
    ($shape:expr) => {
        &[body(ROUND), tone(LOW, Shade(10)), line(RIM, 3), spot($shape)]
    };
}

const S_DISC: &str = "M50 33a17 17 0 1 1 0 34a17 17 0 0 1 0-34Z";
const S_SQUARE: &str = "M34 34H66V66H34Z";
const S_TRIANGLE: &str = "M50 30L70 66H30Z";
const S_DIAMOND: &str = "M50 29L71 50L50 71L29 50Z";
const S_HEXAGON: &str = "M40 32H60L70 50L60 68H40L30 50Z";
const S_CROSS: &str = "M44 31H56V44H69V56H56V69H44V56H31V44H44Z";
const S_STAR: &str = "M50 28L56 43L72 44L60 54L64 70L50 61L36 70L40 54L28 44L44 43Z";
const S_RING: &str = "M50 31a19 19 0 1 1 0 38a19 19 0 0 1 0-38Z M50 42a8 8 0 1 0 0 16a8 8 0 0 0 0-16Z";

const ART: &[(&str, &[Part])] = &[
    // The signs of the seats.
    ("disc", &[body("M50 8a42 42 0 1 1 0 84a42 42 0 0 1 0-84Z")]),
    ("square", &[body("M14 14H86V86H14Z")]),
    ("triangle", &[body("M50 7L95 88H5Z")]),
    ("diamond", &[body("M50 3L97 50L50 97L3 50Z")]),
    ("hexagon", &[body("M27 10H73L96 50L73 90H27L4 50Z")]),
    ("cross", &[body("M35 6H65V35H94V65H65V94H35V65H6V35H35Z")]),
    ("star", &[body("M50 3L64 36L98 39L72 61L80 95L50 76L20 95L28 61L2 39L36 36Z")]),
    ("ring", &[body("M50 8a42 42 0 1 1 0 84a42 42 0 0 1 0-84Z M50 31a19 19 0 1 0 0 38a19 19 0 0 0 0-38Z")]),
    // Counters with the sign of a seat upon them.
    ("counter", DISC),
    ("counter-disc", counter!(S_DISC)),
    ("counter-square", counter!(S_SQUARE)),
    ("counter-triangle", counter!(S_TRIANGLE)),
    ("counter-diamond", counter!(S_DIAMOND)),
    ("counter-hexagon", counter!(S_HEXAGON)),
    ("counter-cross", counter!(S_CROSS)),
    ("counter-star", counter!(S_STAR)),
    ("counter-ring", counter!(S_RING)),
    ("stone", STONE),
    // Draughts: a grooved man, and one with a crown.
    ("man", &[body(ROUND), tone(LOW, Shade(14)), line(RIM, 4), line("M50 29a21 21 0 1 1 0 42a21 21 0 0 1 0-42Z", 3)]),
    (
        "crowned",
        &[
            body(ROUND),
            tone(LOW, Shade(14)),
            line(RIM, 4),
            spot("M28 64L24 37L39 49L50 30L61 49L76 37L72 64Z M29 67H71V72H29Z"),
        ],
    ),
    // Marks of pencil and paper.
    ("x", &[Part { path: "M18 18L82 82M82 18L18 82", fill: No, line: Fill, width: 15 }]),
    ("o", &[Part { path: "M50 16a34 34 0 1 1 0 68a34 34 0 0 1 0-68Z", fill: No, line: Fill, width: 14 }]),
    // A set for chess.
    (
        "pawn",
        &[
            body(
                "M50 16a14 14 0 0 1 9 24.7h7v7h-8c1 12 6 19 13 26c4 4 6 8 6 13v3H23v-3c0-5 2-9 6-13c7-7 12-14 13-26h-8v-7h7A14 14 0 0 1 50 16Z",
            ),
            line("M31 78H69", 3),
        ],
    ),
    (
        "rook",
        &[
            body("M22 14h12v9h10v-9h12v9h10v-9h12v20l-9 8v26l9 9v3h4v11H18V80h4v-3l9-9V42l-9-8Z"),
            line("M30 42H70M30 68H70M24 80H76", 3),
        ],
    ),
    (
        "knight",
        &[
            body(
                "M27 90c0-18 8-29 18-37c4-3 5-6 4-9c-5 6-12 8-18 9c-3 4-7 7-11 6c-5-1-7-6-5-11c4-9 9-17 17-24l-1-13l10 6l6-9l6 9c21 4 32 21 32 45c0 10-1 20-2 28Z",
            ),
            line("M57 23c13 7 19 19 19 36", 3),
            spot("M40 30a4 4 0 1 1 0 8a4 4 0 0 1 0-8Z M21 47a2.500 2.500 0 1 1 0 5a2.500 2.500 0 0 1 0-5Z"),
            line("M31 80H77", 3),
        ],
    ),
    (
        "bishop",
        &[
            body(
                "M50 8a6 6 0 0 1 4 10.5c12 8 18 19 18 29c0 8-4 14-10 18l4 9c5 2 8 4 12 5v11H22V79.5c4-1 7-3 12-5l4-9c-6-4-10-10-10-18c0-10 6-21 18-29A6 6 0 0 1 50 8Z",
            ),
            line("M50 32V54M40 43H60M37 66H63", 4),
        ],
    ),
    (
        "queen",
        &[
            body("M14 26L30 58L32 20L44 54L50 14L56 54L68 20L70 58L86 26L77 72c-2 3-2 5 1 8v10H22V80c3-3 3-5 1-8Z"),
            body(
                "M14 17a6 6 0 1 1 0 12a6 6 0 0 1 0-12Z M32 10a6 6 0 1 1 0 12a6 6 0 0 1 0-12Z M50 5a6 6 0 1 1 0 12a6 6 0 0 1 0-12Z M68 10a6 6 0 1 1 0 12a6 6 0 0 1 0-12Z M86 17a6 6 0 1 1 0 12a6 6 0 0 1 0-12Z",
            ),
            line("M25 71H75M24 81H76", 3),
        ],
    ),
    (
        "king",
        &[
            body(
                "M46 4h8v7h7v8h-7v7c3 1 5 4 6 8c8-6 22-6 26 4c4 11-5 22-13 33c-1 3-1 6 3 9v10H24V80c4-3 4-6 3-9c-8-11-17-22-13-33c4-10 18-10 26-4c1-4 3-7 6-8v-7h-7v-8h7Z",
            ),
            line("M50 38V64M28 71c14-5 30-5 44 0M26 81H74", 3),
        ],
    ),
    // What blocks a place for good.
    (
        "block",
        &[
            body("M20 14H80a6 6 0 0 1 6 6V80a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6Z"),
            line("M32 32L68 68M68 32L32 68", 8),
        ],
    ),
    (
        "seed",
        &[body("M50 8c26 0 44 18 42 44c-2 24-22 40-46 38c-24-2-40-22-38-46C10 22 28 8 50 8Z"), tone(HIGH, Light(60))],
    ),
    (
        "stick",
        &[
            body("M40 4H60a6 6 0 0 1 6 6V90a6 6 0 0 1-6 6H40a6 6 0 0 1-6-6V10a6 6 0 0 1 6-6Z"),
            tone("M40 8H48V92H40Z", Light(35)),
        ],
    ),
    (
        "club",
        &[tone(
            "M50 10a19 19 0 0 1 17 28a19 19 0 1 1-12 30c1 9 4 16 10 22H35c6-6 9-13 10-22a19 19 0 1 1-12-30A19 19 0 0 1 50 10Z",
            Fill,
        )],
    ),
    ("diamonds", &[tone("M50 6C58 22 68 36 82 50C68 64 58 78 50 94C42 78 32 64 18 50C32 36 42 22 50 6Z", Fill)]),
    ("heart", &[tone("M50 90C20 64 8 48 8 32A22 22 0 0 1 50 24A22 22 0 0 1 92 32C92 48 80 64 50 90Z", Fill)]),
    (
        "spade",
        &[tone(
            "M50 8C72 30 90 44 90 60a19 19 0 0 1-35 10c1 9 4 14 10 20H35c6-6 9-11 10-20A19 19 0 0 1 10 60C10 44 28 30 50 8Z",
            Fill,
        )],
    ),
    ("splash", &[line("M50 26a24 24 0 1 1 0 48a24 24 0 0 1 0-48Z", 7), spot("M50 42a8 8 0 1 1 0 16a8 8 0 0 1 0-16Z")]),
    (
        "hit",
        &[
            body("M50 6L60 30L84 18L72 42L96 50L72 58L84 82L60 70L50 94L40 70L16 82L28 58L4 50L28 42L16 18L40 30Z"),
            line("M36 36L64 64M64 36L36 64", 9),
        ],
    ),
    ("arrow", &[tone("M20 30L80 50L20 70Z", Fill)]),
    (
        "rock",
        &[body("M24 34c8-16 44-18 54-2c8 14 6 40-8 50H34C16 74 14 52 24 34Z"), line("M42 26V46M56 26V46M70 32V48", 3)],
    ),
    (
        "paper",
        &[body(
            "M26 88V36c0-7 10-7 10 0v14V18c0-7 10-7 10 0v28V12c0-7 10-7 10 0v34V18c0-7 10-7 10 0v38l8-10c5-5 11 0 8 6L72 76v12Z",
        )],
    ),
    ("scissors", &[line("M30 12L62 64M70 12L38 64", 7), line("M66 66a12 12 0 1 1-.1 0Z M34 66a12 12 0 1 1-.1 0Z", 7)]),
    // A hidden thing.
    ("house", &[body("M50 10L94 46H84V90H16V46H6Z"), spot("M42 62H58V90H42Z")]),
    (
        "hidden",
        &[
            body("M20 8H80a8 8 0 0 1 8 8V84a8 8 0 0 1-8 8H20a8 8 0 0 1-8-8V16a8 8 0 0 1 8-8Z"),
            line("M14 60L60 14M14 86L86 14M40 86L86 40", 4),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_has_its_own_name_and_paths_of_letters_and_numbers() {
        let mut all: Vec<&str> = names().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), ART.len());
        for (name, parts) in ART {
            assert!(!parts.is_empty(), "{name}");
            for part in *parts {
                let plain = |c: char| c.is_ascii_digit() || " .-MLHVCAZmlhvcaz".contains(c);
                assert!(part.path.starts_with('M') && part.path.chars().all(plain), "{name}: {}", part.path);
            }
        }
    }
}
