// Made from crates/protocol by `cargo xtask protocol`; not to be edited.

export const PROTOCOL = 4;

/**
 * Why something was not done. Nothing has changed.
 */
export type Refusal = { code: Code, 
/**
 * For people; may change.
 */
words: string, 
/**
 * The rule that refused, by its name, where one did.
 */
law?: string, };

/**
 * Every reason there is, in families. The words stay.
 */
export type Code = "choice/stale" | "choice/not-yours" | "choice/unknown" | "choice/refused" | "choice/advised" | "choice/fault" | "table/unknown" | "table/closed" | "table/not-started" | "table/started" | "table/over" | "table/paused" | "table/moved" | "table/full" | "seat/taken" | "seat/unknown" | "seat/open" | "token/missing" | "token/not-allowed" | "rule/unknown" | "rule/does-not-fit" | "rule/text" | "rule/fixed" | "proposal/unknown" | "proposal/same" | "proposal/own" | "proposal/many" | "undo/nothing" | "undo/forbidden" | "hint/forbidden" | "hint/busy" | "game/unknown" | "game/faulty" | "game/options" | "record/secret" | "record/step" | "study/unknown" | "study/busy" | "request/malformed" | "request/too-large" | "request/too-many" | "request/origin" | "request/version" | "request/unknown" | "request/method" | "server/fault" | "server/closing" | "server/apart" | "server/no-database";

/**
 * What is on the shelf.
 */
export type Library = { games: Array<GameCard>, };

/**
 * A game in a list.
 */
export type GameCard = { 
/**
 * What names it in addresses: the name of a game of the library, or `d-` and a digest for one that was brought.
 */
id: string, title: string, summary: string, 
/**
 * Fewest and most who can play.
 */
least_seats: number, most_seats: number, 
/**
 * The seats' names, with the fewest.
 */
seats: Array<string>, 
/**
 * `hidden`, `chance`, `simultaneous`, and what the definition calls itself.
 */
tags: Array<string>, 
/**
 * Minutes of a match, where the definition says so.
 */
minutes?: number, 
/**
 * The language it is written in: `gdl`.
 */
language: string, n_variants: number, 
/**
 * The names of all rules, for searching.
 */
rules: Array<string>, 
/**
 * The address of a picture (SVG).
 */
picture: string, };

/**
 * A game and all there is to know before playing it.
 */
export type GamePage = { card: GameCard, 
/**
 * `#info` by its key, in the order of the definition.
 */
info: Array<InfoLine>, 
/**
 * The rules in plain words (Markdown), where there are any.
 */
words?: string, rules: Array<RuleInfo>, settings: Array<SettingInfo>, variants: Array<VariantInfo>, 
/**
 * The definition, its own file first.
 */
files: Array<SourceFile>, diagnostics: Array<Diagnostic>, };

export type InfoLine = { key: string, text: string, };

export type SourceFile = { path: string, text: string, };

/**
 * A definition that somebody brings, to be checked or kept.
 */
export type Definition = { 
/**
 * The definition first, then what it includes.
 */
files: Array<SourceFile>, };

/**
 * What the reader and the checker say of a text.
 */
export type Checked = { 
/**
 * Whether it can be played; warnings do not stand against it.
 */
playable: boolean, diagnostics: Array<Diagnostic>, };

/**
 * A definition was kept; whoever knows the id can play it.
 */
export type Kept = { 
/**
 * `d-` and a digest of the text.
 */
id: string, diagnostics: Array<Diagnostic>, };

/**
 * A rule of a game, or of a match as it stands.
 */
export type RuleInfo = { name: string, kind: RuleKind, mode: Mode, 
/**
 * What the definition says, before anybody changed anything; none for a rule that was added.
 */
printed?: Mode, 
/**
 * The messages it stands on; `*` for any.
 */
on: Array<string>, 
/**
 * As it is written in the definition language.
 */
text: string, 
/**
 * Whether the text is another one than at the start.
 */
rewritten?: boolean, };

export type RuleKind = "law" | "after-law" | "side-effect";

export type Mode = "enforced" | "advised" | "off";

