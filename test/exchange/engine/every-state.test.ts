/** Every command in every market state and every venue mode, with its result or the reason of its refusal. */
import { describe, expect, it } from 'vitest';
import type { ExchangeCommand, ExchangeEvent } from '../../../src/exchange/index.ts';
import { type Members, TYPES } from './every-command.ts';
import { type Harness, SHARE } from './harness.ts';
import { harnessIn, isState, STATES, VOTE } from './market-states.ts';

/** Members of each command, sent by account 1. */
const MEMBERS: { readonly [T in ExchangeCommand['type']]: (harness: Harness) => Members } = {
  place: (harness) => ({ ...harness.terms({ price: 3000 }) }),
  placeBatch: (harness) => ({ orders: [harness.terms({ price: 3000 })] }),
  cancel: () => ({ orders: [1] }),
  reduce: () => ({ order: 1, by: SHARE }),
  replace: (harness) => {
    const place = [harness.terms({ price: 3000 })];
    return { market: 0, cancel: 'all', place, ifNoFillSince: undefined, mustReplace: false };
  },
  cancelMarketOrders: () => ({ market: 0 }),
  cancelAllOrders: () => ({}),
  heartbeat: () => ({ credential: 7, timeout: 5000 }),
  disarmHeartbeat: () => ({ credential: 8 }),
  revokeCredential: () => ({ credential: 7 }),
  createGroup: () => ({ maxFilled: SHARE, window: 5000 }),
  updateGroup: () => ({ group: 1, maxFilled: 2 * SHARE, window: undefined, reset: false }),
  deleteGroup: () => ({ group: 1 }),
  split: () => ({ market: 0, shares: SHARE }),
  merge: () => ({ market: 0, shares: SHARE }),
  claim: () => ({ market: 0 }),
  openAccount: () => ({ address: '0xnew', unlimited: false }),
  transfer: () => ({ amount: 1 }),
  allowReversals: () => ({ window: 5000 }),
  reverseTrade: () => ({ trade: 1 }),
  setMode: ({ view }) => ({ mode: view.mode === 'POST_ONLY' ? 'NORMAL' : 'POST_ONLY' }),
  configure: () => ({ config: { minBet: 1 } }),
  tick: () => ({}),
  createMarket: (harness) => ({
    id: '00000000-0000-4000-8000-0000000000ff',
    question: 'q',
    rules: 'r',
    categorySlug: 'c',
    topicSlugs: [],
    resolutionDate: harness.time + 1000,
  }),
  voidByCreator: () => ({ market: 0 }),
  dispute: () => ({ market: 0, reason: 'not so' }),
  halt: () => ({ market: 0 }),
  resume: () => ({ market: 0 }),
  voidMarket: () => ({ market: 0 }),
  closeEarly: () => ({ market: 0 }),
  moveDate: (harness) => ({ market: 0, by: 'operator', resolutionDate: harness.time + 1000 }),
  changeTick: () => ({ market: 0, tickBps: 20 }),
  changeMinOrder: () => ({ market: 0, minOrderShares: 2 * SHARE }),
  castVote: ({ view }) => {
    const round = view.market(0)?.round ?? 1;
    return { market: 0, round, vote: { ...VOTE, id: 'c', model: 'c', vote: 'YES' } };
  },
  decideManually: () => ({ market: 0, decision: 'NO' }),
  upholdDispute: () => ({ market: 0 }),
  retryResolution: () => ({ market: 0 }),
  chainConfirmed: (harness) => ({ ...chainRequestOf(harness), transactionHash: '0x1' }),
  chainFailed: (harness) => ({ ...chainRequestOf(harness), permanent: true }),
  followTape: (harness) => {
    const terms = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };
    return { ...terms, market: 0, account: harness.unlimitedAccount(), row: 0, recordedAt: 0, rows: [] };
  },
  playTape: () => ({ market: 0, row: 1, recordedAt: 0, rows: [] }),
};

function chainRequestOf({ view }: Harness): Members {
  const record = view.market(0);
  return { market: 0, step: record?.chainStep ?? 'REPORT_PAYOUT', attempt: record?.attempts ?? 1 };
}

/** Letters for reasons of refusals. `.` stands for a change, `-` for no change. */
const MARKS: Readonly<Record<string, string>> = {
  MARKET_NOT_OPEN: 'n',
  MARKET_HALTED: 'h',
  CONFLICT: 'c',
  ALREADY_FINAL: 'f',
  VENUE_MODE: 'm',
  INSUFFICIENT_SHARES: 's',
  NOT_FOUND: '?',
};

function markOf(harness: Harness, type: ExchangeCommand['type'], members: Members): string {
  const before = [harness.hash(), harness.view.seq];
  const events: readonly ExchangeEvent[] = harness.send(type, members);
  const refusal = events.find((event) => event.type === 'refused');
  const isChanged = events.some((event) => 'seq' in event);
  expect([harness.hash(), harness.view.seq].join() === before.join()).toBe(!isChanged);
  if (refusal !== undefined) expect([type, isChanged]).toEqual([type, false]);
  return refusal === undefined ? (isChanged ? '.' : '-') : (MARKS[refusal.refusal.reason] ?? refusal.refusal.reason);
}

