// What somebody has typed and not sent yet: there again after a reload, a closed panel or a lost connection.

const KEY = "draft";

export function draft(name: string): string | null {
  return sessionStorage.getItem(`${KEY} ${name}`);
}

export function keepDraft(name: string, text: string | null): void {
  if (text === null || text === "") sessionStorage.removeItem(`${KEY} ${name}`);
  else sessionStorage.setItem(`${KEY} ${name}`, text);
}
