/** The commands and menu entries. */

import { type Editor, type MarkdownFileInfo, MarkdownView, type Menu, Notice, type Plugin, type TAbstractFile, TFile } from "obsidian";
import { type Desk, VIEWS } from "./views/desk";
import { dropFiles, dropFromDisk, dropText } from "./views/dropping";
import { problemText } from "./views/parts";
import { RecallModal } from "./views/recall_modal";

export function addCommands(plugin: Plugin, desk: Desk): void {
  const { app } = desk;
  const add = (id: string, name: string, act: () => void): void => {
    plugin.addCommand({ id, name, callback: act });
  };
  add("open-recall", "Open recall", () => void desk.show(VIEWS.recall));
  add("quick-recall", "Quick recall", () => new RecallModal(desk).open());
  onSelection(plugin, "recall-selection", "Recall selection", (text) => void desk.show(VIEWS.recall, text));
  onFile(plugin, "ingest-note", "Ingest current note", () => true, (file) => void dropFiles(desk, [file]));
  onSelection(plugin, "ingest-selection", "Ingest selection", (text, file) => void dropText(desk, text, file));
  add("ingest-file", "Ingest file from disk", () => dropFromDisk(desk));
  add("open-digest", "Open today's digest", () => void desk.show(VIEWS.digest, "today"));
  onFile(plugin, "show-entity", "Show entity for current note", isEntity(desk), (file) => void showEntity(desk, file));
  add("open-entities", "Open people and topics", () => void desk.show(VIEWS.entity));
  onFile(plugin, "show-graph", "Show memory graph", isEntity(desk), (file) => void desk.show(VIEWS.graph, property(desk, file, "id")));
  onFile(plugin, "drill-down", "Drill down from current summary", isNode(desk), (file) => void desk.show(VIEWS.tree, nodeOf(desk, file)));
  add("open-tree", "Open memory tree", () => void desk.show(VIEWS.tree));
  add("open-ingest", "Open ingest status", () => void desk.show(VIEWS.ingest));
  add("sync", "Bring memory up to date", () => void desk.takeOver());
  add("rebuild-index", "Rebuild index", () => void rebuild(desk));
  add("restart-service", "Restart service", () => void restart(desk));
  plugin.registerEvent(app.workspace.on("file-menu", (menu, file) => fileMenu(desk, menu, file)));
  plugin.registerEvent(app.workspace.on("files-menu", (menu, files) => filesMenu(desk, menu, files)));
  plugin.registerEvent(app.workspace.on("editor-menu", (menu, editor, info) => editorMenu(desk, menu, editor, info)));
}

function onSelection(plugin: Plugin, id: string, name: string, act: (text: string, file: TFile | null) => void): void {
  plugin.addCommand({
    id,
    name,
    editorCheckCallback: (checking, editor, info) => {
      const text = editor.getSelection().trim();
      if (!text) return false;
      if (!checking) act(text, info.file);
      return true;
    },
  });
}

function onFile(plugin: Plugin, id: string, name: string, fits: (file: TFile) => boolean, act: (file: TFile) => void): void {
  plugin.addCommand({
    id,
    name,
    checkCallback: (checking) => {
      const file = plugin.app.workspace.getActiveFile();
      if (!file || !fits(file)) return false;
      if (!checking) act(file);
      return true;
    },
  });
}

function property(desk: Desk, file: TFile, key: string): string {
  const value: unknown = desk.app.metadataCache.getFileCache(file)?.frontmatter?.[key];
  return typeof value === "string" ? value : "";
}

function nodeOf(desk: Desk, file: TFile): string {
  return property(desk, file, "node_id") || property(desk, file, "chunk_id");
}

const isNode = (desk: Desk) => (file: TFile): boolean => nodeOf(desk, file) !== "";
const isEntity = (desk: Desk) => (file: TFile): boolean =>
  property(desk, file, "id").includes(":") || property(desk, file, "entity_id").includes(":") || isNode(desk)(file);

/** The entity that a note is, or the first one it names. */
async function showEntity(desk: Desk, file: TFile): Promise<void> {
  await desk.show(VIEWS.entity, entityOf(desk, file));
}

function entityOf(desk: Desk, file: TFile): string {
  const named: unknown = desk.app.metadataCache.getFileCache(file)?.frontmatter?.["entities"];
  const first: unknown = Array.isArray(named) ? named[0] : "";
  return property(desk, file, "id") || property(desk, file, "entity_id") || (typeof first === "string" ? first : "");
}

async function rebuild(desk: Desk): Promise<void> {
  const notice = new Notice("Rebuilding the index…", 0);
  try {
    const done = await desk.memory.sync(true);
    new Notice(done.doneBy === "this call" ? "The index was rebuilt." : "The index is rebuilt in the background.");
  } catch (problem) {
    new Notice(problemText(problem));
  } finally {
    notice.hide();
  }
}

async function restart(desk: Desk): Promise<void> {
  try {
    await desk.engine.restart();
    new Notice("The engine runs.");
  } catch (problem) {
    new Notice(problemText(problem));
  }
}

function fileMenu(desk: Desk, menu: Menu, file: TAbstractFile): void {
  if (!(file instanceof TFile)) return;
  const add = (title: string, icon: string, act: () => void): void => {
    menu.addItem((item) => item.setTitle(title).setIcon(icon).setSection("vaultmem").onClick(act));
  };
  if (isNode(desk)(file)) add("Show in the memory tree", "list-tree", () => void desk.show(VIEWS.tree, nodeOf(desk, file)));
  else add("Ingest into memory", "inbox", () => void dropFiles(desk, [file]));
  const entity = property(desk, file, "id");
  if (!entity.includes(":")) return;
  add("Show mentions over time", "users", () => void desk.show(VIEWS.entity, entity));
  add("Show memory graph", "waypoints", () => void desk.show(VIEWS.graph, entity));
}

function filesMenu(desk: Desk, menu: Menu, files: readonly TAbstractFile[]): void {
  const chosen = files.filter((file) => file instanceof TFile);
  if (!chosen.length) return;
  menu.addItem((item) => item.setTitle(`Ingest ${chosen.length} files into memory`).setIcon("inbox").onClick(() => void dropFiles(desk, chosen)));
}

function editorMenu(desk: Desk, menu: Menu, editor: Editor, info: MarkdownView | MarkdownFileInfo): void {
  const text = editor.getSelection().trim();
  if (!text) return;
  menu.addItem((item) => item.setTitle("Recall selection").setIcon("search").onClick(() => void desk.show(VIEWS.recall, text)));
  menu.addItem((item) => item.setTitle("Ingest selection").setIcon("inbox").onClick(() => void dropText(desk, text, info.file)));
}
