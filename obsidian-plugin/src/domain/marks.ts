/** Which words of a text answer a question, and the part of a text that shows them. */

export interface Segment {
  text: string;
  isMark: boolean;
}

/** Words that ask rather than name; marking them marks everything. */
const ASKING = new Set(
  (
    "a about all an and are as at be been but by can could did do does for from had has have how i in is it its me my of on or " +
    "our say says she so that the their them they this to us was we were what when where which who whom why will with would you your " +
    "der die das und ist was wer wie wo wann ein eine le la les et est que qui de des un une el los y es por como quien"
  ).split(" "),
);
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts that write without spaces: a word may stand anywhere inside a run. */
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/u;
const ENDING = /(?:ing|ed|es|s|e|en|er|d|n)$/u;
const SHORTEST_STEM = 3;

/** Without case and accents, as the engine compares. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a question that are worth marking, folded. */
export function wordsOf(query: string): string[] {
  const words = (query.match(WORD) ?? []).map(fold);
  const telling = words.filter((word) => !ASKING.has(word) && (word.length > 1 || /\d/.test(word) || UNSPACED.test(word)));
  return [...new Set(telling)];
}

/** The text in pieces, those that answer marked. Joined they are the text. */
export function segments(text: string, words: readonly string[]): Segment[] {
  const found: Segment[] = [];
  let at = 0;
  for (const { 0: token, index } of text.matchAll(WORD)) {
    for (const [first, last] of marksIn(token, words)) {
      if (index + first > at) found.push({ text: text.slice(at, index + first), isMark: false });
      found.push({ text: text.slice(index + first, index + last), isMark: true });
      at = index + last;
    }
  }
  if (at < text.length) found.push({ text: text.slice(at), isMark: false });
  return found;
}

/** Spans of a token that are words asked for: all of it, or a part where words are not divided by spaces. */
function marksIn(token: string, words: readonly string[]): [number, number][] {
  const folded = fold(token);
  if (words.some((word) => isSame(folded, word))) return [[0, token.length]];
  if (!UNSPACED.test(token)) return [];
  const spans = words.map((word) => [token.indexOf(word), word.length] as const).filter(([at]) => at >= 0);
  return spans
    .sort(([one], [other]) => one - other)
    .reduce<[number, number][]>((kept, [at, length]) => {
      if (at >= (kept.at(-1)?.[1] ?? 0)) kept.push([at, at + length]);
      return kept;
    }, []);
}

function isSame(token: string, word: string): boolean {
  if (token === word) return true;
  const [one, other] = [token.replace(ENDING, ""), word.replace(ENDING, "")];
  if (Math.min(one.length, other.length) < SHORTEST_STEM) return false;
  return one === other || one === word || other === token;
}

/** At most `most` characters around the first marks, cut between words; the whole text when it is short. */
export function excerpt(text: string, words: readonly string[], most: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= most) return line;
  const first = [...line.matchAll(WORD)].find(({ 0: token }) => marksIn(token, words).length > 0)?.index ?? 0;
  const from = first <= most / 2 ? 0 : wordStart(line, first - Math.floor(most / 3));
  const to = from + most >= line.length ? line.length : wordEnd(line, from + most);
  return `${from > 0 ? "… " : ""}${line.slice(from, to).trim()}${to < line.length ? " …" : ""}`;
}

function wordStart(line: string, near: number): number {
  const space = line.indexOf(" ", near);
  return space >= 0 && space < near + 40 ? space + 1 : whole(line, near);
}

function wordEnd(line: string, near: number): number {
  const space = line.lastIndexOf(" ", near);
  return space > near - 40 ? space : whole(line, near);
}

/** A cut never divides a character that takes two units. */
function whole(line: string, at: number): number {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
