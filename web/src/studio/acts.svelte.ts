// What can be done with models, things, slots and links: the menus of the tree and of the workspace say it alike.
import type { Question } from "./Ask.svelte";
import type { StudioModel } from "./document.svelte";
import type { Images } from "./images.svelte";
import { menus, type Item } from "./menu.svelte";
import { nextName, places, plane, type Link, type Slot, type Thing } from "./plane";
import type { Change, Entry, Lane, ModelEntry, Row, Span, There } from "./types";
import { quoted, type Path } from "./values";
import { say, type StudioKey } from "./words";

/** What the tables show: a model, or one or several things. */
export interface Chosen {
  is: "model" | "thing";
  name: string;
  also?: string[];
}

/** One of several names is asked for. */
export interface Picking {
  title: string;
  options: { name: string; note?: string }[];
  done: (name: string) => void;
}

export class Acts {
  chosen: Chosen | null = $state(null);
  question: Question | null = $state.raw(null);
  picking: Picking | null = $state.raw(null);
  /** Whose image is chosen. */
  imaging: string[] | null = $state.raw(null);
  /** What cannot be done, said beside the pointer. */
  told: string | null = $state(null);
  plane = $derived.by(() => plane(this.model.picture));
  /** Whether the tree says how many errors there are in what. */
  showErrors = $state(true);
  #untold: ReturnType<typeof setTimeout> | undefined;

  /** What was chosen and looked at before each step. */
  #before = new Map<number, { chosen: Chosen | null; at: number }>();

  constructor(
    readonly model: StudioModel,
    readonly images: Images,
    /** Shows in the text. */
    readonly show: (at: number) => void,
    /** Shows as statements. */
    readonly look: (at: number) => void,
  ) {
    model.remember = () => this.#before.set(model.done, { chosen: this.chosen === null ? null : { ...this.chosen }, at: model.at });
    model.recall = (done) => {
      const was = this.#before.get(done);
      if (was !== undefined) {
        this.chosen = was.chosen;
        void model.look(was.at);
      }
      const known = this.chosen?.is === "model" ? this.models.map((one) => one.name) : this.names;
      if (this.chosen !== null && !known.includes(this.chosen.name)) this.chosen = null;
    };
  }

  ask = (question: Question) => {
    this.question = question;
  };