export type SettingInfo = { name: string, value: string, 
/**
 * What the definition says.
 */
printed: string, 
/**
 * Within which it may be a number.
 */
range?: Range, 
/**
 * The words it may be; empty: any.
 */
among?: Array<string>, about: string, };

export type Range = { least: number, most: number, };

export type VariantInfo = { 
/**
 * Those with equal words before a colon exclude each other.
 */
name: string, text: string, };

/**
 * A change of the rules of a match.
 */
export type Change = { "kind": "mode", rule: string, mode: Mode, } | { "kind": "setting", name: string, value: string, } | { "kind": "text", text: string, };

/**
 * What would come of a change.
 */
export type Diagnosis = { 
/**
 * Whether the match could go on with it.
 */
fits: boolean, 
/**
 * Why not, in words, where it does not.
 */
why?: string, diagnostics: Array<Diagnostic>, 
/**
 * How many moves so far were looked at again with it, and which would have been refused or gone otherwise.
 */
looked_at: number, would_differ: Array<number>, };

/**
 * A message about a text: what is wrong, where, and what to type.
 */
export type Diagnostic = { severity: Severity, code: string, title: string, 
/**
 * The file; none where the fault has no place.
 */
place?: Place, 
/**
 * What the place says.
 */
label: string, hint?: string, 
/**
 * The whole message, drawn as text.
 */
drawn: string, };

export type Severity = "error" | "warning" | "to-do";

/**
 * A stretch of a text. Lines and columns count from 1, start and end in bytes from 0.
 */
export type Place = { file: string, line: number, column: number, start: number, end: number, };

/**
 * What somebody wants to play, and with whom.
 */
export type OpenTable = { 
/**
 * The id of a game.
 */
game: string, variants?: Array<string>, settings?: Array<SettingValue>, 
/**
 * Rules that are off from the start.
 */
off?: Array<string>, advised?: Array<string>, 
/**
 * Where the match begins, in the notation of the field.
 */
position?: string, 
/**
 * How many play; the fewest, if nothing is said.
 */
n_seats?: number, 
/**
 * Who sits where, in the order of the seats; what is missing is open.
 */
sitters?: Array<SitterWish>, manners?: Manners, 
/**
 * Begin as soon as no seat is open.
 */
at_once?: boolean, };

export type SettingValue = { name: string, value: string, };

/**
 * Who is to sit somewhere.
 */
export type SitterWish = { "kind": "open" } | { "kind": "me", name: string, } | { "kind": "bot", level: number, };

/**
 * How people deal with each other at a table.
 */
export type Manners = { 
/**
 * Who decides about changes of rules.
 */
rules: Consent, 
/**
 * Who decides about choices that advised rules are against.
 */
advised: Consent, 
/**
 * Who decides about taking back.
 */
undo: Consent, hints: boolean, spectators: boolean, 
/**
 * Whether spectators see talk and may talk.
 */
spectators_talk: boolean, 
/**
 * So many moves later spectators see what happens; for games with secrets.
 */
spectator_delay: number, clock: ClockKind, };

/**
 * Who has to agree. The machine always does; so do people who are away for a minute.
 */
export type Consent = "all" | "majority" | "host" | "nobody";

/**
 * How time is counted.
 */
export type ClockKind = { "kind": "none" } | { "kind": "match", seconds: number, increment?: number, } | { "kind": "move", seconds: number, };

/**
 * A table was opened. The tokens are shown once and kept nowhere.
 */
export type TableOpened = { table: string, host: string, watch: string, 
/**
 * Of every seat: the token of its invitation.
 */
invitations: Array<SeatToken>, 
/**
 * Of the seats that the opener took: the sitter's own token.
 */
seats: Array<SeatToken>, };

export type SeatToken = { seat: number, token: string, };

/**
 * Sitting down by an invitation.
 */
export type Sit = { name: string, };

/**
 * A fork of a table, after so many entries of its log.
 */
export type ForkAt = { 
/**
 * As many steps of the record; none: up to now.
 */
step?: number, sitters?: Array<SitterWish>, };

/**
 * What everybody at a table may know of it.
 */
