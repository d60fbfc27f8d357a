//! The messages a table receives, and the task that receives them.

use super::entry::Entry;
use super::look::{Key, written};
use super::{Table, refuse};
use crate::clock;
use crate::thinking::Question;
use axum::extract::ws::Utf8Bytes;
use houserules_kernel::{SeatId, Who};
use houserules_players::Thought;
use houserules_protocol::replay::{Considered, Hint, ReplayOutline, ReplayStep};
use houserules_protocol::rules::Change;
use houserules_protocol::table::{Phase, SitterKind, TableInfo};
use houserules_protocol::{Code, Command, Refusal, ToClient};
use houserules_record::Defined;
use houserules_store::Token;
use std::net::IpAddr;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// What the tokens of a client allow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    pub host: bool,
    pub watch: bool,
    pub chairs: Vec<u8>,
    pub invited: Vec<u8>,
}

impl Roles {
    pub fn is_empty(&self) -> bool {
        *self == Roles::default()
    }
}

/// A client that is connected.
pub struct Viewing {
    pub id: u64,
    pub roles: Roles,
    /// Where from.
    pub from: Option<IpAddr>,
    /// Chosen eyes, by chair; none: the first seat's.
    pub look: Option<Option<u8>>,
    pub key: Key,
    /// The number of the last update it was sent.
    pub n: u32,
    pub out: mpsc::Sender<Out>,
    pub is_lost: bool,
}

/// What goes out to a client.
pub enum Out {
    Text(Utf8Bytes),
    /// Nothing comes after it: the table has let go in good order.
    Last(Utf8Bytes),
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, Refusal>>;

/// What a table is sent. Who waits for a reply that is dropped asks again: the table has fallen asleep.
pub enum Message {
    Join {
        roles: Roles,
        from: Option<IpAddr>,
        last: Option<u32>,
        out: mpsc::Sender<Out>,
        reply: Reply<u64>,
    },
    Part {
        viewer: u64,
    },
    Command {
        viewer: u64,
        id: u32,
        command: Command,
    },
    Sit {
        chair: u8,
        name: String,
        /// The seat it is now, and the sitter's own token.
        reply: Reply<(u8, Token)>,
    },
    Info {
        roles: Roles,
        reply: Reply<TableInfo>,
    },
    Outline {
        roles: Roles,
        reply: Reply<ReplayOutline>,
    },
    Step {
        roles: Roles,
        step: u32,
        reply: Reply<ReplayStep>,
    },
    Watched {
        roles: Roles,
        after: u32,
        reply: Reply<houserules_protocol::watch::Watched>,
    },
    Judge {
        roles: Roles,
        step: u32,
        from: Option<IpAddr>,
        reply: Reply<Hint>,
    },
    Record {
        roles: Roles,
        reply: Reply<String>,
    },
    /// The rules as they stand, to be tried out elsewhere, and what a change of them is called.
    Rules {
        change: Option<Change>,
        reply: Reply<(Box<Defined>, String)>,
    },
    /// The lines of the match up to a step, for another table.
    Lines {
        roles: Roles,
        step: Option<u32>,
        reply: Reply<Vec<String>>,
    },
    Thought {
        step: u32,
        seat: u8,
        thought: Option<Box<Thought>>,
    },
    Hinted {
        viewer: u64,
        id: u32,
        step: u32,
        seat: u8,
        thought: Option<Box<Thought>>,
        only_value: bool,
    },
    /// Say goodbye and end.
    Close {
        refusal: Refusal,
    },
    /// A mistake of ours, as tests need one.
    #[cfg(test)]
    Fault,
}

/// What is answered to a command.
enum Answer {
    Done,
    Message(Box<ToClient>),
    /// Somebody thinks about it.
    Later,
}

/// How a table's task ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Asleep,
    Closed,
    /// What happened could not be kept: what is kept counts.
    Unkept,
    /// Somebody typed rules, or did something by hand: it goes on where what strangers wrote may take its time.
    Typed,
}

const MOST_TALK: usize = 2000;
const MOST_KEY: usize = 64;