function tableOf(columns: readonly string[], harnessOf: (column: string) => Harness): string {
  const lines = TYPES.map((type) => {
    const marks = columns.map((column) => {
      const harness = harnessOf(column);
      return markOf(harness, type, MEMBERS[type](harness));
    });
    return `${type.padEnd(18)} ${marks.join(' ')}`;
  });
  return [`${''.padEnd(18)} ${columns.join(' ')}`, ...lines].join('\n');
}

describe('every command', () => {
  it('is tested in all possible states', () => {
    const states = Object.keys(STATES).filter(isState);
    const found = states.map((state) => {
      const { status, chainStep: step, halted } = harnessIn(state).view.market(0) ?? {};
      return [status, step, halted === true ? 'halted' : undefined].filter((word) => word !== undefined).join(' ');
    });
    expect(found).toEqual([
      'PENDING_BLOCKCHAIN DEPLOY',
      'OPEN',
      'OPEN halted',
      'PENDING_RESOLUTION',
      'RESOLVED',
      'PENDING_BLOCKCHAIN REPORT_PAYOUT',
      'RESOLUTION_FAILED',
      'RESOLVED_YES',
      'RESOLVED_NO',
      'RESOLVED_UNCERTAIN',
      'CANCELLED',
    ]);
  });

  it('has the listed result in every state of a market', () => {
    const table = tableOf(Object.keys(STATES), (column) => harnessIn(isState(column) ? column : 'O'));
    expect(table).toBe(
      unindent(`
                         D O H P R B F Y N U C
      place              n . h n n n n n n n n
      placeBatch         n . h n n n n n n n n
      cancel             . . f f f f f f f f f
      reduce             . . f f f f f f f f f
      replace            n . h n n n n n n n n
      cancelMarketOrders . . - - - - - - - - -
      cancelAllOrders    . . . . . . . . . . .
      heartbeat          . . . . . . . . . . .
      disarmHeartbeat    . . . . . . . . . . .
      revokeCredential   . . . . . . . . . . .
      createGroup        . . . . . . . . . . .
      updateGroup        . . . . . . . . . . .
      deleteGroup        . . . . . . . . . . .
      split              n . . n n n n n n n n
      merge              s . . . . . . n n n n
      claim              c c c c c c c . . . .
      openAccount        . . . . . . . . . . .
      transfer           . . . . . . . . . . .
      allowReversals     . . . . . . . . . . .
      reverseTrade       ? ? ? ? ? ? ? ? ? ? ?
      setMode            . . . . . . . . . . .
      configure          . . . . . . . . . . .
      tick               - - - - - - - - - - -
      createMarket       . . . . . . . . . . .
      voidByCreator      n . . n n n n n n n n
      dispute            c c c c . c c f f f f
      halt               n . c n n n n n n n n
      resume             n c . n n n n n n n n
      voidMarket         c . . . c c . f f f f
      closeEarly         n . . n n n n n n n n
      moveDate           c . . . c c c f f f f
      changeTick         n . . n n n n n n n n
      changeMinOrder     n . . n n n n n n n n
      castVote           c c c . c c c f f f f
      decideManually     c c c c c c . f f f f
      upholdDispute      c c c c . c c f f f f
      retryResolution    c c c c c c . f f f f
      chainConfirmed     . c c c c . c f f f f
      chainFailed        . c c c c . c f f f f
      followTape         n c . n n n n n n n n
      playTape           c c c c c c c c c c c
    `),
    );
  });

  it('has the listed result in every mode of the venue', () => {
    const table = tableOf(['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'], (mode) => {
      const harness = harnessIn('O');
      harness.send('setMode', { mode });
      return harness;
    });
    expect(table).toBe(
      unindent(`
                         NORMAL POST_ONLY CANCEL_ONLY HALTED
      place              . m m m
      placeBatch         . m m m
      cancel             . . . m
      reduce             . . . m
      replace            . m m m
      cancelMarketOrders . . . m
      cancelAllOrders    . . . m
      heartbeat          . . . .
      disarmHeartbeat    . . . .
      revokeCredential   . . . .
      createGroup        . . . m
      updateGroup        . . . m
      deleteGroup        . . . m
      split              . . . m
      merge              . . . m
      claim              c c c c
      openAccount        . . . .
      transfer           . . . .
      allowReversals     . . . .
      reverseTrade       ? ? ? ?
      setMode            . . . .
      configure          . . . .
      tick               - - - -
      createMarket       . . . m
      voidByCreator      . . . m
      dispute            c c c c
      halt               . . . .
      resume             c c c c
      voidMarket         . . . .
      closeEarly         . . . .
      moveDate           . . . .
      changeTick         . . . .
      changeMinOrder     . . . .
      castVote           c c c c
      decideManually     c c c c
      upholdDispute      c c c c
      retryResolution    c c c c
      chainConfirmed     c c c c
      chainFailed        c c c c
      followTape         c c c c
      playTape           c c c c
    `),
    );
  });
});

function unindent(text: string): string {
  const lines = text.split('\n').slice(1, -1);
  return lines.map((line) => line.slice(6)).join('\n');
}