export type TableInfo = { table: string, game: string, title: string, 
/**
 * Of the rules the match began with.
 */
digest: string, variants: Array<string>, settings: Array<SettingValue>, off: Array<string>, advised: Array<string>, manners: Manners, phase: Phase, seats: Array<SeatInfo>, 
/**
 * From 1; a rematch is the next.
 */
match: number, 
/**
 * How many changes of rules are in effect.
 */
n_changes: number, 
/**
 * Whether anything of the game may be hidden from somebody.
 */
secrets: boolean, 
/**
 * The table and step it was forked from.
 */
forked_from?: string, };

/**
 * What has changed of it; the rest stays as it is as long as there is a table.
 */
export type TableChange = { manners?: Manners, phase?: Phase, seats?: Array<SeatInfo>, match?: number, n_changes?: number, secrets?: boolean, };

export type Phase = "lobby" | "playing" | "paused" | "over";

export type SeatInfo = { seat: number, 
/**
 * As the definition calls it.
 */
title: string, 
/**
 * Whose place it is now: links go with the chair. Missing: the chair of the seat's own number.
 */
chair?: number, sitter: SitterKind, 
/**
 * Of the person; empty where there is none.
 */
name: string, 
/**
 * Whether a person is connected.
 */
here: boolean, };

export type SitterKind = { "kind": "open" } | { "kind": "person" } | { "kind": "bot", level: number, 
/**
 * It stands in for a person, who gets the seat back on returning.
 */
stands_in?: boolean, };

/**
 * The clocks of all seats, at the moment of sending.
 */
export type Clocks = { 
/**
 * Milliseconds left of each seat.
 */
left: number[], 
/**
 * Whose clocks run.
 */
running: Array<number>, };

/**
 * Who is there.
 */
export type Presence = { 
/**
 * Of each seat: whether somebody is connected.
 */
here: Array<boolean>, spectators: number, };

/**
 * What the match waits for, as one viewer may know it.
 */
export type Question = { 
/**
 * The seats that have not answered yet.
 */
asked: Array<number>, 
/**
 * `action` begins a ply, and is left out; `answer` is given in the middle of one.
 */
kind?: QuestionKind, 
/**
 * The question in the definition's words; missing: the words of the question before.
 */
prompt?: string, 
/**
 * For the viewer's own seats that are asked.
 */
yours?: Array<Yours>, };

export type QuestionKind = "action" | "answer" | "over";

/**
 * What one's own seat may choose. The legal choices have a fixed order: a choice is named by its index.
 */
export type Yours = { seat: number, 
/**
 * Of choices that pointing does not tell apart: index and words. Those of all choices are told on request.
 */
words?: Array<Words>, 
/**
 * Those that advised rules are against.
 */
warnings?: Array<Warning>, 
/**
 * Where one question is answered by several choices in turn: those made so far.
 */
picking?: Picking, } & ({ "ways": Array<Array<number>> } | { "points": Array<number> } | { "pairs": Array<[number, Array<number>]> } | { "differ": { go?: Array<number>, come?: Array<Array<number>>, } });

/**
 * What a seat has named of a question that takes several answers, and out of what.
 */
export type Picking = { 
/**
 * All that was on offer at first, in words.
 */
options: Array<string>, 
/**
 * What was named so far, as places in that order.
 */
picked: Array<number>, 
/**
 * How many are named in all; missing where one may stop at any time, by the last choice.
 */
wanted?: number, 
/**
 * Each may be named again, and choice 3 is option 3; else choice 0 is the option after the one named last.
 */
again?: boolean, };

/**
 * How each choice is made on a screen: the things that are pointed at, one by a click, more by clicks in turn, the first two
 * also by a drag; none: by its words.
 */
export type Ways = { "ways": Array<Array<number>> } | { "points": Array<number> } | { "pairs": Array<[number, Array<number>]> } | { "differ": { go?: Array<number>, come?: Array<Array<number>>, } };

export type Words = [number, string];

export type Warning = { choice: number, rule: string, reason: string, };

/**
 * A candidate that is refused, and by what.
 */
export type RefusedChoice = { words: string, law?: string, reason: string, 
/**
 * The things it names, as of a choice that is not refused.
 */
points?: Array<number>, };

