/**
 * Checks that an answer matches the selection of its operation: every field is present, of its kind and in range.
 * Codecs read a checked answer without further checks. The checks never throw for parsed JSON. They refuse fields that
 * were not selected, because such fields only take memory.
 */
import { FULL_BPS, isRecord, LOT, MAX_ORDER_SHARES, SHARE } from '../domain/index.ts';
import { ENUM_VALUES } from './generated/schema-types.ts';

/** The kinds of an object's selected fields. */
export interface Selection {
  readonly [field: string]: FieldShape;
}

export type FieldShape = `${LeafKind}${Wrap}` | { readonly fields: Selection; readonly wrap: Wrap };

/** `?`: may be null. `[]`: a list without nulls. */
export type Wrap = '' | '?' | '[]' | '[]?';

/** Kind of a value. Capitalised names are enums. */
export type LeafKind = keyof typeof LEAVES | keyof typeof ENUM_VALUES;

export interface BadField {
  /** Such as `orders.edges.0.node.priceBps`. */
  readonly path: string;
  readonly expected: string;
  /** The shortened value. For a secret, only the kind of the value. */
  readonly received: string;
}

export interface AnswerCheckOptions {
  /** True for an operation from `venue.operations`: allows extra fields, sets missing nullable fields to null. */
  readonly isOverridden?: boolean;
}

type Check = (value: unknown, isOverridden: boolean) => BadField | undefined;

interface LeafRule {
  readonly expected: string;
  is(value: unknown): boolean;
}

