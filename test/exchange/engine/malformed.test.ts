/** Every member of every command, each as everything that it should not be. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StateWriter } from '../../../src/exchange/index.ts';
import { MARKET_TEXT_RULES } from '../../../src/exchange/markets/market-texts.ts';
import { fixture, TYPES } from './every-command.ts';
import { type Harness, scenario } from './harness.ts';

/** What JSON and a careless host can put anywhere. */
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
  'no text': '',
  text: 'x',
  'a number as text': '5000',
  __proto__word: '__proto__',
  'a lone surrogate': '\ud800',
  null: null,
  nothing: undefined,
  true: true,
  false: false,
  object: {},
  list: [],
  'list of null': [null],
  'no primitive': JSON.parse('{"toString":1,"valueOf":1}'),
  deep: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  polluted: JSON.parse(
    '{"__proto__":{"type":"tick","account":1,"price":5000,"toString":1},"constructor":1,"length":1}',
  ),
} as const;
type Junk = keyof typeof JUNK;

const ALL = Object.keys(JUNK).filter(isJunk);
const TEXTS = ['no text', 'text', 'a number as text', '__proto__word', 'a lone surrogate'] as const;
const WORDS = TEXTS.slice(1);
const FLAGS = ['true', 'false'] as const;
const NUMBERS = ALL.filter((name) => typeof JUNK[name] === 'number');
const LARGE = ['2^31', '2^32 + 1'] as const;
const NAMES = [...TEXTS, 'nothing'] as const;
/** Not later than now: what was before now happens now. */
const PAST = ['-Infinity', '-0', '0.5', '-1', '-2^53', ...LARGE] as const;
/** Contains at least the expected members, whatever their type. */
const ENOUGH = ['Infinity', '2^53', ...LARGE, '1e300'] as const;

/**
 * Odd values that a field accepts; it has to refuse all others. A key is a path (`claim.market`), or a dot and the name of
 * a field in every command (`.market`); `[]` stands for each entry of a list. Frequent commands read a flag by its truth,
 * to be fast. A cancel accepts any credential, because accounts whose credential was revoked may still cancel.
 */
const ACCEPTED: Readonly<Record<string, readonly Junk[]>> = {
  '.time': PAST,
  ...Object.fromEntries(['place', 'placeBatch', 'cancel', 'reduce', 'replace'].map((type) => [`${type}.time`, PAST])),
  // Earlier than the end of the safety period.
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
  'claim.market': ['-0', 'nothing'],
  'createMarket.initialOrder.market': NUMBERS,
  '.group': ['-0'],
  'updateGroup.group': [],
  'deleteGroup.group': [],
  '.postOnly': FLAGS,
  '.epoch': ['-0'],
  '.maxFeeBps': [...ENOUGH, '-0', '0.5'],
  'createMarket.initialOrder.maxFeeBps': ENOUGH,
  '.restriction': ['nothing'],
  '.hash': NAMES,
  '.clientOrderId': NAMES,
  '.replaces': ['-0'],
  'replace.place.[].replaces': [],
  'replace.ifNoFillSince': [...ENOUGH, '-0', '0.5', 'nothing'],
  'replace.mustReplace': FLAGS,
  'placeBatch.orders': ['list'],
  'cancel.orders': ['list'],
  'cancelMarketOrders.outcome': ['nothing'],
  'cancelMarketOrders.side': ['nothing'],
  'createGroup.maxFilled': LARGE,
  'updateGroup.maxFilled': [...LARGE, 'nothing'],
  'updateGroup.window': ['nothing'],
  'updateGroup.reset': FLAGS,
  'allowReversals.window': ['-0'],
  'openAccount.address': WORDS,
  'openAccount.unlimited': FLAGS,
  'transfer.amount': ['-1', ...LARGE],
  'configure.config': ['object'],
  'configure.config.minBet': ['-0', ...LARGE, 'nothing'],
  'configure.config.tickBps': ['nothing'],
  'configure.config.quorum': ['nothing'],
  ...Object.fromEntries(
    MARKET_TEXT_RULES.map(([name, { isOptional, isFilled }]) => [
      `createMarket.${name}`,
      isOptional ? NAMES : isFilled ? WORDS : TEXTS,
    ]),
  ),
  'createMarket.slug': NAMES,
  'createMarket.topicSlugs': ['list'],
  'createMarket.topicSlugs.[]': TEXTS,
  'createMarket.tickBps': ['nothing'],
  'createMarket.feeRateBps': ['-0', 'nothing'],
  'createMarket.minOrderShares': ['-0', 'nothing'],
  'createMarket.initialOrder': ['nothing'],
  'changeMinOrder.minOrderShares': ['-0', ...LARGE],
  '.note': TEXTS,
  'dispute.reason': WORDS,
  'castVote.vote.id': TEXTS,
  'castVote.vote.model': TEXTS,
  'castVote.vote.rationale': TEXTS,
  'castVote.vote.sources': ['list'],
  'castVote.vote.sources.[]': TEXTS,
  'castVote.vote.vote': ['nothing'],
  'castVote.vote.confidenceBps': ['-0', 'nothing'],
  'decideManually.decision': ['nothing'],
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
  // What was due happens before the refusal.
  'tick.type': ALL,
};