/**
 * One thing that happened, in words for one viewer.
 */
export type LogLine = { 
/**
 * The number of the update it belongs to; missing: of the one it comes with.
 */
n?: number, } & ({ "is": "chose", seat: number, 
/**
 * Moves count from 1, the same everywhere.
 */
move: number, words?: string, } | { "is": "chance", words: string, } | { "is": "said", text: string, } | { "is": "changed", change: Change, by: string, 
/**
 * Who agreed; empty: nobody had to.
 */
agreed: Array<string>, } | { "is": "hand", by: string, entity: string, statements: string, } | { "is": "undone", steps: number, moves: number, } | { "is": "redone", steps: number, moves: number, } | { "is": "ruled", seat: number, words: string, rule: string, allowed: boolean, by: string, } | { "is": "talk", by: string, seat?: number, text: string, 
/**
 * Milliseconds since 1970.
 */
at: number, } | { "is": "sat", seat: number, name: string, sitter: SitterKind, } | { "is": "left", seat: number, name: string, } | { "is": "began", 
/**
 * From 1; a rematch is the next.
 */
match: number, } | { "is": "paused", by: string, } | { "is": "resumed", by: string, } | { "is": "proposed", proposal: number, by: string, what: string, } | { "is": "settled", proposal: number, agreed: boolean, by: string, what: string, } | { "is": "ended", result: Result, });

/**
 * What a seat chose, told shorter: seat, number of the move, words; without words in secret.
 */
export type Chose = [number, number, string] | [number, number];

export type LogWhat = { "is": "chose", seat: number, 
/**
 * Moves count from 1, the same everywhere.
 */
move: number, words?: string, } | { "is": "chance", words: string, } | { "is": "said", text: string, } | { "is": "changed", change: Change, by: string, 
/**
 * Who agreed; empty: nobody had to.
 */
agreed: Array<string>, } | { "is": "hand", by: string, entity: string, statements: string, } | { "is": "undone", steps: number, moves: number, } | { "is": "redone", steps: number, moves: number, } | { "is": "ruled", seat: number, words: string, rule: string, allowed: boolean, by: string, } | { "is": "talk", by: string, seat?: number, text: string, 
/**
 * Milliseconds since 1970.
 */
at: number, } | { "is": "sat", seat: number, name: string, sitter: SitterKind, } | { "is": "left", seat: number, name: string, } | { "is": "began", 
/**
 * From 1; a rematch is the next.
 */
match: number, } | { "is": "paused", by: string, } | { "is": "resumed", by: string, } | { "is": "proposed", proposal: number, by: string, what: string, } | { "is": "settled", proposal: number, agreed: boolean, by: string, what: string, } | { "is": "ended", result: Result, };

/**
 * How a match ended.
 */
export type Result = { 
/**
 * The rank of each seat, 1 first; equals share a rank.
 */
ranks: Array<number>, how: How, 
/**
 * `South wins.`
 */
words: string, };

export type How = "played" | "resigned" | "agreed" | "time" | "stopped";

/**
 * What somebody wants and not everybody has agreed to yet.
 */
export type Proposal = { 
/**
 * The number under which it was made.
 */
id: number, by: string, 
/**
 * The proposer's seat, where there is one.
 */
seat?: number, what: Wish, 
/**
 * In words: `South proposes: Chain Reaction off`.
 */
words: string, 
/**
 * The seats whose consent is still missing.
 */
waiting: Array<number>, agreed: Array<number>, };

/**
 * What can be proposed.
 */
export type Wish = { "kind": "undo", steps?: number, } | { "kind": "redo", steps: number, } | { "kind": "change", change: Change, } | { "kind": "hand", entity: string, statements: string, } | { "kind": "ruling", seat: number, choice: number, } | { "kind": "draw" } | { "kind": "pause" } | { "kind": "resume" } | { "kind": "rematch" } | { "kind": "hints", on: boolean, };

/**
 * What one viewer sees.
 */
export type Scene = { 
/**
 * From the upper left corner, which is at 0, 0.
 */
size: Point, 
/**
 * In the order of their ids; drawn by layer, then by `z`, then by id.
 */
graphics: Array<Graphic>, };

