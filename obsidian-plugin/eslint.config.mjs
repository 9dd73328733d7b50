// The rules that Obsidian's own review applies, all of them errors or warnings that fail here.
import obsidianmd from "eslint-plugin-obsidianmd";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

const NO_OBSIDIAN = {
  "no-restricted-imports": ["error", { paths: [{ name: "obsidian", message: "this room is pure" }] }],
};

export default defineConfig([
  globalIgnores(["node_modules", "test", "*.mjs", "shots"]),
  ...obsidianmd.configs.recommended,
  {
    files: ["src/**/*.ts"],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: true },
    },
    rules: {
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
    },
  },
  { files: ["src/domain/**/*.ts", "src/wire/**/*.ts"], rules: NO_OBSIDIAN },
]);
