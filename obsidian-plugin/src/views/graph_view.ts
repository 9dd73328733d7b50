/** An entity and who stands beside it. Arrows go from one to the next; Enter puts one into the middle. */

import { Menu } from "obsidian";
import { labelled, type Layout, layoutOf, MOST_NODES, neighbours, type Placed, shortName } from "../domain/graph";
import { VIEWS } from "./desk";
import { MemoryView } from "./memory_view";
import { openAtLine, whereOf } from "./opening";
import { iconButton, said } from "./parts";
import { onActivate, roving } from "./roving";

const ZOOM = 1.3;
const FONT_PX = 11;

export class GraphView extends MemoryView {
  override icon = "waypoints";
  private head!: HTMLElement;
  private told!: HTMLElement;
  private hops = 1;
  private zoom = 1;
  private svg: SVGSVGElement | undefined;
  private layout: Layout | undefined;

  getViewType(): string {
    return VIEWS.graph;
  }

  getDisplayText(): string {
    return "Memory graph";
  }

  protected build(top: HTMLElement): void {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    this.head = bar.createDiv({ cls: "vaultmem-bar-title" });
    const wider = iconButton(bar, "expand", "Show neighbours of neighbours", () => {
      this.hops = this.hops === 1 ? 2 : 1;
      wider.setAttr("aria-pressed", String(this.hops === 2));
      void this.refresh();
    });
    wider.setAttr("aria-pressed", "false");
    iconButton(bar, "zoom-in", "Zoom in", () => this.scale(ZOOM));
    iconButton(bar, "zoom-out", "Zoom out", () => this.scale(1 / ZOOM));
    this.told = top.createDiv({ cls: "vaultmem-told", attr: { "aria-live": "polite" } });
    this.body.addClass("vaultmem-graph-body");
  }

  private async go(entity: string): Promise<void> {
    this.about = entity;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
    this.svg?.querySelector<SVGElement>("[data-row]")?.focus();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    if (!this.about) {
      this.body.empty();
      this.head.setText("Memory graph");
      said(this.body, "pane-empty", "Open the graph of a person or topic from its note, or from the list of people and topics.");
      return;
    }
    const graph = await this.desk.memory.graph(this.about, this.hops, MOST_NODES);
    if (signal.aborted) return;
    this.body.empty();
    this.layout = layoutOf(graph);
    const middle = this.layout.placed[0];
    this.head.setText(middle?.node.displayName ?? this.about);
    this.told.setText("");
    this.draw(this.layout);
    if (graph.nodes.length < 2) said(this.body, "mod-foot", "Nobody and nothing stands beside it.");
  }

  private draw(layout: Layout): void {
    const svg = this.body.createSvg("svg", {
      cls: "vaultmem-graph",
      attr: { role: "group", "aria-label": "Memory graph" },
    });
    this.svg = svg;
    for (const { from, to, width } of layout.lines) {
      const attr = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": width };
      svg.createSvg("line", { cls: "vaultmem-edge", attr });
    }
    const keys = roving(svg, { isAcross: true });
    for (const placed of layout.placed) this.dot(svg, placed);
    keys.refresh();
    this.scale(1);
  }

  private dot(svg: SVGSVGElement, placed: Placed): void {
    const { node, x, y, radius } = placed;
    const isMiddle = node.hops === 0;
    const group = svg.createSvg("g", {
      cls: isMiddle ? "vaultmem-node is-middle" : "vaultmem-node",
      attr: { "data-row": "", role: "button", tabindex: "-1", transform: `translate(${x} ${y})`, "data-id": node.id, "aria-label": `${node.displayName}, in ${node.chunks} notes` },
    });
    group.createSvg("circle", { attr: { r: radius } });
    const label = group.createSvg("text", { attr: { y: radius + 3, "text-anchor": "middle", "dominant-baseline": "hanging" } });
    label.textContent = shortName(node.displayName);
    const tell = (): void => this.tell(placed);
    group.addEventListener("focus", tell);
    group.addEventListener("mouseenter", tell);
    const act = (event: MouseEvent | KeyboardEvent): void => {
      if (whereOf(event) && node.notePath) void openAtLine(this.app, node.notePath, 0, whereOf(event));
      else if (isMiddle) void this.desk.show(VIEWS.entity, node.id);
      else void this.go(node.id);
    };
    onActivate(group, act);
    group.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.menu(placed).showAtMouseEvent(event);
    });
  }

  private menu({ node }: Placed): Menu {
    const menu = new Menu();
    menu.addItem((item) => item.setTitle("Put into the middle").setIcon("waypoints").onClick(() => void this.go(node.id)));
    menu.addItem((item) => item.setTitle("Show mentions over time").setIcon("users").onClick(() => void this.desk.show(VIEWS.entity, node.id)));
    if (node.notePath) {
      menu.addItem((item) => item.setTitle("Open note").setIcon("file-text").onClick(() => void openAtLine(this.app, node.notePath, 0, "tab")));
    }
    return menu;
  }

  /** Who a dot is, and with whom. */
  private tell({ node }: Placed): void {
    const near = this.layout ? neighbours(this.layout, node.id) : [];
    const beside = near.length ? ` Beside: ${near.slice(0, 6).join(", ")}${near.length > 6 ? ", …" : ""}` : "";
    this.told.setText(`${node.displayName}: in ${node.chunks} notes.${beside}`);
  }

  override onResize(): void {
    this.scale(1);
  }

  /** Names keep their size whatever the picture's; those that would lie on each other are shown when pointed at. */
  private scale(by: number): void {
    const { svg, layout } = this;
    if (!svg || !layout) return;
    this.zoom = Math.min(6, Math.max(1, this.zoom * by));
    const half = layout.extent / this.zoom;
    svg.setAttr("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
    const pixels = Math.min(svg.clientWidth, svg.clientHeight) || 300;
    const fontSize = (FONT_PX * 2 * half) / pixels;
    svg.setAttr("font-size", fontSize);
    const shown = labelled(layout, fontSize);
    for (const node of svg.querySelectorAll(".vaultmem-node")) {
      node.toggleClass("has-label", shown.has(node.getAttr("data-id") ?? ""));
    }
  }
}