impl Table {
    /// Until it is no longer needed; `apart`: on threads that what strangers wrote may hold up.
    pub async fn run(&mut self, inbox: &mut mpsc::Receiver<Message>, me: &mpsc::Sender<Message>, apart: bool) -> Ended {
        let limits = self.shared.config.limits.clone();
        let mut idle_since = clock::now();
        if self.settle_begin().await.is_err() {
            return Ended::Unkept;
        }
        loop {
            if self.typed && !apart {
                return Ended::Typed;
            }
            self.think(me);
            if !self.viewers.is_empty() {
                idle_since = clock::now();
            }
            let message = tokio::time::timeout(self.pause(), inbox.recv()).await;
            self.moment = clock::now();
            let done = match message {
                Ok(None) => return Ended::Closed,
                Ok(Some(Message::Close { refusal })) => {
                    self.say_goodbye(refusal);
                    return Ended::Closed;
                }
                // What was said after the time was up comes too late, however soon somebody looks at it.
                Ok(Some(message)) => match self.look_at_clock().await {
                    Ok(()) => self.receive(message, me).await,
                    unkept => unkept,
                },
                Err(_) => self.tick().await,
            };
            self.drop_lost();
            if let Err(refusal) = done {
                self.say_goodbye(refusal);
                return Ended::Unkept;
            }
            let idle = clock::now().saturating_sub(idle_since) >= limits.sleep_after * 1000;
            if idle && self.viewers.is_empty() && inbox.is_empty() {
                return Ended::Asleep;
            }
        }
    }

    /// Until something has to be looked at without being asked.
    fn pause(&self) -> Duration {
        let flag = self.clock.next(clock::now()).map_or(u64::MAX, |left| left + 1);
        let proposals = if self.proposals.is_empty() { u64::MAX } else { 1_000 };
        let sleep = if self.viewers.is_empty() { self.shared.config.limits.sleep_after * 1000 } else { 3_600_000 };
        Duration::from_millis(flag.min(proposals).min(sleep).max(1))
    }

    async fn look_at_clock(&mut self) -> Result<(), Refusal> {
        if self.clock.runs() {
            let n = self.n;
            let entries = self.flag().unwrap_or_default();
            self.keep(n, entries).await?;
        }
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), Refusal> {
        self.look_at_clock().await?;
        let n = self.n;
        let entries = self.settle_all().unwrap_or_default();
        self.keep(n, entries).await
    }

    /// Begins a match that waits only for its seats.
    async fn settle_begin(&mut self) -> Result<(), Refusal> {
        let full = self.chairs.iter().all(|chair| chair.sitter != SitterKind::Open);
        if self.phase == Phase::Lobby && self.about.wanted.at_once && full {
            let n = self.n;
            let order = self.order.clone();
            let begun = self.begin(order);
            return self.settle(n, begun).await.map(|_| ());
        }
        Ok(())
    }

    async fn receive(&mut self, message: Message, me: &mpsc::Sender<Message>) -> Result<(), Refusal> {
        match message {
            Message::Join { roles, from, last, out, reply } => self.join(roles, from, last, out, reply).await?,
            Message::Part { viewer } => {
                self.viewers.retain(|viewing| viewing.id != viewer);
                self.tell_presence();
            }
            Message::Command { viewer, id, command } => {
                let Some(viewing) = self.viewers.iter().find(|viewing| viewing.id == viewer) else { return Ok(()) };
                let roles = viewing.roles.clone();
                self.from = viewing.from;
                self.answering = Some((viewer, id));
                let answer = self.command(&roles, viewer, id, command, me).await;
                let is_open = self.answering.take().is_some();
                let answer = match answer {
                    // Mostly an update has said so.
                    Ok(Answer::Done) => is_open.then_some(ToClient::Done { id }),
                    Ok(Answer::Message(message)) => Some(*message),
                    Ok(Answer::Later) => None,
                    Err(Stop::Refused(refusal)) => {
                        self.shared.figures.refused();
                        Some(ToClient::Refused { id, refusal })
                    }
                    Err(Stop::Unkept(refusal)) => return Err(refusal),
                };
                if let Some(answer) = answer
                    && let Some(at) = self.viewers.iter().position(|viewing| viewing.id == viewer)
                {
                    self.send(&[at], &written(&answer));
                }
            }
            Message::Sit { chair, name, reply } => {
                let done = match self.sit(chair, &name).await {
                    Err(Stop::Unkept(refusal)) => return Err(refusal),
                    Err(Stop::Refused(refusal)) => Err(refusal),
                    Ok(seated) => Ok(seated),
                };
                let _ = reply.send(done);
                self.settle_begin().await?;
            }
            Message::Info { roles, reply } => drop(reply.send(Ok(self.told_info(&roles)))),
            Message::Outline { roles, reply } => {
                let eyes = self.eyes_of(&roles);
                let _ = reply.send(match self.may_look_back(&roles) {
                    Ok(()) => Ok(self.outline(eyes)),
                    Err(refusal) => Err(refusal),
                });
            }
            Message::Step { roles, step, reply } => {
                let eyes = self.eyes_of(&roles);
                let found = match self.may_look_back(&roles) {
                    Ok(()) => {
                        self.step_of(eyes, step).ok_or_else(|| Refusal::new(Code::RecordStep, "There is no such step."))
                    }
                    Err(refusal) => Err(refusal),
                };
                let _ = reply.send(found);
            }
            Message::Watched { roles, after, reply } => drop(reply.send(self.watched(&roles, after))),
            Message::Judge { roles, step, from, reply } => self.judge(&roles, step, from, reply),
            Message::Record { roles, reply } => {
                let _ = reply.send(self.record(&roles));
            }
            Message::Rules { change, reply } => {
                let defined = self.now.running().as_defined().cloned();
                let words = change.as_ref().map(super::consent::change_words).unwrap_or_default();
                let found = defined.map(|defined| (Box::new(defined), words));
                let _ = reply.send(found.ok_or_else(|| Refusal::new(Code::RuleFixed, Code::RuleFixed.meaning())));
            }
            Message::Lines { roles, step, reply } => {
                let _ = reply.send(self.lines(&roles, step));
            }
            Message::Thought { step, seat, thought } => {
                self.decided(step, seat, thought.map(|thought| *thought)).await?
            }
            Message::Hinted { viewer, id, step, seat, thought, only_value } => {
                self.hinted(viewer, id, step, seat, thought.map(|thought| *thought), only_value);
            }
            Message::Close { .. } => {}
            #[cfg(test)]
            Message::Fault => panic!("a mistake of ours"),
        }
        Ok(())
    }

