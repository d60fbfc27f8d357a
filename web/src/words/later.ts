// All words, for pages and panels that are opened later: what they say comes with them.
import { later } from "./en.later";
import { learn } from "./index.svelte";

learn(later);

export * from "./index.svelte";
