/** Components and events, and small functions of Obsidian's module. */

export const seen = { notices: [] as string[], icons: new Set<string>(), unknownIcons: [] as string[], opened: [] as string[] };

export type Unload = () => void;

export class Events {
  private readonly held = new Map<string, Set<(...given: unknown[]) => void>>();

  on(name: string, call: (...given: never[]) => void): Unload {
    const calls = this.held.get(name) ?? new Set();
    this.held.set(name, calls.add(call as (...given: unknown[]) => void));
    return () => calls.delete(call as (...given: unknown[]) => void);
  }

  trigger(name: string, ...given: unknown[]): void {
    for (const call of [...(this.held.get(name) ?? [])]) call(...given);
  }
}

export class Component {
  private readonly ends: Unload[] = [];

  load(): void {
    void this.onload();
  }
  onload(): void | Promise<void> {}
  onunload(): void {}
  unload(): void {
    for (const end of this.ends.splice(0)) end();
    this.onunload();
  }
  addChild<T extends Component>(child: T): T {
    child.load();
    this.register(() => child.unload());
    return child;
  }
  register(end: Unload): void {
    this.ends.push(end);
  }
  registerEvent(end: Unload): void {
    this.ends.push(end);
  }
  registerDomEvent(element: HTMLElement, name: string, call: (event: Event) => void): void {
    element.addEventListener(name, call);
  }
}

declare const ICONS: Record<string, string>;

export function setIcon(parent: HTMLElement, name: string): void {
  seen.icons.add(name);
  const text = ICONS[name];
  if (!text) {
    seen.unknownIcons.push(name);
    return;
  }
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  svg.classList.add("svg-icon");
  parent.empty();
  parent.append(svg);
}

export function setTooltip(element: HTMLElement, text: string): void {
  element.setAttribute("title", text);
}

export function debounce<T extends unknown[]>(call: (...given: T) => void, ms: number): (...given: T) => void {
  let timer = 0;
  return (...given) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => call(...given), ms);
  };
}

export const normalizePath = (path: string): string => path.replace(/\/+/g, "/").replace(/^\/|\/$/g, "");

export const Keymap = {
  isModEvent: (event: MouseEvent | KeyboardEvent): "tab" | false => (event.ctrlKey || event.metaKey ? "tab" : false),
};

export class Notice {
  constructor(readonly message: string) {
    seen.notices.push(message);
  }
  hide(): void {}
}

/** Headings, list items, paragraphs and wikilinks: enough to see a digest. */
export const MarkdownRenderer = {
  async render(_app: unknown, markdown: string, parent: HTMLElement): Promise<void> {
    let list: HTMLElement | undefined;
    for (const block of markdown.split(/\n+/)) {
      const heading = /^(#{1,6}) (.*)$/.exec(block);
      const item = /^[-*] (.*)$/.exec(block);
      if (!item) list = undefined;
      if (heading) inline(parent.createEl(`h${heading[1]?.length ?? 1}` as "h1"), heading[2] ?? "");
      else if (item) inline((list ??= parent.createEl("ul")).createEl("li"), item[1] ?? "");
      else if (block.trim() && !/^\^[\w-]+$/.test(block)) inline(parent.createEl("p"), block);
    }
  },
};

function inline(parent: HTMLElement, text: string): void {
  let at = 0;
  for (const { 0: whole, 1: target = "", 2: alias, 3: bold, index } of text.matchAll(/\[\[([^\]|]+)(?:\|([^\]]*))?\]\]|\*\*([^*]+)\*\*/g)) {
    parent.appendText(text.slice(at, index));
    if (bold) parent.createEl("strong", { text: bold });
    else parent.createEl("a", { cls: "internal-link", text: alias ?? target, href: target, attr: { "data-href": target } });
    at = index + whole.length;
  }
  parent.appendText(text.slice(at));
}
