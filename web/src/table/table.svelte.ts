// A table as this browser knows it: what the server has told, and what the person is about to do. No screen.
import type { Change, Clocks, Command, Diagnosis, Hint, LogLine, Picking, Presence, Proposal, Question, Refusal, RefusedChoice, Result, RuleInfo, Scene, SeatInfo, SettingInfo, TableInfo, Update, Welcome, Wish, You } from "../protocol/generated";
import { TableSocket, type Link, type Said } from "../protocol/socket";
import { chosen, entries, type Entry } from "./moves";
import { told, withWords } from "./choosing";
import { point, targets, wholeAlready, type Thing, type Way } from "./pointing";
import { SceneModel } from "./scene.svelte";
import { Windows } from "./windows";

/** Why the last thing tried was not done, and where on the board. */
export interface Notice {
  title: string;
  law: string | null;
  reason: string;
  things: Thing[];
  /** Of an advised rule: the choice that may be insisted on. */
  insist: number | null;
}

/** Several choices that pointing does not tell apart. */
export interface Menu {
  choices: number[];
  things: Thing[];
}

export interface Heard {
  /** Every sentence for people who listen, once. */
  say(text: string, how: "polite" | "assertive"): void;
  /** Somebody tried to choose, and it is this one's turn. */
  turnOf(name: string): void;
  /** The connection is there again, and this has happened meanwhile. */
  back(missed: string[]): void;
  sound(name: string): void;
}

/** The connection broke off; what was asked may or may not have been heard. */
const isLost = (refusal: Refusal) => refusal.code === "server/closing" && refusal.words === "";

export class TableModel {
  link: Link = $state("connecting");
  ended: Refusal | null = $state.raw(null);
  info: TableInfo | null = $state.raw(null);
  you: You | null = $state.raw(null);
  step = $state(0);
  scene = new SceneModel();
  question: (Question & { prompt: string }) | null = $state.raw(null);
  /** The seats that were asked the present question at once, whether or not they have answered; empty: one after the other. */
  together: number[] = $state.raw([]);
  log: LogLine[] = $state.raw([]);
  proposals: Proposal[] = $state.raw([]);
  presence: Presence | null = $state.raw(null);
  /** With the moment they were told, for they run on. */
  clocks: { told: Clocks; at: number } | null = $state.raw(null);
  result: Result | null = $state.raw(null);
  thinking: number | null = $state(null);
  rules: RuleInfo[] | null = $state.raw(null);
  settings: SettingInfo[] = $state.raw([]);

  /** Of each own seat that is asked: how its choices are pointed at. */
  #ways = new Map<number, Thing[][]>();
  ways: Way[] = $state.raw([]);
  /** All choices in words, once they were asked for; else only those that pointing cannot tell apart. */
  #words: Map<number, string> = $state.raw(new Map());

  picked: Thing[] = $state.raw([]);
  menu: Menu | null = $state.raw(null);
  notice: Notice | null = $state.raw(null);
  hint: Hint | null = $state.raw(null);
  /** A choice that waits for a second yes, where the person wants to be asked. */
  unsure: number | null = $state(null);
  /** What each seat's position is worth, from −1, lost, to 1, won; told for as long as it is wanted. */
  values: number[] | null = $state.raw(null);
  valuesWanted = $state(false);
  /** This screen shows what everybody may see; the person chooses on another one. */
  handedOver = $state(false);
  /** Another window of this browser has sat down at the same seats later; what is chosen is chosen there. */
  elsewhere = $state(false);
  /** The server said that it restarts. */
  restarts = $state(false);
  /** Choices of others that happened while the connection was lost; told until the next thing happens. */
  missed: string[] = $state.raw([]);
  /** Grows with every click that could not be a choice because it is somebody else's turn. */
  nods = $state(0);
  /** Since when the person of a seat is not there, as far as this window has seen it. */
  awaySince: Record<number, number> = $state.raw({});
  /** A choice is on its way: nothing else is chosen until it is answered. */
  sending = $state(false);