/**
 * Across and down.
 */
export type Point = [number, number];

/**
 * One thing to draw. Its id stays while it is the same thing, wherever it goes.
 */
export type Graphic = { id: string, layer: Layer, 
/**
 * Within a layer: more lies above.
 */
z?: number, shape: Shape, 
/**
 * The middle; of lines, polygons and paths the point from which theirs count.
 */
at: Point, size: Point, 
/**
 * In degrees, clockwise.
 */
turn?: number, 
/**
 * A name of the theme, or `#rrggbb`; missing: none.
 */
fill?: string, stroke?: Stroke, 
/**
 * For what is drawn upon the fill of a picture.
 */
ink?: string, 
/**
 * From 0 to 100, which is left out.
 */
opacity?: number, 
/**
 * What it is to a theme, in words with spaces between: `stone seat-2`.
 */
class?: string, 
/**
 * For screen readers; missing: it is decoration.
 */
label?: string, motion?: Motion, 
/**
 * The thing it shows: whoever points at the graphic points at it.
 */
thing?: number, 
/**
 * Where that thing lies, which is pointed at as well.
 */
on?: number, 
/**
 * It answers a click by itself.
 */
clickable?: boolean, 
/**
 * How it is marked where a choice can begin at its thing.
 */
target?: Target, };

/**
 * What lies over what, in this order.
 */
export type Layer = "ground" | "places" | "writing" | "traces" | "things" | "targets";

export type Shape = { "is": "rectangle", 
/**
 * The radius of its corners.
 */
round?: number, } | { "is": "circle" } | { "is": "ellipse" } | { "is": "polygon", points: Array<Point>, } | { "is": "path", d: string, } | { "is": "line", points: Array<Point>, } | { "is": "text", text: string, align: Align, font: Font, } | { "is": "image", name: string, } | { "is": "file", name: string, } | { "is": "group" };

export type Align = "left" | "middle" | "right";

export type Font = "plain" | "bold" | "serif";

export type Stroke = { paint: string, width: number, dashed?: boolean, };

/**
 * How a graphic goes from what it was to what it is.
 */
export type Motion = "still" | "glide" | "fade" | "drop";

/**
 * A mark where something can be chosen.
 */
export type Target = { 
/**
 * A name of the theme.
 */
paint: string, 
/**
 * How wide a ring around it is.
 */
across: number, 
/**
 * Always a ring; otherwise a dot where nothing stands.
 */
ring?: boolean, };

/**
 * What became of a scene. Graphics mostly look as another one did that was there: that one is named, and not all it is
 * made of.
 */
export type SceneChange = { size?: Point, gone?: Array<string>, 
/**
 * New ones, each with all it is made of.
 */
made?: Array<Graphic>, 
/**
 * New ones that look as another did before this change.
 */
alike?: Array<Alike>, 
/**
 * These look from now on as others did before this change: id of the one, id of the other.
 */
turned?: Array<[string, string]>, 
/**
 * Where these are now, and where their things lie; -1: nowhere.
 */
moved?: Array<Moved>, 
/**
 * What else became another.
 */
changed?: Array<GraphicPatch>, };

/**
 * What became another about a graphic. An empty word, `still` and so on stand for what is left out of a graphic.
 */
export type GraphicPatch = { id: string, layer?: Layer, z?: number, shape?: Shape, at?: Point, size?: Point, turn?: number, fill?: string, ink?: string, opacity?: number, class?: string, label?: string, motion?: Motion, clickable?: boolean, 
/**
 * Of what was a text and is one: nothing else of its shape is another.
 */
text?: string, 
/**
 * Across 0: none.
 */
target?: Target, 
/**
 * A stroke of width 0 is none.
 */
stroke?: Stroke, 
/**
 * -1: none.
 */
thing?: number, on?: number, };

/**
 * A graphic by one that looks the same: id, id of that one, across, down, thing, on, label. -1 and an empty word: none;
 * a label that is missing: that of the other.
 */
export type Alike = [string, string, number, number, number, number, string?];

/**
 * Id, across, down, and what its thing lies on; missing: nothing.
 */
export type Moved = [string, number, number, number?];

