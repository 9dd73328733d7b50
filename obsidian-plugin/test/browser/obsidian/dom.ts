/** What Obsidian adds to the prototypes of the page, as far as the plugin uses it. */

interface Info {
  cls?: string | string[];
  text?: string;
  attr?: Record<string, string | number | boolean | null>;
  type?: string;
  value?: string;
  href?: string;
  placeholder?: string;
}

function dress(element: Element, info: Info | string | undefined): void {
  if (typeof info === "string") {
    element.classList.add(...info.split(" "));
    return;
  }
  const { cls = [], text, attr = {}, ...named } = info ?? {};
  const classes = (typeof cls === "string" ? cls.split(" ") : cls).filter(Boolean);
  if (classes.length) element.classList.add(...classes);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries({ ...attr, ...named })) setAttr(element, name, value);
}

function setAttr(element: Element, name: string, value: string | number | boolean | null | undefined): void {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

const SVG = "http://www.w3.org/2000/svg";

const onNode = {
  createEl(this: Node, tag: string, info?: Info | string): HTMLElement {
    const element = document.createElement(tag);
    dress(element, info);
    this.appendChild(element);
    return element;
  },
  createDiv(this: Node, info?: Info | string): HTMLElement {
    return onNode.createEl.call(this, "div", info);
  },
  createSpan(this: Node, info?: Info | string): HTMLElement {
    return onNode.createEl.call(this, "span", info);
  },
  createSvg(this: Node, tag: string, info?: Info | string): Element {
    const element = document.createElementNS(SVG, tag);
    dress(element, info);
    this.appendChild(element);
    return element;
  },
  appendText(this: Node, text: string): void {
    this.appendChild(document.createTextNode(text));
  },
  empty(this: Node): void {
    while (this.lastChild) this.removeChild(this.lastChild);
  },
  instanceOf(this: object, type: new () => unknown): boolean {
    return this instanceof type;
  },
};

const onElement = {
  setText(this: Element, text: string): void {
    this.textContent = text;
  },
  addClass(this: Element, ...classes: string[]): void {
    this.classList.add(...classes);
  },
  removeClass(this: Element, ...classes: string[]): void {
    this.classList.remove(...classes);
  },
  toggleClass(this: Element, cls: string, on: boolean): void {
    this.classList.toggle(cls, on);
  },
  setAttr(this: Element, name: string, value: string): void {
    setAttr(this, name, value);
  },
  setAttrs(this: Element, attrs: Record<string, string>): void {
    for (const [name, value] of Object.entries(attrs)) setAttr(this, name, value);
  },
  getAttr(this: Element, name: string): string | null {
    return this.getAttribute(name);
  },
  find(this: Element, selector: string): Element | null {
    return this.querySelector(selector);
  },
  findAll(this: Element, selector: string): Element[] {
    return [...this.querySelectorAll(selector)];
  },
};

const onHtml = {
  show(this: HTMLElement): void {
    this.style.display = "";
  },
  hide(this: HTMLElement): void {
    this.style.display = "none";
  },
  toggle(this: HTMLElement, on: boolean): void {
    this.style.display = on ? "" : "none";
  },
  isShown(this: HTMLElement): boolean {
    return this.style.display !== "none";
  },
};

export function dressPage(): void {
  Object.assign(Node.prototype, onNode);
  Object.assign(Element.prototype, onElement);
  Object.assign(HTMLElement.prototype, onHtml);
  Object.defineProperty(UIEvent.prototype, "instanceOf", { value: onNode.instanceOf });
  Object.defineProperty(Node.prototype, "doc", {
    get(this: Node) {
      return this.ownerDocument;
    },
  });
  Object.assign(window, { activeDocument: document, activeWindow: window });
}
