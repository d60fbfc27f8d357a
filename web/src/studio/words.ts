// Words of the studio alone, so that nobody who plays fetches them. The German ones are those of Game-Master's tutorial.
import { current, fill, type Values } from "../words/later";
import { deViews, enViews } from "./words-views";
import * as visual from "./words.visual";

const en = {
  ...enViews,
  ...visual.en,
  "title": "Studio", "untitled": "Untitled", "build": "Build", "text": "Text", "undo": "Undo", "redo": "Redo", "history": "History", "beginning": "As it was opened",
  "open": "Open a file…", "save": "Save as a file", "share": "Share", "shared": "Whoever opens this link gets a copy.", "play": "Play with others", "saved": "saved in this browser",
  "tree": "Game tree", "models": "Models", "entities": "Entities", "rules": "Play", "game": "Game", "variants": "Variants",
  "add": "Add", "add.model": "Add model", "add.entity": "Add entity", "add.board": "Board", "shape": "Shape", "add.property": "Property", "add.relation": "Relationship", "add.appearance": "Appearance", "add.state": "Add state", "add.behavior": "Add behavior",
  "add.law": "Law", "add.after-law": "Law after the behavior", "add.side-effect": "Side-effect", "add.action": "Action", "add.setting": "Setting", "add.define": "Question", "add.variant": "Variant", "add.view": "Representation", "add.set": "Value of a setting", "add.rule": "Change of a rule", "add.inside": "Add to {name}", "add.none-there": "There is nothing yet that it could change.", "builds-on": "Builds on", "players.are": "Or everything of a model", "becomes": "Becomes",
  "name": "Name", "of-model": "Model", "parent": "Parent", "none": "none", "message": "Message", "to": "To", "value": "Value", "type": "Type", "state": "State", "ok": "OK", "cancel": "Cancel",
  "remove": "Remove", "rename": "Rename", "show-text": "Show in text", "put-back": "Back to the inherited value", "initial": "initial",
  "properties": "Properties", "relations": "Relationships", "appearances": "Appearances", "states": "States", "inherited": "inherited from {model}", "changed": "changed here", "tables": "Properties tables",
  "kind.nothing": "nothing", "kind.number": "Number", "kind.text": "Text", "kind.id": "ID", "kind.list": "List", "kind.dictionary": "Dictionary", "kind.computed": "computed",
  "behavior": "Behavior", "nothing-selected": "Choose a behavior, a law or an action in the tree.", "no-body": "It has no statements.",
  "statement.add": "Add statement", "statement.before": "Insert before", "statement.after": "Insert after", "statement.replace": "Replace with", "statement.wrap": "Wrap with", "statement.up": "Move up", "statement.down": "Move down",
  "statement.copy": "Copy", "statement.cut": "Cut", "statement.paste": "Paste", "statement.menu": "What to do with “{name}”", "statement.choose": "Choose a statement", "statement.search": "Search statements", "empty": "Empty — a value is missing here", "fold": "Fold", "unfold": "Unfold", "part.take": "Leave out {part}",
  "outline": "Structure", "editor": "Text of the game", "format": "Format", "check.good": "No errors.", "check.errors": "{n} {n, one:error, other:errors}", "check.warnings": "{n} {n, one:warning, other:warnings}", "messages": "What the checker says", "line": "line {n}",
  "around": "Around “{label}”", "around.note": "in the order they run", "around.behavior": "the behavior", "around.none": "Put the cursor into a behavior, an action or a rule.", "around.several": "stands for several messages", "kind.law": "law · asked before", "kind.after-law": "law · asked after", "kind.side-effect": "side-effect", "enforced": "enforced", "advised": "advised", "off": "off",
  "now": "Play it now", "now.you": "you are all seats", "now.start": "Start a match", "now.again": "New match", "now.broken": "The text has an error. The match goes on with the rules as they last were sound.", "now.unfit": "The running match cannot go on with this text:", "now.changed": "The rules changed in {ms} ms; the position stayed.", "now.faulty": "The game cannot begin yet:", "now.level": "Let the machine play {seat}", "now.mine": "Play {seat} yourself", "take-back": "Take back",
  "offline": "The connection to the server is lost. What you type is kept here.", "kept": "A version you had not finished is back.", "discard": "Begin anew from the game",
  "step.type": "Typing", "step.replace": "Replaced: {name}", "step.remove": "Removed: {name}", "step.add": "Added: {name}", "step.clear": "Left out: {name}", "step.move": "Moved: {name}", "step.wrap": "Wrapped in: {name}", "step.parent": "Parent of {name}", "step.value": "Value of {name}", "step.mode": "Switched: {name}", "step.rename": "Renamed: {name}", "step.format": "Laid out",
  "effort": "{steps} {steps, one:step, other:steps} in {minutes} minutes, {undone} taken back, {refused} refused", "effort.save": "Save as a table",
  "uses": "{n} {n, one:place, other:places}", "find-uses": "Find uses", "to-definition": "Go to definition", "keys": "F2 rename · F12 definition · ⇧F12 uses · ⇧Alt+F format · Alt+Enter fix",
  "flow": "Flow", "source": "Source", "pipe": "Working with values", "sink": "Sink", "send": "Message", "declaration": "Variable",
} as const;