    async fn join(
        &mut self,
        roles: Roles,
        from: Option<IpAddr>,
        last: Option<u32>,
        out: mpsc::Sender<Out>,
        reply: Reply<u64>,
    ) -> Result<(), Refusal> {
        let only_watches = !roles.host && roles.chairs.is_empty();
        let refused = if self.viewers.len() >= self.shared.config.limits.viewers {
            Some(Code::TableFull)
        } else if only_watches && !self.about.manners().spectators {
            Some(Code::TokenNotAllowed)
        } else {
            None
        };
        if let Some(code) = refused {
            let _ = reply.send(refuse(code));
            return Ok(());
        }
        let n = self.n;
        let mut entries = Vec::new();
        for &chair in &roles.chairs {
            if self.chairs[usize::from(chair)].away {
                entries.push(self.did(Entry::Back { chair }));
            }
        }
        let id = self.shared.next_id();
        self.from = self.from.or(from);
        let mut viewing = Viewing { id, roles, from, look: None, key: Key::default(), n: 0, out, is_lost: false };
        viewing.key = self.key(&viewing);
        self.keep(n, entries).await?;
        // Counted as present before the welcome is written.
        self.viewers.push(viewing);
        let at = self.viewers.len() - 1;
        let mut viewing = self.viewers.swap_remove(at);
        viewing.key = self.key(&viewing);
        let welcome = self.welcome(&viewing, last);
        viewing.n = self.seen.get(&viewing.key).map_or(self.n, |seen| seen.n);
        self.viewers.push(viewing);
        self.send(&[at], &welcome);
        if reply.send(Ok(id)).is_err() {
            self.viewers.pop();
        }
        self.tell_presence();
        Ok(())
    }

    pub(super) fn tell_presence(&mut self) {
        for chair in 0..self.chairs.len() {
            let here = self.is_here(chair as u8);
            let since = &mut self.away_since[chair];
            match (here, *since) {
                (true, _) => *since = 0,
                (false, 0) => *since = clock::now(),
                _ => {}
            }
        }
        let presence = self.presence();
        self.send_all(&ToClient::Presence(presence));
    }

    /// Puts what has happened on the disk, then tells everybody. Before that nobody knows.
    async fn keep(&mut self, n_before: u32, entries: Vec<Entry>) -> Result<(), Refusal> {
        if entries.is_empty() && self.n == n_before {
            return Ok(());
        }
        let at = self.moment;
        let number = |(at_entry, entry): (usize, &Entry)| houserules_store::Entry {
            number: n_before + 1 + at_entry as u32,
            kind: entry.kind().to_owned(),
            body: serde_json::to_string(entry).expect("entries are plain values"),
            at,
        };
        let kept: Vec<houserules_store::Entry> = entries.iter().enumerate().map(number).collect();
        debug_assert_eq!(self.n, n_before + entries.len() as u32, "every entry has a number");
        self.shared.figures.moved(entries.iter().filter(|entry| matches!(entry, Entry::Line { .. })).count());
        if let Err(error) = self.shared.store.append(&self.id, self.fence.as_ref(), kept).await {
            tracing::error!(table = %self.id, %error, "what happened could not be kept");
            return Err(crate::unkept(error));
        }
        self.publish();
        Ok(())
    }

