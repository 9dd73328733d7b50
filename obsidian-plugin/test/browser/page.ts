/** The page: an app with the files it is given, and the plugin loaded into it. */

import VaultmemPlugin from "../../src/main";
import manifest from "../../manifest.json";
import { App, type Plugin, TFile } from "./obsidian/app";
import { seen } from "./obsidian/base";
import { dressPage } from "./obsidian/dom";

declare global {
  interface Window {
    start: (files: Record<string, string>) => Promise<void>;
    app: App;
    plugin: Plugin;
    seen: typeof seen;
    writeFile?: (path: string, text: string | null) => Promise<void>;
    setFiles: (files: Record<string, string>) => void;
    openView: (type: string, about?: string) => Promise<void>;
    runCommand: (id: string) => void;
    activate: (path: string) => void;
    showSettings: () => void;
  }
}

dressPage();
window.seen = seen;
window.start = async (files) => {
  const app = new App(new Map(Object.entries(files)), document.body.createDiv({ cls: "workspace" }));
  app.vault.writer = (path, text) => window.writeFile?.(path, text) ?? Promise.resolve();
  const made = new (VaultmemPlugin as unknown as new (app: App, about: unknown) => Plugin)(app, manifest);
  Object.assign(window, { app, plugin: made });
  await made.onload();
};
window.setFiles = (files) => {
  window.app.vault.texts.clear();
  for (const [path, text] of Object.entries(files)) window.app.vault.texts.set(path, text);
  window.app.metadataCache.trigger("changed");
};
window.openView = async (type, about) => {
  const leaf = await window.app.workspace.ensureSideLeaf(type);
  if (about !== undefined) await leaf.setViewState({ type, state: { about } });
};
window.activate = (path) => (window.app.activeFile = new TFile(path));
window.runCommand = (id) => {
  const found = window.plugin.commands.find((command) => command.id === id);
  if (!found) throw new Error(`no command ${id}`);
  if (found.callback) found.callback();
  else if (found.checkCallback?.(true)) found.checkCallback(false);
  else throw new Error(`${id} does not fit now`);
};
window.showSettings = () => {
  const tab = window.plugin.tabs[0];
  tab?.display();
  document.querySelector(".workspace")?.remove();
  if (tab) document.body.append(tab.containerEl);
};
