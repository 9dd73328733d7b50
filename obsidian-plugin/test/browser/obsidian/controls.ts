/** Menus, modals and the controls of settings. */

import { Component, setIcon } from "./base";

export class Scope {
  readonly keys: { modifiers: string[]; key: string; call: (event: KeyboardEvent) => unknown }[] = [];

  register(modifiers: string[], key: string, call: (event: KeyboardEvent) => unknown): void {
    this.keys.push({ modifiers, key, call });
  }

  take(event: KeyboardEvent): boolean {
    const held = { Alt: event.altKey, Shift: event.shiftKey, Mod: event.ctrlKey || event.metaKey };
    const fits = this.keys.find(
      ({ modifiers, key }) => key === event.key && Object.entries(held).every(([name, on]) => modifiers.includes(name) === on),
    );
    fits?.call(event);
    return fits !== undefined;
  }
}

class MenuItem {
  title = "";
  act: () => void = () => undefined;
  setTitle(title: string): this {
    this.title = title;
    return this;
  }
  setIcon(): this {
    return this;
  }
  setSection(): this {
    return this;
  }
  onClick(act: () => void): this {
    this.act = act;
    return this;
  }
}

export class Menu {
  readonly items: MenuItem[] = [];

  addItem(fill: (item: MenuItem) => void): this {
    const item = new MenuItem();
    fill(item);
    this.items.push(item);
    return this;
  }
  addSeparator(): this {
    return this;
  }
  showAtMouseEvent(): this {
    document.querySelector(".menu")?.remove();
    const menu = document.body.createDiv({ cls: "menu", attr: { role: "menu" } });
    for (const { title, act } of this.items) {
      const button = menu.createEl("button", { text: title, attr: { role: "menuitem" } });
      button.addEventListener("click", () => {
        menu.remove();
        act();
      });
    }
    return this;
  }
}

export class Modal {
  readonly scope = new Scope();
  readonly containerEl = document.createElement("div");
  readonly modalEl: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly contentEl: HTMLElement;

  constructor(readonly app: unknown) {
    this.containerEl.addClass("modal-container");
    this.modalEl = this.containerEl.createDiv({ cls: "modal", attr: { role: "dialog" } });
    this.titleEl = this.modalEl.createDiv({ cls: "modal-title" });
    this.contentEl = this.modalEl.createDiv({ cls: "modal-content" });
  }
  setTitle(title: string): void {
    this.titleEl.setText(title);
  }
  open(): void {
    document.body.append(this.containerEl);
    this.containerEl.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.onOpen();
  }
  close(): void {
    this.containerEl.remove();
    this.onClose();
  }
  onOpen(): void {}
  onClose(): void {}
}

/** Fields of its own are hidden from subclasses: those may be called anything. */
export abstract class SuggestModal<T> extends Modal {
  limit = 100;
  emptyStateText = "";
  readonly inputEl: HTMLInputElement;
  readonly resultContainerEl: HTMLElement;
  #shown: T[] = [];
  #chosen = 0;
  #asked = 0;

