// Questions over plain HTTP. Every answer is what was asked for, or a refusal with a code.
import type { Refusal } from "./generated";

/** A refusal of the server, or a server that does not answer: `offline`. */
export class Refused extends Error {
  constructor(
    readonly code: Refusal["code"] | "offline",
    message: string,
    readonly refusal: Refusal | null = null,
  ) {
    super(message);
  }
}

export async function ask<Answer>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown, token?: string | null): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers["authorization"] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), referrerPolicy: "no-referrer" });
  } catch {
    throw new Refused("offline", "");
  }
  const text = await response.text();
  if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as Answer;
  throw refusal(text, response.status);
}

/** What stands between, such as a proxy, answers with pages of its own: those are told by their status. */
function refusal(text: string, status: number): Refused {
  try {
    const said = JSON.parse(text) as Refusal;
    if (typeof said.code === "string") return new Refused(said.code, said.words, said);
  } catch {
    // Not ours.
  }
  return new Refused("offline", `HTTP ${status}`);
}
