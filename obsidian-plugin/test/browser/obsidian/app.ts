/** The vault, its metadata and the workspace, over files held in the page. A writer may carry changes to a disk. */

import { parse, stringify } from "yaml";
import { Component, Events, seen, setIcon } from "./base";

export class TFile {
  basename: string;
  extension: string;
  name: string;
  constructor(public path: string) {
    this.name = path.split("/").pop() ?? "";
    const dot = this.name.lastIndexOf(".");
    this.basename = dot > 0 ? this.name.slice(0, dot) : this.name;
    this.extension = dot > 0 ? this.name.slice(dot + 1) : "";
  }
}

export class TFolder {
  constructor(
    public path: string,
    public children: (TFile | TFolder)[],
  ) {}
}

export class FileSystemAdapter {
  getBasePath(): string {
    return "/vault";
  }
}

/** Carries a write out of the page; null removes. */
type Writer = (path: string, text: string | null) => Promise<void>;

export class Vault extends Events {
  readonly configDir = ".obsidian";
  readonly adapter = new FileSystemAdapter();
  writer: Writer = async () => undefined;

  constructor(readonly texts: Map<string, string>) {
    super();
  }
  getFileByPath(path: string): TFile | null {
    return this.texts.has(path) ? new TFile(path) : null;
  }
  getFolderByPath(path: string): TFolder | null {
    const below = [...this.texts.keys()].filter((each) => each.startsWith(`${path}/`));
    return below.length ? new TFolder(path, below.map((each) => new TFile(each))) : null;
  }
  getAbstractFileByPath(path: string): TFile | TFolder | null {
    return this.getFileByPath(path) ?? this.getFolderByPath(path);
  }
  getMarkdownFiles(): TFile[] {
    return [...this.texts.keys()].filter((path) => path.endsWith(".md")).map((path) => new TFile(path));
  }
  async cachedRead(file: TFile): Promise<string> {
    return this.texts.get(file.path) ?? "";
  }
  async create(path: string, text: string): Promise<TFile> {
    await this.put(path, text);
    this.trigger("create", new TFile(path));
    return new TFile(path);
  }
  async createFolder(): Promise<void> {}
  async createBinary(path: string, data: ArrayBuffer): Promise<TFile> {
    return this.create(path, new TextDecoder().decode(data));
  }
  async copy(file: TFile, path: string): Promise<TFile> {
    return this.create(path, await this.cachedRead(file));
  }
  async put(path: string, text: string | null): Promise<void> {
    if (text === null) this.texts.delete(path);
    else this.texts.set(path, text);
    await this.writer(path, text);
  }
}

const FRONTMATTER = /^---\n([\s\S]*?)\n---\n/;

export class MetadataCache extends Events {
  constructor(private readonly vault: Vault) {
    super();
  }
  getFileCache(file: TFile): unknown {
    const text = this.vault.texts.get(file.path) ?? "";
    const found = FRONTMATTER.exec(text);
    const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(({ 1: heading }) => ({ heading }));
    if (!found) return { headings };
    const end = { offset: found[0].length };
    return { frontmatter: parse(found[1] ?? "") as unknown, frontmatterPosition: { end }, headings };
  }
}

export class FileManager {
  constructor(
    private readonly vault: Vault,
    private readonly cache: MetadataCache,
  ) {}
  /** As the app does it: the whole block is read and written anew. */
  async processFrontMatter(file: TFile, change: (properties: Record<string, unknown>) => void): Promise<void> {
    const text = this.vault.texts.get(file.path) ?? "";
    const found = FRONTMATTER.exec(text);
    const properties = (found ? parse(found[1] ?? "") : {}) as Record<string, unknown>;
    change(properties);
    const block = stringify(properties, { lineWidth: 0 });
    await this.vault.put(file.path, `---\n${block}---\n${text.slice(found?.[0].length ?? 0)}`);
    this.cache.trigger("changed", file);
  }
  async renameFile(file: TFile, path: string): Promise<void> {
    const text = this.vault.texts.get(file.path) ?? "";
    await this.vault.put(path, text);
    await this.vault.put(file.path, null);
    this.vault.trigger("rename", new TFile(path), file.path);
  }
  async trashFile(file: TFile): Promise<void> {
    await this.vault.put(file.path, null);
    this.vault.trigger("delete", file);
  }
}

/** The note that a leaf shows: its lines, the one that was asked for marked. */
export class MarkdownView extends Component {
  inserted: string[] = [];
  readonly editor = { replaceSelection: (text: string) => void this.inserted.push(text), getSelection: () => "" };
  constructor(
    readonly leaf: WorkspaceLeaf,
    readonly file: TFile,
  ) {
    super();
  }
  setEphemeralState(): void {}
}

export class WorkspaceLeaf {
  view: Component | undefined;
  readonly containerEl: HTMLElement;
  private type = "empty";