  constructor(app: unknown) {
    super(app);
    this.modalEl.className = "prompt";
    this.modalEl.empty();
    this.inputEl = this.modalEl.createEl("input", { cls: "prompt-input", type: "text" });
    this.resultContainerEl = this.modalEl.createDiv({ cls: "prompt-results" });
    this.inputEl.addEventListener("input", () => void this.#ask());
    this.inputEl.addEventListener("keydown", (event) => this.#key(event));
  }
  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(value: T, event: MouseEvent | KeyboardEvent): void;

  setPlaceholder(text: string): void {
    this.inputEl.placeholder = text;
  }
  setInstructions(instructions: { command: string; purpose: string }[]): void {
    const row = this.modalEl.createDiv({ cls: "prompt-instructions" });
    for (const { command, purpose } of instructions) {
      const each = row.createDiv({ cls: "prompt-instruction" });
      each.createSpan({ cls: "prompt-instruction-command", text: command });
      each.createSpan({ text: purpose });
    }
  }
  override open(): void {
    super.open();
    this.inputEl.focus();
    void this.#ask();
  }
  selectActiveSuggestion(event: MouseEvent | KeyboardEvent): void {
    const value = this.#shown[this.#chosen];
    if (value === undefined) return;
    this.close();
    this.onChooseSuggestion(value, event);
  }
  async #ask(): Promise<void> {
    const asked = ++this.#asked;
    const found = await this.getSuggestions(this.inputEl.value);
    if (asked !== this.#asked) return;
    this.#shown = found.slice(0, this.limit);
    this.#chosen = 0;
    this.#draw();
  }
  #draw(): void {
    this.resultContainerEl.empty();
    this.#shown.forEach((value, n) => {
      const el = this.resultContainerEl.createDiv({ cls: "suggestion-item" });
      el.toggleClass("is-selected", n === this.#chosen);
      this.renderSuggestion(value, el);
      if (n === this.#chosen) el.scrollIntoView({ block: "nearest" });
    });
    if (!this.#shown.length && this.inputEl.value) this.resultContainerEl.createDiv({ cls: "suggestion-empty", text: this.emptyStateText });
  }
  #key(event: KeyboardEvent): void {
    if (this.scope.take(event)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      this.#chosen = (this.#chosen + by + this.#shown.length) % Math.max(1, this.#shown.length);
      this.#draw();
    } else if (event.key === "Enter") this.selectActiveSuggestion(event);
    else return;
    event.preventDefault();
  }
}

class ValueComponent<E extends HTMLInputElement | HTMLSelectElement> {
  protected call: (value: string) => unknown = () => undefined;
  constructor(readonly inputEl: E) {}
  getValue(): string {
    return this.inputEl.value;
  }
  setValue(value: string | number): this {
    this.inputEl.value = String(value);
    return this;
  }
  onChange(call: (value: string) => unknown): this {
    this.call = call;
    return this;
  }
}

export class TextComponent extends ValueComponent<HTMLInputElement> {
  constructor(parent: HTMLElement, type = "text") {
    super(parent.createEl("input", { type, attr: { spellcheck: "false" } }));
    this.inputEl.addEventListener("input", () => this.call(this.getValue()));
  }
  setPlaceholder(text: string): this {
    this.inputEl.placeholder = text;
    return this;
  }
}

export class SearchComponent extends TextComponent {
  constructor(parent: HTMLElement) {
    super(parent.createDiv({ cls: "search-input-container" }), "search");
  }
}

export class SliderComponent extends ValueComponent<HTMLInputElement> {
  constructor(parent: HTMLElement) {
    super(parent.createEl("input", { type: "range" }));
  }
  setLimits(min: number, max: number, step: number): this {
    this.inputEl.setAttrs({ min: String(min), max: String(max), step: String(step) });
    return this;
  }
}

export class DropdownComponent extends ValueComponent<HTMLSelectElement> {
  constructor(parent: HTMLElement) {
    super(parent.createEl("select", { cls: "dropdown" }));
    this.inputEl.addEventListener("change", () => this.call(this.getValue()));
  }
  addOption(value: string, name: string): this {
    this.inputEl.createEl("option", { value, text: name });
    return this;
  }
  addOptions(options: Record<string, string>): this {
    for (const [value, name] of Object.entries(options)) this.addOption(value, name);
    return this;
  }
}

class ButtonComponent {
  readonly buttonEl: HTMLButtonElement;
  constructor(parent: HTMLElement) {
    this.buttonEl = parent.createEl("button");
  }
  setButtonText(text: string): this {
    this.buttonEl.setText(text);
    return this;
  }
  onClick(act: () => unknown): this {
    this.buttonEl.addEventListener("click", act);
    return this;
  }
}

export class Setting {
  readonly settingEl: HTMLElement;
  readonly controlEl: HTMLElement;
  private readonly info: HTMLElement;
  constructor(parent: HTMLElement) {
    this.settingEl = parent.createDiv({ cls: "setting-item" });
    this.info = this.settingEl.createDiv({ cls: "setting-item-info" });
    this.controlEl = this.settingEl.createDiv({ cls: "setting-item-control" });
  }
  setName(name: string): this {
    this.info.createDiv({ cls: "setting-item-name", text: name });
    return this;
  }
  setDesc(desc: string): this {
    this.info.createDiv({ cls: "setting-item-description", text: desc });
    return this;
  }
  addText(fill: (text: TextComponent) => unknown): this {
    fill(new TextComponent(this.controlEl));
    return this;
  }
  addSlider(fill: (slider: SliderComponent) => unknown): this {
    fill(new SliderComponent(this.controlEl));
    return this;
  }
  addButton(fill: (button: ButtonComponent) => unknown): this {
    fill(new ButtonComponent(this.controlEl));
    return this;
  }
}

export class PluginSettingTab {
  readonly containerEl = document.createElement("div");
  constructor(
    readonly app: unknown,
    readonly plugin: Component,
  ) {}
  display(): void {}
}

export { setIcon };
