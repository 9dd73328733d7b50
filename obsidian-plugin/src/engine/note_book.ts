/** The vault as Obsidian has read it. Nothing is kept but the list of notes, until Obsidian reads one anew. */

import { type App, type CachedMetadata, type Component, TFile, TFolder } from "obsidian";
import type { Note } from "../domain/note";
import type { NoteBook } from "../domain/notes_memory";

export class ObsidianNotes implements NoteBook {
  private held: Note[] | undefined;

  constructor(
    private readonly app: App,
    private readonly inboxFolder: () => string,
    owner: Component,
  ) {
    const forget = (): void => (this.held = undefined);
    owner.registerEvent(app.metadataCache.on("changed", forget));
    owner.registerEvent(app.metadataCache.on("deleted", forget));
    owner.registerEvent(app.vault.on("rename", forget));
  }

  notes(): readonly Note[] {
    this.held ??= this.app.vault.getMarkdownFiles().map((file) => {
      const cache = this.app.metadataCache.getFileCache(file);
      return { path: file.path, properties: propertiesOf(cache), headings: (cache?.headings ?? []).map(({ heading }) => heading) };
    });
    return this.held;
  }

  async body(path: string): Promise<string> {
    const file = this.app.vault.getFileByPath(path);
    if (!file) return "";
    const text = await this.app.vault.cachedRead(file);
    const end = this.app.metadataCache.getFileCache(file)?.frontmatterPosition?.end.offset ?? 0;
    return text.slice(end).trimStart();
  }

  inbox(): readonly string[] {
    const root = this.app.vault.getFolderByPath(this.inboxFolder());
    return root ? filesBelow(root).map((file) => file.path.slice(root.path.length + 1)) : [];
  }

  today(): string {
    return new Intl.DateTimeFormat("en-CA").format(new Date());
  }
}

function propertiesOf(cache: CachedMetadata | null): Record<string, unknown> {
  return { ...cache?.frontmatter };
}

export function filesBelow(folder: TFolder): TFile[] {
  return folder.children.flatMap((child) => {
    if (child instanceof TFile) return [child];
    return child instanceof TFolder ? filesBelow(child) : [];
  });
}
