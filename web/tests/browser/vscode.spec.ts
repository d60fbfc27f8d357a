// The extension for VS Code with the real program behind it. The editor is a stand-in that keeps what it is given.
import { mkdtempSync, readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = process.env.HOUSERULES ?? join(ROOT, "target/debug/houserules");
const GAME = '#game "Three"\n#players "X" "O"\n#turns\n#model cell\n  #property mark\n#board cell grid 3 3\n#action place to cell\n  (set mark to player)\n#law "Empty" on place\n    (require (not marc))\n';

type Any = Record<string, unknown>;
/* eslint-disable @typescript-eslint/no-explicit-any */
const given = new Map<string, any>();
const told: { uri: string; diagnostics: any[] }[] = [];
const panels: { title: string; webview: { html: string } }[] = [];
const document = { fileName: "/nowhere/three.gdl", isDirty: true, uri: { toString: () => "file:///three.gdl" }, languageId: "gdl", version: 1, text: GAME, getText: () => document.text };
const context = { subscriptions: [] as { dispose(): void }[] };

class Plain {
  constructor(...values: unknown[]) {
    this.values = values;
  }
  values: unknown[];
}
class Edit {
  all: { range: Plain; text: string }[] = [];
  replace(_: unknown, range: Plain, text: string) {
    this.all.push({ range, text });
  }
}

const listeners: ((event: { document: typeof document }) => void)[] = [];
const provider = (name: string) => (_: string, made: unknown) => (given.set(name, made), { dispose() {} });
const vscode = {
  Range: Plain, Diagnostic: class extends Plain {}, Location: Plain, Hover: Plain, CompletionItem: Plain, DocumentSymbol: class extends Plain { children = []; }, WorkspaceEdit: Edit, CodeAction: Plain,
  TextEdit: { replace: (range: Plain, text: string) => ({ range, text }) },
  Uri: { parse: (text: string) => ({ toString: () => text }) },
  DiagnosticSeverity: { Error: 0, Warning: 1 }, CompletionItemKind: {}, CodeActionKind: { QuickFix: "quickfix" },
  ViewColumn: { Beside: -2 },
  commands: { registerCommand: (name: string, run: unknown) => (given.set(name, run), { dispose() {} }) },
  window: {
    showErrorMessage: (words: string) => { throw new Error(words); },
    activeTextEditor: { document: document as unknown },
    createWebviewPanel: (_: string, title: string) => {
      const panel = { title, webview: { html: "" }, onDidDispose: () => ({ dispose() {} }) };
      panels.push(panel);
      return panel;
    },
  },
  workspace: {
    getConfiguration: () => ({ get: () => PROGRAM }),
    textDocuments: [document],
    onDidOpenTextDocument: () => ({ dispose() {} }),
    onDidChangeTextDocument: (listener: (event: { document: typeof document }) => void) => (listeners.push(listener), { dispose() {} }),
    onDidSaveTextDocument: () => ({ dispose() {} }),
    onDidCloseTextDocument: () => ({ dispose() {} }),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri: Any, diagnostics: any[]) => told.push({ uri: String(uri), diagnostics }), delete() {}, dispose() {} }),
    registerCompletionItemProvider: provider("completion"), registerHoverProvider: provider("hover"), registerDefinitionProvider: provider("definition"), registerReferenceProvider: provider("references"),
    registerRenameProvider: provider("rename"), registerDocumentFormattingEditProvider: provider("format"), registerDocumentSymbolProvider: provider("symbols"), registerCodeActionsProvider: provider("fixes"),
  },
};

beforeAll(async () => {
  const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown };
  const usual = loader._load;
  loader._load = (name, ...rest) => (name === "vscode" ? vscode : usual.call(Module, name, ...rest));
  const extension = createRequire(import.meta.url)(join(ROOT, "editors/vscode/extension.js")) as { activate(context: unknown): Promise<void> };
  loader._load = usual;
  await extension.activate(context);
});
afterAll(() => context.subscriptions.forEach((one) => one.dispose()));

const at = (line: number, character: number) => ({ line, character });

/** [FR-149] */
test("a definition is checked while it is typed, completed, explained, renamed and laid out", async () => {
  await expect.poll(() => told.length).toBe(1);
  const error = told[0]!.diagnostics.find((one) => one.values[2] === 0);
  expect(error.values[1]).toContain("mark");
  expect(error.values[0].values).toEqual([9, 18, 9, 22]);
  const [fix] = await given.get("fixes").provideCodeActions(document, { start: at(9, 19), end: at(9, 19) });
  expect(fix.edit.all[0].text).toBe("mark");
  const offered = await given.get("completion").provideCompletionItems(document, at(9, 20));
  expect(offered.map((one: Plain) => one.values[0])).toContain("mark");
  const hover = await given.get("hover").provideHover(document, at(9, 7));
  expect(hover.values[0]).toContain("(require C [REASON])");
  const [made] = await given.get("definition").provideDefinition(document, at(7, 8));
  expect(made.values[1].values).toEqual([4, 12, 4, 16]);
  const renamed = await given.get("rename").provideRenameEdits(document, at(4, 13), "owner-of");
  expect(renamed.all.map((one: { text: string }) => one.text)).toEqual(["owner-of", "owner-of"]);
  await expect(given.get("rename").provideRenameEdits(document, at(4, 13), "two words")).rejects.toThrow(/plain word/);
  const laid = await given.get("format").provideDocumentFormattingEdits(document);
  expect(laid).toHaveLength(1);
  const symbols = await given.get("symbols").provideDocumentSymbols(document);
  expect(symbols.find((one: Plain) => one.values[0] === "cell").children[0].values[0]).toBe("mark");
  document.text = GAME.replace("marc", "mark");
  listeners.forEach((heard) => heard({ document }));
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]!.diagnostics.filter((one) => one.values[2] === 0)).toEqual([]);
});

test("the board is shown beside the text, and stays while the text has an error", async () => {
  document.text = GAME.replace("marc", "mark");
  await given.get("houserules.preview")();
  const [panel] = panels;
  expect(panel!.title).toBe("Board: three.gdl");
  const drawn = () => Buffer.from(/base64,([^"]+)/.exec(panel!.webview.html)?.[1] ?? "", "base64").toString();
  expect(drawn()).toContain("<svg");
  const board = drawn();
  // A larger board is drawn by itself, after a pause.
  document.text = document.text.replace("grid 3 3", "grid 4 4");
  listeners.forEach((heard) => heard({ document }));
  await expect.poll(drawn, { timeout: 20_000 }).not.toBe(board);
  const larger = drawn();
  document.text = document.text.replace("(set mark to player)", "(set marc to <player>)");
  await given.get("houserules.preview")();
  expect(panel!.webview.html).toContain("marc");
  expect(panel!.webview.html).not.toContain("<player>");
  expect(drawn()).toBe(larger);
  expect(panels).toHaveLength(1);
});

test("the extension is packed into a file that unpacks again, the same one every time", () => {
  const pack = () => {
    const folder = mkdtempSync(join(tmpdir(), "houserules-vscode-"));
    return execFileSync(process.execPath, [join(ROOT, "editors/vscode/package.mjs"), folder], { encoding: "utf8" }).trim();
  };
  const [one, other] = [pack(), pack()];
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  const unpack = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('\\n'.join(z.namelist()))";
  const names = execFileSync("python3", ["-c", unpack, one], { encoding: "utf8" });
  for (const name of ["[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/extension.js", "extension/preview.js"]) expect(names).toContain(name);
});