/**
 * The whole match in words, as one viewer may know it.
 */
export type ReplayOutline = { 
/**
 * Steps 0 to `n_steps` can be looked at.
 */
n_steps: number, 
/**
 * Each with its step as `n`.
 */
log: Array<LogLine>, result?: Result, };

/**
 * A match after so many steps.
 */
export type ReplayStep = { step: number, scene: Scene, rules: Array<RuleInfo>, 
/**
 * What the rules did in this step, where that may be told: never of a match with secrets that is not over.
 */
trace: Array<Traced>, 
/**
 * What each rule has done in the match until then, where that may be told.
 */
did?: Array<RuleDid>, };

/**
 * One thing the rules did.
 */
export type Traced = { 
/**
 * How deep in other messages.
 */
depth: number, words: string, };

/**
 * How often a rule was asked in a match, and how often it refused something within what was played.
 */
export type RuleDid = { name: string, asked: number, refused: number, };

/**
 * What a player thinks of a position.
 */
export type Hint = { seat: number, 
/**
 * The index of the choice it would make, at the position it was asked about.
 */
choice: number, words: string, 
/**
 * From −1, lost, to 1, won.
 */
value?: number, 
/**
 * How play is expected to go on.
 */
line: Array<string>, considered: Array<Considered>, };

export type Considered = { words: string, visits: number, value: number, };

/**
 * What was done after a step, and what things kept then, if it was asked from the beginning.
 */
export type Watched = { 
/**
 * The number of the match at its table: another one has steps of its own.
 */
number: number, 
/**
 * All that things keep before the first step; only with it.
 */
first?: Array<Held>, steps: Array<WatchedStep>, 
/**
 * Later steps are not followed: there are too many.
 */
cut: boolean, };

export type WatchedStep = { 
/**
 * From 1, as in the log of a replay.
 */
step: number, 
/**
 * What the rules did, what is inside something else after it and deeper.
 */
lines: Array<WatchedLine>, 
/**
 * Why that is not known.
 */
lost?: string, 
/**
 * What is not what it was.
 */
changed: Array<Held>, };

export type WatchedLine = { depth: number, } & ({ "is": "message", label: string, to: string, 
/**
 * Each with its value in words.
 */
attributes: Array<[string, string]>, 
/**
 * The model whose behavior answers, and its state.
 */
model?: string, state?: string, } | { "is": "unanswered" } | { "is": "rule", rule: RuleSort, name: string, 
/**
 * Why a law refused.
 */
refused?: string, } | { "is": "wrote", thing: string, property: string, before: string, after: string, } | { "is": "rolled-back", reason: string, });

/**
 * One thing the rules did.
 */
export type WatchedWhat = { "is": "message", label: string, to: string, 
/**
 * Each with its value in words.
 */
attributes: Array<[string, string]>, 
/**
 * The model whose behavior answers, and its state.
 */
model?: string, state?: string, } | { "is": "unanswered" } | { "is": "rule", rule: RuleSort, name: string, 
/**
 * Why a law refused.
 */
refused?: string, } | { "is": "wrote", thing: string, property: string, before: string, after: string, } | { "is": "rolled-back", reason: string, };

export type RuleSort = "law" | "after-law" | "side-effect";

/**
 * One thing and one of its properties.
 */
export type Held = { thing: string, property: string, 
/**
 * None: it is not there.
 */
value?: string, };

/**
 * What would this change do to the game? Compared with the rules of the table as they stand; without a change, what is
 * the game like as it stands?
 */
export type StudyWanted = { change?: Change, 
/**
 * Of the game as it is, and as many with the change, if there is one; 200, if nothing is said.
 */
matches?: number, 
/**
 * How well it is played, from 1 to 3; at random, if nothing is said.
 */
level?: number, };

/**
 * How far a study is.
 */
export type StudyState = { study: string, 
/**
 * The change, in words: `Chain Reaction → off`.
 */
words: string, phase: StudyPhase, 
/**
 * Matches played, and to be played in all.
 */
done: number, total: number, 
/**
 * Why it ended before it was done.
 */
why?: string, 
/**
 * When it has ended: what the matches say that were played.
 */
report?: StudyReport, };