const SECRETS: ReadonlySet<string> = new Set(['accessToken', 'refreshToken', 'secret', 'nonce', 'typedData']);
/** A billion dollars. Sums of a few such amounts are still exact. */
const MAX_MICROS = 1e15;
/** A day, longer than every duration in the API. */
const MAX_MS = 86_400_000;
const MAX_TEXT_LENGTH = 100_000;
const MAX_SHOWN_LENGTH = 80;
const TIME = /^\d{4}-(?:0\d|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
const UINT = /^(?:0|[1-9]\d{0,15})$/;
const INTEGER = /^(?:0|-?[1-9]\d{0,77})$/;

const LEAVES = {
  boolean: rule('true or false', (value) => typeof value === 'boolean'),
  text: rule(
    `a text of at most ${MAX_TEXT_LENGTH} characters`,
    (value) => isText(value) && value.length <= MAX_TEXT_LENGTH,
  ),
  word: pattern('a word in capitals', /^[A-Z][A-Z0-9_]{0,63}$/),
  token: pattern('a token of 1 to 8192 visible characters', /^[\x21-\x7e]{1,8192}$/),
  id: pattern('an id of 1 to 128 visible characters', /^[\x21-\x7e]{1,128}$/),
  uuid: pattern('a UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  cursor: pattern('a cursor of 1 to 4096 visible characters', /^[\x21-\x7e]{1,4096}$/),
  hash: pattern('0x and 64 hex digits', /^0x[0-9a-f]{64}$/i),
  hex: pattern('0x and hex digits', /^0x[0-9a-f]{0,512}$/i),
  time: rule('a time such as 2026-03-01T12:00:00Z', isTime),
  price: integer('basis points from 1 to 9999', 1, FULL_BPS - 1),
  bps: integer('basis points from 0 to 10000', 0, FULL_BPS),
  // Accepts any value, because an invalid fee rate must stop only its own market (domain/fees.ts), not the answer.
  fee: rule('a fee rate', () => true),
  tick: rule('basis points that divide 10000', (value) => isInteger(value, 1, FULL_BPS / 2) && FULL_BPS % value === 0),
  cents: integer('whole cents, not negative', 0, Number.MAX_SAFE_INTEGER),
  count: integer('a whole number, not negative', 0, Number.MAX_SAFE_INTEGER),
  positive: integer('a whole number from 1', 1, Number.MAX_SAFE_INTEGER),
  ms: integer('milliseconds, at most a day', 0, MAX_MS),
  positiveMs: integer('milliseconds from 1, at most a day', 1, MAX_MS),
  int: integer('a whole number', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  shares: rule('a number of shares in whole lots of 0.01, from 0 to a billion', isShares),
  amount: rule('a number, not negative', (value) => isNumber(value) && value >= 0),
  rate: rule('a number above 0', (value) => isNumber(value) && value > 0),
  micros: rule('whole micro-USD as a string, at most a billion dollars', (value) => isUint(value, MAX_MICROS)),
  signedMicros: rule(
    'whole micro-USD as a string, at most a billion dollars',
    (value) => isText(value) && INTEGER.test(value) && Math.abs(Number(value)) <= MAX_MICROS,
  ),
  seq: rule('an unsigned integer within 2^53 - 1 as a string', (value) => isUint(value, Number.MAX_SAFE_INTEGER)),
  integer: pattern('an integer as a string', INTEGER),
  object: rule('an object', isRecord),
};

const RULES: ReadonlyMap<string, LeafRule> = new Map<string, LeafRule>([
  ...Object.entries(LEAVES),
  ...Object.entries(ENUM_VALUES).map(([name, values]) => [name, oneOf(values)] as const),
]);

const cachedChecks = new WeakMap<Selection, Check>();

/** Returns the first invalid field of an answer's `data`; undefined if all fields are valid. */
export function findBadField(
  selection: Selection,
  data: unknown,
  { isOverridden = false }: AnswerCheckOptions = {},
): BadField | undefined {
  return getCheck(selection)(data, isOverridden);
}

/** Removes and returns the invalid items of a list in `data`. @param path such as `markets`, `edges` */
export function removeBadItems(
  selection: Selection,
  data: unknown,
  path: readonly string[],
  { isOverridden = false }: AnswerCheckOptions = {},
): readonly { readonly item: unknown; readonly bad: BadField }[] {
  let [fields, value] = [selection, data];
  for (const name of path) {
    const shape = fields[name];
    if (typeof shape !== 'object') throw new Error(`Invariant: ${path.join('.')} is not a list of objects`);
    fields = shape.fields;
    value = isRecord(value) ? value[name] : undefined;
  }
  if (!Array.isArray(value)) return [];
  const check = getCheck(fields);
  const removed: { readonly item: unknown; readonly bad: BadField }[] = [];
  const good = value.filter((item: unknown) => {
    const bad = check(item, isOverridden);
    if (bad !== undefined) removed.push({ item, bad });
    return bad === undefined;
  });
  if (removed.length > 0) value.splice(0, value.length, ...good);
  return removed;
}

export function badFieldText({ path, expected, received }: BadField): string {
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${received}`;
}

function getCheck(selection: Selection): Check {
  const known = cachedChecks.get(selection);
  if (known !== undefined) return known;
  const check = createObjectCheck(selection);
  cachedChecks.set(selection, check);
  return check;
}

function createObjectCheck(selection: Selection): Check {
  const names = Object.keys(selection);
  const checks = Object.entries(selection).map(([name, shape]) => createFieldCheck(name, shape));
  const canBeNull = Object.values(selection).map((shape) => toWrap(shape).endsWith('?'));
  return (value, isOverridden) => {
    if (!isRecord(value)) return createBadField('an object', value);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? '';
      let field = Object.hasOwn(value, name) ? value[name] : undefined;
      if (field === undefined && isOverridden && canBeNull[index] === true) {
        Reflect.set(value, name, null);
        field = null;
      }
      const problem = checks[index]?.(field, isOverridden);
      if (problem !== undefined) return prefixPath(name, problem);
    }
    return isOverridden ? undefined : findUnselectedField(value, selection, names.length);
  };
}

/** Returns the first key that was not selected; undefined if the value has the expected number of keys. */
function findUnselectedField(value: object, selection: Selection, expected: number): BadField | undefined {
  const keys = Object.keys(value);
  if (keys.length === expected) return undefined;
  const unselected = keys.find((key) => !Object.hasOwn(selection, key)) ?? '';
  return { path: shorten(unselected), expected: 'nothing, as it was not selected', received: 'a field' };
}

function createFieldCheck(name: string, shape: FieldShape): Check {
  const wrap = toWrap(shape);
  const itemCheck = typeof shape === 'string' ? createLeafCheck(shape, SECRETS.has(name)) : getCheck(shape.fields);
  const check = wrap.startsWith('[]') ? createListCheck(itemCheck) : itemCheck;
  return wrap.endsWith('?')
    ? (value, isOverridden) => (value === null ? undefined : check(value, isOverridden))
    : check;
}

function createListCheck(itemCheck: Check): Check {
  return (value, isOverridden) => {
    if (!Array.isArray(value)) return createBadField('a list', value);
    for (let index = 0; index < value.length; index += 1) {
      const problem = itemCheck(value[index], isOverridden);
      if (problem !== undefined) return prefixPath(String(index), problem);
    }
    return undefined;
  };
}

function createLeafCheck(shape: string, isSecret: boolean): Check {
  const known = RULES.get(shape.replace(/(\[\])?\??$/, ''));
  if (known === undefined) throw new Error(`Invariant: no kind of value is called ${shape}`);
  const { expected, is } = known;
  return (value) => (is(value) ? undefined : createBadField(expected, value, isSecret));
}

function oneOf(values: readonly string[]): LeafRule {
  const known = new Set<unknown>(values);
  const expected = values.length > 9 ? `one of ${values.length} known words` : `one of ${values.join(', ')}`;
  return rule(expected, (value) => known.has(value));
}

function toWrap(shape: FieldShape): Wrap {
  if (typeof shape !== 'string') return shape.wrap;
  if (shape.endsWith('[]?')) return '[]?';
  if (shape.endsWith('[]')) return '[]';
  return shape.endsWith('?') ? '?' : '';
}

function rule(expected: string, is: (value: unknown) => boolean): LeafRule {
  return { expected, is };
}

function pattern(expected: string, text: RegExp): LeafRule {
  return rule(expected, (value) => isText(value) && text.test(value));
}

function integer(expected: string, min: number, max: number): LeafRule {
  return rule(expected, (value) => isInteger(value, min, max));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isUint(value: unknown, max: number): boolean {
  return isText(value) && UINT.test(value) && Number(value) <= max;
}

function isShares(value: unknown): boolean {
  if (typeof value !== 'number') return false;
  const micro = Math.round(value * SHARE);
  return value >= 0 && micro <= MAX_ORDER_SHARES && micro % LOT === 0;
}

function isTime(value: unknown): boolean {
  const match = isText(value) ? TIME.exec(value) : null;
  if (match === null) return false;
  const day = Number(match[1]);
  // Every month has at least 28 days.
  if (day >= 1 && day <= 28) return true;
  const ms = Date.parse(match[0].slice(0, 19).concat('Z'));
  // Compare the day, because Date.parse accepts 30 February as a day of March.
  return !Number.isNaN(ms) && new Date(ms).getUTCDate() === day;
}

function prefixPath(name: string, { path, expected, received }: BadField): BadField {
  return { path: path === '' ? name : `${name}.${path}`, expected, received };
}

function createBadField(expected: string, value: unknown, isSecret = false): BadField {
  return { path: '', expected, received: isSecret ? describeKind(value) : toShownText(value) };
}

function toShownText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeKind(value);
}

function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
