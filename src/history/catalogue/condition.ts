/**
 * Parses a condition on the fields of a market, such as `category = 'tennis' and volume_before > 10000`.
 *
 * Precedence, lowest first: `or`, `and`, `not`, then comparisons and brackets. A comparison is `field op value`,
 * `field in (values)`, or `'text' in field` for a list of texts. Operators are = != < <= > >=. Values are numbers and
 * texts in single quotes ('' for a quote). A comparison with a missing field is false.
 */
import { InputFault } from '../../domain/index.ts';

export type FieldValue = string | number | readonly string[] | undefined;

export interface Condition {
  readonly fields: ReadonlySet<string>;
  matches(getValue: (field: string) => FieldValue): boolean;
}

export type FieldKind = 'number' | 'text' | 'list of texts';

type Predicate = (getValue: (field: string) => FieldValue) => boolean;
type Value = string | number;

const MAX_CHARACTERS = 10_000;
const MAX_DEPTH = 50;
const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([a-z_][a-z0-9_]*)|(<=|>=|!=|<>|[=<>(),]))/iy;

/** @param field name of the setting @throws InputFault with the place of a syntax error or a wrong type */
export function parseCondition(field: string, text: string, fieldKinds: ReadonlyMap<string, FieldKind>): Condition {
  return new Parser(field, text, fieldKinds).parse();
}

class Parser {
  readonly #field: string;
  readonly #text: string;
  readonly #fieldKinds: ReadonlyMap<string, FieldKind>;
  readonly #tokens: readonly { readonly text: string; readonly at: number }[];
  readonly #fields = new Set<string>();
  #next = 0;
  #depth = 0;

  constructor(field: string, text: string, fieldKinds: ReadonlyMap<string, FieldKind>) {
    this.#field = field;
    this.#text = text;
    this.#fieldKinds = fieldKinds;
    if (text.length > MAX_CHARACTERS)
      throw new InputFault(field, `${text.slice(0, 40)}…`, `at most ${MAX_CHARACTERS} characters`);
    this.#tokens = this.#tokenize();
  }

  parse(): Condition {
    const matches = this.#or();
    if (this.#next < this.#tokens.length) throw this.#fault('and, or, or the end');
    return { fields: this.#fields, matches };
  }

  #or(): Predicate {
    let test = this.#and();
    while (this.#accept('or')) {
      const [left, right] = [test, this.#and()];
      test = (getValue) => left(getValue) || right(getValue);
    }
    return test;
  }

  #and(): Predicate {
    let test = this.#not();
    while (this.#accept('and')) {
      const [left, right] = [test, this.#not()];
      test = (getValue) => left(getValue) && right(getValue);
    }
    return test;
  }

  #not(): Predicate {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#fault(`at most ${MAX_DEPTH} brackets and "not" within each other`);
    const test = this.#notOperand();
    this.#depth -= 1;
    return test;
  }

  #notOperand(): Predicate {
    if (this.#accept('not')) {
      const test = this.#not();
      return (getValue) => !test(getValue);
    }
    if (!this.#accept('(')) return this.#comparison();
    const test = this.#or();
    if (!this.#accept(')')) throw this.#fault('")"');
    return test;
  }

  #comparison(): Predicate {
    const value = this.#value();
    if (value !== undefined) {
      if (!this.#accept('in')) throw this.#fault('in');
      const list = this.#name(['list of texts']);
      return (getValue) => {
        const texts = getValue(list);
        return Array.isArray(texts) && texts.includes(String(value));
      };
    }
    const name = this.#name(['number', 'text']);
    const kind = this.#fieldKinds.get(name) ?? 'text';
    if (this.#accept('in')) {
      const values = this.#values(kind);
      return (getValue) => values.some((value) => value === getValue(name));
    }
    for (const [sign, compare] of COMPARISONS) {
      if (!this.#accept(sign)) continue;
      const right = this.#typedValue(kind);
      return (getValue) => {
        const order = compareValues(getValue(name), right);
        return order !== undefined && compare(order);
      };
    }
    throw this.#fault('=, !=, <, <=, >, >= or in');
  }

  #values(kind: FieldKind): readonly Value[] {
    if (!this.#accept('(')) throw this.#fault('"(" and values');
    const values: Value[] = [];
    do {
      values.push(this.#typedValue(kind));
    } while (this.#accept(','));
    if (!this.#accept(')')) throw this.#fault('"," or ")"');
    return values;
  }

  #name(kinds: readonly FieldKind[]): string {
    const { text = '' } = this.#tokens[this.#next] ?? {};
    const name = text.toLowerCase();
    const kind = this.#fieldKinds.get(name);
    if (kind === undefined) throw this.#fault(`one of ${[...this.#fieldKinds.keys()].join(', ')}`);
    if (!kinds.includes(kind)) throw this.#fault(EXPECTED_USE[kind](name));
    this.#next += 1;
    this.#fields.add(name);
    return name;
  }

  #typedValue(kind: FieldKind): Value {
    const start = this.#next;
    const value = this.#value();
    if (typeof value === (kind === 'number' ? 'number' : 'string') && value !== undefined) return value;
    this.#next = start;
    throw this.#fault(kind === 'number' ? 'a number' : "a text in '…'");
  }

  #value(): Value | undefined {
    const { text = '' } = this.#tokens[this.#next] ?? {};
    const isText = text.startsWith("'");
    if (!isText && !/^-?\d/.test(text)) return undefined;
    this.#next += 1;
    return isText ? text.slice(1, -1).replaceAll("''", "'") : Number(text);
  }

  #accept(word: string): boolean {
    if (this.#tokens[this.#next]?.text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #tokenize(): readonly { text: string; at: number }[] {
    const tokens: { text: string; at: number }[] = [];
    const end = this.#text.trimEnd().length;
    TOKEN.lastIndex = 0;
    for (let at = 0; at < end; at = TOKEN.lastIndex) {
      const match = TOKEN.exec(this.#text);
      const start = at + this.#text.slice(at).search(/\S/);
      if (match === null || match.index !== at)
        throw this.#faultAt(start, "a field, a value or an operator, with texts in '…'");
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

const EXPECTED_USE: Readonly<Record<FieldKind, (name: string) => string>> = {
  number: (name) => `a field with a list of texts after "in", not the number ${name},`,
  text: (name) => `a field with a list of texts, not the text ${name} (${name} = 'text'),`,
  'list of texts': (name) => `'text' in ${name}, as ${name} is a list of texts,`,
};

/** Operators, each with a test of the result of `compareValues`. */
const COMPARISONS: readonly (readonly [string, (order: number) => boolean])[] = [
  ['=', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<>', (order) => order !== 0],
  ['<=', (order) => order <= 0],
  ['>=', (order) => order >= 0],
  ['<', (order) => order < 0],
  ['>', (order) => order > 0],
];

/** Compares two values; undefined for different types. */
function compareValues(left: FieldValue, right: Value): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}