export type StudioKey = keyof typeof en;

const de: Record<StudioKey, string> = {
  ...deViews,
  ...visual.de,
  "title": "Studio", "untitled": "Ohne Titel", "build": "Bauen", "text": "Text", "undo": "Rückgängig", "redo": "Wiederholen", "history": "Verlauf", "beginning": "Wie es geöffnet wurde",
  "open": "Datei öffnen …", "save": "Als Datei speichern", "share": "Teilen", "shared": "Wer diesen Verweis öffnet, bekommt eine Kopie.", "play": "Mit anderen spielen", "saved": "in diesem Browser gespeichert",
  "tree": "Spielbaum", "models": "Modelle", "entities": "Entitäten", "rules": "Spiel", "game": "Grundlagen", "variants": "Varianten",
  "add": "Hinzufügen", "add.model": "Model hinzufügen", "add.entity": "Entität hinzufügen", "add.board": "Brett", "shape": "Form", "add.property": "Eigenschaft", "add.relation": "Beziehung", "add.appearance": "Aussehen", "add.state": "Zustand hinzufügen", "add.behavior": "Verhalten hinzufügen",
  "add.law": "Gesetz", "add.after-law": "Gesetz nach dem Verhalten", "add.side-effect": "Folge", "add.action": "Zug", "add.setting": "Einstellung", "add.define": "Frage", "add.variant": "Variante", "add.view": "Darstellung", "add.set": "Wert einer Einstellung", "add.rule": "Änderung einer Regel", "add.inside": "Zu {name} hinzufügen", "add.none-there": "Es gibt noch nichts, was sie ändern könnte.", "builds-on": "Baut auf", "players.are": "Oder alle von einem Model", "becomes": "Wird zu",
  "name": "Name", "of-model": "Model", "parent": "Vater", "none": "keine", "message": "Nachricht", "to": "An", "value": "Wert", "type": "Typ", "state": "Zustand", "ok": "OK", "cancel": "Abbrechen",
  "remove": "Entfernen", "rename": "Umbenennen", "show-text": "Im Text zeigen", "put-back": "Auf geerbten Wert zurück", "initial": "Anfangszustand",
  "properties": "Eigenschaften", "relations": "Beziehungen", "appearances": "Aussehen", "states": "Zustände", "inherited": "geerbt von {model}", "changed": "hier geändert", "tables": "Eigenschaftstabellen",
  "kind.nothing": "nichts", "kind.number": "Zahl", "kind.text": "Text", "kind.id": "ID", "kind.list": "Liste", "kind.dictionary": "Wörterbuch", "kind.computed": "berechnet",
  "behavior": "Verhalten", "nothing-selected": "Wähle im Baum ein Verhalten, ein Gesetz oder einen Zug.", "no-body": "Es hat keine Anweisungen.",
  "statement.add": "Anweisung hinzufügen", "statement.before": "Anweisung davor einfügen", "statement.after": "Anweisung danach einfügen", "statement.replace": "Anweisung ersetzen mit", "statement.wrap": "Umschließen mit", "statement.up": "Nach oben", "statement.down": "Nach unten",
  "statement.copy": "Anweisung kopieren", "statement.cut": "Anweisung ausschneiden", "statement.paste": "Anweisung einfügen", "statement.menu": "Was mit „{name}“ geschehen soll", "statement.choose": "Anweisung wählen", "statement.search": "Anweisungen suchen", "empty": "Leer — hier fehlt ein Wert", "fold": "Einklappen", "unfold": "Ausklappen", "part.take": "{part} weglassen",
  "outline": "Gliederung", "editor": "Text des Spiels", "format": "Formatieren", "check.good": "Keine Fehler.", "check.errors": "{n} {n, one:Fehler, other:Fehler}", "check.warnings": "{n} {n, one:Warnung, other:Warnungen}", "messages": "Was die Prüfung sagt", "line": "Zeile {n}",
  "around": "Rund um „{label}“", "around.note": "in der Reihenfolge, in der es geschieht", "around.behavior": "das Verhalten", "around.none": "Setze den Zeiger in ein Verhalten, einen Zug oder eine Regel.", "around.several": "gilt für mehrere Nachrichten", "kind.law": "Gesetz · vorher gefragt", "kind.after-law": "Gesetz · nachher gefragt", "kind.side-effect": "Folge", "enforced": "gilt", "advised": "als Rat", "off": "aus",
  "now": "Gleich spielen", "now.you": "du bist alle Plätze", "now.start": "Partie beginnen", "now.again": "Neue Partie", "now.broken": "Im Text ist ein Fehler. Die Partie geht nach den Regeln weiter, die zuletzt in Ordnung waren.", "now.unfit": "Die laufende Partie kann mit diesem Text nicht weitergehen:", "now.changed": "Die Regeln änderten sich in {ms} ms; die Stellung blieb.", "now.faulty": "Das Spiel kann noch nicht beginnen:", "now.level": "{seat} von der Maschine spielen lassen", "now.mine": "{seat} selbst spielen", "take-back": "Zurücknehmen",
  "offline": "Die Verbindung zum Server ist unterbrochen. Was du schreibst, bleibt hier.", "kept": "Eine Fassung, die du nicht beendet hattest, ist wieder da.", "discard": "Neu vom Spiel beginnen",
  "step.type": "Geschrieben", "step.replace": "Ersetzt: {name}", "step.remove": "Entfernt: {name}", "step.add": "Hinzugefügt: {name}", "step.clear": "Weggelassen: {name}", "step.move": "Verschoben: {name}", "step.wrap": "Umschlossen mit: {name}", "step.parent": "Vater von {name}", "step.value": "Wert von {name}", "step.mode": "Umgeschaltet: {name}", "step.rename": "Umbenannt: {name}", "step.format": "Formatiert",
  "effort": "{steps} {steps, one:Schritt, other:Schritte} in {minutes} Minuten, {undone} zurückgenommen, {refused} abgelehnt", "effort.save": "Als Tabelle speichern",
  "uses": "{n} {n, one:Stelle, other:Stellen}", "find-uses": "Alle Verwendungen", "to-definition": "Zur Definition", "keys": "F2 umbenennen · F12 Definition · ⇧F12 Verwendungen · ⇧Alt+F formatieren · Alt+Eingabe beheben",
  "flow": "Ablauf", "source": "Quelle", "pipe": "Verarbeitung", "sink": "Senke", "send": "Nachricht", "declaration": "Variable",
};

