use houserules_protocol::play::{LogLine, Question, Result as Ending, Way, Ways};
use houserules_protocol::proposal::Proposal;
use houserules_protocol::scene::{Gone, Scene};
use houserules_protocol::socket::{You, result_after};
use houserules_protocol::table::{Clocks, Phase, TableInfo};
use houserules_protocol::{ToClient, Update, Welcome};
use std::collections::BTreeMap;

/// All that a client knows of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Known {
    /// The number of the newest update.
    pub n: u32,
    pub step: u32,
    pub scene: Scene,
    /// With whole ways.
    pub question: Option<Question>,
    pub log: Vec<LogLine>,
    pub proposals: Vec<Proposal>,
    pub table: Option<TableInfo>,
    pub you: Option<You>,
    pub clocks: Option<Clocks>,
    pub result: Option<Ending>,
    ways: BTreeMap<u8, Vec<Way>>,
    /// As it looked last.
    gone: Gone,
}

/// What was sent does not fit what is known: a message is missing, or the server has a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

impl Known {
    /// Takes in a message; those that only answer change nothing.
    pub fn hear(&mut self, message: &ToClient) -> Result<(), Lost> {
        match message {
            ToClient::Welcome(welcome) => self.welcome(welcome),
            ToClient::Update(update) => self.update(update),
            ToClient::Presence(presence) => {
                let seats = self.table.iter_mut().flat_map(|table| &mut table.seats);
                seats.zip(&presence.here).for_each(|(seat, here)| seat.here = *here);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The choices open to a seat: how many, and how they are made.
    pub fn choices(&self, seat: u8) -> &[Way] {
        let asked =
            self.question.as_ref().is_some_and(|question| question.yours.iter().any(|yours| yours.seat == seat));
        if asked { self.ways.get(&seat).map_or(&[], Vec::as_slice) } else { &[] }
    }

    fn welcome(&mut self, welcome: &Welcome) -> Result<(), Lost> {
        (self.scene, self.gone) = (welcome.scene.clone(), Gone::default());
        let newest = self.log.last().and_then(|line| line.n).unwrap_or(0);
        if let Some(line) = welcome.log.iter().find(|line| line.n.is_none_or(|n| n <= newest)) {
            return Err(Lost(format!("Line {:?} was told again.", line.n)));
        }
        self.log.extend(welcome.log.iter().cloned());
        self.ways.clear();
        (self.n, self.step) = (welcome.n, welcome.step);
        self.proposals.clone_from(&welcome.proposals);
        (self.table, self.you) = (Some(welcome.table.clone()), Some(welcome.you.clone()));
        self.clocks.clone_from(&welcome.clocks);
        self.result.clone_from(&welcome.result);
        self.ask(welcome.question.as_ref())
    }

    fn update(&mut self, update: &Update) -> Result<(), Lost> {
        if update.n < self.n {
            return Err(Lost(format!("Update {} after {}.", update.n, self.n)));
        }
        self.n = update.n;
        if let Some(you) = &update.you {
            self.you = Some(you.clone());
            self.ways.clear();
        }
        let question = update.question();
        if question.is_some() {
            self.step = update.step.unwrap_or(update.n);
        }
        if !self.scene.apply(&update.change, &mut self.gone) {
            return Err(Lost(format!("A change does not fit the scene: {:?}", update.change)));
        }
        if question.is_some() {
            self.ask(question.as_ref())?;
        }
        let line = |what| LogLine { n: Some(update.n), what };
        let chose = update.chose.clone().map(|chose| line(chose.into()));
        let told = update.log.iter().map(|line| LogLine { n: line.n.or(Some(update.n)), what: line.what.clone() });
        let lines: Vec<LogLine> = chose.into_iter().chain(told).collect();
        self.result = result_after(self.result.as_ref(), lines.iter().map(|line| &line.what)).cloned();
        self.log.extend(lines);
        if let Some(change) = &update.table {
            self.table.iter_mut().for_each(|table| table.apply(change));
            // What was over goes on.
            if change.phase.is_some_and(|phase| phase != Phase::Over) {
                self.result = None;
            }
        }
        if let Some(proposals) = &update.proposals {
            self.proposals.clone_from(proposals);
        }
        if update.clocks.is_some() {
            self.clocks.clone_from(&update.clocks);
        }
        if update.result.is_some() {
            self.result.clone_from(&update.result);
        }
        Ok(())
    }

    fn ask(&mut self, question: Option<&Question>) -> Result<(), Lost> {
        let mut question = question.cloned();
        for yours in question.iter_mut().flat_map(|question| &mut question.yours) {
            let old = self.ways.get(&yours.seat).map_or(&[][..], Vec::as_slice);
            let ways = yours.ways.applied(old).ok_or_else(|| Lost("Ways do not fit those before.".into()))?;
            self.ways.insert(yours.seat, ways.clone());
            yours.ways = Ways::Ways(ways);
        }
        if let Some(question) = &mut question
            && question.prompt.is_none()
        {
            question.prompt = self.question.take().and_then(|before| before.prompt);
        }
        self.question = question;
        Ok(())
    }
}
