//! Who of the players that a program declares sits at the table.

use crate::syntax::Program;
use houserules_model::nearest;

/// Players by their number in the program, in the order of their turns. The others are forces without a will.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cast(pub Vec<usize>);

impl Cast {
    /// The fewest and the most who can take part.
    pub fn bounds(program: &Program) -> (u32, u32) {
        let players = &program.players;
        let n_humans = humans(program).count() as u32;
        let mut least = players.least.map_or(1, |(least, _)| least.max(1));
        let mut most = players.most.map_or(n_humans, |(most, _)| most.min(n_humans));
        if players.even {
            least += least % 2;
            most -= most % 2;
        }
        (least, most.max(least))
    }

    /// The first so many; as few as can be where nothing is said.
    pub fn first(program: &Program, n: Option<u32>) -> Result<Cast, String> {
        let n = n.unwrap_or(Self::bounds(program).0);
        Cast(humans(program).take(n as usize).collect()).fitting(program, n)
    }

    /// Those who are named, with blanks or commas between.
    pub fn named(program: &Program, names: &str) -> Result<Cast, String> {
        let mut seated = Vec::new();
        for name in names.split([' ', ',']).filter(|name| !name.is_empty()) {
            let list = &program.players.list;
            let Some(at) = humans(program).find(|&at| list[at].name.text == name) else {
                let known: Vec<&str> = humans(program).map(|at| list[at].name.text.as_str()).collect();
                return Err(match nearest(name, known.iter().copied()) {
                    Some(near) => format!("There is no player “{name}”. Did you mean `{near}`?"),
                    None => format!("There is no player “{name}” who could sit here. There are: {}.", known.join(", ")),
                });
            };
            if seated.contains(&at) {
                return Err(format!("{name} cannot sit at the table twice."));
            }
            seated.push(at);
        }
        let n = seated.len() as u32;
        Cast(seated).fitting(program, n)
    }

    fn fitting(self, program: &Program, wanted: u32) -> Result<Cast, String> {
        let (least, most) = Self::bounds(program);
        let odd = program.players.even && wanted % 2 == 1;
        if wanted == 0 || wanted < least || wanted > most || odd {
            let even = if program.players.even { ", an even number" } else { "" };
            let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            return Err(format!("{wanted} cannot play this; it is for {range}{even}."));
        }
        Ok(self)
    }

    pub fn names<'a>(&self, program: &'a Program) -> Vec<&'a str> {
        self.0.iter().map(|&at| program.players.list[at].name.text.as_str()).collect()
    }
}

fn humans(program: &Program) -> impl Iterator<Item = usize> + '_ {
    let players = program.players.list.iter().enumerate();
    players.filter(|(_, player)| player.human).map(|(at, _)| at)
}