export function say(key: StudioKey, values: Values = {}): string {
  const language = current();
  return fill(language === "de" ? de[key] : en[key], values, language);
}

/** What the directives of a definition are called, for whoever does not write them. */
const directives: Record<string, Record<string, string>> = {
  en: { game: "Game", info: "Information", setting: "Setting", set: "Value of a setting", players: "Players", teams: "Teams", turns: "Turns", history: "History", properties: "Open properties", setup: "Setup", picture: "Board as text", model: "Model", property: "Property", relation: "Relationship", appearance: "Appearance", define: "Question", behavior: "Behavior", state: "State", contents: "Contents", capacity: "Capacity", supply: "Supply", symbol: "Sign", look: "Look", entity: "Entity", board: "Board", directions: "Directions", link: "Link", place: "Place", edges: "Edges", action: "Action", law: "Law", "after-law": "Law after the behavior", "side-effect": "Side-effect", rule: "Change of a rule", evaluator: "Judgement of a position", view: "Representation", editor: "Editor", variant: "Variant" },
  de: { game: "Spiel", info: "Angabe", setting: "Einstellung", set: "Wert einer Einstellung", players: "Spieler", teams: "Mannschaften", turns: "Züge der Reihe nach", history: "Vorgeschichte", properties: "Offene Eigenschaften", setup: "Aufbau", picture: "Brett als Text", model: "Model", property: "Eigenschaft", relation: "Beziehung", appearance: "Aussehen", define: "Frage", behavior: "Verhalten", state: "Zustand", contents: "Inhalt", capacity: "Fassungsvermögen", supply: "Vorrat", symbol: "Zeichen", look: "Ansicht", entity: "Entität", board: "Brett", directions: "Richtungen", link: "Verbindung", place: "Ort", edges: "Kanten", action: "Zug", law: "Gesetz", "after-law": "Gesetz nach dem Verhalten", "side-effect": "Folge", rule: "Änderung einer Regel", evaluator: "Bewertung einer Stellung", view: "Darstellung", editor: "Arbeitsfläche", variant: "Variante" },
};

