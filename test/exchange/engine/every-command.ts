/** Every command once, in a state that it changes: for tests that cover all commands. */
import type { CreateMarket, ExchangeCommand } from '../../../src/exchange/index.ts';
import { MARKET_TEXT_RULES, type MarketTexts } from '../../../src/exchange/markets/market-texts.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { Harness, SHARE } from './harness.ts';

type Type = ExchangeCommand['type'];
/** Untyped members of a command besides its type and time. */
export type Members = Readonly<Record<string, unknown>>;

/** Prepares a harness and returns the members of the command; account 1 sends it by default. */
type Fixture = (harness: Harness) => Members;

const UUID = '00000000-0000-4000-8000-0000000000ff';
/** Members that `fixture` adds to each command. */
type Common = 'type' | 'time' | 'account' | 'credential';

/** Every field of `createMarket`; the value of a text is its name. A missing field does not compile. */
function marketMembers(harness: Harness): Members {
  const texts = MARKET_TEXT_RULES.map(([name]) => [name, name]);
  const others: Record<Exclude<keyof CreateMarket, keyof MarketTexts | Common>, unknown> = {
    id: UUID,
    slug: 'rain',
    topicSlugs: ['rain'],
    resolutionDate: harness.time + 9000,
    tickBps: 20,
    feeRateBps: 30,
    minOrderShares: 2 * SHARE,
    initialOrder: fullTerms(harness, { price: 4000 }),
    restriction: undefined,
  };
  return { ...Object.fromEntries(texts), ...others };
}
const VOTE = { id: 'v', model: 'm', vote: 'YES', confidenceBps: 9000, rationale: 'so', sources: ['here'] };

/** Every field that an order can have, each with a valid value. */
function fullTerms(harness: Harness, overrides: Parameters<Harness['terms']>[0] = {}): Members {
  const timed = { timeInForce: 'GTD', expiration: harness.time + 9000, hash: '0xhash', clientOrderId: 'mine' } as const;
  return { ...harness.terms({ size: 2, ...timed, ...overrides }) };
}

function restingOrder(harness: Harness): number {
  return harness.buy(1, 'YES', 4000, 5);
}

function lastTrade({ view }: Harness): number {
  return view.reversals.trades.at(-1)?.seq ?? 0;
}

function newGroup(harness: Harness): Members {
  harness.send('createGroup', { maxFilled: 9 * SHARE, window: 5000 });
  return { group: 1 };
}

function armedCredential(harness: Harness): Members {
  harness.send('heartbeat', { credential: 7, timeout: 5000 });
  return { credential: 7 };
}

function pendingMarket(harness: Harness): Members {
  harness.send('closeEarly', { market: 0 });
  return { market: 0 };
}

function failedMarket(harness: Harness): Members {
  pendingMarket(harness);
  harness.time += 86_400_000;
  harness.send('tick');
  return { market: 0 };
}

function resolvedMarket(harness: Harness): Members {
  pendingMarket(harness);
  for (const model of ['a', 'b']) {
    harness.send('castVote', { market: 0, round: 1, vote: { ...VOTE, id: model, model } });
  }
  return { market: 0 };
}

function reportingMarket(harness: Harness): Members {
  resolvedMarket(harness);
  harness.time += 7_200_000;
  harness.send('tick');
  return { market: 0, step: 'REPORT_PAYOUT', attempt: 2 };
}

function voidMarket(harness: Harness): Members {
  harness.send('voidMarket', { market: 0 });
  return { market: 0 };
}

function tapeMembers(harness: Harness): Members {
  const account = harness.unlimitedAccount();
  const tape = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };
  const rows = [KIND.level, SIDE.bid, 6000, 100 * SHARE];
  return { ...tape, market: harness.market(), account, row: 7, recordedAt: 1000, rows };
}

