/** Days as digests are named: `2026-04-21`. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/u;

/** The day so many days later; "" for what is no day. */
export function shifted(day: string, by: number): string {
  const found = DAY.exec(day);
  if (!found) return "";
  const at = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + by));
  return at.toISOString().slice(0, 10);
}

/** `Tuesday, 21 April 2026` in the reader's language; other periods are their own names. */
export function dayTitle(day: string, locale: string | undefined): string {
  if (!DAY.test(day)) return day;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** The body of a digest without the title that its view shows anyway, and without the block ids of its lines. */
export function digestBody(content: string): string {
  return content.replace(/^\s*# [^\n]*\n/u, "").trim();
}
