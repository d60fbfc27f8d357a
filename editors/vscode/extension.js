// Starts `houserules lsp` and passes on what the editor asks. It needs nothing but Node and the editor itself.
"use strict";
const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { previews } = require("./preview");

/** A conversation with the program: heads with lengths, and messages in JSON. */
class Server {
  constructor(program, heard, ended) {
    this.heard = heard;
    this.waiting = new Map();
    this.next = 1;
    this.rest = Buffer.alloc(0);
    this.child = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    this.child.stdout.on("data", (chunk) => this.read(chunk));
    this.child.stdin.on("error", () => {});
    this.child.on("error", (error) => this.end(ended, error.message));
    this.child.on("exit", (code) => this.end(ended, code === 0 ? null : `it ended with ${code}`));
  }

  end(ended, why) {
    for (const done of this.waiting.values()) done(null);
    this.waiting.clear();
    if (!this.closed && why !== null) ended(why);
    this.closed = true;
  }

  read(chunk) {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const head = this.rest.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.rest.toString("ascii", 0, head))?.[1] ?? 0);
      if (this.rest.length < head + 4 + length) return;
      const message = JSON.parse(this.rest.toString("utf8", head + 4, head + 4 + length));
      this.rest = this.rest.subarray(head + 4 + length);
      if (message.method !== undefined) this.heard(message);
      else {
        this.waiting.get(message.id)?.(message.error === undefined ? (message.result ?? null) : { refused: message.error.message });
        this.waiting.delete(message.id);
      }
    }
  }

  tell(method, params, id) {
    if (this.closed) return;
    const text = JSON.stringify({ jsonrpc: "2.0", method, params, ...(id === undefined ? {} : { id }) });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask(method, params) {
    if (this.closed) return Promise.resolve(null);
    const id = this.next++;
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.tell(method, params, id);
    });
  }

  close() {
    void this.ask("shutdown", {}).then(() => {
      this.closed = true;
      this.child.stdin.end();
    });
    this.tell("exit", {});
  }
}

const range = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
const about = (document, position) => ({ textDocument: { uri: document.uri.toString() }, ...(position === undefined ? {} : { position: { line: position.line, character: position.character } }) });

function edits(changes) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, list] of Object.entries(changes)) for (const one of list) edit.replace(vscode.Uri.parse(uri), range(one.range), one.newText);
  return edit;
}

async function activate(context) {
  const found = vscode.languages.createDiagnosticCollection("houserules");
  const program = vscode.workspace.getConfiguration("houserules").get("program");
  const server = new Server(
    program,
    (message) => {
      if (message.method !== "textDocument/publishDiagnostics") return;
      found.set(
        vscode.Uri.parse(message.params.uri),
        message.params.diagnostics.map((one) => {
          const severity = one.severity === 1 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
          const diagnostic = new vscode.Diagnostic(range(one.range), one.message, severity);
          diagnostic.code = one.code;
          diagnostic.source = one.source;
          return diagnostic;
        }),
      );
    },
    (why) => void vscode.window.showErrorMessage(`Houserules does not answer: “${program} lsp” could not be run (${why}). The setting “houserules.program” says where it is.`),
  );
  context.subscriptions.push(found, { dispose: () => server.close() });
  await server.ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  server.tell("initialized", {});

  const ours = (document) => document.languageId === "gdl";
  const open = (document) => ours(document) && server.tell("textDocument/didOpen", { textDocument: { uri: document.uri.toString(), languageId: "gdl", version: document.version, text: document.getText() } });
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (ours(document)) server.tell("textDocument/didChange", { textDocument: { uri: document.uri.toString(), version: document.version }, contentChanges: [{ text: document.getText() }] });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (!ours(document)) return;
      server.tell("textDocument/didClose", about(document));
      found.delete(document.uri);
    }),
  );

  previews(context, program, ours);

  const kinds = { 3: vscode.CompletionItemKind.Function, 6: vscode.CompletionItemKind.Variable, 14: vscode.CompletionItemKind.Keyword, 21: vscode.CompletionItemKind.Constant };
  const location = (one) => new vscode.Location(vscode.Uri.parse(one.uri), range(one.range));
  const symbol = (one) => {
    const made = new vscode.DocumentSymbol(one.name, one.detail, one.kind - 1, range(one.range), range(one.selectionRange));
    made.children = one.children.map(symbol);
    return made;
  };
  const { languages } = vscode;
  context.subscriptions.push(
    languages.registerCompletionItemProvider("gdl", {
      async provideCompletionItems(document, position) {
        const answer = await server.ask("textDocument/completion", about(document, position));
        return (answer?.items ?? []).map((one) => Object.assign(new vscode.CompletionItem(one.label, kinds[one.kind]), { detail: one.detail, sortText: one.sortText }));
      },
    }, "(", "#"),
    languages.registerHoverProvider("gdl", {
      async provideHover(document, position) {
        const answer = await server.ask("textDocument/hover", about(document, position));
        return answer === null ? null : new vscode.Hover(answer.contents.value, range(answer.range));
      },
    }),
    languages.registerDefinitionProvider("gdl", {
      async provideDefinition(document, position) {
        return ((await server.ask("textDocument/definition", about(document, position))) ?? []).map(location);
      },
    }),
    languages.registerReferenceProvider("gdl", {
      async provideReferences(document, position) {
        return ((await server.ask("textDocument/references", about(document, position))) ?? []).map(location);
      },
    }),
    languages.registerRenameProvider("gdl", {
      async provideRenameEdits(document, position, newName) {
        const answer = await server.ask("textDocument/rename", { ...about(document, position), newName });
        if (answer?.refused !== undefined) throw new Error(answer.refused);
        return answer === null ? null : edits(answer.changes);
      },
    }),
    languages.registerDocumentFormattingEditProvider("gdl", {
      async provideDocumentFormattingEdits(document) {
        const answer = await server.ask("textDocument/formatting", about(document));
        return (answer ?? []).map((one) => vscode.TextEdit.replace(range(one.range), one.newText));
      },
    }),
    languages.registerDocumentSymbolProvider("gdl", {
      async provideDocumentSymbols(document) {
        return ((await server.ask("textDocument/documentSymbol", about(document))) ?? []).map(symbol);
      },
    }),
    languages.registerCodeActionsProvider("gdl", {
      async provideCodeActions(document, { start, end }) {
        const place = ({ line, character }) => ({ line, character });
        const answer = await server.ask("textDocument/codeAction", { ...about(document), range: { start: place(start), end: place(end) }, context: { diagnostics: [] } });
        return (answer ?? []).map((one) => Object.assign(new vscode.CodeAction(one.title, vscode.CodeActionKind.QuickFix), { edit: edits(one.edit.changes), isPreferred: one.isPreferred }));
      },
    }),
  );
}

module.exports = { activate, deactivate() {} };
