import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// While pages are written, the program runs beside them.
const proxy = { "/api": { target: process.env.HOUSERULES_ADDRESS ?? "http://127.0.0.1:4040", ws: true } };

// The bundle is committed and compared with what the sources give, so nothing in it may depend on when or where it is built.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What several pages share is sent in few pieces: cut into many it would be larger.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "match", test: /src\/(board\/(?!beneath)|protocol\/socket|panels\/(Acts|Moves|Status|loose)|table\/(choosing|moves|pointing|scene|table))/ },
            { name: "page", test: /src\/(parts\/(Icon|Top)|preferences|router|protocol\/rest|table\/(open|tokens))/ },
          ],
        },
      },
    },
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["tests/**/*.test.ts"] },
});