    /// The same for something that may have been refused half-way: then what is kept counts.
    async fn settle(&mut self, n_before: u32, done: Result<Vec<Entry>, Refusal>) -> Result<(), Refusal> {
        match done {
            Ok(entries) => self.keep(n_before, entries).await,
            Err(refusal) if self.n == n_before => Err(refusal),
            Err(refusal) => {
                self.wake_again().await?;
                Err(refusal)
            }
        }
    }

    /// Goes back to what is kept.
    async fn wake_again(&mut self) -> Result<(), Refusal> {
        let kept = self.shared.store.table(&self.id).await.map_err(crate::unkept)?;
        let kept = kept.ok_or_else(|| crate::fault("the table is gone"))?;
        let begun = super::Begun { start: self.start.clone(), found: self.found.clone(), secrets: self.secrets };
        let mut fresh =
            Table::wake(&self.id, self.about.clone(), &kept.log, begun, self.shared.clone()).map_err(crate::fault)?;
        fresh.fence = self.fence.take();
        fresh.viewers = std::mem::take(&mut self.viewers);
        fresh.from = self.from;
        fresh.away_since = std::mem::take(&mut self.away_since);
        // Nobody was told of anything that is not kept, so what they have seen still stands.
        fresh.seen = std::mem::take(&mut self.seen);
        // Who asked for a hint is answered.
        fresh.hinting = std::mem::take(&mut self.hinting);
        fresh.judging = self.judging.take();
        fresh.follow_anew(self.following.take());
        *self = fresh;
        Ok(())
    }

    async fn command(
        &mut self,
        roles: &Roles,
        viewer: u64,
        id: u32,
        command: Command,
        me: &mpsc::Sender<Message>,
    ) -> Result<Answer, Stop> {
        let n = self.n;
        if self.is_full() && keeps(&command) {
            let words = "This table has kept as much as one may; open another.";
            return Err(Refusal::new(Code::TableFull, words).into());
        }
        let done = match command {
            Command::Choose { step, seat, choice, insist } => self.choose(roles, step, seat, choice, insist),
            Command::Propose { wish, seat } => self.propose(roles, seat, wish),
            Command::Answer { proposal, agree } => self.answer(roles, proposal, agree),
            Command::Withdraw { proposal } => self.withdraw(roles, proposal),
            Command::Resign { seat } => self.resign(roles, seat),
            Command::Click { step, graphic } => self.click(roles, viewer, step, &graphic),
            Command::Start => self.start(roles),
            Command::Swap { seat, with } => self.swap(roles, seat, with),
            Command::PutBot { seat, level } => self.put_bot(roles, seat, level),
            Command::TakeBack { seat } => self.take_back(roles, seat),
            Command::Say { text, key } => self.say(roles, &text, &key),
            Command::Leave { seat } => {
                let entries = self.leave(roles, seat)?;
                let chair = self.order[usize::from(seat)];
                self.shared.store.delete_tokens(&self.id, self.fence.as_ref(), &format!("chair:{chair}")).await?;
                self.take_chair(chair);
                Ok(entries)
            }
            Command::Invite { seat } => return self.invite(roles, seat, id).await,
            Command::Look { seat } => return self.look(roles, viewer, seat),
            Command::Words { seat } => {
                let words = self.words(roles, seat)?;
                return answer(ToClient::Words { id, step: self.step, words });
            }
            Command::Why { seat } => {
                let refused = self.why(roles, seat)?;
                return answer(ToClient::Why { id, refused });
            }
            Command::Diagnose { change } => {
                // Whoever could not propose it need not have it compiled.
                if !roles.host && roles.chairs.is_empty() {
                    return Err(refuse::<()>(Code::TokenNotAllowed).unwrap_err().into());
                }
                let diagnosis = self.diagnose(roles, &change);
                return answer(ToClient::Diagnosis { id, diagnosis });
            }
            Command::Preview { proposal } => {
                let scene = self.preview(roles, proposal)?;
                return answer(ToClient::Preview { id, scene });
            }
            Command::Rules => {
                if self.told_info(roles).n_changes != self.n_changes() {
                    self.may_look_back(roles)?;
                }
                let (rules, settings) = self.rules();
                return answer(ToClient::Rules { id, rules, settings });
            }
            Command::Hint { seat } => return self.hint(roles, viewer, id, seat, false, me),
            Command::Evaluate => {
                let seat = self.asked().first().copied().unwrap_or(0);
                return self.hint(roles, viewer, id, seat, true, me);
            }
            Command::Ping => return Ok(Answer::Done),
        };
        match done {
            Ok(entries) => {
                self.keep(n, entries).await.map_err(Stop::Unkept)?;
                Ok(Answer::Done)
            }
            Err(refusal) => {
                if self.n != n {
                    self.wake_again().await.map_err(Stop::Unkept)?;
                }
                Err(Stop::Refused(refusal))
            }
        }
    }