const FIXTURES: { readonly [T in Type]: Fixture } = {
  place: (harness) => ({ ...newGroup(harness), ...fullTerms(harness, { group: 1 as never }), credential: 7 }),
  placeBatch: (harness) => ({ orders: [fullTerms(harness)] }),
  cancel: (harness) => ({ orders: [restingOrder(harness)] }),
  reduce: (harness) => ({ order: restingOrder(harness), by: 2 * SHARE }),
  replace: (harness) => {
    const order = restingOrder(harness);
    const place = [fullTerms(harness, { replaces: order })];
    return { market: 0, cancel: [order], place, ifNoFillSince: harness.view.seq, mustReplace: true };
  },
  cancelMarketOrders: (harness) => {
    restingOrder(harness);
    return { market: 0, outcome: 'YES', side: 'BUY' };
  },
  cancelAllOrders: () => ({}),
  heartbeat: () => ({ credential: 7, timeout: 5000 }),
  disarmHeartbeat: armedCredential,
  revokeCredential: armedCredential,
  createGroup: () => ({ maxFilled: 9 * SHARE, window: 5000 }),
  updateGroup: (harness) => ({ ...newGroup(harness), maxFilled: 8 * SHARE, window: 4000, reset: true }),
  deleteGroup: newGroup,
  split: () => ({ market: 0, shares: SHARE }),
  merge: () => ({ market: 0, shares: SHARE }),
  claim: voidMarket,
  openAccount: () => ({ address: '0xnew', unlimited: false }),
  transfer: () => ({ account: 1, amount: -5_000_000 }),
  allowReversals: () => ({ window: 5000 }),
  reverseTrade: (harness) => {
    harness.send('allowReversals', { window: 5000 });
    restingOrder(harness);
    harness.buy(2, 'NO', 6000, 5);
    return { trade: lastTrade(harness) };
  },
  setMode: () => ({ mode: 'POST_ONLY' }),
  configure: () => ({ config: { minBet: 200_000, tickBps: 20, quorum: 1 } }),
  tick: (harness) => {
    harness.order(1, { timeInForce: 'GTD', expiration: harness.time + 1 });
    harness.time += 1;
    return {};
  },
  createMarket: marketMembers,
  voidByCreator: () => ({ market: 0 }),
  dispute: (harness) => ({ ...resolvedMarket(harness), reason: 'not so' }),
  halt: () => ({ market: 0 }),
  resume: (harness) => {
    harness.send('halt', { market: 0 });
    return { market: 0 };
  },
  voidMarket: () => ({ market: 0 }),
  closeEarly: () => ({ market: 0 }),
  moveDate: (harness) => ({ market: 0, by: 'operator', resolutionDate: harness.time + 9000 }),
  changeTick: () => ({ market: 0, tickBps: 20 }),
  changeMinOrder: () => ({ market: 0, minOrderShares: 2 * SHARE }),
  castVote: (harness) => ({ ...pendingMarket(harness), round: 1, vote: VOTE }),
  decideManually: (harness) => {
    failedMarket(harness);
    harness.time += 86_400_000;
    return { market: 0, decision: 'YES' };
  },
  upholdDispute: (harness) => {
    resolvedMarket(harness);
    harness.send('dispute', { market: 0, reason: 'not so' });
    return { market: 0 };
  },
  retryResolution: failedMarket,
  chainConfirmed: (harness) => ({ ...reportingMarket(harness), transactionHash: '0x1' }),
  chainFailed: (harness) => ({ ...reportingMarket(harness), permanent: true }),
  followTape: tapeMembers,
  playTape: (harness) => {
    harness.send('followTape', tapeMembers(harness));
    return { market: 1, row: 8, recordedAt: 1001, rows: [KIND.trade, SIDE.bid, 6100, SHARE] };
  },
};

const ACCOUNT_COMMANDS: ReadonlySet<Type> = new Set([
  ...(['place', 'placeBatch', 'cancel', 'reduce', 'replace', 'cancelMarketOrders', 'cancelAllOrders'] as const),
  ...(['heartbeat', 'disarmHeartbeat', 'revokeCredential', 'createGroup', 'updateGroup', 'deleteGroup'] as const),
  ...(['split', 'merge', 'claim', 'createMarket', 'voidByCreator', 'dispute'] as const),
]);
/** Operator commands without a note. */
const COMMANDS_WITHOUT_NOTE: ReadonlySet<Type> = new Set([
  ...([
    'openAccount',
    'transfer',
    'allowReversals',
    'reverseTrade',
    'setMode',
    'configure',
    'tick',
    'followTape',
    'playTape',
  ] as const),
]);

export const TYPES: readonly Type[] = Object.keys(FIXTURES).filter(isType);

function isType(name: string): name is Type {
  return Object.hasOwn(FIXTURES, name);
}

/** A harness with cash, pairs and an open market, and a command of the type that changes its state. */
export function fixture(type: Type): { readonly harness: Harness; readonly command: Members } {
  const harness = new Harness();
  for (const account of [1, 2]) {
    harness.account(1000);
    if (account === 1) harness.market();
    harness.send('split', { account, market: 0, shares: 20 * SHARE });
  }
  const members = FIXTURES[type](harness);
  const common = ACCOUNT_COMMANDS.has(type)
    ? { account: 1, credential: 0 }
    : COMMANDS_WITHOUT_NOTE.has(type)
      ? {}
      : { note: 'note' };
  return { harness, command: { ...common, ...members, type, time: harness.time } };
}
