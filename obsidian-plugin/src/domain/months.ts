/** Months as a chart shows them: every month of the span, those without mentions too. */

export interface Bar {
  month: string;
  count: number;
  /** Of the highest: 0 to 1. */
  share: number;
}

/** A chart of more months than these shows years instead. */
const MOST_BARS = 60;

export function barsOf(months: readonly { month: string; chunks: number }[]): Bar[] {
  const counts = new Map(months.map(({ month, chunks }) => [month, chunks]));
  const names = [...counts.keys()].sort();
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined || last === undefined) return [];
  const every = spanned(first, last);
  if (every.length <= MOST_BARS) return scaled(every.map((month) => [month, counts.get(month) ?? 0]));
  const years = new Map<string, number>();
  for (const month of every) years.set(month.slice(0, 4), (years.get(month.slice(0, 4)) ?? 0) + (counts.get(month) ?? 0));
  return scaled([...years]);
}

function spanned(first: string, last: string): string[] {
  const found: string[] = [];
  for (let n = index(first); n <= index(last); n += 1) {
    found.push(`${String(Math.floor(n / 12)).padStart(4, "0")}-${String((n % 12) + 1).padStart(2, "0")}`);
  }
  return found;
}

function index(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

function scaled(rows: [string, number][]): Bar[] {
  const most = Math.max(...rows.map(([, count]) => count), 1);
  return rows.map(([month, count]) => ({ month, count, share: count / most }));
}

/** `2026-03` -> `March 2026`, `2026` -> `2026`, in the reader's language. */
export function monthName(month: string, locale: string | undefined): string {
  if (month.length < 7) return month;
  const at = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1, 1));
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(at);
}