    pub(super) fn holds(&self, roles: &Roles, seat: u8) -> bool {
        let chair = self.order[usize::from(seat)];
        roles.chairs.contains(&chair) && self.chairs[usize::from(chair)].sitter == SitterKind::Person
    }

    fn chair_at(&self, seat: u8) -> Result<u8, Refusal> {
        self.order
            .get(usize::from(seat))
            .copied()
            .ok_or_else(|| Refusal::new(Code::SeatUnknown, Code::SeatUnknown.meaning()))
    }

    fn start(&mut self, roles: &Roles) -> Result<Vec<Entry>, Refusal> {
        if !roles.host {
            return refuse(Code::TokenNotAllowed);
        }
        if self.phase != Phase::Lobby {
            return refuse(Code::TableStarted);
        }
        if self.chairs.iter().any(|chair| chair.sitter == SitterKind::Open) {
            return refuse(Code::SeatOpen);
        }
        let order = self.order.clone();
        self.begin(order)
    }

    fn swap(&mut self, roles: &Roles, seat: u8, with: u8) -> Result<Vec<Entry>, Refusal> {
        let (one, other) = (self.chair_at(seat)?, self.chair_at(with)?);
        if !roles.host {
            return refuse(Code::TokenNotAllowed);
        }
        if self.phase != Phase::Lobby {
            return refuse(Code::TableStarted);
        }
        Ok(if one == other { Vec::new() } else { vec![self.did(Entry::Swapped { one, other })] })
    }

    fn put_bot(&mut self, roles: &Roles, seat: u8, level: u8) -> Result<Vec<Entry>, Refusal> {
        let chair = self.chair_at(seat)?;
        let most = self.shared.config.limits.level.min(10);
        if level < 1 || level > most {
            return Err(Refusal::new(Code::RequestMalformed, format!("Levels go from 1 to {most}.")));
        }
        let own = roles.chairs.contains(&chair);
        let since = self.away_since[usize::from(chair)];
        let gone = since > 0 && clock::now().saturating_sub(since) >= self.shared.config.limits.away_after * 1000;
        let other = roles.host || !roles.chairs.is_empty();
        let may = match self.chairs[usize::from(chair)].sitter {
            SitterKind::Open | SitterKind::Bot { stands_in: false, .. } => roles.host,
            _ => own || (other && gone),
        };
        if !may {
            return refuse(Code::TokenNotAllowed);
        }
        Ok(vec![self.did(Entry::Bot { chair, level, away: !own })])
    }

    fn take_back(&mut self, roles: &Roles, seat: u8) -> Result<Vec<Entry>, Refusal> {
        let chair = self.chair_at(seat)?;
        if !roles.chairs.contains(&chair) {
            return refuse(Code::TokenNotAllowed);
        }
        match self.chairs[usize::from(chair)].sitter {
            SitterKind::Bot { .. } => Ok(vec![self.did(Entry::Back { chair })]),
            _ => refuse(Code::SeatTaken),
        }
    }

    fn leave(&mut self, roles: &Roles, seat: u8) -> Result<Vec<Entry>, Refusal> {
        let chair = self.chair_at(seat)?;
        if !roles.chairs.contains(&chair) {
            return refuse(Code::ChoiceNotYours);
        }
        Ok(vec![self.did(Entry::Left { chair })])
    }