function isJunk(name: string): name is Junk {
  return Object.hasOwn(JUNK, name);
}

type Path = readonly (string | number)[];

/** Paths of all members, those that hold others too. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

/** A copy with another member there, or without it. */
function spoilt(value: unknown, [head, ...rest]: Path, junk: unknown): unknown {
  if (head === undefined) return junk;
  if (typeof value !== 'object' || value === null) throw new Error('no such member');
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0 && junk === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, head);
  else Reflect.set(copy, head, spoilt(Reflect.get(value, head), rest, junk));
  return copy;
}

/** Refuses what could not be read again: no number but safe integers, no text but text. */
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

/** How the exchange answers: `refused`, `taken` when something happened, `nothing` when neither. */
function answerTo(harness: Harness, command: unknown): string {
  const before = [harness.hash(), harness.view.seq, harness.view.now];
  const events = apply(harness, command);
  const received = events.some((event) => 'seq' in event);
  const after = [harness.hash(), harness.view.seq, harness.view.now];
  if (!received) expect(after).toEqual(before);
  else expect(after[0]).not.toBe(before[0]);
  if (received) harness.exchange.writeState(STRICT);
  return received ? 'taken' : events.length > 0 ? 'refused' : 'nothing';
}

/** Junk that a member is not refused for. */
function takenFor(type: Parameters<typeof fixture>[0], path: Path): readonly string[] {
  let { harness, command } = fixture(type);
  return ALL.filter((name) => {
    const answer = answerTo(harness, spoilt(command, path, JUNK[name]));
    if (answer === 'taken') ({ harness, command } = fixture(type));
    return answer !== 'refused';
  });
}

function allowedFor(type: string, path: Path): readonly string[] {
  const words = path.map((key) => (typeof key === 'number' || /^\d+$/.test(key) ? '[]' : key));
  return ACCEPTED[[type, ...words].join('.')] ?? ACCEPTED[`.${words.at(-1)}`] ?? [];
}

describe('a command of each type', () => {
  it('has an example here', () => {
    const sources = ['command.ts', 'market-command.ts', 'tape-command.ts'].map((file) =>
      readFileSync(new URL(`../../../src/exchange/${file}`, import.meta.url), 'utf8'),
    );
    const lines = sources.flatMap((text) => [...text.matchAll(/readonly type: ([^;]+);/g)]);
    const types = lines.flatMap(([, words = '']) => words.split('|').map((word) => word.trim().replaceAll("'", '')));
    expect([...TYPES].sort()).toEqual([...types].sort());
    expect(types.length).toBeGreaterThan(35);
  });

  it.each(TYPES)('%s changes the state in its example', (type) => {
    const { harness, command } = fixture(type);
    expect(answerTo(harness, command)).toBe('taken');
  });
});

describe('an invalid member of a command', () => {
  it.each(TYPES)('of %s is refused without a change, or is accepted as the list says', (type) => {
    for (const path of pathsOf(fixture(type).command)) {
      const allowed = ALL.filter((name) => allowedFor(type, path).includes(name));
      expect({ path: path.join('.'), taken: takenFor(type, path) }).toEqual({ path: path.join('.'), taken: allowed });
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
    expect(scenario(apply(harness, { ...command, type }))).toEqual(['refused -1 INVALID_ORDER type']);
  });

  it.each([null, undefined])('%s is refused and the exchange continues', (nothing) => {
    const { harness, command } = fixture('place');
    expect(scenario(apply(harness, nothing))).toEqual(['refused -1 INVALID_ORDER type']);
    expect(scenario(apply(harness, command))[0]).toMatch('accepted');
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
    expect(scenario(apply(harness, { ...command, [member]: holes }))).toEqual([`refused -1 INVALID_ORDER ${field}`]);
  });
});