  constructor(
    readonly app: App,
    parent: HTMLElement,
  ) {
    this.containerEl = parent.createDiv({ cls: "workspace-leaf-content" });
  }
  getViewState(): { type: string } {
    return { type: this.type };
  }
  async setViewState({ type, state }: { type: string; state?: unknown }): Promise<void> {
    if (this.type !== type) {
      this.type = type;
      const made = this.app.viewTypes.get(type)?.(this) as ItemView;
      this.view = made;
      this.containerEl.setAttribute("data-type", type);
      this.containerEl.empty();
      this.containerEl.append(made.containerEl);
      await made.onOpen();
    }
    await (this.view as ItemView).setState(state ?? {}, { history: false });
  }
  async openFile(file: TFile, state?: { eState?: { line?: number } }): Promise<void> {
    this.type = "markdown";
    this.view = new MarkdownView(this, file);
    const { line } = state?.eState ?? {};
    this.show(file, line === undefined ? "" : `line ${line + 1}`, (n) => n === line);
  }
  show(file: TFile, where: string, isTarget: (n: number, line: string) => boolean): void {
    seen.opened.push(where ? `${file.path} at ${where}` : file.path);
    this.containerEl.empty();
    this.containerEl.setAttribute("data-type", "markdown");
    const lines = (this.app.vault.texts.get(file.path) ?? "").split("\n");
    lines.forEach((line, n) => {
      this.containerEl.createDiv({ cls: isTarget(n, line) ? "cm-line is-target" : "cm-line", text: line });
    });
    this.containerEl.querySelector(".is-target")?.scrollIntoView({ block: "center" });
  }
}

export class Workspace extends Events {
  readonly leaves: WorkspaceLeaf[] = [];
  constructor(
    private readonly app: App,
    private readonly root: HTMLElement,
  ) {
    super();
  }
  private leaf(): WorkspaceLeaf {
    const made = new WorkspaceLeaf(this.app, this.root);
    this.leaves.push(made);
    return made;
  }
  getLeavesOfType(type: string): WorkspaceLeaf[] {
    return this.leaves.filter((leaf) => leaf.getViewState().type === type);
  }
  async ensureSideLeaf(type: string): Promise<WorkspaceLeaf> {
    const leaf = this.getLeavesOfType(type)[0] ?? this.leaf();
    await leaf.setViewState({ type });
    return leaf;
  }
  getLeaf(where: unknown): WorkspaceLeaf {
    return (where ? undefined : this.getLeavesOfType("markdown")[0]) ?? this.leaf();
  }
  async revealLeaf(): Promise<void> {}
  async openLinkText(link: string, _from: string, where: unknown): Promise<void> {
    const [path = "", sub = ""] = link.split("#");
    const file = this.app.vault.getFileByPath(`${path}.md`);
    if (!file) return void seen.opened.push(`missing: ${link}`);
    this.getLeaf(where).show(file, sub, (_, line) => sub.startsWith("^") && line.trim().endsWith(sub));
  }
  getActiveFile(): TFile | null {
    return this.app.activeFile;
  }
  getActiveViewOfType(): unknown {
    return this.getLeavesOfType("markdown")[0]?.view ?? null;
  }
  getMostRecentLeaf(): WorkspaceLeaf | null {
    return this.leaves.at(-1) ?? null;
  }
  onLayoutReady(call: () => void): void {
    call();
  }
  requestSaveLayout(): void {}
}

export class App {
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  readonly fileManager: FileManager;
  readonly workspace: Workspace;
  readonly viewTypes = new Map<string, (leaf: WorkspaceLeaf) => unknown>();
  activeFile: TFile | null = null;
  private readonly local = new Map<string, unknown>();

  constructor(texts: Map<string, string>, root: HTMLElement) {
    this.vault = new Vault(texts);
    this.metadataCache = new MetadataCache(this.vault);
    this.fileManager = new FileManager(this.vault, this.metadataCache);
    this.workspace = new Workspace(this, root);
  }
  loadLocalStorage(key: string): unknown {
    return this.local.get(key) ?? null;
  }
  saveLocalStorage(key: string, value: unknown): void {
    this.local.set(key, value);
  }
}

export abstract class ItemView extends Component {
  readonly containerEl = document.createElement("div");
  readonly contentEl: HTMLElement;
  readonly app: App;
  icon = "";
  constructor(readonly leaf: WorkspaceLeaf) {
    super();
    this.app = leaf.app;
    this.contentEl = this.containerEl.createDiv({ cls: "view-content" });
  }
  async onOpen(): Promise<void> {}
  async onClose(): Promise<void> {}
  getState(): Record<string, unknown> {
    return {};
  }
  async setState(_state: unknown, _result: unknown): Promise<void> {}
}

export interface Command {
  id: string;
  name: string;
  callback?: () => void;
  checkCallback?: (checking: boolean) => boolean;
  editorCheckCallback?: (checking: boolean, editor: unknown, info: unknown) => boolean;
}

export abstract class Plugin extends Component {
  readonly commands: Command[] = [];
  readonly tabs: { display(): void; containerEl: HTMLElement }[] = [];
  data: unknown = null;
  constructor(
    readonly app: App,
    readonly manifest: { id: string; name: string; version: string },
  ) {
    super();
  }
  registerView(type: string, make: (leaf: WorkspaceLeaf) => unknown): void {
    this.app.viewTypes.set(type, make);
  }
  registerHoverLinkSource(): void {}
  addRibbonIcon(icon: string): void {
    setIcon(document.createElement("div"), icon);
  }
  addStatusBarItem(): HTMLElement {
    return document.body.createDiv({ cls: "status-bar-item" });
  }
  addCommand(command: Command): void {
    this.commands.push(command);
  }
  addSettingTab(tab: { display(): void; containerEl: HTMLElement }): void {
    this.tabs.push(tab);
  }
  async loadData(): Promise<unknown> {
    return this.data;
  }
  async saveData(data: unknown): Promise<void> {
    this.data = data;
  }
}