export function directive(what: string): string {
  return directives[current()]?.[what] ?? what;
}

/** What a text of the studio is in the other language, so that it is found by either. */
export function elsewhere(text: string): string {
  const [own, other]: Record<StudioKey, string>[] = current() === "de" ? [de, en] : [en, de];
  const keys = Object.keys(en) as StudioKey[];
  return keys.filter((key) => own![key] === text).map((key) => other![key]).join(" ");
}

/** The statements of Game-Master by their names there; every other form is called by its word. */
const statements: Record<string, { en: string; de: string }> = {
  If: { en: "If", de: "Wenn" }, While: { en: "Loop", de: "Schleife" }, Foreach: { en: "For each", de: "Für jedes" }, Do: { en: "Block", de: "Block" }, Return: { en: "End behavior", de: "Verhalten beenden" },
  Var: { en: "Define variable", de: "Variable definieren" }, Set: { en: "Change", de: "Ändern" }, Increase: { en: "Increase", de: "Erhöhen" }, Decrease: { en: "Decrease", de: "Verringern" },
  Property: { en: "Read property", de: "Eigenschaft lesen" }, UpdateProperty: { en: "Change property", de: "Eigenschaft ändern" }, NewProperty: { en: "New property", de: "Neue Eigenschaft" }, Send: { en: "Send message", de: "Nachricht senden" }, ChangeState: { en: "Change state", de: "Zustand ändern" },
  Require: { en: "Require", de: "Verlangen" }, Win: { en: "Win", de: "Gewinnen" }, Lose: { en: "Lose", de: "Verlieren" }, Draw: { en: "Draw", de: "Unentschieden" }, EndTurn: { en: "End the turn", de: "Zug beenden" }, Again: { en: "Same player again", de: "Noch einmal" }, Say: { en: "Say", de: "Sagen" },
  Move: { en: "Move", de: "Bewegen" }, Remove: { en: "Take out of the game", de: "Aus dem Spiel nehmen" }, Not: { en: "Not", de: "Nicht" }, And: { en: "And", de: "Logisches Und" }, Or: { en: "Or", de: "Logisches Oder" }, Equal: { en: "Equal", de: "Gleich" }, Unequal: { en: "Unequal", de: "Ungleich" }, Greater: { en: "Greater", de: "Größer" }, Less: { en: "Less", de: "Kleiner" },
  LessEqual: { en: "Less or equal", de: "Kleiner oder gleich" }, GreaterEqual: { en: "Greater or equal", de: "Größer oder gleich" }, Divide: { en: "Divide", de: "Dividieren" }, Modulo: { en: "Remainder", de: "Rest" },
  Add: { en: "Add", de: "Addieren" }, Subtract: { en: "Subtract", de: "Subtrahieren" }, Multiply: { en: "Multiply", de: "Multiplizieren" }, Line: { en: "Line", de: "Reihe" }, Count: { en: "Count", de: "Anzahl" }, Every: { en: "Every", de: "Jedes" }, Any: { en: "Any", de: "Irgendeines" }, None: { en: "None", de: "Keines" },
};

