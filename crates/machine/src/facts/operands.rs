//! Which registers an instruction reads and writes, and which blocks of code it runs.

use crate::code::*;

#[derive(Clone, Debug, Default)]
pub struct Operands {
    pub dst: Option<Reg>,
    pub uses: Vec<Reg>,
    pub blocks: Vec<Block>,
    /// Where the condition on a step finds where it begins.
    pub here: Option<Reg>,
}

impl Operands {
    fn test(&mut self, test: &Test) {
        match test {
            Test::Equal(_, reg) | Test::Unequal(_, reg) => self.uses.push(*reg),
            Test::Code(block) => self.blocks.push(*block),
            _ => {}
        }
    }

    fn measure(&mut self, measure: &Measure) {
        if let Measure::Code(block) = measure {
            self.blocks.push(*block);
        }
    }

    fn across(&mut self, across: &Option<Across>) {
        self.blocks.extend(across.map(|across| across.block));
        self.here = across.map(|across| across.here);
    }

    fn ways(&mut self, ways: &Ways) {
        if let Ways::Value(reg) = ways {
            self.uses.push(*reg);
        }
        // Which way is forward depends on who asks.
        self.uses.push(0);
    }
}

pub fn of(op: &Op, pools: &Pools) -> Operands {
    let mut operands = Operands::default();
    let o = &mut operands;
    macro_rules! io {
        ($dst:expr; $($uses:expr),*) => {{
            o.dst = Some(*$dst);
            o.uses.extend([$(*$uses),*] as [Reg; _]);
        }};
    }
    match op {
        Op::Const { dst, .. }
        | Op::Player { dst }
        | Op::Opponent { dst }
        | Op::Players { dst }
        | Op::FirstPlayer { dst }
        | Op::GetSlot { dst, .. } => io!(dst;),
        Op::Move { dst, src } | Op::Members { dst, src } | Op::Named { dst, src } | Op::Opposite { dst, src } => {
            io!(dst; src)
        }
        Op::Turned { dst, src, by } => io!(dst; src, by),
        Op::Ends { dst, edge } => io!(dst; edge),
        Op::SortBy { dst, list, keys } => io!(dst; list, keys),
        Op::Reverse { dst, list } | Op::Flatten { dst, list } => io!(dst; list),
        Op::Jump { .. } | Op::OpenCheckpoint | Op::SkipRule { .. } | Op::EnterRule { .. } | Op::LeaveRule => {}
        Op::Again | Op::Draw => {}
        Op::JumpNil { src, .. } | Op::JumpSome { src, .. } | Op::JumpList { src, .. } => o.uses.push(*src),
        Op::JumpEq { a, b, .. }
        | Op::JumpNe { a, b, .. }
        | Op::JumpLess { a, b, .. }
        | Op::JumpNotLess { a, b, .. } => o.uses.extend([*a, *b]),
        Op::SetPlayers { src } | Op::SetSlot { src, .. } | Op::BlockEnd { src } | Op::Return { src } => {
            o.uses.push(*src);
        }
        Op::GetProp { dst, entity, .. } | Op::GetField { dst, entity, .. } | Op::GetState { dst, entity } => {
            io!(dst; entity)
        }
        Op::Step { dst, entity, .. } | Op::StepSet { dst, entity, .. } => io!(dst; entity),
        Op::GetOf { dst, entity, .. }
        | Op::GetIfHas { dst, entity, .. }
        | Op::StepRelative { dst, entity, .. }
        | Op::StepRelativeSet { dst, entity, .. } => {
            io!(dst; entity);
            o.uses.push(0);
        }
        Op::GetNamed { dst, entity, name } => {
            io!(dst; entity, name);
            o.uses.push(0);
        }
        Op::SetProp { entity, src, .. } => o.uses.extend([*entity, *src]),
        Op::SetNamed { entity, name, src } => o.uses.extend([*entity, *name, *src]),
        Op::ChangeState { entity, state } => o.uses.extend([*entity, *state]),
        Op::Add { dst, a, b }
        | Op::Sub { dst, a, b }
        | Op::Mul { dst, a, b }
        | Op::Div { dst, a, b }
        | Op::Mod { dst, a, b }
        | Op::Max { dst, a, b }
        | Op::Min { dst, a, b }
        | Op::Eq { dst, a, b }
        | Op::Ne { dst, a, b }
        | Op::Lt { dst, a, b }
        | Op::Le { dst, a, b }
        | Op::Between { dst, a, b }
        | Op::Edge { dst, a, b }
        | Op::Toward { dst, a, b } => io!(dst; a, b),
        Op::Floor { dst, a } | Op::Abs { dst, a } | Op::Not { dst, a } => io!(dst; a),
        Op::IsIn { dst, a, list } => io!(dst; a, list),
        Op::IsA { dst, a, kind } => io!(dst; a, kind),
        Op::List { dst, first, n } | Op::Join { dst, first, n } | Op::Call { dst, first, n, .. } => {
            io!(dst;);
            o.uses.extend(*first..first + n);
        }
        Op::Dictionary { dst, first, n } => {
            io!(dst;);
            o.uses.extend(*first..first + 2 * n);
        }
        Op::CallOf { dst, entity, first, n, .. } => {
            io!(dst; entity);
            o.uses.extend(*first..first + n);
        }
        Op::Range { dst, from, to, step } => io!(dst; from, to, step),
        Op::First { dst, list } | Op::Last { dst, list } | Op::Different { dst, list } => io!(dst; list),
        Op::FirstN { dst, n, list } => io!(dst; n, list),
        Op::At { dst, at, list } | Op::RemoveFrom { dst, at, list } => io!(dst; at, list),
        Op::Next { dst, list, at, .. } => io!(dst; list, at),
        Op::Position { dst, value, list } | Op::Append { dst, value, list } => io!(dst; value, list),
        Op::Insert { dst, value, at, list } | Op::Replace { dst, at, list, value } => io!(dst; value, at, list),
        Op::Match { dst, key, dictionary } => io!(dst; key, dictionary),
        Op::Put { dst, value, key, dictionary } => io!(dst; value, key, dictionary),
        Op::Look { dst, look } => {
            let look = &pools.looks[*look as usize];
            io!(dst;);
            if let Domain::Reg(reg) = look.domain {
                o.uses.push(reg);
            }
            o.test(&look.test);
            o.measure(&look.measure);
        }
        Op::Walk { dst, walk } | Op::WalkLines { dst, walk } => {
            let walk = &pools.walks[*walk as usize];
            io!(dst; &walk.from);
            o.uses.extend(walk.most);
            o.ways(&walk.ways);
            [Some(walk.while_), walk.until, walk.then].iter().flatten().for_each(|test| o.test(test));
        }
        Op::Exactly { dst, walk, across } | Op::WalkAcross { dst, walk, across } => {
            let walk = &pools.walks[*walk as usize];
            io!(dst; &walk.from);
            o.uses.extend(walk.most);
            o.ways(&walk.ways);
            [Some(walk.while_), walk.until, walk.then].iter().flatten().for_each(|test| o.test(test));
            o.across(&pools.across[*across as usize]);
        }
        Op::Reach { dst, reach } => {
            let reach = &pools.reaches[*reach as usize];
            io!(dst; &reach.from);
            o.uses.extend(reach.to);
            match &reach.leads {
                Leads::Ways(ways) => o.ways(ways),
                Leads::Adjacent => {}
                Leads::Code(block) => o.blocks.push(*block),
            }
            o.test(&reach.while_);
            o.across(&reach.across);
        }
        Op::Line { dst, line } => {
            let line = &pools.lines[*line as usize];
            io!(dst; &line.n, &line.through);
            line.along.iter().for_each(|ways| o.ways(ways));
            o.measure(&line.measure);
        }
        Op::Group { dst, group } => {
            let group = &pools.groups[*group as usize];
            io!(dst; &group.from);
            o.ways(&group.ways);
            o.test(&group.while_);
        }
        Op::Border { dst, border } => {
            let border = &pools.borders[*border as usize];
            io!(dst; &border.list);
            o.ways(&border.ways);
        }
        Op::Distance { dst, distance } => {
            let distance = &pools.distances[*distance as usize];
            io!(dst; &distance.a, &distance.b);
            distance.along.iter().for_each(|ways| o.ways(ways));
        }
        Op::StepValue { dst, direction, from } => io!(dst; direction, from),
        Op::Leap { dst, a, b, from } => io!(dst; a, b, from),
        Op::DirectionList { dst, directions } => {
            io!(dst;);
            pools.directions[*directions as usize].iter().for_each(|ways| o.ways(ways));
        }
        Op::PlaceAt { dst, place } => {
            io!(dst;);
            o.uses.extend(&pools.places[*place as usize].at);
        }
        Op::Send { dst, send } | Op::NewMessage { dst, send } => {
            let send = &pools.sends[*send as usize];
            io!(dst;);
            o.uses.extend(send.to);
            if let LabelRef::Computed(reg) = send.label {
                o.uses.push(reg);
            }
            o.uses.extend(send.with.iter().map(|(_, reg)| *reg));
        }
        Op::SendValue { dst, message } | Op::MessageAttribute { dst, message, .. } => io!(dst; message),
        Op::Forward { dst, entity, message } => {
            io!(dst; entity);
            o.uses.extend(1..=pools.received[*message as usize].attributes.len() as Reg);
        }
        Op::ThisMessage { dst, message } => {
            io!(dst;);
            o.uses.push(0);
            o.uses.extend(pools.received[*message as usize].attributes.iter().map(|(_, reg)| *reg));
        }
        Op::Refuse { reason, .. } | Op::Rollback { reason, .. } => o.uses.push(*reason),
        Op::MoveTo { thing, place } => o.uses.extend([*thing, *place]),
        Op::New { dst, new } => {
            let new = &pools.news[*new as usize];
            io!(dst; &new.kind);
            o.uses.extend(new.at);
            o.uses.extend(new.with.iter().map(|(_, reg)| *reg));
        }
        Op::Remove { thing } => o.uses.push(*thing),
        Op::EndTurn { to, given } => o.uses.extend(given.then_some(*to)),
        Op::Win { dst, player } => io!(dst; player),
        Op::SetOutcome { winner } => o.uses.push(*winner),
        Op::Lose { player } => o.uses.push(*player),
        Op::Finish { finish } => o.blocks.extend(&pools.finishes[*finish as usize].by),
        Op::Say { text, to, given } => {
            o.uses.push(*text);
            o.uses.extend(given.then_some(*to));
        }
        Op::Can { dst, player, .. } => io!(dst; player),
        Op::Choices { dst, choices } => io!(dst; &pools.choices[*choices as usize].player),
        Op::Suppose { dst, message, start, .. } => {
            io!(dst; message);
            o.blocks.push(Block { start: *start, it: *dst });
        }
        Op::Seen { dst, within, given } => {
            io!(dst;);
            o.uses.extend(given.then_some(*within));
        }
        Op::Roll { dst, sides, times, given } => {
            io!(dst; sides);
            o.uses.extend(given.then_some(*times));
        }
        Op::RandomOf { dst, list } => io!(dst; list),
        Op::Random { dst, from, to } => io!(dst; from, to),
        Op::Ask { dst, ask } => {
            let Ask { who, text, among, n, .. } = &pools.asks[*ask as usize];
            o.dst = Some(*dst);
            o.uses.extend([*who, *text, *among]);
            o.uses.extend(*n);
        }
        Op::Shuffle { dst, what } => io!(dst; what),
        Op::Let { dst, player, .. } => io!(dst; player),
        Op::Wait { dst, .. } => io!(dst;),
    }
    operands
}
