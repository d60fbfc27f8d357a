// The board of a definition beside its text, drawn by `houserules show --svg` as it is typed.
"use strict";
const { execFile } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const vscode = require("vscode");

/** Nobody types faster than a board is drawn. */
const PAUSE = 300;

class Preview {
  constructor(program, document) {
    this.program = program;
    this.document = document;
    this.folder = mkdtempSync(join(tmpdir(), "houserules-preview-"));
    this.svg = "";
    this.panel = vscode.window.createWebviewPanel("houserules.preview", `Board: ${document.fileName.split(/[\\/]/).pop()}`, vscode.ViewColumn.Beside, {});
    this.panel.onDidDispose(() => this.close());
  }

  /** Draws after a pause; what is asked for meanwhile is drawn once. */
  hurry() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), PAUSE);
  }

  /** What was typed and not saved is drawn from a copy, which knows no other files. */
  draw() {
    const out = join(this.folder, "board.svg");
    let path = this.document.fileName;
    if (this.document.isDirty) {
      path = join(this.folder, "game.gdl");
      writeFileSync(path, this.document.getText());
    }
    const dark = vscode.window.activeColorTheme?.kind === vscode.ColorThemeKind?.Dark;
    return new Promise((done) => {
      execFile(this.program, ["show", path, "--svg", out, ...(dark ? ["--dark"] : [])], (error, _, said) => {
        if (!this.closed) {
          if (error === null) this.svg = readFileSync(out, "utf8");
          this.panel.webview.html = page(this.svg, error === null ? "" : said || error.message);
        }
        done();
      });
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The last board that could be drawn stays, below what is wrong with the text. */
function page(svg, wrong) {
  const words = wrong.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`;
  // As a picture, whatever a definition calls its things is drawn and never run.
  const picture = svg === "" ? "" : `<img alt="The board" src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`;
  return `<!doctype html><html><head>${policy}<style>body { padding: 12px } img { max-width: 100% } pre { white-space: pre-wrap }</style></head><body>${wrong === "" ? "" : `<pre>${words}</pre>`}${picture}</body></html>`;
}

/** The command that opens a preview, one for each text. */
function previews(context, program, ours) {
  const open = new Map();
  const show = async (document = vscode.window.activeTextEditor?.document) => {
    if (document === undefined || !ours(document)) return;
    const uri = document.uri.toString();
    if (open.get(uri)?.closed !== false) {
      const made = new Preview(program, document);
      made.closed = false;
      open.set(uri, made);
    }
    await open.get(uri).draw();
  };
  const again = (document) => {
    const known = open.get(document.uri.toString());
    if (known?.closed === false) known.hurry();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("houserules.preview", () => show()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => again(document)),
    vscode.workspace.onDidSaveTextDocument(again),
    { dispose: () => open.forEach((one) => one.close()) },
  );
}

module.exports = { previews };