  #n: number | null = null;
  /** A choice that the connection broke off under: made again when it is back, if the position is still the same. */
  #later: { step: number; seat: number; choice: number; insist: boolean } | null = null;
  #socket: TableSocket;
  /** Who waits for the next thing that happens. */
  #waiting: (() => void)[] = [];
  #refusedHere: { step: number; seat: number; all: RefusedChoice[] } | null = null;
  #windows: Windows | null = null;

  constructor(
    readonly table: string,
    readonly tokens: () => string[],
    readonly heard: Heard,
    /** Whether a choice is only made when it is chosen twice. */
    readonly asksTwice: () => boolean = () => false,
  ) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new TableSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(table)}/socket`, {
      hello: () => ({ tokens: this.tokens(), ...(this.#n === null ? {} : { last: this.#n }) }),
      heard: (message) => this.#take(message),
      changed: (link, refusal) => {
        this.link = link;
        if (refusal?.code === "server/closing") this.restarts = true;
        if (link === "open") this.restarts = false;
        if (link === "ended") this.ended = refusal;
      },
    });
  }

  open(): void {
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
    this.#windows?.close();
  }

  /** The seats are played in this window again, and in no other one of this browser. */
  playHere(): void {
    this.elsewhere = false;
    this.#windows?.take(this.you?.seats ?? []);
    this.#look();
  }

  hurry(): void {
    this.#socket.hurry();
  }

  get moves(): Entry[] {
    return entries(this.log);
  }

  /** How many moves hold. */
  get nMoves(): number {
    return this.moves.reduce((most, entry) => (entry.is === "move" && !entry.taken ? Math.max(most, entry.number) : most), 0);
  }

  /** The seat whose question this person may answer now. With several, the one whose eyes look. */
  get acting(): number | null {
    if (this.handedOver || this.elsewhere) return null;
    const yours = this.question?.yours ?? [];
    return (yours.find((one) => one.seat === this.you?.eyes) ?? yours[0])?.seat ?? null;
  }

  /** A choice in words, as far as they are known. */
  words(choice: number): string {
    return this.#words.get(choice) ?? "";
  }

  /** Where several answers are given to one question that are no places on the board: all of them, and those given so far. */
  get picking(): Picking | null {
    const seat = this.acting;
    if (seat === null || this.ways.some((way) => way.points.length > 0)) return null;
    return this.question?.yours?.find((one) => one.seat === seat)?.picking ?? null;
  }

  /** One of several answers to a question, after which others may follow: whether it was taken, or came between those of others. */
  async say(choice: number, words: string): Promise<"taken" | "late" | "refused"> {
    const [step, seat] = [this.step, this.acting];
    if (seat === null || this.sending) return "refused";
    this.sending = true;
    let became: "taken" | "late" = "taken";
    try {
      await this.#socket.send({ do: "choose", step, seat, choice, insist: false });
      this.notice = null;
    } catch (refusal) {
      if ((refusal as Refusal).code !== "choice/stale") {
        this.#refused(refusal as Refusal, words);
        return "refused";
      }
      became = "late";
    } finally {
      this.sending = false;
    }
    if (this.step === step) await new Promise<void>((heard) => this.#waiting.push(heard));
    return became;
  }

  get nChoices(): number {
    return this.ways.length;
  }

  /** What can be pointed at next. */
  get targets(): Set<Thing> {
    return this.sending ? new Set() : targets(this.ways, this.picked);
  }

  /** Choices with nothing (further) to point at: pass, roll, a word. */
  get unpointed(): number[] {
    if (this.acting === null) return [];
    return wholeAlready(this.ways, this.picked);
  }

  seat(seat: number): SeatInfo | undefined {
    return this.info?.seats[seat];
  }

  isMine(seat: number): boolean {
    return this.you?.seats.includes(seat) ?? false;
  }

  /** Of a person, else of the seat as the definition calls it. */
  nameOf(seat: number): string {
    const info = this.seat(seat);
    return info === undefined ? "" : info.name !== "" ? info.name : info.title;
  }

  /** Something that a view has drawn to be clicked: its own rules say what comes of it. */
  async click(graphic: string): Promise<void> {
    this.notice = null;
    this.menu = null;
    this.missed = [];
    if (this.handedOver || this.elsewhere || this.sending) return;
    this.sending = true;
    try {
      await this.#socket.send({ do: "click", step: this.step, graphic });
    } catch (refusal) {
      this.#refused(refusal as Refusal, "");
    }
    this.sending = false;
  }

  /** Points at what lies under the finger. */
  async point(things: Thing[]): Promise<void> {
    this.notice = null;
    this.menu = null;
    this.missed = [];
    if (this.acting === null) return this.#nod();
    if (this.sending) return;
    const pointed = point(this.ways, this.picked, things);
    switch (pointed.is) {
      case "picked":
        this.picked = pointed.picked;
        break;
      case "choice":
        await this.choose(pointed.choice);
        break;
      case "several":
        await this.askWords();
        this.menu = { choices: pointed.choices, things };
        break;
      case "nothing":
        await this.#why(things);
    }
  }

  /** Somebody else is to move: the line that says whose turn it is says so again. */
  #nod(): void {
    const asked = this.question?.asked ?? [];
    if (this.result !== null || asked.length !== 1 || this.link !== "open") return;
    this.nods += 1;
    this.heard.turnOf(this.nameOf(asked[0]!));
  }

  /** A piece is taken up to be carried somewhere. */
  lift(things: Thing[]): void {
    this.notice = null;
    this.menu = null;
    const first = this.sending ? null : point(this.ways, [], things);
    this.picked = first?.is === "picked" ? first.picked : [];
  }

  /** It is put down there; if it may not go there, the law that is against it says so. */
  async drop(from: Thing[], to: Thing[]): Promise<void> {
    this.lift(from);
    if (this.picked.length > 0) await this.point(to);
    else if (this.acting !== null && !this.sending) await this.#why(to, from);
  }

  letGo(): void {
    if (this.menu !== null) this.menu = null;
    else if (this.unsure !== null) this.unsure = null;
    else if (this.notice !== null) this.notice = null;
    else this.picked = [];
  }

  async choose(choice: number, insist = false): Promise<void> {
    const seat = this.acting;
    if (seat === null || this.sending || choice < 0 || choice >= this.nChoices) return;
    if (this.asksTwice() && !insist && this.unsure !== choice) {
      await this.askWords();
      this.unsure = choice;
      this.menu = null;
      return;
    }
    this.unsure = null;
    const warning = this.question?.yours?.find((one) => one.seat === seat)?.warnings?.find((one) => one.choice === choice);
    this.menu = null;
    if (warning !== undefined && !insist) {
      this.notice = { title: this.words(choice), law: warning.rule, reason: warning.reason, things: this.picked, insist: choice };
      return;
    }
    this.picked = [];
    await this.#send({ step: this.step, seat, choice, insist });
  }

  async #send(made: { step: number; seat: number; choice: number; insist: boolean }): Promise<void> {
    this.#later = null;
    this.sending = true;
    try {
      await this.#socket.send({ do: "choose", ...made });
      this.notice = null;
    } catch (refusal) {
      if (isLost(refusal as Refusal)) this.#later = made;
      else this.#refused(refusal as Refusal, this.words(made.choice));
    }
    this.sending = false;
  }

  async propose(wish: Wish): Promise<boolean> {
    const seat = this.acting ?? this.you?.seats[0];
    return this.ask({ do: "propose", wish, ...(seat === undefined ? {} : { seat }) });
  }

  change(change: Change): Promise<boolean> {
    return this.propose({ kind: "change", change });
  }

  async diagnose(change: Change): Promise<Diagnosis | null> {
    try {
      const answer = await this.#socket.send({ do: "diagnose", change });
      return answer.is === "diagnosis" ? answer.diagnosis : null;
    } catch {
      return null;
    }
  }

  /** The table as it would be if what somebody wants a ruling for were allowed; none where nobody may know. */
  async preview(proposal: number): Promise<Scene | null> {
    try {
      const answer = await this.#socket.send({ do: "preview", proposal });
      return answer.is === "preview" ? answer.scene : null;
    } catch {
      return null;
    }
  }

  async askRules(): Promise<void> {
    try {
      const answer = await this.#socket.send({ do: "rules" });
      if (answer.is === "rules") {
        this.rules = answer.rules;
        this.settings = answer.settings;
      }
    } catch {
      // It is asked for again when the connection is back.
    }
  }

  /** Words of all choices, for lists and for moves that are typed. */
  async askWords(): Promise<void> {
    const seat = this.acting;
    if (seat === null || this.#words.size === this.ways.length) return;
    try {
      const answer = await this.#socket.send({ do: "words", seat });
      if (answer.is === "words" && answer.step === this.step) this.#words = new Map(answer.words.entries());
    } catch {
      // The question may be another by now.
    }
  }

  async askHint(): Promise<void> {
    const seat = this.acting;
    if (seat === null) return;
    try {
      const answer = await this.#socket.send({ do: "hint", seat });
      if (answer.is === "hint") this.hint = answer.hint;
    } catch (refusal) {
      this.#refused(refusal as Refusal, "");
    }
  }

  /** Whether hints may be given: always to somebody who plays alone, else when all have agreed. */
  get mayHint(): boolean {
    const company = this.info?.seats.some((seat) => seat.sitter.kind === "person" && !this.isMine(seat.seat)) ?? true;
    return (this.info?.manners.hints ?? false) || !company;
  }

  /** Asks for the values of this position, and of every further one. */
  wantValues(wanted: boolean): void {
    this.valuesWanted = wanted;
    if (wanted) void this.#askValues();
    else this.values = null;
  }

  async #askValues(): Promise<void> {
    if (!this.valuesWanted || this.result !== null) return;
    const step = this.step;
    try {
      const answer = await this.#socket.send({ do: "evaluate" });
      if (answer.is === "value" && this.valuesWanted) this.values = answer.values;
    } catch {
      // The position is another one by now, or not for these eyes; what was said of the one before stays until then.
    }
    if (this.step !== step) void this.#askValues();
  }

  /** What everybody may see stays here; the seat is played elsewhere, or here again. */
  async handOver(away: boolean): Promise<void> {
    this.handedOver = away;
    const seat = this.you?.seats[0];
    await this.ask(away || seat === undefined ? { do: "look" } : { do: "look", seat });
  }

  async invite(seat: number): Promise<string | null> {
    try {
      const answer = await this.#socket.send({ do: "invite", seat });
      return answer.is === "invitation" ? answer.token : null;
    } catch (refusal) {
      this.#refused(refusal as Refusal, "");
      return null;
    }
  }

  /** Anything whose answer is only whether it was done. */
  async ask(command: Command): Promise<boolean> {
    try {
      await this.#socket.send(command);
      return true;
    } catch (refusal) {
      this.#refused(refusal as Refusal, "");
      return false;
    }
  }

  /** Why can this not be chosen? Asked once for a position, then known. */
  async #why(things: Thing[], from: Thing[] | null = null): Promise<void> {
    const all = await this.#refusals();
    const wanted = [...this.picked];
    const refused = all.find((one) => {
      const points = one.points ?? [];
      if (from !== null) return points.length > 1 && from.includes(points[0]!) && things.includes(points[1]!);
      return points.length > wanted.length && wanted.every((thing, at) => points[at] === thing) && things.includes(points[wanted.length]!);
    });
    if (refused === undefined) {
      this.picked = [];
      return;
    }
    this.picked = [];
    this.notice = { title: refused.words, law: refused.law ?? null, reason: refused.reason, things, insist: null };
    this.heard.sound("refused");
    this.heard.say([refused.words, refused.law, refused.reason].filter(Boolean).join(". "), "assertive");
  }

  async #refusals(): Promise<RefusedChoice[]> {
    const seat = this.acting;
    if (seat === null) return [];
    if (this.#refusedHere?.step !== this.step || this.#refusedHere.seat !== seat) {
      try {
        const answer = await this.#socket.send({ do: "why", seat });
        if (answer.is !== "why") return [];
        this.#refusedHere = { step: this.step, seat, all: answer.refused };
      } catch {
        return [];
      }
    }
    return this.#refusedHere.all;
  }

  /** What can be done with a thing now, in words, and what cannot and why. */
  async about(things: Thing[]): Promise<{ choices: string[]; refused: RefusedChoice[] }> {
    const concerns = (points: Thing[] | undefined) => (points ?? []).some((point) => things.includes(point));
    await this.askWords();
    const choices = this.ways.flatMap((way, choice) => (concerns(way.points) ? [this.words(choice)] : []));
    const refused = (await this.#refusals()).filter((one) => concerns(one.points));
    return { choices: [...new Set(choices)], refused };
  }

  #refused(refusal: Refusal, title: string): void {
    // The line that says so is there already.
    if (isLost(refusal)) return;
    this.notice = { title, law: refusal.law ?? null, reason: refusal.words, things: this.picked, insist: null };
    this.heard.say([title, refusal.law, refusal.words].filter(Boolean).join(". "), "assertive");
  }

  #take(message: Said): void {
    switch (message.is) {
      case "welcome":
        this.#welcome(message);
        break;
      case "update":
        this.#update(message);
        break;
      case "presence":
        this.presence = message;
        this.#stampAway();
        break;
      case "thinking":
        this.thinking = message.seat;
        break;
    }
  }

  #stampAway(): void {
    const here = this.presence?.here ?? [];
    const away: Record<number, number> = {};
    here.forEach((one, seat) => {
      if (!one && this.seat(seat)?.sitter.kind === "person") away[seat] = this.awaySince[seat] ?? performance.now();
    });
    this.awaySince = away;
  }

  /** What others chose while nothing could be heard, newest last. */
  #told(log: LogLine[]): string[] {
    return log.flatMap((line) => (line.is === "chose" && !this.isMine(line.seat) && line.words !== undefined ? [`${this.nameOf(line.seat)} ${line.words}`] : []));
  }

  #welcome(welcome: Welcome): void {
    // A table that was put back to an earlier copy is told whole, like one never seen.
    const back = this.#n !== null && welcome.n >= this.#n;
    this.#n = welcome.n;
    this.info = welcome.table;
    this.you = welcome.you;
    if (!back) this.#ways = new Map();
    this.scene.show(welcome.scene);
    if (welcome.question !== undefined) this.#asked(welcome.question);
    this.step = welcome.step;
    this.log = back ? [...this.log, ...welcome.log] : welcome.log;
    this.proposals = welcome.proposals;
    this.presence = welcome.presence;
    this.#stampAway();
    this.missed = back ? this.#told(welcome.log) : [];
    if (back) this.heard.back(this.missed);
    this.#share();
    this.clocks = welcome.clocks === undefined ? null : { told: welcome.clocks, at: performance.now() };
    this.result = welcome.result ?? null;
    if (this.rules !== null) void this.askRules();
    if (this.#later !== null && this.#later.step === this.step) void this.#send(this.#later);
    this.#later = null;
    this.#happened();
    // Whose eyes look is forgotten when a connection ends.
    if (this.handedOver && this.you.eyes !== undefined) void this.handOver(true);
  }

  #update(update: Update): void {
    // One with the same number is news all the same: somebody looks with other eyes, and nothing has happened.
    if (this.#n !== null && update.n < this.#n) return;
    this.#n = update.n;
    // The parts of a question stand in it, if there is another one.
    const question = update.asked && (update as Update & Question);
    const step = question === undefined ? this.step : (update.step ?? update.n);
    const moved = step !== this.step;
    if (moved) {
      this.step = step;
      this.missed = [];
      this.picked = [];
      this.menu = null;
      this.hint = null;
      this.unsure = null;
      this.thinking = null;
    }
    for (const sound of this.scene.apply(update)) this.heard.sound(sound);
    if (question !== undefined) this.#asked(question);
    const lines = [...(update.chose ? [chosen(update.chose)] : []), ...(update.log ?? [])];
    if (lines.length > 0) {
      this.log = [...this.log, ...lines.map((line) => ({ ...line, n: line.n ?? update.n }))];
      this.#tell(lines);
    }
    for (const line of lines) {
      if (line.is === "ended") this.#ended(line.result);
      if (line.is === "began" || line.is === "undone") this.result = null;
      if (line.is === "began") this.notice = null;
    }
    if (update.you !== undefined) {
      this.you = update.you;
      this.#share();
      this.#look();
    }
    if (update.table !== undefined) {
      if (this.info !== null) this.info = { ...this.info, ...update.table };
      // What was over goes on.
      if (update.table.phase !== undefined && update.table.phase !== "over") this.result = null;
    }
    if (update.proposals !== undefined) this.proposals = update.proposals;
    if (update.clocks !== undefined) this.clocks = { told: update.clocks, at: performance.now() };
    if (update.result !== undefined) this.#ended(update.result);
    if (update.rules_changed && this.rules !== null) void this.askRules();
    if (moved && this.acting !== null) void this.#askValues();
    this.#happened();
  }

  #ended(result: Result): void {
    if (this.result === null) this.heard.sound("won");
    this.result = result;
  }

  #happened(): void {
    for (const heard of this.#waiting.splice(0)) heard();
  }

  /** Whoever sits here last plays here; a window of the same browser that held a seat before gives way. */
  #share(): void {
    const seats = this.you?.seats ?? [];
    if (seats.length === 0 || this.#windows !== null) return;
    this.#windows = new Windows(this.table, () => this.you?.seats ?? [], () => {
      this.elsewhere = true;
      this.picked = [];
      this.menu = null;
      this.unsure = null;
      this.#look();
    });
    this.#windows.take(seats);
  }

  #asked(next: Question): void {
    const question = { ...next, prompt: next.prompt ?? this.question?.prompt ?? "" };
    const yours = question.yours ?? [];
    // A difference is told from the last ways of the same seat, however long ago that was.
    for (const one of yours) this.#ways.set(one.seat, told(one, this.#ways.get(one.seat) ?? []));
    // Who answers drops out of those asked: that the rest are the same question is seen by its being asked of fewer only.
    const fewer = this.question?.prompt === question.prompt && question.asked.every((seat) => this.together.includes(seat));
    if (question.asked.length > 1 && !fewer) this.together = question.asked;
    else if (!fewer || question.asked.length === 0) this.together = [];
    this.question = question;
    this.picked = [];
    this.menu = null;
    this.#look();
  }

  /** The ways of whoever looks. */
  #look(): void {
    const seat = this.acting;
    const words = this.question?.yours?.find((one) => one.seat === seat)?.words ?? [];
    this.ways = seat === null ? [] : withWords(this.#ways.get(seat) ?? [], words);
    this.#words = new Map(words);
    // In mid-action the question is answered from a list as well as on the board.
    if (this.question?.kind === "answer" && this.ways.length <= 40) void this.askWords();
  }

  /** A burst of lines is one sentence, so that a screen reader is not interrupted by itself. */
  #tell(lines: LogLine[]): void {
    const said = lines.flatMap((line) => {
      if (line.is === "chose" && line.words !== undefined) return [`${this.nameOf(line.seat)}: ${line.words}.`];
      if (line.is === "said") return [line.text];
      if (line.is === "chance") return [line.words];
      if (line.is === "ended") return [line.result.words];
      if (line.is === "talk" && line.by !== this.you?.name) return [`${line.by}: ${line.text}`];
      return [];
    });
    if (said.length > 0) this.heard.say(said.join(" "), "polite");
    if (lines.some((line) => line.is === "proposed")) this.heard.sound("proposal");
    if (lines.some((line) => line.is === "ended")) this.heard.sound("won");
  }
}