    async fn invite(&mut self, roles: &Roles, seat: u8, id: u32) -> Result<Answer, Stop> {
        let chair = self.chair_at(seat)?;
        if !roles.host {
            return Err(refuse::<()>(Code::TokenNotAllowed).unwrap_err().into());
        }
        let sitter = self.chairs[usize::from(chair)].sitter;
        if sitter == SitterKind::Person {
            return Err(refuse::<()>(Code::SeatTaken).unwrap_err().into());
        }
        // The invitation is the answer, and no update is.
        self.answering = None;
        let token = Token::random().map_err(Stop::unkept)?;
        let role = format!("invite:{chair}");
        self.shared.store.replace_token(&self.id, self.fence.as_ref(), &token.hash(), &role, &role).await?;
        if sitter != SitterKind::Open {
            // The person the machine stood in for has lost the seat, and with it what is seen from there.
            self.shared.store.delete_tokens(&self.id, self.fence.as_ref(), &format!("chair:{chair}")).await?;
            self.take_chair(chair);
            let n = self.n;
            let entry = self.did(Entry::Left { chair });
            self.keep(n, vec![entry]).await.map_err(Stop::Unkept)?;
        }
        answer(ToClient::Invitation { id, seat, token: token.reveal().to_owned() })
    }

    fn look(&mut self, roles: &Roles, viewer: u64, seat: Option<u8>) -> Result<Answer, Stop> {
        let look = match seat {
            Some(seat) => {
                let chair = self.chair_at(seat)?;
                if !roles.chairs.contains(&chair) {
                    return Err(refuse::<()>(Code::ChoiceNotYours).unwrap_err().into());
                }
                Some(chair)
            }
            None => None,
        };
        if let Some(viewing) = self.viewers.iter_mut().find(|viewing| viewing.id == viewer) {
            viewing.look = Some(look);
        }
        self.publish();
        Ok(Answer::Done)
    }

    fn say(&mut self, roles: &Roles, text: &str, key: &str) -> Result<Vec<Entry>, Refusal> {
        let watches = !roles.host && roles.chairs.is_empty();
        if watches && !self.about.manners().spectators_talk {
            return refuse(Code::TokenNotAllowed);
        }
        if text.trim().is_empty() || text.len() > MOST_TALK || key.len() > MOST_KEY {
            return refuse(Code::RequestTooLarge);
        }
        if self.keys.iter().any(|known| known == key) {
            return Ok(Vec::new());
        }
        let chair = roles.chairs.first().copied();
        let by = if watches { "Somebody watching".to_owned() } else { self.name_of(chair) };
        let text = text.trim().to_owned();
        Ok(vec![self.did(Entry::Talk { chair, by, text, key: key.to_owned() })])
    }

    /// Whoever is connected does not hold that chair any longer.
    fn take_chair(&mut self, chair: u8) {
        for viewing in &mut self.viewers {
            viewing.roles.chairs.retain(|&held| held != chair);
            viewing.look = viewing.look.filter(|&look| look != Some(chair));
        }
    }

    async fn sit(&mut self, chair: u8, name: &str) -> Result<(u8, Token), Stop> {
        if usize::from(chair) >= self.chairs.len() {
            return Err(refuse::<()>(Code::SeatUnknown).unwrap_err().into());
        }
        if self.chairs[usize::from(chair)].sitter != SitterKind::Open {
            return Err(refuse::<()>(Code::SeatTaken).unwrap_err().into());
        }
        let token = Token::random().map_err(Stop::unkept)?;
        let role = format!("chair:{chair}");
        self.shared.store.replace_token(&self.id, self.fence.as_ref(), &token.hash(), &role, &role).await?;
        let n = self.n;
        let entry = self.did(Entry::Sat { chair, name: name.to_owned() });
        self.away_since[usize::from(chair)] = clock::now();
        self.keep(n, vec![entry]).await.map_err(Stop::Unkept)?;
        Ok((self.seat_of_chair(chair), token))
    }

    pub(super) fn eyes_of(&self, roles: &Roles) -> super::eyes::Eyes {
        roles.chairs.first().map(|&chair| self.seat_of_chair(chair))
    }

    /// Late spectators must not learn elsewhere what they do not see at the table.
    pub(super) fn may_look_back(&self, roles: &Roles) -> Result<(), Refusal> {
        let late = self.about.manners().spectator_delay > 0 && roles.chairs.is_empty() && self.phase != Phase::Over;
        if late { refuse(Code::RecordSecret) } else { Ok(()) }
    }

