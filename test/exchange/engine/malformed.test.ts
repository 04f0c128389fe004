/** Replaces every member of every command by each invalid value. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StateWriter } from '../../../src/exchange/index.ts';
import { MARKET_TEXT_RULES } from '../../../src/exchange/markets/market-texts.ts';
import { fixture, TYPES } from './every-command.ts';
import { eventTexts, type Harness } from './harness.ts';

/** Values that JSON or an untyped host can send as any member. */
const JUNK = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
  '-0': -0,
  '0.5': 0.5,
  '-1': -1,
  '2^53': 2 ** 53,
  '-2^53': -(2 ** 53),
  '2^31': 2 ** 31,
  '2^32 + 1': 2 ** 32 + 1,
  '1e300': 1e300,
  'empty text': '',
  text: 'x',
  'a number as text': '5000',
  __proto__word: '__proto__',
  'a lone surrogate': '\ud800',
  null: null,
  undefined: undefined,
  true: true,
  false: false,
  object: {},
  list: [],
  'list of null': [null],
  'not a primitive': JSON.parse('{"toString":1,"valueOf":1}'),
  deep: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  polluted: JSON.parse(
    '{"__proto__":{"type":"tick","account":1,"price":5000,"toString":1},"constructor":1,"length":1}',
  ),
} as const;
type Junk = keyof typeof JUNK;

const ALL = Object.keys(JUNK).filter(isJunk);
const TEXTS = ['empty text', 'text', 'a number as text', '__proto__word', 'a lone surrogate'] as const;
const WORDS = TEXTS.slice(1);
const FLAGS = ['true', 'false'] as const;
const NUMBERS = ALL.filter((name) => typeof JUNK[name] === 'number');
const LARGE = ['2^31', '2^32 + 1'] as const;
const NAMES = [...TEXTS, 'undefined'] as const;
/** Times before now: the command is executed now. */
const PAST = ['-Infinity', '-0', '0.5', '-1', '-2^53', ...LARGE] as const;
/** Numbers that are at least as large as a field requires. */
const ENOUGH = ['Infinity', '2^53', ...LARGE, '1e300'] as const;

/**
 * Values that a field accepts; it must refuse all others. A key is a path (`claim.market`), or a dot and the name of a
 * field in every command (`.market`); `[]` stands for each entry of a list. A cancel accepts any credential, because
 * accounts with a revoked credential may still cancel.
 */
