/** A hit as a row shows it: what it is called, who said it, when, why, and the link to the very line. */

import type { Hit } from "./answers";
import { excerpt, type Segment, segments, wordsOf } from "./marks";

/** How dates are shown. */
export interface Calendar {
  now: Date;
  locale: string | undefined;
  /** IANA name; undefined is this device's. */
  zone: string | undefined;
}

export interface HitRow {
  hit: Hit;
  title: string;
  /** Who, when and from which file: what there is of it. */
  details: string[];
  excerpt: Segment[];
  /** Note and line, as a person would say them. */
  place: string;
}

const EXCERPT = 320;
const DAY_MS = 86_400_000;

export function hitRow(hit: Hit, query: string, calendar: Calendar): HitRow {
  const words = wordsOf(query);
  const kind = hit.isLeaf ? "" : `summary, level ${hit.level}`;
  return {
    hit,
    title: titleOf(hit),
    details: [undisguised(hit.author), whenOf(hit.start, calendar), kind].filter((part) => part !== ""),
    excerpt: segments(excerpt(plain(hit.content), words, EXCERPT), words),
    place: `${baseName(hit.notePath)}, line ${hit.lines[0]}`,
  };
}

/** A document's heading, a conversation's name, else what the note is called. */
export function titleOf(hit: Hit): string {
  if (!hit.isLeaf) return summaryTitle(hit);
  const heading = plain(hit.heading.split(" > ").pop() ?? "").trim();
  return heading || fileTitle(hit.sourceRef) || scopeTitle(hit.treeScope) || baseName(hit.notePath);
}

function summaryTitle(hit: Hit): string {
  if (hit.treeKind === "global") return baseName(hit.notePath);
  const scope = scopeTitle(hit.treeScope);
  return hit.treeKind === "topic" ? scope.replace(/-/gu, " ").replace(/\p{L}+/gu, capital) : scope || baseName(hit.notePath);
}

/** `WhatsApp Chat with Harbour crew.txt # 2026-…` -> `Harbour crew`. */
function fileTitle(sourceRef: string): string {
  const file = (sourceRef.split(" # ")[0] ?? "").split("/").pop() ?? "";
  return undisguised(file).replace(/\.[A-Za-z0-9]{1,5}$/u, "").replace(/^WhatsApp Chat (?:with|-) /u, "");
}

/** `whatsapp:Harbour crew` -> `Harbour crew`. */
export function scopeTitle(scope: string): string {
  return undisguised(scope.slice(scope.indexOf(":") + 1));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function baseName(path: string): string {
  return (path.split("/").pop() ?? path).replace(/\.md$/u, "");
}

/** Characters that turn the direction of all text after them, or cannot be seen: another's text must not disguise itself. */
const DISGUISE = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/gu;

export function undisguised(text: string): string {
  return text.replace(DISGUISE, "");
}

/** Markdown as text: what is written, without what only formats it. */
export function plain(markdown: string): string {
  return undisguised(markdown)
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/gu, "$1")
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/gu, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/^ {0,3}#{1,6} +/gmu, "")
    .replace(/\\([[\]%*_`#])/gu, "$1");
}

interface Times {
  today: string;
  yesterday: string;
  day: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
}

/** Made once for all rows of a list: a format takes longer to make than a row to draw. No longer, for the device's zone may change. */
const times = new WeakMap<Calendar, Times>();

function timesOf(calendar: Calendar): Times {
  const made = times.get(calendar) ?? timesIn(calendar);
  times.set(calendar, made);
  return made;
}

function timesIn({ now, locale, zone: timeZone }: Calendar): Times {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone });
  return {
    day,
    today: day.format(now),
    yesterday: day.format(new Date(now.getTime() - DAY_MS)),
    clock: new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }),
  };
}

/** `Today 10:12`, `Yesterday`, `5 Mar 2026`: shorter the nearer it is. "" for no time. */
export function whenOf(iso: string, calendar: Calendar): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const { today, yesterday, day, clock, date } = timesOf(calendar);
  if (day.format(at) === today) return `Today ${clock.format(at)}`;
  if (day.format(at) === yesterday) return `Yesterday ${clock.format(at)}`;
  return date.format(at);
}

/** Path, then the block or heading: what Obsidian opens. */
export function linkText(hit: Pick<Hit, "notePath" | "block" | "heading" | "isLeaf">): string {
  const path = hit.notePath.replace(/\.md$/u, "");
  if (hit.block) return `${path}#^${hit.block}`;
  const heading = hit.isLeaf ? (hit.heading.split(" > ").pop() ?? "") : "";
  const safe = heading.replace(/[#|^:%[\]\\]+/gu, " ").replace(/\s+/gu, " ").trim();
  return safe ? `${path}#${safe}` : path;
}

/** A link to drag or insert, with a name that cannot break out of it. */
export function wikilink(hit: Hit): string {
  return `[[${linkText(hit)}|${safeAlias(titleOf(hit))}]]`;
}

export function safeAlias(title: string): string {
  return title.replace(/[[\]|\r\n]+/gu, " ").replace(/\s+/gu, " ").trim() || "note";
}

/** The words themselves with their source, for a prompt or a note: every line quoted. */
export function asContext(hit: Hit, calendar: Calendar): string {
  const who = [hit.author, whenOf(hit.start, calendar)].filter((part) => part !== "").join(", ");
  const quoted = hit.content.trim().split("\n").map((line) => `> ${line}`);
  return [...quoted, ">", `> ${who ? `${who} — ` : ""}${wikilink(hit)}`].join("\n") + "\n";
}
