//! What a ply is, where actions, answers and chance mix.

use houserules_kernel::{
    By, Choice, Decision, Fingerprint, Generator, Offer, Position, QuestionKind, Refusal, SeatId, View, Viewer, Who,
    perft,
};

/// A match as a list of questions, repeated for ever; every question has two choices for each who is asked.
#[derive(Clone)]
struct Script {
    questions: Vec<Question>,
    /// Who answered each, the last one perhaps still open.
    answered: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Question {
    /// An action of a seat, the second of its turn or the first.
    Action {
        seat: u8,
        new_turn: bool,
    },
    Answer {
        seat: u8,
    },
    AnswerOfBoth,
    Chance,
}

impl Script {
    fn of(questions: &[Question]) -> Self {
        Script { questions: questions.to_vec(), answered: vec![0] }
    }

    fn question(&self, idx: usize) -> Question {
        self.questions[idx % self.questions.len()]
    }

    fn now(&self) -> Question {
        self.question(self.answered.len() - 1)
    }
}

impl Position for Script {
    fn decision(&self) -> Decision {
        let n_answered = *self.answered.last().unwrap();
        let seats =
            |kind, seats: &[u8]| Decision::Seats { asked: seats.iter().map(|&seat| SeatId(seat)).collect(), kind };
        match self.now() {
            Question::Action { seat, .. } => seats(QuestionKind::Action, &[seat]),
            Question::Answer { seat } => seats(QuestionKind::Answer, &[seat]),
            Question::AnswerOfBoth => seats(QuestionKind::Answer, &[0, 1][n_answered..]),
            Question::Chance => Decision::Nature,
        }
    }
    fn prompt(&self) -> String {
        String::new()
    }
    fn choices(&mut self, _who: Who) -> Vec<Choice> {
        vec![Choice::of(&[0]), Choice::of(&[1])]
    }
    fn words(&self, _who: Who, choice: &Choice) -> String {
        choice.0[0].to_string()
    }
    fn offers(&mut self, _seat: SeatId) -> Vec<Offer> {
        Vec::new()
    }
    fn play(&mut self, _who: Who, _choice: &Choice) -> Result<(), Refusal> {
        let wanted = if matches!(self.now(), Question::AnswerOfBoth) { 2 } else { 1 };
        let n_answered = self.answered.last_mut().unwrap();
        *n_answered += 1;
        if *n_answered == wanted {
            self.answered.push(0);
        }
        Ok(())
    }
    fn undo(&mut self) -> bool {
        if self.answered.last() == Some(&0) {
            self.answered.pop();
        }
        *self.answered.last_mut().unwrap() -= 1;
        true
    }
    fn turn(&self) -> u64 {
        let begun = (0..self.answered.len())
            .filter(|&idx| matches!(self.question(idx), Question::Action { new_turn: true, .. }))
            .count();
        begun as u64
    }
    fn view(&mut self, _viewer: Viewer) -> View {
        View::default()
    }
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.answered.len() as u64)
    }
    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

fn check(questions: &[Question], by: By, expected: &[u64]) {
    let mut script = Script::of(questions);
    assert_eq!(perft(&mut script, expected.len(), by).unwrap(), expected);
    assert_eq!(script.answered, [0], "counting leaves the position where it was");
}

use Question::{Action, Answer, AnswerOfBoth, Chance};

#[test]
fn answers_and_chance_belong_to_the_action_before_them() {
    check(&[Action { seat: 0, new_turn: true }], By::Action, &[2, 4, 8]);
    check(&[Action { seat: 0, new_turn: true }, Answer { seat: 1 }, Chance], By::Action, &[8, 64]);
    check(&[Action { seat: 0, new_turn: true }, AnswerOfBoth], By::Action, &[8, 64]);
}

#[test]
fn a_turn_of_two_actions_is_one_ply_by_turn() {
    let turn = [Action { seat: 0, new_turn: true }, Action { seat: 0, new_turn: false }];
    check(&turn, By::Action, &[2, 4, 8]);
    check(&turn, By::Turn, &[4, 16]);
}

#[test]
fn chance_before_the_first_action_belongs_to_it() {
    check(&[Chance, Action { seat: 0, new_turn: true }], By::Action, &[8, 32]);
}

/// Otherwise a game that only asks, round after round, would have plies without end.
#[test]
fn a_question_outside_any_action_is_a_ply_of_its_own() {
    check(&[AnswerOfBoth], By::Action, &[4, 16]);
    check(&[AnswerOfBoth], By::Turn, &[4, 16]);
    check(&[Answer { seat: 0 }, Answer { seat: 0 }], By::Action, &[2, 4]);
}

/// Rules may roll for ever; whoever counts or plays them out is told so.
#[test]
fn a_ply_without_end_is_a_fault() {
    for questions in [&[Chance][..], &[Chance, Chance]] {
        for by in [By::Action, By::Turn] {
            let refusal = perft(&mut Script::of(questions), 1, by).unwrap_err();
            assert!(refusal.reason.contains("does not end"), "{refusal}");
        }
        let refusal = Script::of(questions).playout(&mut Generator::new(1), 5).unwrap_err();
        assert!(refusal.reason.contains("does not end"), "{refusal}");
    }
}

/// A playout counts the plies that perft goes down, and stops only between two of them.
#[test]
fn a_playout_counts_plies() {
    let action = Action { seat: 0, new_turn: true };
    for (questions, n_decisions) in [
        (&[action][..], 5),
        (&[action, Answer { seat: 1 }, Chance], 15),
        (&[action, AnswerOfBoth], 10),
        (&[Chance, action], 11),
        (&[AnswerOfBoth], 5),
    ] {
        let mut script = Script::of(questions);
        assert_eq!(script.playout(&mut Generator::new(1), 5), Ok(5));
        // What is open now is the beginning of the sixth.
        assert_eq!(script.answered.len() - 1, n_decisions);
    }
}