    fn record(&mut self, roles: &Roles) -> Result<String, Refusal> {
        self.may_look_back(roles)?;
        // Who chose what at the same time is a secret even where nothing else is.
        if self.phase != Phase::Over && self.is_secret() {
            return refuse(Code::RecordSecret);
        }
        if self.phase == Phase::Lobby {
            return refuse(Code::TableNotStarted);
        }
        let mut record = self.now.record();
        record.head.rules = houserules_record::files(&self.found);
        Ok(record.to_string())
    }

    fn lines(&mut self, roles: &Roles, step: Option<u32>) -> Result<Vec<String>, Refusal> {
        self.may_look_back(roles)?;
        let persons = self.chairs.iter().filter(|chair| chair.sitter == SitterKind::Person).count();
        let alone = roles.host && persons <= roles.chairs.len();
        if self.phase != Phase::Over && self.is_secret() && !alone {
            return refuse(Code::RecordSecret);
        }
        if self.phase == Phase::Lobby {
            return refuse(Code::TableNotStarted);
        }
        let n = step.map_or(self.now.log().len(), |step| step as usize);
        if n > self.now.log().len() {
            return refuse(Code::RecordStep);
        }
        let lines = self.now.record().lines;
        Ok(lines.into_iter().take(n).map(|line| line.kind.to_string()).collect())
    }

    /// Whoever talks day and night must not fill the disk.
    fn is_full(&self) -> bool {
        self.n >= self.shared.config.limits.entries
    }

    /// Lets the machine think for its seats.
    fn think(&mut self, me: &mpsc::Sender<Message>) {
        if self.is_full() {
            return;
        }
        let step = self.step;
        let asked = self.asked();
        self.thinking.retain(|thinking| thinking.step == step && asked.contains(&thinking.seat));
        for seat in asked {
            let SitterKind::Bot { level, .. } = self.sitter(seat) else {
                self.thinking.retain(|thinking| thinking.seat != seat);
                continue;
            };
            if self.thinking.iter().any(|thinking| thinking.seat == seat) {
                continue;
            }
            let position = self.now.running().strict().unwrap_or_else(|| self.now.look().duplicate());
            let me = me.downgrade();
            let record = self.record_for(level);
            let question = Question { step, seat, level, from: self.from, record };
            let thinking = self.shared.thinkers.think(position, question, move |thought| {
                // A table that sleeps or is closed needs no thoughts.
                if let Some(me) = me.upgrade() {
                    let thought = thought.map(Box::new);
                    tokio::spawn(async move { me.send(Message::Thought { step, seat, thought }).await.is_ok() });
                }
            });
            self.thinking.push(thinking);
            if level > 3 {
                self.send_to_players(&ToClient::Thinking { seat });
            }
        }
    }

    /// The match so far with its rules, where somebody elsewhere is to think about it.
    fn record_for(&mut self, level: u8) -> Option<String> {
        self.shared.thinkers.wants_record(level).then(|| {
            let mut record = self.now.record();
            record.head.rules = houserules_record::files(&self.found);
            record.to_string()
        })
    }

    /// The machine has chosen.
    async fn decided(&mut self, step: u32, seat: u8, thought: Option<Thought>) -> Result<(), Refusal> {
        self.thinking.retain(|thinking| thinking.seat != seat || thinking.step != step);
        let is_bot = self.asked().contains(&seat) && matches!(self.sitter(seat), SitterKind::Bot { .. });
        if step != self.step || !is_bot {
            return Ok(());
        }
        let who = Who::Seat(SeatId(seat));
        let choice = thought.map(|thought| thought.choice).or_else(|| self.now.choices(who).into_iter().next());
        let Some(choice) = choice else { return Ok(()) };
        let n = self.n;
        let mut done = self.play(who, &choice);
        if done.as_ref().is_err_and(|refusal| refusal.code == Code::ChoiceAdvised) {
            // Where the advised rules leave nothing else, nobody objects.
            done = self.overrule(seat, &choice);
        }
        match self.settle(n, done).await {
            Err(refusal) if ends_table(refusal.code) => Err(refusal),
            // A choice that a fault of the rules forbids: the match waits for a change of rules.
            _ => Ok(()),
        }
    }

    fn overrule(&mut self, seat: u8, choice: &houserules_kernel::Choice) -> Result<Vec<Entry>, Refusal> {
        let who = Who::Seat(SeatId(seat));
        let at = self.now.choices(who).iter().position(|known| known == choice);
        let Some(at) = at else { return refuse(Code::ChoiceUnknown) };
        let mut entries = self.rule_on(seat, at as u32, true, "consent")?;
        entries.extend(self.play(who, choice)?);
        Ok(entries)
    }

