/**
 * Removes secrets from values and texts before they are shown. Hides fields by name at any depth, and known secrets
 * anywhere in a text, in all spellings (case, `0x`, URL, JSON, base64).
 */
export const REDACTED = '[redacted]';

/** Names of fields whose texts are never shown. */
const SECRET_NAME =
  /priv(ate)?[_-]?key|secret|passw|passphrase|token|authori[sz]ation|cookie|mnemonic|api[_-]?key|signing[_-]?key|webhook|^salt$|^seed[_-]?phrase$/i;
/** Shorter texts are too common to search for. The name of their field still hides them. */
const MIN_LENGTH = 6;
/** Number of latest tokens to search for. A bot gets a new token every few minutes. */
const MAX_SHORT_LIVED = 8;
const MAX_DEPTH = 12;
const MAX_ENTRIES = 1_000;

export class Redactor {
  readonly #secrets = new Set<string>();
  /** The last short-lived secrets, the oldest first. */
  #shortLived: readonly string[] = [];
  #pattern: RegExp | undefined;

  /** Hides this text from now on. Ignores undefined and texts that are too short to be secrets. */
  addSecret(secret: string | undefined): void {
    if (secret === undefined || secret.trim().length < MIN_LENGTH) return;
    this.#secrets.add(secret.trim());
    this.#buildPattern();
  }

  /** Hides a secret that is soon replaced, such as a session token. Only the last few tokens are hidden. */
  addShortLivedSecret(secret: string): void {
    const text = secret.trim();
    if (text.length < MIN_LENGTH || this.#shortLived.includes(text)) return;
    this.#shortLived = [...this.#shortLived, text].slice(-MAX_SHORT_LIVED);
    this.#buildPattern();
  }

  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, REDACTED);
  }

  /** Returns a copy without secrets: plain objects, lists, texts and numbers. Never throws. */
  value(value: unknown): unknown {
    return this.#walk(value, 0, new Set());
  }

  /**
   * Removes secrets from an error, its causes and the errors of an `AggregateError` in place. Copies a frozen error.
   * @returns the error, or its copy
   */
  error(error: unknown): unknown {
    const cleaned = new Map<unknown, unknown>();
    const clean = (found: unknown): unknown => {
      if (!cleaned.has(found)) cleaned.set(found, isFixedError(found) ? copyError(found) : found);
      return cleaned.get(found);
    };
    const result = clean(error);
    // Also visits what the loop adds.
    for (const each of cleaned.values()) {
      if (!(each instanceof Error)) continue;
      each.message = this.text(each.message);
      if (each.stack !== undefined) each.stack = this.text(each.stack);
      const cause = clean(each.cause);
      if (cause !== each.cause) each.cause = cause;
      if (each instanceof AggregateError) each.errors = each.errors.map(clean);
    }
    return result;
  }

  #buildPattern(): void {
    // The longest spelling comes first, because one spelling can start with another.
    const spellings = [...new Set([...this.#secrets, ...this.#shortLived].flatMap(listSpellings))];
    spellings.sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(spellings.map(escapeRegExp).join('|'), 'gi');
  }

  #walk(value: unknown, depth: number, ancestors: ReadonlySet<object>): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'bigint':
        return this.text(`${value}`);
      case 'function':
      case 'symbol':
        return undefined;
      case 'object':
        return value === null ? null : this.#tryObject(value, depth, ancestors);
      default:
        return value;
    }
  }

  #tryObject(value: object, depth: number, ancestors: ReadonlySet<object>): unknown {
    try {
      return this.#object(value, depth, ancestors);
    } catch {
      return '[unreadable]';
    }
  }

  #object(value: object, depth: number, ancestors: ReadonlySet<object>): unknown {
    if (ancestors.has(value)) return '[circular]';
    if (depth >= MAX_DEPTH) return '[deep]';
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof URL) return this.text(value.href);
    const parents = new Set(ancestors).add(value);
    if (Array.isArray(value) || value instanceof Set)
      return [...value].slice(0, MAX_ENTRIES).map((each) => this.#walk(each, depth + 1, parents));
    // `fromEntries` also copies a member called `__proto__`, which an assignment would lose.
    return Object.fromEntries(
      listMembers(value).map(([name, read]) => [this.text(name), this.#member(name, read, depth, parents)]),
    );
  }

  /** Shows numbers and booleans under a secret's name, because they are counts and flags. */
  #member(name: string, read: () => unknown, depth: number, ancestors: ReadonlySet<object>): unknown {
    let value: unknown;
    try {
      value = read();
    } catch {
      return '[unreadable]';
    }
    const isPlain = value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
    return SECRET_NAME.test(name) && !isPlain ? REDACTED : this.#walk(value, depth + 1, ancestors);
  }
}

/** Returns each member's name and a function that reads it. Includes non-enumerable members of an error. */
function listMembers(value: object): readonly (readonly [string, () => unknown])[] {
  if (value instanceof Map)
    return [...value].slice(0, MAX_ENTRIES).map(([key, entry]) => [String(key), () => entry] as const);
  const names = Object.keys(value).slice(0, MAX_ENTRIES);
  const nonEnumerable = value instanceof Error ? ['name', 'message', 'stack', 'cause', 'errors'] : [];
  return [...new Set([...nonEnumerable.filter((name) => Reflect.has(value, name)), ...names])].map(
    (name) => [name, () => Reflect.get(value, name)] as const,
  );
}

function isFixedError(value: unknown): value is Error {
  return value instanceof Error && !Object.isExtensible(value);
}

/** Copies an error to one of the same class whose members can be changed. */
function copyError(error: Error): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  for (const name of Reflect.ownKeys(error)) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
    const value: unknown = Reflect.get(error, name);
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  }
  return copy;
}

function listSpellings(secret: string): readonly string[] {
  const bare = secret.replace(/^0x/i, '');
  const texts = /^[0-9a-f]+$/i.test(bare) && bare.length >= MIN_LENGTH ? [secret, bare] : [secret];
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, ''),
  ]);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
