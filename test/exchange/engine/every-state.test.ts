/** Every command in every state of a market, and in every mode of the venue: what it does, or the reason why not. */
import { describe, expect, it } from 'vitest';
import type { ExchangeCommand, ExchangeEvent } from '../../../src/exchange/index.ts';
import { type Sent, TYPES } from './every-command.ts';
import { SHARE, Stage } from './stage.ts';

type Decision = 'YES' | 'NO' | 'UNDECIDED';

const DAY = 86_400_000;
const VOTE = { confidenceBps: undefined, rationale: 'so', sources: [] };

/** States by the letter of their column; `order` 1 is account 1's, open where it can be. */
const STATES = {
  /** PENDING_BLOCKCHAIN (DEPLOY), with an initial order. */
  D: (stage: Stage) => void stage.deploying({ initialOrder: stage.terms({ price: 4000 }) }),
  O: (stage: Stage) => open(stage),
  /** OPEN, halted. */
  H: (stage: Stage) => {
    open(stage);
    stage.send('halt', { market: 0 });
  },
  P: (stage: Stage) => pending(stage),
  R: (stage: Stage) => resolved(stage),
  /** PENDING_BLOCKCHAIN (REPORT_PAYOUT). */
  B: (stage: Stage) => reporting(stage),
  /** RESOLUTION_FAILED, with the safety period over. */
  F: (stage: Stage) => failed(stage),
  /** RESOLVED_YES, RESOLVED_NO, RESOLVED_UNCERTAIN. */
  Y: (stage: Stage) => final(stage, 'YES'),
  N: (stage: Stage) => final(stage, 'NO'),
  U: (stage: Stage) => final(stage, 'UNDECIDED'),
  /** CANCELLED. */
  C: (stage: Stage) => {
    pending(stage);
    stage.send('voidMarket', { market: 0 });
  },
} as const;
type State = keyof typeof STATES;

function open(stage: Stage): void {
  stage.market();
  for (const account of [1, 2]) stage.send('split', { account, market: 0, shares: 20 * SHARE });
  stage.buy(1, 'YES', 4000, 5);
}

/** One more vote of the same decides. */
function pending(stage: Stage, decision: Decision = 'YES'): void {
  open(stage);
  stage.send('closeEarly', { market: 0 });
  vote(stage, 'a', decision);
}

function resolved(stage: Stage, decision: Decision = 'YES'): void {
  pending(stage, decision);
  vote(stage, 'b', decision);
  stage.send('dispute', { account: 2, market: 0, reason: 'not so' });
}

function vote(stage: Stage, model: string, decision: Decision): void {
  const said = decision === 'UNDECIDED' ? undefined : decision;
  stage.send('castVote', { market: 0, round: 1, vote: { ...VOTE, id: model, model, vote: said } });
}

function reporting(stage: Stage, decision: Decision = 'YES'): void {
  resolved(stage, decision);
  pass(stage, 7_200_000);
}

function final(stage: Stage, decision: Decision): void {
  reporting(stage, decision);
  stage.confirm(0);
}

function failed(stage: Stage): void {
  open(stage);
  stage.send('closeEarly', { market: 0 });
  pass(stage, DAY);
  pass(stage, DAY);
}

function pass(stage: Stage, ms: number): void {
  stage.time += ms;
  stage.send('tick');
}

