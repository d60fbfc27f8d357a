// Everything that can be done, by its name, in both languages.

export interface Command {
  name: string;
  /** Other words by which it is found, such as its name in the other language. */
  also?: string;
  /** The key that does the same. */
  key?: string;
  /** Why it cannot be done now. */
  why?: string | null;
  run: () => void;
}

/** Those whose words begin like what is sought, every word of it; the ones that can be done first. */
export function sought(commands: Command[], text: string): Command[] {
  const plain = (words: string) => words.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  const wanted = plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const fits = (command: Command) => {
    const has = plain(`${command.name} ${command.also ?? ""}`).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => has.some((own) => own.startsWith(word)));
  };
  const found = commands.filter(fits);
  return [...found.filter((command) => !command.why), ...found.filter((command) => command.why)];
}
