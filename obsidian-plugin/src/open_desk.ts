/** What the views work with: the engine of this window, memory routed through it, and the way to each view. */

import { FileSystemAdapter, MarkdownView, Notice, type WorkspaceLeaf } from "obsidian";
import type { Hit } from "./domain/answers";
import { wikilink } from "./domain/hits";
import { NotesMemory } from "./domain/notes_memory";
import { host } from "./engine/child";
import { Engine } from "./engine/engine";
import { ObsidianNotes } from "./engine/note_book";
import { routed } from "./engine/routed_memory";
import type VaultmemPlugin from "./main";
import { chosenProgram } from "./settings";
import { type Desk, type ViewType, VIEWS } from "./views/desk";
import { problemText } from "./views/parts";
import { ProgramModal } from "./views/program_modal";
import { RecallView } from "./views/recall_view";

/** Views that stand beside the notes; the others take a tab. */
const DOCKED: readonly ViewType[] = [VIEWS.recall, VIEWS.tree, VIEWS.entity, VIEWS.ingest];

export function openDesk(plugin: VaultmemPlugin): Desk {
  const { app } = plugin;
  const { adapter } = app.vault;
  const engine = new Engine(
    host,
    {
      vault: adapter instanceof FileSystemAdapter ? adapter.getBasePath() : "",
      chosen: () => chosenProgram(app),
      pluginVersion: plugin.manifest.version,
    },
    (ms, act) => {
      const timer = window.setTimeout(act, ms);
      return () => window.clearTimeout(timer);
    },
  );
  plugin.register(() => void engine.stop());
  plugin.registerEvent(app.workspace.on("quit", () => void engine.stop()));
  const inbox = (): string => plugin.settings.inbox;
  const desk: Desk = {
    app,
    engine,
    inbox,
    memory: routed(engine.memory, new NotesMemory(new ObsidianNotes(app, inbox, plugin))),
    calendar: () => ({ now: new Date(), locale: undefined, zone: undefined }),
    limit: () => plugin.settings.limit,
    show: (view, about) => show(plugin, view, about),
    takeOver: () => takeOver(desk),
    insertLink: (hit) => insertLink(plugin, hit),
    chooseProgram: () => new ProgramModal(desk).open(),
  };
  return desk;
}

async function show(plugin: VaultmemPlugin, view: ViewType, about?: string): Promise<void> {
  const { workspace } = plugin.app;
  let leaf: WorkspaceLeaf | undefined = workspace.getLeavesOfType(view)[0];
  if (!leaf && DOCKED.includes(view)) leaf = await workspace.ensureSideLeaf(view, "right", { active: true });
  leaf ??= workspace.getLeaf("tab");
  if (about !== undefined || leaf.getViewState().type !== view) {
    await leaf.setViewState({ type: view, active: true, ...(about === undefined ? {} : { state: { about } }) });
  }
  await workspace.revealLeaf(leaf);
  if (leaf.view instanceof RecallView) leaf.view.focus();
}

async function takeOver(desk: Desk): Promise<void> {
  try {
    const done = await desk.memory.sync(false);
    const failed = done.files.filter((file) => file.outcome === "failed");
    if (failed.length) new Notice(`Could not be read: ${failed.map((file) => `${file.file} (${file.reason})`).join(", ")}`);
    else new Notice(SAID[done.doneBy] ?? done.doneBy);
  } catch (problem) {
    new Notice(problemText(problem));
  }
}

const SAID: Record<string, string> = {
  "this call": "Memory is up to date.",
  background: "Memory is being brought up to date in the background.",
  watch: "The running watch takes it over.",
  nobody: "The engine is not running: what is in the inbox waits there.",
};

function insertLink(plugin: VaultmemPlugin, hit: Hit): void {
  const { workspace } = plugin.app;
  const found = workspace.getActiveViewOfType(MarkdownView) ?? mostRecent(plugin);
  if (found) found.editor.replaceSelection(wikilink(hit));
  else new Notice("Open a note to insert the link into.");
}

function mostRecent(plugin: VaultmemPlugin): MarkdownView | null {
  const view = plugin.app.workspace.getMostRecentLeaf()?.view;
  return view instanceof MarkdownView ? view : null;
}