export type StudyPhase = "waiting" | "playing" | "done" | "stopped" | "failed";

/**
 * What two kinds of matches say, one beside the other.
 */
export type StudyReport = { 
/**
 * How many were played as the rules are, and with the change; none with it where there is none.
 */
matches_now: number, matches_changed: number, 
/**
 * Who played: `random`, `level2`.
 */
players: string, 
/**
 * What the change does, in a sentence or two without numbers.
 */
verdict: string, 
/**
 * What differs by more than noise, a sentence each.
 */
findings: Array<string>, figures: Array<FigureRow>, 
/**
 * How long matches were, from the shortest on, in steps of equal width.
 */
lengths: Array<LengthRow>, 
/**
 * In what part of some matches each rule in force mattered: without it they would have gone otherwise.
 */
rules?: Array<RuleRow>, 
/**
 * Matches of each kind in which rules were left out one by one.
 */
rule_matches: number, };

/**
 * One figure under the rules as they are and under the others; without others it is twice the same.
 */
export type FigureRow = { 
/**
 * A name that stays, such as `length`.
 */
key: string, title: string, now: FigureValue, changed: FigureValue, 
/**
 * Whether the difference is more than noise.
 */
differs: boolean, };

/**
 * A number with its error: with 95 in 100 the true one lies within so much.
 */
export type FigureValue = { mean: number, error: number, 
/**
 * As people read it: `52.3 % ±1.2`.
 */
words: string, };

/**
 * How many matches had so many choices.
 */
export type LengthRow = { 
/**
 * The fewest choices counted here, and the most.
 */
from: number, to: number, now: number, changed: number, };

/**
 * What a rule did in matches under the rules as they are and under the others.
 */
export type RuleRow = { rule: string, 
/**
 * From 0 to 1; missing where the rule is not in force, or where the game cannot do without it.
 */
now?: number, changed?: number, };

/**
 * The first message on a socket.
 */
export type Hello = { protocol: number, 
/**
 * Every token this client has of the table: host, seats, watching. None are in any address.
 */
tokens?: Array<string>, 
/**
 * The number of the last update it has, after a connection was lost.
 */
last?: number, };

/**
 * What a client says after that.
 */
export type FromClient = { 
/**
 * Comes back in the answer.
 */
id: number, } & ({ "do": "choose", 
/**
 * The step of the scene it was chosen in: a choice for another position is stale.
 */
step: number, seat: number, 
/**
 * The index among the choices of the seat.
 */
choice: number, 
/**
 * Play it although advised rules are against it: asks for a ruling.
 */
insist?: boolean, } | { "do": "click", 
/**
 * As of a choice.
 */
step: number, 
/**
 * The id of the graphic.
 */
graphic: string, } | { "do": "words", seat: number, } | { "do": "why", seat: number, } | { "do": "look", seat?: number, } | { "do": "start" } | { "do": "swap", seat: number, with: number, } | { "do": "put-bot", seat: number, level: number, } | { "do": "take-back", seat: number, } | { "do": "leave", seat: number, } | { "do": "invite", seat: number, } | { "do": "resign", seat: number, } | { "do": "propose", wish: Wish, 
/**
 * For whom it is asked; a seat of one's own.
 */
seat?: number, } | { "do": "answer", proposal: number, agree: boolean, } | { "do": "withdraw", proposal: number, } | { "do": "diagnose", change: Change, } | { "do": "preview", proposal: number, } | { "do": "say", text: string, 
/**
 * Made up by the client: said twice with one key it is said once.
 */
key: string, } | { "do": "hint", seat: number, } | { "do": "evaluate" } | { "do": "rules" } | { "do": "ping" });

/**
 * What can be asked of a table.
 */