const ACCEPTED: Readonly<Record<string, readonly Junk[]>> = {
  '.time': PAST,
  ...Object.fromEntries(['place', 'placeBatch', 'cancel', 'reduce', 'replace'].map((type) => [`${type}.time`, PAST])),
  // These times are before the end of the safety period.
  'decideManually.time': [],
  '.credential': ['-0'],
  'cancel.credential': NUMBERS,
  'reduce.credential': NUMBERS,
  'cancelMarketOrders.credential': NUMBERS,
  'cancelAllOrders.credential': NUMBERS,
  'heartbeat.credential': [],
  'disarmHeartbeat.credential': [],
  'revokeCredential.credential': [],
  '.market': ['-0'],
  'claim.market': ['-0', 'undefined'],
  'createMarket.initialOrder.market': NUMBERS,
  '.group': ['-0'],
  'updateGroup.group': [],
  'deleteGroup.group': [],
  '.postOnly': FLAGS,
  '.epoch': ['-0'],
  '.maxFeeBps': [...ENOUGH, '-0', '0.5'],
  'createMarket.initialOrder.maxFeeBps': ENOUGH,
  '.restriction': ['undefined'],
  '.hash': NAMES,
  '.clientOrderId': NAMES,
  '.replaces': ['-0'],
  'replace.place.[].replaces': [],
  'replace.ifNoFillSince': [...ENOUGH, '-0', '0.5', 'undefined'],
  'replace.mustReplace': FLAGS,
  'placeBatch.orders': ['list'],
  'cancel.orders': ['list'],
  'cancelMarketOrders.outcome': ['undefined'],
  'cancelMarketOrders.side': ['undefined'],
  'createGroup.maxFilled': LARGE,
  'updateGroup.maxFilled': [...LARGE, 'undefined'],
  'updateGroup.window': ['undefined'],
  'updateGroup.reset': FLAGS,
  'allowReversals.window': ['-0'],
  'openAccount.address': WORDS,
  'openAccount.unlimited': FLAGS,
  'transfer.amount': ['-1', ...LARGE],
  'configure.config': ['object'],
  'configure.config.minBet': ['-0', ...LARGE, 'undefined'],
  'configure.config.tickBps': ['undefined'],
  'configure.config.quorum': ['undefined'],
  ...Object.fromEntries(
    MARKET_TEXT_RULES.map(([name, { isOptional, isFilled }]) => [
      `createMarket.${name}`,
      isOptional ? NAMES : isFilled ? WORDS : TEXTS,
    ]),
  ),
  'createMarket.slug': NAMES,
  'createMarket.topicSlugs': ['list'],
  'createMarket.topicSlugs.[]': TEXTS,
  'createMarket.tickBps': ['undefined'],
  'createMarket.feeRateBps': ['-0', 'undefined'],
  'createMarket.minOrderShares': ['-0', 'undefined'],
  'createMarket.initialOrder': ['undefined'],
  'changeMinOrder.minOrderShares': ['-0', ...LARGE],
  '.note': TEXTS,
  'dispute.reason': WORDS,
  'castVote.vote.id': TEXTS,
  'castVote.vote.model': TEXTS,
  'castVote.vote.rationale': TEXTS,
  'castVote.vote.sources': ['list'],
  'castVote.vote.sources.[]': TEXTS,
  'castVote.vote.vote': ['undefined'],
  'castVote.vote.confidenceBps': ['-0', 'undefined'],
  'decideManually.decision': ['undefined'],
  'chainConfirmed.transactionHash': TEXTS,
  'chainFailed.permanent': FLAGS,
  'followTape.tape': TEXTS,
  'followTape.row': ['-0', ...LARGE],
  'followTape.recordedAt': ['-0', ...LARGE],
  'followTape.rows': ['list'],
  'playTape.market': [],
  'playTape.row': LARGE,
  'playTape.recordedAt': LARGE,
  'playTape.rows': ['list'],
  // Due deadlines are processed before the refusal.
  'tick.type': ALL,
};

function isJunk(name: string): name is Junk {
  return Object.hasOwn(JUNK, name);
}

type Path = readonly (string | number)[];

/** Returns the paths of all members, including objects and lists. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

/** Returns a copy in which the member is replaced, or deleted when `junk` is undefined. */
function replaceMember(value: unknown, [head, ...rest]: Path, junk: unknown): unknown {
  if (head === undefined) return junk;
  if (typeof value !== 'object' || value === null) throw new Error('no such member');
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0 && junk === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, head);
  else Reflect.set(copy, head, replaceMember(Reflect.get(value, head), rest, junk));
  return copy;
}