    fn hint(
        &mut self,
        roles: &Roles,
        viewer: u64,
        id: u32,
        seat: u8,
        only_value: bool,
        me: &mpsc::Sender<Message>,
    ) -> Result<Answer, Stop> {
        let chair = self.chair_at(seat)?;
        if !self.hints && self.has_company(roles) && self.phase != Phase::Over {
            return Err(refuse::<()>(Code::HintForbidden).unwrap_err().into());
        }
        self.is_playing()?;
        self.may_look_back(roles)?;
        let own = roles.chairs.contains(&chair);
        if !self.asked().contains(&seat) || (!own && (self.is_secret() || !only_value)) {
            return Err(refuse::<()>(Code::ChoiceNotYours).unwrap_err().into());
        }
        let position = self.now.running().strict().unwrap_or_else(|| self.now.look().duplicate());
        let (step, me) = (self.step, me.downgrade());
        if self.hinting.iter().any(|(known, _)| *known == viewer) {
            return Err(refuse::<()>(Code::HintBusy).unwrap_err().into());
        }
        let level = self.shared.config.limits.level.min(HINT_LEVEL);
        let record = self.record_for(level);
        let question = Question { step, seat, level, from: self.from, record };
        let thinking = self.shared.thinkers.think(position, question, move |thought| {
            if let Some(me) = me.upgrade() {
                let thought = thought.map(Box::new);
                let hinted = Message::Hinted { viewer, id, step, seat, thought, only_value };
                tokio::spawn(async move { me.send(hinted).await.is_ok() });
            }
        });
        self.hinting.push((viewer, thinking));
        Ok(Answer::Later)
    }

    fn hinted(&mut self, viewer: u64, id: u32, step: u32, seat: u8, thought: Option<Thought>, only_value: bool) {
        self.hinting.retain(|(known, _)| *known != viewer);
        let Some(at) = self.viewers.iter().position(|viewing| viewing.id == viewer) else { return };
        let who = Who::Seat(SeatId(seat));
        let stale = || ToClient::Refused { id, refusal: Refusal::new(Code::ChoiceStale, Code::ChoiceStale.meaning()) };
        let message = match thought {
            Some(thought) if step == self.step => {
                let choices = self.now.choices(who);
                let choice = choices.iter().position(|choice| *choice == thought.choice).unwrap_or(0) as u32;
                let value = thought.value.unwrap_or(0.0);
                match only_value {
                    true => {
                        let others = if self.n_seats() == 2 { -value } else { 0.0 };
                        let values =
                            (0..self.n_seats()).map(|other| if other == usize::from(seat) { value } else { others });
                        ToClient::Value { id, values: values.collect() }
                    }
                    false => ToClient::Hint {
                        id,
                        hint: Hint {
                            seat,
                            choice,
                            words: self.now.look().words(who, &thought.choice),
                            value: thought.value,
                            line: thought.line,
                            considered: thought
                                .considered
                                .into_iter()
                                .take(10)
                                .map(|one| Considered { words: one.words, visits: one.visits, value: one.value })
                                .collect(),
                        },
                    },
                }
            }
            _ => stale(),
        };
        self.send(&[at], &written(&message));
    }
}

/// Whether a command may leave something in the log.
fn keeps(command: &Command) -> bool {
    use Command::{Diagnose, Evaluate, Hint, Look, Ping, Preview, Rules, Why, Words};
    let asks = matches!(
        command,
        Words { .. }
            | Why { .. }
            | Look { .. }
            | Diagnose { .. }
            | Preview { .. }
            | Rules
            | Hint { .. }
            | Evaluate
            | Ping
    );
    !asks
}

/// How well hints are thought.
const HINT_LEVEL: u8 = 5;

/// Why a command was not carried out.
enum Stop {
    Refused(Refusal),
    /// The table cannot go on.
    Unkept(Refusal),
}

impl Stop {
    fn unkept(error: impl std::fmt::Display) -> Self {
        Stop::Unkept(crate::fault(error))
    }
}

/// What could not be kept ends the table.
fn ends_table(code: Code) -> bool {
    matches!(code, Code::ServerFault | Code::ServerNoDatabase | Code::TableMoved)
}

impl From<houserules_store::StoreError> for Stop {
    fn from(error: houserules_store::StoreError) -> Self {
        Stop::Unkept(crate::unkept(error))
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

fn answer(message: ToClient) -> Result<Answer, Stop> {
    Ok(Answer::Message(Box::new(message)))
}
