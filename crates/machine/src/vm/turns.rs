//! Turns and results.

use super::*;

impl Machine {
    fn in_play(&self) -> usize {
        self.mem.slots[layout::IN_PLAY as usize] as usize
    }

    fn head(&self) -> usize {
        self.mem.slots[layout::HEAD as usize] as usize
    }

    fn order(&self, at: usize) -> Value {
        self.mem.get(layout::ORDER + at as u32)
    }

    #[inline]
    pub fn first_player(&self) -> Value {
        self.order(self.head())
    }

    /// The players still in, whose turn it is first.
    pub fn ring(&self) -> impl Iterator<Item = Value> {
        let (n, head) = (self.in_play(), self.head());
        (0..n).map(move |at| self.order((head + at) % n))
    }

    pub(super) fn players_list(&mut self) -> Value {
        let n = self.in_play();
        let head = self.head();
        let list = self.mem.begin();
        for at in 0..n {
            let player = self.order((head + at) % n);
            self.mem.heap.push(player.0);
        }
        self.mem.end(list)
    }

    /// The player so many places on in the ring of those still in.
    pub fn next_player(&self, player: Value, by: isize) -> Value {
        let n = self.in_play() as isize;
        match (0..n).find(|&at| self.order(at as usize) == player) {
            Some(at) => self.order((at + by).rem_euclid(n) as usize),
            None => Value::NIL,
        }
    }

    pub fn still_plays(&self, player: EntityId) -> bool {
        (0..self.in_play()).any(|at| self.order(at) == Value::entity(player))
    }

    pub(super) fn set_players(&mut self, program: &Program, list: Value) -> Run<()> {
        let list = self.members_of(program, list)?;
        let players: Vec<Value> = self.mem.members(list).iter().map(|&word| Value(word)).collect();
        let mut known: Vec<Value> = Vec::new();
        for &player in &players {
            if self.player_seat(program, player, "`players`")?.is_none() || known.contains(&player) {
                return Err(Stop::fault("`players` is a list of different players."));
            }
            known.push(player);
        }
        if players.is_empty() {
            return Err(Stop::fault("Somebody has to stay in play."));
        }
        let passes = players[0] != self.first_player();
        for (at, &player) in players.iter().enumerate() {
            self.mem.set(layout::ORDER + at as u32, player);
        }
        self.mem.set(layout::IN_PLAY, Value(players.len() as u64));
        self.mem.set(layout::HEAD, Value(0));
        if passes {
            self.turn_begins();
        }
        Ok(())
    }

    fn turn_begins(&mut self) {
        self.mem.set(layout::ENDED, Value::TRUE);
        let turn = self.mem.slots[layout::TURN as usize];
        self.mem.set(layout::TURN, Value(turn + 1));
    }

    /// Passes the turn, unless this action keeps it.
    pub fn end_turn(&mut self, program: &Program, to: Option<Value>) -> Run<()> {
        if !self.mem.get(layout::AGAIN).is_nil() {
            return Ok(());
        }
        let n = self.in_play();
        let head = match to {
            None if self.head() + 1 == n => 0,
            None => self.head() + 1,
            Some(player) => {
                self.player_seat(program, player, "`end turn to`")?;
                match (0..n).find(|&at| self.order(at) == player) {
                    Some(at) => at,
                    None => return Err(Stop::fault("The turn cannot go to a player who is out.")),
                }
            }
        };
        self.mem.set(layout::HEAD, Value(head as u64));
        self.turn_begins();
        Ok(())
    }

    /// Passes the turn where nobody will ever go back: the journal does not hear of it.
    pub fn pass_turn(&mut self) {
        let next = self.head() + 1;
        self.mem.slots[layout::HEAD as usize] = if next == self.in_play() { 0 } else { next as u64 };
        self.mem.slots[layout::TURN as usize] += 1;
    }

    /// Ends the match with a rank for each seat.
    fn rank(&mut self, program: &Program, rank: impl Fn(u32) -> u8) {
        for seat in 0..program.world.n_seats {
            self.mem.set(program.layout.rank(seat), Value(u64::from(rank(seat))));
        }
        self.mem.set(layout::OVER, Value::TRUE);
    }