export type Command = { "do": "choose", 
/**
 * The step of the scene it was chosen in: a choice for another position is stale.
 */
step: number, seat: number, 
/**
 * The index among the choices of the seat.
 */
choice: number, 
/**
 * Play it although advised rules are against it: asks for a ruling.
 */
insist?: boolean, } | { "do": "click", 
/**
 * As of a choice.
 */
step: number, 
/**
 * The id of the graphic.
 */
graphic: string, } | { "do": "words", seat: number, } | { "do": "why", seat: number, } | { "do": "look", seat?: number, } | { "do": "start" } | { "do": "swap", seat: number, with: number, } | { "do": "put-bot", seat: number, level: number, } | { "do": "take-back", seat: number, } | { "do": "leave", seat: number, } | { "do": "invite", seat: number, } | { "do": "resign", seat: number, } | { "do": "propose", wish: Wish, 
/**
 * For whom it is asked; a seat of one's own.
 */
seat?: number, } | { "do": "answer", proposal: number, agree: boolean, } | { "do": "withdraw", proposal: number, } | { "do": "diagnose", change: Change, } | { "do": "preview", proposal: number, } | { "do": "say", text: string, 
/**
 * Made up by the client: said twice with one key it is said once.
 */
key: string, } | { "do": "hint", seat: number, } | { "do": "evaluate" } | { "do": "rules" } | { "do": "ping" };

/**
 * What the table says. An update is said most often, and is the one message without `is`: see [`ToClient::read`].
 */
export type ToClient = { "is": "welcome" } & Welcome | { "is": "done", id: number, } | { "is": "refused", id: number, refusal: Refusal, } | { "is": "presence" } & Presence | { "is": "thinking", seat: number, } | { "is": "words", id: number, step: number, words: Array<string>, } | { "is": "why", id: number, refused: Array<RefusedChoice>, } | { "is": "hint", id: number, hint: Hint, } | { "is": "value", id: number, values: Array<number>, } | { "is": "diagnosis", id: number, diagnosis: Diagnosis, } | { "is": "preview", id: number, scene: Scene, } | { "is": "rules", id: number, rules: Array<RuleInfo>, settings: Array<SettingInfo>, } | { "is": "invitation", id: number, seat: number, token: string, } | { "is": "bye", refusal: Refusal, };

/**
 * Everything a viewer needs to begin with.
 */
export type Welcome = { protocol: number, 
/**
 * The number of the newest update.
 */
n: number, you: You, table: TableInfo, step: number, scene: Scene, question?: Question, 
/**
 * What happened after `last`, or all there is, without `last`.
 */
log: Array<LogLine>, proposals: Array<Proposal>, presence: Presence, clocks?: Clocks, result?: Result, };

/**
 * Who the server takes the client for.
 */
export type You = { host: boolean, seats: Array<number>, 
/**
 * Whose eyes the scene is for; missing: somebody without a seat.
 */
eyes?: number, name: string, 
/**
 * The seats to which the client's links invite; somebody may sit there by now.
 */
invited?: Array<number>, };

/**
 * Something happened. What is missing has not changed.
 */
export type Update = { 
/**
 * Not smaller than that of the update before; all before it have been sent.
 */
n: number, 
/**
 * The command of this client that it answers: it was carried out, and what it changed is kept.
 */
done?: number, 
/**
 * Choices name it. Told with a question; missing there: the number of this update.
 */
step?: number, 
/**
 * There is another question: this and the next three are its parts.
 */
asked?: Array<number>, kind?: QuestionKind, prompt?: string, yours?: Array<Yours>, log?: Array<LogLine>, 
/**
 * The first line of the log, where it says what a seat chose with this update.
 */
chose?: Chose, you?: You, table?: TableChange, proposals?: Array<Proposal>, clocks?: Clocks, 
/**
 * Where it is not what the log says: that of the last `ended`, unless `began` or `undone` follows.
 */
result?: Result, 
/**
 * Whether rules or settings are others: ask for them anew.
 */
rules_changed?: boolean, size?: Point, gone?: Array<string>, 
/**
 * New ones, each with all it is made of.
 */
made?: Array<Graphic>, 
/**
 * New ones that look as another did before this change.
 */
alike?: Array<Alike>, 
/**
 * These look from now on as others did before this change: id of the one, id of the other.
 */
turned?: Array<[string, string]>, 
/**
 * Where these are now, and where their things lie; -1: nowhere.
 */
moved?: Array<Moved>, 
/**
 * What else became another.
 */
changed?: Array<GraphicPatch>, };