export function statement(form: string, head: string): string {
  const known = statements[form];
  return known === undefined ? head : current() === "de" ? known.de : known.en;
}

const parts: Record<string, { en: string; de: string }> = {
  "C": { en: "condition", de: "Bedingung" }, "THEN": { en: "then", de: "dann" }, "ELSE": { en: "else", de: "sonst" }, "BODY": { en: "statements", de: "Anweisungen" }, "L": { en: "list", de: "Liste" }, "V": { en: "value", de: "Wert" }, "X": { en: "what", de: "was" },
  "P": { en: "name", de: "Name" }, "E": { en: "of", de: "von" }, "REASON": { en: "reason", de: "Grund" }, "TEXT": { en: "text", de: "Text" }, "N": { en: "number", de: "Zahl" }, "D": { en: "among", de: "unter" }, "S": { en: "state", de: "Zustand" }, "A": { en: "1.", de: "1." }, "B": { en: "2.", de: "2." }, "of": { en: "of", de: "von" }, "args": { en: "with", de: "mit" },
};
const ofForm: Record<string, { en: string; de: string }> = {
  "Send.L": { en: "message", de: "Nachricht" }, "Send.E": { en: "entity", de: "Entität" }, "Win.P": { en: "player", de: "Spieler" }, "Lose.P": { en: "player", de: "Spieler" }, "EndTurn.P": { en: "to", de: "an" }, "Move.P": { en: "to", de: "nach" }, "Say.P": { en: "to", de: "an" },
  "And.A": { en: "all of", de: "alle" }, "Or.A": { en: "any of", de: "eines" }, "Equal.A": { en: "1.", de: "1." }, "Equal.B": { en: "2.", de: "2." }, "Not.A": { en: "not", de: "nicht" }, "Add.A": { en: "numbers", de: "Zahlen" }, "Subtract.A": { en: "numbers", de: "Zahlen" }, "Multiply.A": { en: "numbers", de: "Zahlen" }, "Max.A": { en: "numbers", de: "Zahlen" }, "Min.A": { en: "numbers", de: "Zahlen" }, "List.A": { en: "values", de: "Werte" }, "Join.A": { en: "lists", de: "Listen" }, "Var.X": { en: "name", de: "Name" },
};

export function part(form: string, name: string, lead: string[]): string {
  // Attributes and properties stand behind a word that leads to them.
  if (name === "A" && lead.includes("with")) return current() === "de" ? "mit" : "with";
  const known = ofForm[`${form}.${name}`] ?? parts[name];
  return known === undefined ? lead.join(" ") || name.toLowerCase() : current() === "de" ? known.de : known.en;
}
