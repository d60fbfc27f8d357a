// The real program and a real browser. Every test has a server of its own data, and windows that know nothing of each other.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

export const PROGRAM = process.env.HOUSERULES ?? join(import.meta.dirname, "../../../target/debug/houserules");

export interface Server {
  address: string;
  stop(): Promise<void>;
  /** Dies without a word, and comes back at the same address with the same data. */
  restart(how: NodeJS.Signals): Promise<void>;
}

export async function serve(options: string[] = []): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), "houserules-browser-"));
  let port = 0;
  let child: ChildProcess;
  const start = () =>
    new Promise<string>((done, failed) => {
      child = spawn(PROGRAM, ["serve", "--listen", `127.0.0.1:${port}`, "--data", join(data, "tables.db"), ...options], { stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      const heard = (chunk: Buffer) => {
        said += chunk.toString();
        const address = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (address) {
          port = Number(address[1]);
          done(address[0]);
        }
      };
      child.stdout!.on("data", heard);
      child.stderr!.on("data", heard);
      child.on("error", failed);
      child.on("exit", (code) => failed(new Error(`The server ended (${code}) before it said its address:\n${said}`)));
      setTimeout(() => failed(new Error(`The server did not say its address:\n${said}`)), 20_000).unref();
    });
  const ended = () => new Promise<void>((done) => (child.exitCode !== null || child.signalCode !== null ? done() : child.once("exit", () => done())));
  const address = await start();
  return {
    address,
    async stop() {
      child.kill("SIGTERM");
      await ended();
      rmSync(data, { recursive: true, force: true });
    },
    async restart(how) {
      child.kill(how);
      await ended();
      await start();
    },
  };
}

export function browse(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

export interface Window {
  page: Page;
  context: BrowserContext;
  /** What the page complained about; a test ends with none. */
  complaints: string[];
}

export interface Options {
  phone?: boolean;
  dark?: boolean;
  locale?: string;
  name?: string;
  /** Taken on the page of the game. */
  variants?: string[];
  /** What another window has kept. */
  storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>;
}

export async function open(browser: Browser, address: string, options: Options = {}): Promise<Window> {
  const context = await browser.newContext({
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    hasTouch: options.phone ?? false,
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: "reduce",
    locale: options.locale ?? "en-GB",
    storageState: options.storageState,
  });
  if (options.name !== undefined) await context.addInitScript((name) => localStorage.setItem("name", name), options.name);
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, context, complaints };
}
