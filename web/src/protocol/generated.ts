// Made from crates/protocol by `cargo xtask protocol`; not to be edited.

export const PROTOCOL = 1;

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
export type Code = "ChoiceStale" | "ChoiceNotYours" | "ChoiceUnknown" | "ChoiceRefused" | "ChoiceAdvised" | "ChoiceFault" | "TableUnknown" | "TableClosed" | "TableNotStarted" | "TableStarted" | "TableOver" | "TablePaused" | "TableFull" | "SeatTaken" | "SeatUnknown" | "SeatOpen" | "TokenMissing" | "TokenNotAllowed" | "RuleUnknown" | "RuleDoesNotFit" | "RuleText" | "RuleFixed" | "ProposalUnknown" | "ProposalSame" | "ProposalOwn" | "ProposalMany" | "UndoNothing" | "UndoForbidden" | "HintForbidden" | "HintBusy" | "GameUnknown" | "GameFaulty" | "GameOptions" | "RecordSecret" | "RecordStep" | "RequestMalformed" | "RequestTooLarge" | "RequestTooMany" | "RequestOrigin" | "RequestVersion" | "RequestUnknown" | "RequestMethod" | "ServerFault" | "ServerClosing";

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

export type RuleKind = "Law" | "AfterLaw" | "SideEffect";

export type Mode = "Enforced" | "Advised" | "Off";

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
export type Change = { "Mode": { rule: string, mode: Mode, } } | { "Setting": { name: string, value: string, } } | { "Text": { text: string, } };

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

export type Severity = "Error" | "Warning";

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
export type SitterWish = "Open" | { "Me": { name: string, } } | { "Bot": { level: number, } };

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
export type Consent = "All" | "Majority" | "Host" | "Nobody";

/**
 * How time is counted.
 */
export type ClockKind = "None" | { "Match": { seconds: number, increment?: number, } } | { "Move": { seconds: number, } };

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
number: number, 
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

export type Phase = "Lobby" | "Playing" | "Paused" | "Over";

export type SeatInfo = { seat: number, 
/**
 * As the definition calls it.
 */
title: string, sitter: SitterKind, 
/**
 * Of the person; empty where there is none.
 */
name: string, 
/**
 * Whether a person is connected.
 */
here: boolean, };

export type SitterKind = "Open" | "Person" | { "Bot": { level: number, 
/**
 * It stands in for a person, who gets the seat back on returning.
 */
stands_in?: boolean, } };

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
 * `action` begins a ply, `answer` is given in the middle of one.
 */
kind: QuestionKind, 
/**
 * The question in the definition's words.
 */
prompt: string, 
/**
 * For the viewer's own seats that are asked.
 */
yours?: Array<Yours>, };

export type QuestionKind = "Action" | "Answer" | "Over";

/**
 * What one's own seat may choose. The legal choices have a fixed order: a choice is named by its index.
 */
export type Yours = { seat: number, ways: Ways, 
/**
 * Of choices that pointing does not tell apart: index and words. Those of all choices are told on request.
 */
words?: Array<Words>, 
/**
 * Those that advised rules are against.
 */
warnings?: Array<Warning>, };

/**
 * How each choice is made on a screen: the things that are pointed at, one by a click, more by clicks in turn, the first two
 * also by a drag; none: by its words.
 */
export type Ways = { "Ways": Array<Array<number>> } | { "Differ": { go?: Array<number>, come?: Array<[number, Array<number>]>, } };

export type Words = [number, string];

export type Warning = { choice: number, rule: string, reason: string, };

/**
 * A candidate that is refused, and by what.
 */
export type RefusedChoice = { words: string, law?: string, reason: string, };

/**
 * One thing that happened, in words for one viewer.
 */
export type LogLine = { 
/**
 * The number of the update it came with, and which one of it.
 */
n: number, what: LogWhat, };

export type LogWhat = { "Chose": { seat: number, 
/**
 * Moves count from 1, the same everywhere.
 */
number: number, words?: string, } } | { "Chance": { words: string, } } | { "Said": { text: string, } } | { "Changed": { change: Change, by: string, 
/**
 * Who agreed; empty: nobody had to.
 */
agreed: Array<string>, } } | { "Hand": { by: string, entity: string, statements: string, } } | { "Undone": { steps: number, moves: number, } } | { "Redone": { steps: number, moves: number, } } | { "Ruled": { seat: number, words: string, rule: string, allowed: boolean, by: string, } } | { "Talk": { by: string, seat?: number, text: string, 
/**
 * Milliseconds since 1970.
 */
at: number, } } | { "Sat": { seat: number, name: string, sitter: SitterKind, } } | { "Left": { seat: number, name: string, } } | { "Began": { 
/**
 * From 1; a rematch is the next.
 */
number: number, } } | { "Paused": { by: string, } } | { "Resumed": { by: string, } } | { "Proposed": { proposal: number, by: string, what: string, } } | { "Settled": { proposal: number, agreed: boolean, by: string, what: string, } } | { "Ended": { result: Result, } };

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

export type How = "Played" | "Resigned" | "Agreed" | "Time" | "Stopped";

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
export type Wish = { "Undo": { steps?: number, } } | { "Redo": { steps: number, } } | { "Change": { change: Change, } } | { "Hand": { entity: string, statements: string, } } | { "Ruling": { seat: number, choice: number, } } | "Draw" | "Pause" | "Resume" | "Rematch" | { "Hints": { on: boolean, } };

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
clickable?: boolean, };

