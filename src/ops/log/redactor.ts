/**
 * Takes secrets out of whatever is about to be shown. Two nets: names of fields that hold secrets, at any depth, and
 * the secrets themselves, wherever in a text they stand and however they are written (case, `0x`, URL, JSON, base64).
 */

/** What stands in a secret's place. */
export const REDACTED = '[redacted]';

/** Names of fields whose texts are never shown, whatever they hold. */
const SECRET_NAME =
  /priv(ate)?[_-]?key|secret|passw|passphrase|token|authori[sz]ation|cookie|mnemonic|api[_-]?key|signing[_-]?key|webhook|^salt$|^seed[_-]?phrase$/i;
/** A shorter text is too common to be looked for in others; its field's name still hides it. */
const SHORTEST = 6;
/** Tokens that are looked for: a bot has a new one every few minutes, for weeks. */
const MOST_PASSING = 8;
const DEEPEST = 12;
const MOST_ENTRIES = 1_000;

export class Redactor {
  readonly #secrets = new Set<string>();
  /** Those that follow each other, oldest first. */
  #passing: readonly string[] = [];
  #pattern: RegExp | undefined;

  /** From now on this text is shown nowhere. Nothing, and what is too short to be a secret, is passed over. */
  keep(secret: string | undefined): void {
    if (secret === undefined || secret.trim().length < SHORTEST) return;
    this.#secrets.add(secret.trim());
    this.#look();
  }

  /**
   * The same for one that is soon followed by the next, such as a session's token: of these only the last few count.
   */
  keepForNow(secret: string): void {
    const text = secret.trim();
    if (text.length < SHORTEST || this.#passing.includes(text)) return;
    this.#passing = [...this.#passing, text].slice(-MOST_PASSING);
    this.#look();
  }

  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, REDACTED);
  }

  /** A copy that can be shown: plain objects, lists, texts and numbers, without secrets. Never throws. */
  value(value: unknown): unknown {
    return this.#walk(value, 0, new Set());
  }

  /** A copy of an error and its causes without secrets, for errors that are thrown on and printed elsewhere. */
  error(error: unknown): unknown {
    for (let each = error, depth = 0; each instanceof Error && depth < DEEPEST; each = each.cause, depth += 1) {
      each.message = this.text(each.message);
      if (each.stack !== undefined) each.stack = this.text(each.stack);
    }
    return error;
  }

  #look(): void {
    // The longest first: a form may begin with another one.
    const forms = [...new Set([...this.#secrets, ...this.#passing].flatMap(formsOf))];
    forms.sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(forms.map(escaped).join('|'), 'gi');
  }

  #walk(value: unknown, depth: number, above: ReadonlySet<object>): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'bigint':
        return this.text(`${value}`);
      case 'function':
      case 'symbol':
        return undefined;
      case 'object':
        return value === null ? null : this.#object(value, depth, above);
      default:
        return value;
    }
  }

  #object(value: object, depth: number, above: ReadonlySet<object>): unknown {
    if (above.has(value)) return '[circular]';
    if (depth >= DEEPEST) return '[deep]';
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof URL) return this.text(value.href);
    const inside = new Set(above).add(value);
    if (Array.isArray(value) || value instanceof Set) {
      return [...value].slice(0, MOST_ENTRIES).map((each) => this.#walk(each, depth + 1, inside));
    }
    const shown: Record<string, unknown> = {};
    for (const [name, read] of membersOf(value)) {
      shown[this.text(name)] = this.#member(name, read, depth, inside);
    }
    return shown;
  }

  /** Numbers and yes or no under such a name are counts and flags. */
  #member(name: string, read: () => unknown, depth: number, above: ReadonlySet<object>): unknown {
    let value: unknown;
    try {
      value = read();
    } catch {
      return '[unreadable]';
    }
    const isPlain = value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
    return SECRET_NAME.test(name) && !isPlain ? REDACTED : this.#walk(value, depth + 1, above);
  }
}

/** Own members by name; of an error also those that do not count as its own. */
function membersOf(value: object): readonly (readonly [string, () => unknown])[] {
  if (value instanceof Map) {
    return [...value].slice(0, MOST_ENTRIES).map(([key, held]) => [String(key), () => held] as const);
  }
  const names = Object.keys(value).slice(0, MOST_ENTRIES);
  const hidden = value instanceof Error ? ['name', 'message', 'stack', 'cause', 'errors'] : [];
  return [...new Set([...hidden.filter((name) => Reflect.has(value, name)), ...names])].map(
    (name) => [name, () => Reflect.get(value, name)] as const,
  );
}

function formsOf(secret: string): readonly string[] {
  const bare = secret.replace(/^0x/i, '');
  const texts = /^[0-9a-f]+$/i.test(bare) && bare.length >= SHORTEST ? [secret, bare] : [secret];
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, ''),
  ]);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