/** What is sent of each type: an order, a size, an answer to the question that is open; by account 1. */
const SENT: { readonly [T in ExchangeCommand['type']]: (stage: Stage) => Sent } = {
  place: (stage) => ({ ...stage.terms({ price: 3000 }) }),
  placeBatch: (stage) => ({ orders: [stage.terms({ price: 3000 })] }),
  cancel: () => ({ orders: [1] }),
  reduce: () => ({ order: 1, by: SHARE }),
  replace: (stage) => {
    const place = [stage.terms({ price: 3000 })];
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
  createMarket: (stage) => ({
    id: '00000000-0000-4000-8000-0000000000ff',
    question: 'q',
    rules: 'r',
    categorySlug: 'c',
    topicSlugs: [],
    resolutionDate: stage.time + 1000,
  }),
  voidByCreator: () => ({ market: 0 }),
  dispute: () => ({ market: 0, reason: 'not so' }),
  halt: () => ({ market: 0 }),
  resume: () => ({ market: 0 }),
  voidMarket: () => ({ market: 0 }),
  closeEarly: () => ({ market: 0 }),
  moveDate: (stage) => ({ market: 0, by: 'operator', resolutionDate: stage.time + 1000 }),
  changeTick: () => ({ market: 0, tickBps: 20 }),
  changeMinOrder: () => ({ market: 0, minOrderShares: 2 * SHARE }),
  castVote: ({ view }) => {
    const round = view.market(0)?.round ?? 1;
    return { market: 0, round, vote: { ...VOTE, id: 'c', model: 'c', vote: 'YES' } };
  },
  decideManually: () => ({ market: 0, decision: 'NO' }),
  upholdDispute: () => ({ market: 0 }),
  retryResolution: () => ({ market: 0 }),
  chainConfirmed: (stage) => ({ ...questionOf(stage), transactionHash: '0x1' }),
  chainFailed: (stage) => ({ ...questionOf(stage), permanent: true }),
  followTape: (stage) => {
    const terms = { tape: 'abc', grid: { type: 'tick', tickBps: 10 }, models: { queue: { model: 'risk-averse' } } };
    return { ...terms, market: 0, account: stage.account(0, true), row: 0, recordedAt: 0, rows: [] };
  },
  playTape: () => ({ market: 0, row: 1, recordedAt: 0, rows: [] }),
};

function questionOf({ view }: Stage): Sent {
  const record = view.market(0);
  return { market: 0, step: record?.step ?? 'REPORT_PAYOUT', attempt: record?.attempts ?? 1 };
}

/** `.` something happened, `-` nothing was to do; else a letter for the reason. */
const MARKS: Readonly<Record<string, string>> = {
  MARKET_NOT_OPEN: 'n',
  MARKET_HALTED: 'h',
  CONFLICT: 'c',
  ALREADY_FINAL: 'f',
  VENUE_MODE: 'm',
  INSUFFICIENT_SHARES: 's',
  NOT_FOUND: '?',
};

function markOf(stage: Stage, type: ExchangeCommand['type'], members: Sent): string {
  const before = [stage.hash(), stage.view.seq];
  const events: readonly ExchangeEvent[] = stage.send(type, members);
  const refusal = events.find((event) => event.type === 'refused');
  const happens = events.some((event) => 'seq' in event);
  expect([stage.hash(), stage.view.seq].join() === before.join()).toBe(!happens);
  if (refusal !== undefined) expect([type, happens]).toEqual([type, false]);
  return refusal === undefined ? (happens ? '.' : '-') : (MARKS[refusal.refusal.reason] ?? refusal.refusal.reason);
}

/** A stage of three accounts; the group and the switch of account 1 are there to be changed. */
function staged(state: State): Stage {
  const stage = new Stage();
  stage.account(100);
  stage.account(100);
  stage.send('createGroup', { maxFilled: SHARE, window: 5000 });
  STATES[state](stage);
  stage.send('heartbeat', { credential: 8, timeout: 5000 });
  return stage;
}

function tableOf(columns: readonly string[], stageOf: (column: string) => Stage): string {
  const lines = TYPES.map((type) => {
    const marks = columns.map((column) => {
      const stage = stageOf(column);
      return markOf(stage, type, SENT[type](stage));
    });
    return `${type.padEnd(18)} ${marks.join(' ')}`;
  });
  return [`${''.padEnd(18)} ${columns.join(' ')}`, ...lines].join('\n');
}

function isState(name: string): name is State {
  return Object.hasOwn(STATES, name);
}

describe('every command', () => {
  it('is tried in all possible states', () => {
    const states = Object.keys(STATES).filter(isState);
    const found = states.map((state) => {
      const { status, step, halted } = staged(state).view.market(0) ?? {};
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

  it('is tried in every state of a market', () => {
    const table = tableOf(Object.keys(STATES), (column) => staged(isState(column) ? column : 'O'));
    expect(table).toBe(
      laidDown(`
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

  it('is tried in every mode of the venue', () => {
    const table = tableOf(['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'], (mode) => {
      const stage = staged('O');
      stage.send('setMode', { mode });
      return stage;
    });
    expect(table).toBe(
      laidDown(`
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

/** A table as it stands in a test. */
function laidDown(text: string): string {
  const lines = text.split('\n').slice(1, -1);
  return lines.map((line) => line.slice(6)).join('\n');
}