/**
 * What lies over what, in this order.
 */
export type Layer = "Ground" | "Places" | "Writing" | "Traces" | "Things" | "Targets";

export type Shape = { "Rectangle": { 
/**
 * The radius of its corners.
 */
round?: number, } } | "Circle" | "Ellipse" | { "Polygon": { points: Array<Point>, } } | { "Path": { d: string, } } | { "Line": { points: Array<Point>, } } | { "Text": { text: string, align: Align, font: Font, } } | { "Image": { name: string, } } | "Group";

export type Align = "Left" | "Middle" | "Right";

export type Font = "Plain" | "Bold" | "Serif";

export type Stroke = { paint: string, width: number, dashed?: boolean, };

/**
 * How a graphic goes from what it was to what it is.
 */
export type Motion = "Still" | "Glide" | "Fade" | "Drop";

/**
 * One thing that became of a scene.
 */
export type SceneChange = { "Made": Graphic } | { "Changed": GraphicPatch } | { "Gone": string } | { "Sized": Point } | { "Heard": string };

/**
 * What became another about a graphic. An empty word, `still` and so on stand for what is left out of a graphic.
 */
export type GraphicPatch = { id: string, layer?: Layer, z?: number, shape?: Shape, at?: Point, size?: Point, turn?: number, fill?: string, ink?: string, opacity?: number, class?: string, label?: string, motion?: Motion, clickable?: boolean, 
/**
 * A stroke of width 0 is none.
 */
stroke?: Stroke, 
/**
 * -1: none.
 */
thing?: number, on?: number, };

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
trace: Array<Traced>, };

/**
 * One thing the rules did.
 */
export type Traced = { 
/**
 * How deep in other messages.
 */
depth: number, words: string, };

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
 * Which rules to compare with those of the print.
 */
export type StudyWanted = { game: string, variants?: Array<string>, settings?: Array<SettingValue>, off?: Array<string>, 
/**
 * Of each subject.
 */
matches: number, };

export type StudyReport = { matches: number, figures: Array<FigureRow>, };

/**
 * One figure under the printed rules and under the others, with errors.
 */
export type FigureRow = { name: string, printed: number, printed_error: number, changed: number, changed_error: number, 
/**
 * Whether the difference is more than noise.
 */
differs: boolean, };

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
id: number, command: Command, };

/**
 * What can be asked of a table.
 */
export type Command = { "Choose": { 
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
insist?: boolean, } } | { "Words": { seat: number, } } | { "Why": { seat: number, } } | { "Look": { seat?: number, } } | "Start" | { "PutBot": { seat: number, level: number, } } | { "TakeBack": { seat: number, } } | { "Leave": { seat: number, } } | { "Invite": { seat: number, } } | { "Resign": { seat: number, } } | { "Propose": { wish: Wish, 
/**
 * For whom it is asked; a seat of one's own.
 */
seat?: number, } } | { "Answer": { proposal: number, agree: boolean, } } | { "Withdraw": { proposal: number, } } | { "Diagnose": { change: Change, } } | { "Say": { text: string, 
/**
 * Made up by the client: said twice with one key it is said once.
 */
key: string, } } | { "Hint": { seat: number, } } | "Evaluate" | "Rules" | "Ping";

/**
 * What the table says.
 */
export type ToClient = { "Welcome": Welcome } | { "Update": Update } | { "Done": { id: number, } } | { "Refused": { id: number, refusal: Refusal, } } | { "Presence": Presence } | { "Thinking": { seat: number, } } | { "Words": { id: number, step: number, words: Array<string>, } } | { "Why": { id: number, refused: Array<RefusedChoice>, } } | { "Hint": { id: number, hint: Hint, } } | { "Value": { id: number, values: Array<number>, } } | { "Diagnosis": { id: number, diagnosis: Diagnosis, } } | { "Rules": { id: number, rules: Array<RuleInfo>, settings: Array<SettingInfo>, } } | { "Invitation": { id: number, seat: number, token: string, } } | { "Bye": { refusal: Refusal, } };

/**
 * Everything a viewer needs to begin with.
 */
export type Welcome = { protocol: number, 
/**
 * The number of the newest update.
 */
n: number, you: You, table: TableInfo, step: number, 
/**
 * The scene from now on; missing where `last` was the newest update, so that the client has it.
 */
scene?: Scene, question?: Question, 
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
eyes?: number, name: string, };

/**
 * Something happened. What is missing has not changed.
 */
export type Update = { 
/**
 * Larger than that of the update before; all before it have been sent.
 */
n: number, 
/**
 * Choices name it; missing: the position is the same.
 */
step?: number, 
/**
 * To be applied to the scene in order.
 */
changes?: Array<SceneChange>, 
/**
 * In place of changes, where everything is another.
 */
scene?: Scene, question?: Question, log?: Array<LogLine>, you?: You, table?: TableInfo, proposals?: Array<Proposal>, clocks?: Clocks, result?: Result, 
/**
 * Whether rules or settings are others: ask for them anew.
 */
rules_changed?: boolean, };
