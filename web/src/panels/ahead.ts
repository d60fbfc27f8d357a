// Panels that are opened sooner or later at most tables: fetched when nobody waits for anything, so that they are there
// at once, also while the line is lost.

const panels = [
  () => import("./RulesPanel.svelte"),
  () => import("./ProposalCard.svelte"),
  () => import("./Notice.svelte"),
  () => import("./Question.svelte"),
  () => import("./Which.svelte"),
  () => import("./Menu.svelte"),
  () => import("./Away.svelte"),
  () => import("./About.svelte"),
  () => import("./Standing.svelte"),
  () => import("../parts/CodeEditor.svelte"),
];

/** One after the other; what cannot be fetched now is fetched when it is opened. */
export async function ahead(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  for (const panel of panels) await panel().catch(() => {});
}