  tell(words: string): void {
    this.told = words;
    clearTimeout(this.#untold);
    this.#untold = setTimeout(() => (this.told = null), 4000);
  }

  /** Shows something in the text, in whatever file of the game it stands. */
  goTo(one: { at: Span | null; there: There | null }): void {
    const { at, there } = one;
    if (at !== null) this.show(at.start);
    else if (there !== null) void this.model.turnTo(there.path, undefined, there.start).then((turned) => turned && this.show(there.start));
  }

  change(change: Change): Promise<boolean> {
    return this.model.change(change);
  }

  get models(): ModelEntry[] {
    return this.model.picture.models;
  }

  get entities(): Entry[] {
    return this.model.picture.things.filter((one) => one.what === "entity" && one.name !== one.of);
  }

  get names(): string[] {
    return this.entities.map((one) => one.name);
  }

  thing(name: string): Thing | undefined {
    return this.plane.things.find((one) => one.name === name);
  }

  /** Every thing that is chosen. */
  get selected(): string[] {
    return this.chosen?.is === "thing" ? [this.chosen.name, ...(this.chosen.also ?? [])] : [];
  }

  choose(name: string, more = false): void {
    const now = this.selected;
    if (!more || now.length === 0) this.chosen = { is: "thing", name };
    else {
      const next = now.includes(name) ? now.filter((one) => one !== name) : [...now, name];
      this.chosen = next.length === 0 ? null : { is: "thing", name: next[0]!, also: next.slice(1) };
    }
  }

  chooseAll(names: string[]): void {
    this.chosen = names.length === 0 ? null : { is: "thing", name: names[0]!, also: names.slice(1) };
  }

  chooseModel(name: string): void {
    this.chosen = { is: "model", name };
  }

  addModel(parent?: string): void {
    const options = ["", ...this.models.map((one) => one.name)];
    this.ask({ title: say("add.model"), fields: [{ key: "name", label: "name" }, { key: "of", label: "parent", options, value: parent ?? "" }], done: async ({ name, of }) => {
      if (await this.change({ do: "add", what: "model", name: name!, ...(of ? { of } : {}) })) this.chosen = { is: "model", name: name! };
    } });
  }

  /** A new thing, at a place of the workspace if there is one; the dialog offers the next number. */
  addEntity(model?: string, at?: { x: number; y: number }, name?: string, image?: string): void {
    const options = ["", ...this.models.map((one) => one.name).filter((one) => one !== "game")];
    const of = model ?? (this.chosen?.is === "model" && options.includes(this.chosen.name) ? this.chosen.name : this.chosen?.is === "thing" ? (this.thing(this.chosen.name)?.model ?? "") : "");
    this.ask({
      title: say("add.entity"), again: true,
      fields: [{ key: "name", label: "name", value: name ?? "" }, { key: "of", label: "of-model", options, value: of === "thing" ? "" : of }],
      done: async (answers, again) => {
        const looks = this.models.find((one) => one.name === answers.of)?.looks;
        const rows = this.models.find((one) => one.name === answers.of)?.rows ?? [];
        const values: [string, string][] = [];
        if (at && looks && rows.some((row) => row.name === looks.x)) values.push([looks.x, String(Math.round(at.x))], [looks.y, String(Math.round(at.y))]);
        if (image && looks && rows.some((row) => row.name === looks.image)) values.push([looks.image, quoted(image)]);
        const value = values.map(([key, text]) => `${quoted(key)} ${text}`).join(" ");
        const made = await this.change({ do: "add", what: "entity", name: answers.name!, ...(answers.of ? { of: answers.of } : {}), ...(value ? { value } : {}) });
        if (!made) return;
        this.chosen = { is: "thing", name: answers.name! };
        if (again) this.addEntity(answers.of, at && { x: at.x + 20, y: at.y + 20 }, nextName(answers.name!, new Set(this.names)), image);
      },
    });
  }

  addLayer(then?: (name: string) => void): void {
    this.ask({ title: say("add.layer"), fields: [{ key: "name", label: "name" }], done: async ({ name }) => {
      if (await this.change({ do: "add", what: "layer", name: name! })) then?.(name!.trim());
    } });
  }

  /** The byte at which the name of a directive begins. */
  nameAt(entry: { at: { start: number } | null }): number | null {
    if (entry.at === null) return null;
    const line = new TextDecoder().decode(new TextEncoder().encode(this.model.text).slice(entry.at.start, entry.at.start + 60));
    return entry.at.start + (/^#\w+\s+/.exec(line)?.[0].length ?? 0);
  }

  rename(at: number | null, old: string): void {
    if (at === null) return;
    this.ask({ title: say("rename"), fields: [{ key: "name", label: "name", value: old }], done: async ({ name: to }) => {
      const chosen = this.chosen;
      if ((await this.change({ do: "rename", at, to: to! })) && chosen?.name === old) this.chosen = { is: chosen.is, name: to! };
    } });
  }

  /** Puts things on a layer; the menu of it. */
  layerItems(now: string | null | undefined, put: (layer: string | null) => void): Item[] {
    const { layers } = this.model.picture.workspace;
    return [
      { label: say("menu.no-layer"), checked: now === null, run: () => put(null) },
      ...layers.map((layer): Item => ({ label: layer.name, checked: layer.name === now, run: () => put(layer.name) })),
      { label: say("menu.add-layer"), apart: true, run: () => this.addLayer((name) => put(name)) },
    ];
  }

  modelItems(one: ModelEntry): Item[] {
    const inherited = one.at === null ? say("no.inherited") : undefined;
    const under = (name: string): boolean => name === one.name || this.models.some((other) => other.name === name && other.parent !== null && under(other.parent));
    const parents: Item[] = [
      { label: say("none"), checked: one.parent === null, run: () => void this.change({ do: "parent", model: one.name, parent: null }) },
      ...this.models.filter((other) => other.name !== "game").map((other): Item => ({
        label: other.name, checked: one.parent === other.name, no: under(other.name) ? say("no.circle") : undefined,
        run: () => void this.change({ do: "parent", model: one.name, parent: other.name }),
      })),
    ];
    return [
      { label: say("menu.add-model"), run: () => this.addModel(one.name) },
      { label: say("menu.add-entity"), run: () => this.addEntity(one.name) },
      { label: say("menu.add-behavior"), run: () => this.addBehavior(one) },
      { label: say("menu.parent"), items: parents, no: inherited, apart: true },
      { label: say("menu.rename"), keys: "F2", no: inherited, run: () => this.rename(this.nameAt(one), one.name) },
      { label: say("menu.looks"), run: () => this.looks(one) },
      { label: say("menu.text"), keys: "F12", no: one.there === null ? inherited : undefined, run: () => this.goTo(one) },
      { label: say("menu.errors"), checked: this.showErrors, run: () => (this.showErrors = !this.showErrors) },
      { label: say("menu.remove-model"), bad: true, apart: true, no: inherited, run: () => void this.change({ do: "remove-model", model: one.name }) },
    ];
  }

  addBehavior(one: ModelEntry, state = one.states.find((state) => state.initial)?.name): void {
    this.ask({ title: say("add.behavior"), fields: [{ key: "name", label: "name" }], done: async ({ name }) => {
      if (!(await this.change({ do: "add", what: "behavior", name: name!, of: one.name, ...(state === undefined ? {} : { state }) }))) return;
      const now = this.models.find((other) => other.name === one.name);
      const made = now?.states.flatMap((each) => (state === undefined || each.name === state ? each.behaviors : [])).find((each) => each.name === name!.trim());
      if (made?.at) this.look(made.at.start);
    } });
  }

  looks(one: ModelEntry): void {
    const options = one.rows.filter((row) => row.role !== "relation").map((row) => row.name);
    const { looks } = one;
    const field = (key: "x" | "y" | "image" | "layer", now: string) => ({ key, label: `looks.${key}` as const, options: [...new Set([now, ...options])], value: now });
    this.ask({ title: say("menu.looks"), fields: [field("x", looks.x), field("y", looks.y), field("image", looks.image), field("layer", looks.order)], done: (answers) => {
      const before = { x: looks.x, y: looks.y, image: looks.image, layer: looks.order };
      const keys = (["x", "y", "image", "layer"] as const).filter((key) => answers[key] !== before[key]);
      if (keys.length > 0) void this.change({ do: "all", changes: keys.map((attribute) => ({ do: "look", model: one.name, attribute, property: answers[attribute]! })) });
    } });
  }

  /** Of one thing, or of all that are chosen where it is one of them. */
  thingItems(name: string): Item[] {
    const entry = this.entities.find((one) => one.name === name);
    if (entry === undefined) return [];
    const all = this.selected.includes(name) ? this.selected : [name];
    const entries = this.entities.filter((one) => all.includes(one.name) && one.at !== null);
    const one = this.thing(name);
    const inherited = entry.at === null ? say("no.inherited") : undefined;
    const { workspace } = this.model.picture;
    const layers = new Set(all.map((each) => workspace.puts.find(([own]) => own === each)?.[1] ?? null));
    const group = workspace.groups.find((each) => each.entities.includes(name));
    const noImage = one && one.rows.some((row) => row.name === one.looks.image) ? undefined : say("no.image", { name: one?.looks.image ?? "" });
    const models: Item[] = [{ label: say("none"), checked: entry.of === "thing", run: () => this.madeFrom(entries, null) },
      ...this.models.filter((each) => each.name !== "game").map((each): Item => ({ label: each.name, checked: entry.of === each.name, run: () => this.madeFrom(entries, each.name) }))];
    const into = (group: string | null) => void this.change({ do: "group", entities: all, group });
    return [
      { label: say("menu.model"), items: models, no: inherited },
      { label: say("menu.rename"), keys: "F2", no: inherited, run: () => this.rename(this.nameAt(entry), name) },
      { label: say("menu.group"), items: [
        { label: say("menu.no-group"), checked: group === undefined, run: () => into(null) },
        ...workspace.groups.map((each): Item => ({ label: each.name, checked: each === group, run: () => into(each.name) })),
        { label: say("menu.add-group"), apart: true, run: () => this.ask({ title: say("menu.add-group"), fields: [{ key: "name", label: "name" }], done: ({ name: to }) => into(to!) }) },
      ] },
      { label: say("menu.layer"), items: this.layerItems(layers.size === 1 ? [...layers][0]! : undefined, (layer) => void this.change({ do: "on-layer", entities: all, layer })) },
      { label: say("menu.image"), no: inherited ?? noImage, run: () => (this.imaging = all) },
      { label: say("menu.link"), keys: "L", apart: true, no: inherited ?? (one && one.slots.length > 0 ? undefined : say("no.slots")), run: () => one && this.linkFrom(one) },
      { label: say("menu.break"), keys: "⇧L", no: this.plane.links.some((link) => link.from === name) ? undefined : say("no.links"), run: () => one && this.breakFrom(one) },
      { label: say("menu.front"), apart: true, no: inherited, run: () => this.order(all, true) },
      { label: say("menu.back"), no: inherited, run: () => this.order(all, false) },
      { label: say("menu.align"), no: all.length < 2 ? say("no.two") : undefined, items: [
        { label: say("menu.align-left"), run: () => this.lay(all, (things) => things.map((each) => ({ x: Math.min(...things.map((one) => one.x)), y: each.y }))) },
        { label: say("menu.align-top"), run: () => this.lay(all, (things) => things.map((each) => ({ x: each.x, y: Math.min(...things.map((one) => one.y)) }))) },
      ] },
      { label: say("menu.distribute"), no: all.length < 3 ? say("no.two") : undefined, items: [
        { label: say("menu.across"), run: () => this.lay(all, (things) => spread(things, "x")) },
        { label: say("menu.down"), run: () => this.lay(all, (things) => spread(things, "y")) },
      ] },
      { label: say("menu.select-model"), keys: "⇧", apart: true, run: () => entry.of && this.chooseModel(entry.of) },
      { label: say("menu.duplicate"), no: inherited, run: () => this.duplicate(entry) },
      { label: say("menu.text"), keys: "F12", no: entry.there === null ? inherited : undefined, run: () => this.goTo(entry) },
      { label: say("menu.remove-entity"), keys: "Del", bad: true, apart: true, no: inherited, run: () => this.removeThings(entries) },
    ];
  }

  madeFrom(entries: Entry[], model: string | null): void {
    if (entries.length === 0) return;
    void this.change({ do: "all", changes: entries.map((each) => ({ do: "made-from", at: each.at!, model })), name: entries.length === 1 ? entries[0]!.name : say("ws.several", { n: entries.length }) });
  }

  async removeThings(entries: Entry[]): Promise<void> {
    // One after the other: each takes the links to it along, which may stand in the lines of the next.
    for (const name of entries.map((each) => each.name)) {
      const entry = this.entities.find((each) => each.name === name);
      if (entry?.at && !(await this.change({ do: "remove-entity", at: entry.at }))) return;
    }
    if (this.chosen?.is === "thing" && !this.names.includes(this.chosen.name)) this.chosen = null;
  }

  duplicate(entry: Entry): void {
    const name = nextName(entry.name, new Set(this.names));
    const given = entry.values.filter((row) => row.changed && row.role !== "relation" && row.value !== null);
    const value = given.map((row) => `${quoted(row.name)} ${row.value}`).join(" ");
    void this.change({ do: "add", what: "entity", name, ...(entry.of && entry.of !== "thing" ? { of: entry.of } : {}), ...(value ? { value } : {}) }).then((made) => made && (this.chosen = { is: "thing", name }));
  }

  order(names: string[], front: boolean): void {
    const orders = this.plane.things.map((one) => one.order);
    const to = front ? Math.max(0, ...orders) + 1 : Math.min(0, ...orders) - 1;
    const things = names.map((name) => this.thing(name)).filter((one) => one !== undefined).filter((one) => one.rows.some((row) => row.name === one.looks.order));
    if (things.length > 0) void this.change({ do: "all", deed: "place", name: things.map((one) => one.name).join(", "), changes: things.map((one) => ({ do: "give", at: one.at, values: { [one.looks.order]: String(to) } })) });
  }

  lay(names: string[], to: (things: Thing[]) => { x: number; y: number }[]): void {
    const things = names.map((name) => this.thing(name)).filter((one) => one !== undefined);
    void this.place(things, to(things));
  }

  /** Where things stand from now on. A model that knows no place learns it. */
  async place(things: Thing[], to: { x: number; y: number }[]): Promise<void> {
    const locked = things.find((one) => one.isProtected);
    if (locked) return this.tell(say("ws.locked", { layer: locked.layer ?? "" }));
    const bare = things.find((one) => !one.hasPlace && one.model === "thing");
    if (bare) return this.tell(say("ws.no-model", { name: bare.name }));
    const changes: Change[] = [];
    for (const model of new Set(things.filter((one) => !one.hasPlace).map((one) => one.model))) {
      const known = new Set(this.models.find((one) => one.name === model)?.rows.map((row) => row.name));
      const { looks } = things.find((one) => one.model === model)!;
      for (const name of [looks.x, looks.y]) if (!known.has(name)) changes.push({ do: "add", what: "appearance", name, of: model, value: "0" });
    }
    things.forEach((one, nth) => {
      const { x, y } = to[nth]!;
      const values: Record<string, string> = {};
      if (x !== one.x || !one.hasPlace) values[one.looks.x] = String(x);
      if (y !== one.y || !one.hasPlace) values[one.looks.y] = String(y);
      if (Object.keys(values).length > 0) changes.push({ do: "give", at: one.at, values });
    });
    if (changes.length > 0) await this.change({ do: "all", deed: "place", name: things.length === 1 ? things[0]!.name : say("ws.several", { n: things.length }), changes });
  }

  setImage(names: string[], image: string | null): void {
    const things = names.map((name) => this.thing(name)).filter((one) => one !== undefined);
    void this.change({ do: "all", deed: "image", name: things.map((one) => one.name).join(", "), changes: things.map((one) => ({ do: "give", at: one.at, values: { [one.looks.image]: image === null ? null : quoted(image) } })) });
  }

  slotItems(one: Thing, slot: Slot): Item[] {
    const lane = (lane: Lane): Item => ({ label: say(`menu.anchor-${lane}`), checked: slot.lane === lane, run: () => void this.change({ do: "slot", relation: slot.relation, of: slot.of, lane }) });
    const links = this.plane.links.filter((link) => link.from === one.name && link.relation === slot.relation);
    return [
      lane("top"), lane("bottom"), lane("left"), lane("right"),
      { label: say("menu.layer"), apart: true, items: this.layerItems(slot.layer, (layer) => void this.change({ do: "slot", relation: slot.relation, of: slot.of, layer: layer ?? "" })) },
      { label: say("menu.link"), keys: "L", apart: true, run: () => this.linkSlot(one, slot) },
      { label: say("menu.in-model"), run: () => this.chooseModel(slot.of) },
      { label: say("menu.break-all"), bad: true, no: links.length === 0 ? say("no.links") : undefined, run: () => this.breakAll(one, slot) },
    ];
  }

  linkItems(link: Link): Item[] {
    return [
      { label: say("menu.break"), keys: "⇧L", run: () => this.breakLink(link) },
      { label: say("menu.target"), run: () => this.retarget(link) },
      { label: say("menu.select-model"), apart: true, run: () => this.chooseModel(this.thing(link.from)?.model ?? "") },
    ];
  }

  /** Whether nothing of it can be changed here; says so. */
  isLocked(layer: string | null, isProtected: boolean): boolean {
    if (isProtected) this.tell(say("ws.locked", { layer: layer ?? "" }));
    return isProtected;
  }

  /** First which relationship, where there are several, then to whom. */
  linkFrom(one: Thing): void {
    const slots = one.slots.filter((slot) => slot.shown);
    if (slots.length === 1) this.linkSlot(one, slots[0]!);
    else if (slots.length > 1) this.picking = { title: say("ws.which-relation", { name: one.name }), options: slots.map((slot) => ({ name: slot.relation })), done: (name) => this.linkSlot(one, slots.find((slot) => slot.relation === name)!) };
  }

  linkSlot(one: Thing, slot: Slot): void {
    if (this.isLocked(slot.layer, slot.isProtected)) return;
    const targets = this.entities.map((each) => ({ name: each.name, note: each.of === "thing" ? "" : (each.of ?? "") }));
    this.picking = { title: say("ws.link-to", { relation: slot.relation, name: one.name }), options: targets, done: (to) => this.link(one, slot.row, to) };
  }

  /** Links by a relation; where its value has several places for it, one of them is asked for. */
  link(one: Thing, row: Row, to: string): void {
    const all = places(row);
    if (all.length === 1) return this.linkAt(one, row, all[0]!.path, all[0]!.kind, to);
    const called = (path: Path) => (path.length === 0 ? say("ws.itself", { relation: row.name }) : [row.name, ...path].join(" · "));
    this.picking = { title: say("ws.where", { relation: row.name }), options: all.map((place) => ({ name: called(place.path), note: say(`kind.${place.kind}`) })), done: (name) => {
      const place = all.find((each) => called(each.path) === name)!;
      this.linkAt(one, row, place.path, place.kind, to);
    } };
  }

  linkAt(one: Thing, row: Row, path: Path, kind: "id" | "list" | "dictionary", to: string): void {
    const link = (key?: string) => void this.change({ do: "all", deed: "link", name: `${one.name} → ${to}`, changes: [{ do: "link", at: one.at, relation: row.name, path, to, ...(key === undefined ? {} : { key }) }] });
    if (kind !== "dictionary") link();
    else this.ask({ title: say("ws.drop-key", { from: row.name, to }), fields: [{ key: "key", label: "ws.key" }], done: ({ key }) => link(key!) });
  }

  retarget(link: Link): void {
    const one = this.thing(link.from);
    if (one === undefined || this.isLocked(one.slots[link.slot]?.layer ?? null, link.isProtected)) return;
    this.picking = { title: say("ws.link-to", { relation: link.relation, name: link.from }), options: this.names.map((name) => ({ name })), done: (to) => void this.change({ do: "all", deed: "link", name: `${link.from} → ${to}`, changes: [{ do: "link", at: one.at, relation: link.relation, path: link.path, to }] }) };
  }

  breakFrom(one: Thing): void {
    const links = this.plane.links.filter((link) => link.from === one.name);
    const called = (link: Link) => `${[link.relation, ...link.path].join(" · ")} → ${link.to}`;
    if (links.length === 1) this.breakLink(links[0]!);
    else if (links.length > 1) this.picking = { title: say("ws.which-link", { name: one.name }), options: links.map((link) => ({ name: called(link) })), done: (name) => this.breakLink(links.find((link) => called(link) === name)!) };
  }

  breakLink(link: Link): void {
    const one = this.thing(link.from);
    if (one === undefined || this.isLocked(one.slots[link.slot]?.layer ?? null, link.isProtected)) return;
    void this.change({ do: "all", deed: "break", name: `${link.from} → ${link.to}`, changes: [{ do: "unlink", at: one.at, relation: link.relation, path: link.path }] });
  }

  breakAll(one: Thing, slot: Slot): void {
    if (this.isLocked(slot.layer, slot.isProtected)) return;
    const empty = slot.row.held.kind === "list" ? "(list)" : slot.row.held.kind === "dictionary" ? "(dictionary)" : null;
    const changes: Change[] = empty === null ? [{ do: "unlink", at: one.at, relation: slot.relation }] : [{ do: "give", at: one.at, values: { [slot.relation]: empty } }];
    void this.change({ do: "all", deed: "break", name: `${one.name} · ${slot.relation}`, changes });
  }

  menu(event: MouseEvent | KeyboardEvent, title: string, items: Item[], about = ""): void {
    menus.show(event, title, items, about);
  }

  groupAdd(): void {
    this.ask({ title: say("menu.add-group"), fields: [{ key: "name", label: "name" as StudioKey }], done: ({ name }) => void this.change({ do: "group", entities: [], group: name! }) });
  }
}

/** As many lie between the first and the last as before, at equal distances. */
function spread(things: Thing[], along: "x" | "y"): { x: number; y: number }[] {
  const order = things.toSorted((one, other) => one[along] - other[along]);
  const [first, last] = [order[0]![along], order.at(-1)![along]];
  return things.map((one) => ({ x: one.x, y: one.y, [along]: Math.round(first + ((last - first) * order.indexOf(one)) / (order.length - 1)) }));
}
