/** Where the nodes of an entity's graph stand: the entity in the middle, a ring or several for every hop. Pure. */

import type { EntityGraph, GraphEdge, GraphNode } from "./answers";

export interface Placed {
  node: GraphNode;
  x: number;
  y: number;
  radius: number;
}

export interface Line {
  from: Placed;
  to: Placed;
  weight: number;
  /** 1 to 5. */
  width: number;
}

export interface Layout {
  placed: Placed[];
  lines: Line[];
  /** Half the side of the square that holds all. */
  extent: number;
}

/** More is a hairball. */
export const MOST_NODES = 300;
const GAP = 74;
const FIRST_RING = 130;
const RING = 96;

export function layoutOf(graph: EntityGraph): Layout {
  const nodes = graph.nodes.slice(0, MOST_NODES);
  const most = Math.max(...nodes.map((node) => node.chunks), 1);
  const placed: Placed[] = [];
  let radius = 0;
  for (const hops of [...new Set(nodes.map((node) => node.hops))].sort((a, b) => a - b)) {
    let rest = nodes.filter((node) => node.hops === hops);
    while (rest.length) {
      const room = hops === 0 ? 1 : Math.floor((2 * Math.PI * radius) / GAP);
      const ring = rest.slice(0, room);
      rest = rest.slice(room);
      ring.forEach((node, n) => placed.push(place(node, n, ring.length, radius, most)));
      radius += radius === 0 ? FIRST_RING : RING;
    }
  }
  const byId = new Map(placed.map((each) => [each.node.id, each]));
  const lines = linesOf(graph.edges, byId);
  return { placed, lines, extent: Math.max(...placed.map(({ x, y }) => Math.hypot(x, y)), 60) + 70 };
}

function place(node: GraphNode, n: number, of: number, radius: number, most: number): Placed {
  // every other ring is turned by half a step, so that labels do not stand in line
  const turn = (radius / RING) % 2 < 1 ? 0 : Math.PI / of;
  const angle = (2 * Math.PI * n) / of - Math.PI / 2 + turn;
  const size = 6 + 12 * Math.sqrt(node.chunks / most);
  const [x, y] = radius === 0 ? [0, 0] : [radius * Math.cos(angle), radius * Math.sin(angle)];
  return { node, x: round(x), y: round(y), radius: round(radius === 0 ? size + 4 : size) };
}

function linesOf(edges: readonly GraphEdge[], byId: ReadonlyMap<string, Placed>): Line[] {
  const most = Math.max(...edges.map((edge) => edge.weight), 1);
  return edges.flatMap(({ subject, object, weight }) => {
    const [from, to] = [byId.get(subject), byId.get(object)];
    return from && to ? [{ from, to, weight, width: round(1 + (4 * weight) / most) }] : [];
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The neighbours of a node, the strongest first, in words: for those who do not see the lines. */
export function neighbours(layout: Layout, id: string): string[] {
  return layout.lines
    .filter(({ from, to }) => from.node.id === id || to.node.id === id)
    .sort((one, other) => other.weight - one.weight)
    .map(({ from, to, weight }) => `${(from.node.id === id ? to : from).node.displayName} (${weight})`);
}

/** Width of a letter and height of a line, of the font's size. */
const LETTER = 0.6;
const LINE = 1.25;
/** So many dots, the strongest, are never covered by a name: in a crowd all dots together would leave no room. */
const CLEAR = 24;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Ids whose names can stand below their dots at this size without lying on others; the first go before, and the middle always has its. */
export function labelled(layout: Layout, fontSize: number): Set<string> {
  const kept: Box[] = layout.placed.slice(0, CLEAR).map(({ x, y, radius: r }) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r }));
  const ids = new Set<string>();
  for (const { node, x, y, radius } of layout.placed) {
    const half = ([...shortName(node.displayName)].length * LETTER * fontSize) / 2;
    const top = y + radius + 1;
    const box = { left: x - half, right: x + half, top, bottom: top + LINE * fontSize };
    if (ids.size && kept.some((other) => overlap(box, other))) continue;
    kept.push(box);
    ids.add(node.id);
  }
  return ids;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** A name that fits beside a dot. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > 22 ? `${letters.slice(0, 21).join("")}…` : name;
}
