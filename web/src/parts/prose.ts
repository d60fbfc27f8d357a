export type Block = { is: "heading" | "paragraph" | "code"; text: string } | { is: "list"; items: string[] };

/** The blocks of a plain Markdown text. A first heading repeats the title of the page and is left out. */
export function blocks(text: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | null = null;
  let open: Block | null = null;
  for (const line of text.replaceAll("\r", "").split("\n")) {
    if (line.startsWith("```")) {
      if (code === null) code = [];
      else {
        blocks.push({ is: "code", text: code.join("\n") });
        code = null;
      }
      open = null;
    } else if (code !== null) {
      code.push(line);
    } else if (line.trim() === "") {
      open = null;
    } else if (/^#+\s/.test(line)) {
      const text = plain(line.replace(/^#+\s+/, ""));
      if (blocks.length > 0 || !line.startsWith("# ")) blocks.push({ is: "heading", text });
      open = null;
    } else if (/^\s*(?:[-*]|\d+\.)\s/.test(line)) {
      if (open?.is !== "list") blocks.push((open = { is: "list", items: [] }));
      open.items.push(plain(line.replace(/^\s*(?:[-*]|\d+\.)\s+/, "")));
    } else if (open?.is === "list") {
      open.items[open.items.length - 1] += ` ${plain(line.trim())}`;
    } else if (open !== null) {
      open.text += ` ${plain(line)}`;
    } else {
      blocks.push((open = { is: "paragraph", text: plain(line) }));
    }
  }
  if (code !== null) blocks.push({ is: "code", text: code.join("\n") });
  return blocks;
}

function plain(text: string): string {
  return text.replace(/\*\*(.+?)\*\*/g, "$1").replace(/`(.+?)`/g, "$1").replace(/\[(.+?)\]\(.+?\)/g, "$1");
}
