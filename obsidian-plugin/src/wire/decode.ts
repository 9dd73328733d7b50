/**
 * From unknown JSON to typed values, without a cast. A decoder says where a value is not what it must be:
 * `text(value, "hits[0].author")`. Keys that nobody asks for are ignored: a newer engine may say more.
 */

export class BadAnswer extends Error {
  constructor(where: string, expected: string) {
    super(`The engine's answer has no ${expected} at ${where}: its version may not fit the plugin's.`);
    this.name = "BadAnswer";
  }
}

export type Decoder<T> = (value: unknown, where: string) => T;

export const text: Decoder<string> = (value, where) => {
  if (typeof value !== "string") throw new BadAnswer(where, "text");
  return value;
};

export const count: Decoder<number> = (value, where) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new BadAnswer(where, "number");
  return value;
};

export const flag: Decoder<boolean> = (value, where) => {
  if (typeof value !== "boolean") throw new BadAnswer(where, "true or false");
  return value;
};

export const record: Decoder<Record<string, unknown>> = (value, where) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new BadAnswer(where, "object");
  return Object.fromEntries(Object.entries(value));
};

export function list<T>(item: Decoder<T>): Decoder<T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw new BadAnswer(where, "list");
    return value.map((each, n) => item(each, `${where}[${n}]`));
  };
}

export function mapOf<T>(item: Decoder<T>): Decoder<Map<string, T>> {
  return (value, where) =>
    new Map(Object.entries(record(value, where)).map(([key, each]) => [key, item(each, `${where}.${key}`)]));
}

/** What stands when the key is absent or null. */
export function or<T>(item: Decoder<T>, otherwise: T): Decoder<T> {
  return (value, where) => (value === undefined || value === null ? otherwise : item(value, where));
}

/** One of these words; another one is read as the first. */
export function oneOf<T extends string>(...words: [T, ...T[]]): Decoder<T> {
  return (value, where) => words.find((word) => word === text(value, where)) ?? words[0];
}

/** The fields of an object, each by its own decoder and key. */
export class Fields {
  private readonly held: Record<string, unknown>;

  constructor(
    value: unknown,
    private readonly where: string,
  ) {
    this.held = record(value, where);
  }

  get<T>(key: string, item: Decoder<T>): T {
    return item(this.held[key], `${this.where}.${key}`);
  }
}