/** Rejects values that cannot be restored: numbers that are not safe integers, and texts that are not strings. */
const STRICT: StateWriter = {
  number(value) {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} in a state`);
  },
  text(value) {
    if (typeof value !== 'string') throw new Error(`${typeof value} for a text in a state`);
  },
};

function apply(harness: Harness, command: unknown) {
  return harness.apply(command as Parameters<Harness['apply']>[0]);
}

/** Applies a command and returns its result; `changed` when it emits an event, `unchanged` without any result. */
function resultOf(harness: Harness, command: unknown): string {
  const before = [harness.hash(), harness.view.seq, harness.view.now];
  const events = apply(harness, command);
  const isChanged = events.some((event) => 'seq' in event);
  const after = [harness.hash(), harness.view.seq, harness.view.now];
  if (!isChanged) expect(after).toEqual(before);
  else expect(after[0]).not.toBe(before[0]);
  if (isChanged) harness.exchange.writeState(STRICT);
  return isChanged ? 'changed' : events.length > 0 ? 'refused' : 'unchanged';
}

/** Returns the names of the junk values that the exchange does not refuse for a member. */
function acceptedFor(type: Parameters<typeof fixture>[0], path: Path): readonly string[] {
  let { harness, command } = fixture(type);
  return ALL.filter((name) => {
    const result = resultOf(harness, replaceMember(command, path, JUNK[name]));
    if (result === 'changed') ({ harness, command } = fixture(type));
    return result !== 'refused';
  });
}

function expectedFor(type: string, path: Path): readonly string[] {
  const words = path.map((key) => (typeof key === 'number' || /^\d+$/.test(key) ? '[]' : key));
  return ACCEPTED[[type, ...words].join('.')] ?? ACCEPTED[`.${words.at(-1)}`] ?? [];
}

describe('a command of each type', () => {
  it('has a fixture', () => {
    const sources = ['command.ts', 'market-command.ts', 'tape-command.ts'].map((file) =>
      readFileSync(new URL(`../../../src/exchange/${file}`, import.meta.url), 'utf8'),
    );
    const lines = sources.flatMap((text) => [...text.matchAll(/readonly type: ([^;]+);/g)]);
    const types = lines.flatMap(([, words = '']) => words.split('|').map((word) => word.trim().replaceAll("'", '')));
    expect([...TYPES].sort()).toEqual([...types].sort());
    expect(types.length).toBeGreaterThan(35);
  });

  it.each(TYPES)('%s changes the state in its fixture', (type) => {
    const { harness, command } = fixture(type);
    expect(resultOf(harness, command)).toBe('changed');
  });
});

describe('an invalid member of a command', () => {
  it.each(TYPES)('of %s is refused without a change unless it is listed as accepted', (type) => {
    for (const path of pathsOf(fixture(type).command)) {
      const expected = ALL.filter((name) => expectedFor(type, path).includes(name));
      expect({ path: path.join('.'), accepted: acceptedFor(type, path) }).toEqual({
        path: path.join('.'),
        accepted: expected,
      });
    }
  });

  it('is listed as accepted only when the command has that member', () => {
    const paths = TYPES.flatMap((type) => pathsOf(fixture(type).command).map((path) => [type, path] as const));
    const known = paths.flatMap(([type, path]) => {
      const words = path.map((key) => (/^\d+$/.test(String(key)) ? '[]' : key));
      return [[type, ...words].join('.'), `.${words.at(-1)}`];
    });
    expect(Object.keys(ACCEPTED).filter((key) => !known.includes(key))).toEqual([]);
  });
});

describe('an invalid command', () => {
  it.each(['', 'deposit', '__proto__', 'toString', 'constructor', 'place ', 'TICK'])('%s is refused', (type) => {
    const { harness, command } = fixture('place');
    expect(eventTexts(apply(harness, { ...command, type }))).toEqual(['refused -1 INVALID_ORDER type']);
  });

  it.each([null, undefined])('%s is refused and the exchange continues', (invalid) => {
    const { harness, command } = fixture('place');
    expect(eventTexts(apply(harness, invalid))).toEqual(['refused -1 INVALID_ORDER type']);
    expect(eventTexts(apply(harness, command))[0]).toMatch('accepted');
  });
});

describe('a list with holes', () => {
  const holes: unknown[] = [];
  holes.length = 2;

  it.each([
    ['placeBatch', 'orders', 'orders'],
    ['replace', 'place', 'place'],
    ['createMarket', 'topicSlugs', 'topicSlugs'],
  ] as const)('in %s is refused', (type, member, field) => {
    const { harness, command } = fixture(type);
    expect(eventTexts(apply(harness, { ...command, [member]: holes }))).toEqual([`refused -1 INVALID_ORDER ${field}`]);
  });
});