    /// The first outcome stands.
    pub(crate) fn win(&mut self, program: &Program, winner: Value) -> Run<()> {
        let over = self.is_over();
        if let Some(won) = winner.as_entity().and_then(|winner| program.world.entity_seat(winner)) {
            if !over {
                self.rank(program, |seat| if won == seat { 1 } else { 2 });
            }
            return Ok(());
        }
        let mut ranks = vec![2; program.world.n_seats as usize];
        for winner in self.entities(program, winner, "`win`")? {
            if let Some(seat) = program.world.entity_seat(winner) {
                ranks[seat as usize] = 1;
            }
        }
        if !ranks.contains(&1) {
            return Err(Stop::fault(format!("{} cannot win: it is no player.", self.quoted(program, winner))));
        }
        if !over {
            self.rank(program, |seat| ranks[seat as usize]);
        }
        Ok(())
    }

    pub fn draw(&mut self, program: &Program) {
        if !self.is_over() {
            self.rank(program, |_| 1);
        }
    }

    /// Players are out one after the other, each behind all still in. The last one in wins.
    pub(super) fn lose(&mut self, program: &Program, losers: Value) -> Run<()> {
        for loser in self.entities(program, losers, "`lose`")? {
            if let Some(seat) = program.world.entity_seat(loser).filter(|_| !self.is_over()) {
                self.drop_out(program, Value::entity(loser), seat);
            }
        }
        Ok(())
    }

    fn drop_out(&mut self, program: &Program, player: Value, seat: u32) {
        let n = self.in_play();
        let Some(at) = (0..n).find(|&at| self.order(at) == player) else { return };
        self.mem.set(program.layout.rank(seat), Value(n as u64));
        for next in at + 1..n {
            let moved = self.order(next);
            self.mem.set(layout::ORDER + next as u32 - 1, moved);
        }
        self.mem.set(layout::IN_PLAY, Value(n as u64 - 1));
        let head = self.head();
        if n <= 2 {
            if n == 2 {
                let last = self.order(0);
                let seat = program.world.entity_seat(last.as_entity().unwrap_or(1)).unwrap_or(0);
                self.mem.set(program.layout.rank(seat), Value(1));
            }
            // Nobody may be left without a turn: the order keeps its last member.
            self.mem.set(layout::IN_PLAY, Value(1));
            self.mem.set(layout::HEAD, Value(0));
            self.mem.set(layout::OVER, Value::TRUE);
            if n == 2 && at == head {
                self.turn_begins();
            }
            return;
        }
        if at < head {
            self.mem.set(layout::HEAD, Value(head as u64 - 1));
        } else if at == head {
            self.mem.set(layout::HEAD, Value((head % (n - 1)) as u64));
            self.turn_begins();
        }
    }

    /// Ranks all seats by the values of the blocks, greatest first; equals share.
    pub(super) fn finish(&mut self, program: &Program, here: Here, finish: &Finish) -> Run<()> {
        if self.is_over() {
            return Ok(());
        }
        let n = program.world.n_seats as usize;
        let mut scores: Vec<Vec<f64>> = Vec::new();
        for seat in 0..n {
            let mut score = Vec::new();
            for block in &finish.by {
                self.regs[here.base + block.it as usize] = Value::entity(program.world.seat_entity(seat as u32)).0;
                let value = self.block(program, here, block.start)?;
                score.push(if value.is_nil() {
                    f64::NEG_INFINITY
                } else {
                    self.number(program, value, "`finish by`")?
                });
            }
            scores.push(score);
        }
        let better = |left: &[f64], right: &[f64]| left.partial_cmp(right) == Some(std::cmp::Ordering::Greater);
        let is_in: Vec<bool> = (1..=n as EntityId).map(|player| self.still_plays(player)).collect();
        let ranks: Vec<u8> = (0..n)
            .map(|seat| match is_in[seat] {
                true => 1 + (0..n).filter(|&other| is_in[other] && better(&scores[other], &scores[seat])).count() as u8,
                // Who is out stays behind all who were still in.
                false => self.mem.slots[program.layout.rank(seat as u32) as usize] as u8,
            })
            .collect();
        self.rank(program, |seat| ranks[seat as usize]);
        Ok(())
    }

    pub(super) fn say(&mut self, program: &Program, text: Value, to: Option<Value>) -> Run<()> {
        let listener = match to {
            Some(player) => self.player_seat(program, player, "`say to`")?.map(|seat| program.world.seat_entity(seat)),
            None => None,
        };
        if self.testing {
            return Ok(());
        }
        let line = self.show(program, text);
        // A definition that says long lists again and again spends its steps on them.
        self.spend(line.len() as u64 / 8)?;
        self.said.push((listener, line));
        Ok(())
    }
}
