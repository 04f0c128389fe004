/**
 * A condition on the fields of a market, as people write it: `category = 'tennis' and volume_before > 10000`.
 *
 * Grammar: `or` of `and` of `not` of comparisons or brackets. A comparison is `field = != < <= > >= value`, `field in (values)`,
 * or `'text' in field` for a list of texts. Values are numbers and texts in single quotes ('' for a quote). A comparison with
 * a field that a market does not have is false.
 */
import { InputFault } from '../../domain/index.ts';

export type FieldValue = string | number | readonly string[] | undefined;

export interface Condition {
  /** Fields that it names. */
  readonly fields: ReadonlySet<string>;
  holds(of: (field: string) => FieldValue): boolean;
}

/** What values a field has. */
export type FieldKind = 'number' | 'text' | 'list of texts';

type Test = (of: (field: string) => FieldValue) => boolean;
type Value = string | number;

const MAX_CHARACTERS = 10_000;
const MAX_DEPTH = 50;
const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([a-z_][a-z0-9_]*)|(<=|>=|!=|<>|[=<>(),]))/iy;

/**
 * @param field of the setting, for the fault
 * @throws InputFault that shows where the text cannot be read, or where a field is compared with a value of another kind
 */
export function parseCondition(field: string, text: string, known: ReadonlyMap<string, FieldKind>): Condition {
  return new Parser(field, text, known).parse();
}

class Parser {
  readonly #field: string;
  readonly #text: string;
  readonly #known: ReadonlyMap<string, FieldKind>;
  readonly #tokens: readonly { readonly text: string; readonly at: number }[];
  readonly #fields = new Set<string>();
  #next = 0;
  #depth = 0;

  constructor(field: string, text: string, known: ReadonlyMap<string, FieldKind>) {
    this.#field = field;
    this.#text = text;
    this.#known = known;
    if (text.length > MAX_CHARACTERS)
      throw new InputFault(field, `${text.slice(0, 40)}…`, `at most ${MAX_CHARACTERS} characters`);
    this.#tokens = this.#split();
  }

  parse(): Condition {
    const holds = this.#or();
    if (this.#next < this.#tokens.length) throw this.#fault('and, or, or the end');
    return { fields: this.#fields, holds };
  }

  #or(): Test {
    let test = this.#and();
    while (this.#takes('or')) {
      const [left, right] = [test, this.#and()];
      test = (of) => left(of) || right(of);
    }
    return test;
  }

  #and(): Test {
    let test = this.#not();
    while (this.#takes('and')) {
      const [left, right] = [test, this.#not()];
      test = (of) => left(of) && right(of);
    }
    return test;
  }

  #not(): Test {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#fault(`at most ${MAX_DEPTH} brackets and "not" within each other`);
    const test = this.#innerNot();
    this.#depth -= 1;
    return test;
  }

  #innerNot(): Test {
    if (this.#takes('not')) {
      const test = this.#not();
      return (of) => !test(of);
    }
    if (!this.#takes('(')) return this.#comparison();
    const test = this.#or();
    if (!this.#takes(')')) throw this.#fault('")"');
    return test;
  }

  #comparison(): Test {
    const value = this.#value();
    if (value !== undefined) {
      if (!this.#takes('in')) throw this.#fault('in');
      const list = this.#name(['list of texts']);
      return (of) => listOf(of(list)).includes(String(value));
    }
    const name = this.#name(['number', 'text']);
    const kind = this.#known.get(name) ?? 'text';
    if (this.#takes('in')) {
      const values = this.#values(kind);
      return (of) => values.some((each) => each === of(name));
    }
    for (const [sign, compare] of COMPARISONS) {
      if (!this.#takes(sign)) continue;
      const right = this.#valueOf(kind);
      return (of) => {
        const order = orderOf(of(name), right);
        return order !== undefined && compare(order);
      };
    }
    throw this.#fault('=, !=, <, <=, >, >= or in');
  }

  #values(kind: FieldKind): readonly Value[] {
    if (!this.#takes('(')) throw this.#fault('"(" and values');
    const values: Value[] = [];
    do {
      values.push(this.#valueOf(kind));
    } while (this.#takes(','));
    if (!this.#takes(')')) throw this.#fault('"," or ")"');
    return values;
  }

  #name(kinds: readonly FieldKind[]): string {
    const { text = '' } = this.#tokens[this.#next] ?? {};
    const name = text.toLowerCase();
    const kind = this.#known.get(name);
    if (kind === undefined) throw this.#fault(`one of ${[...this.#known.keys()].join(', ')}`);
    if (!kinds.includes(kind)) throw this.#fault(HOW_TO_ASK[kind](name));
    this.#next += 1;
    this.#fields.add(name);
    return name;
  }

  #valueOf(kind: FieldKind): Value {
    const start = this.#next;
    const value = this.#value();
    if (typeof value === (kind === 'number' ? 'number' : 'string') && value !== undefined) return value;
    this.#next = start;
    throw this.#fault(kind === 'number' ? 'a number' : "a text in '…'");
  }

  #value(): Value | undefined {
    const { text = '' } = this.#tokens[this.#next] ?? {};
    const value = text.startsWith("'")
      ? text.slice(1, -1).replaceAll("''", "'")
      : /^-?\d/.test(text)
        ? Number(text)
        : undefined;
    if (value !== undefined) this.#next += 1;
    return value;
  }

  #takes(word: string): boolean {
    if (this.#tokens[this.#next]?.text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #split(): readonly { text: string; at: number }[] {
    const tokens: { text: string; at: number }[] = [];
    const end = this.#text.trimEnd().length;
    TOKEN.lastIndex = 0;
    for (let at = 0; at < end; at = TOKEN.lastIndex) {
      const match = TOKEN.exec(this.#text);
      const start = at + this.#text.slice(at).search(/\S/);
      if (match === null || match.index !== at)
        throw this.#faultAt(start, "a field, a value or a sign; texts stand in '…'");
      const text = match[0].trimStart();
      tokens.push({ text, at: at + match[0].length - text.length });
    }
    return tokens;
  }

  #fault(expected: string): InputFault {
    return this.#faultAt(this.#tokens[this.#next]?.at ?? this.#text.length, expected);
  }

  #faultAt(at: number, expected: string): InputFault {
    return new InputFault(this.#field, this.#text, `${expected} at character ${at + 1}`);
  }
}

const HOW_TO_ASK: Readonly<Record<FieldKind, (name: string) => string>> = {
  number: (name) => `a field with a list of texts before "in", not the number ${name},`,
  text: (name) => `a field with a list of texts, not the text ${name} (${name} = 'text'),`,
  'list of texts': (name) => `'text' in ${name}, as ${name} is a list of texts,`,
};

/** By the order of the field's value and the other: below 0, 0 or above. */
const COMPARISONS: readonly (readonly [string, (order: number) => boolean])[] = [
  ['=', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<>', (order) => order !== 0],
  ['<=', (order) => order <= 0],
  ['>=', (order) => order >= 0],
  ['<', (order) => order < 0],
  ['>', (order) => order > 0],
];

/** Undefined for values of different kinds. */
function orderOf(left: FieldValue, right: Value): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

function listOf(value: FieldValue): readonly string[] {
  return Array.isArray(value) ? value : [];
}
