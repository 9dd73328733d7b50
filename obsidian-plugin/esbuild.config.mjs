// Builds main.js into this folder, or into the folder named: `node esbuild.config.mjs OUT`.
import { build } from "esbuild";
import { builtinModules } from "node:module";
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "..", "vaultmem", "surfaces", "obsidian_plugin"));

await mkdir(out, { recursive: true });
// No date, path or map goes into the file: the same source gives the same bytes. It is not minified: who installs it may read it.
await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  outfile: path.join(out, "main.js"),
  bundle: true,
  format: "cjs",
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  treeShaking: true,
  logLevel: "warning",
  external: [
    "obsidian",
    "electron",
    "@codemirror/*",
    "@lezer/*",
    ...builtinModules,
    ...builtinModules.map((name) => `node:${name}`),
  ],
});
for (const name of ["manifest.json", "styles.css"]) {
  await copyFile(path.join(here, name), path.join(out, name));
}
