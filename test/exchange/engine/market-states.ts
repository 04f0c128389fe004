/** Exchanges with a market in each of its states. */
import { Harness, SHARE } from './harness.ts';

type Decision = 'YES' | 'NO' | 'UNDECIDED';

const DAY = 86_400_000;
export const VOTE = { confidenceBps: undefined, rationale: 'so', sources: [] };

/** Market states by the letter of their column. Account 1 has order 1 open where the state allows it. */
export const STATES = {
  /** PENDING_BLOCKCHAIN (DEPLOY), with an initial order. */
  D: (harness: Harness) => void harness.createMarket({ initialOrder: harness.terms({ price: 4000 }) }),
  O: (harness: Harness) => open(harness),
  /** OPEN, halted. */
  H: (harness: Harness) => {
    open(harness);
    harness.send('halt', { market: 0 });
  },
  P: (harness: Harness) => pending(harness),
  R: (harness: Harness) => resolved(harness),
  /** PENDING_BLOCKCHAIN (REPORT_PAYOUT). */
  B: (harness: Harness) => reporting(harness),
  /** RESOLUTION_FAILED, with the safety period over. */
  F: (harness: Harness) => failed(harness),
  /** RESOLVED_YES, RESOLVED_NO, RESOLVED_UNCERTAIN. */
  Y: (harness: Harness) => final(harness, 'YES'),
  N: (harness: Harness) => final(harness, 'NO'),
  U: (harness: Harness) => final(harness, 'UNDECIDED'),
  /** CANCELLED. */
  C: (harness: Harness) => {
    pending(harness);
    harness.send('voidMarket', { market: 0 });
  },
} as const;
type State = keyof typeof STATES;

function open(harness: Harness): void {
  harness.market();
  for (const account of [1, 2]) harness.send('split', { account, market: 0, shares: 20 * SHARE });
  harness.buy(1, 'YES', 4000, 5);
}

/** One more vote for the same decision reaches the quorum. */
function pending(harness: Harness, decision: Decision = 'YES'): void {
  open(harness);
  harness.send('closeEarly', { market: 0 });
  vote(harness, 'a', decision);
}

function resolved(harness: Harness, decision: Decision = 'YES'): void {
  pending(harness, decision);
  vote(harness, 'b', decision);
  harness.send('dispute', { account: 2, market: 0, reason: 'not so' });
}

function vote(harness: Harness, model: string, decision: Decision): void {
  const choice = decision === 'UNDECIDED' ? undefined : decision;
  harness.send('castVote', { market: 0, round: 1, vote: { ...VOTE, id: model, model, vote: choice } });
}

function reporting(harness: Harness, decision: Decision = 'YES'): void {
  resolved(harness, decision);
  advance(harness, 7_200_000);
}

function final(harness: Harness, decision: Decision): void {
  reporting(harness, decision);
  harness.confirm(0);
}

function failed(harness: Harness): void {
  open(harness);
  harness.send('closeEarly', { market: 0 });
  advance(harness, DAY);
  advance(harness, DAY);
}

function advance(harness: Harness, ms: number): void {
  harness.time += ms;
  harness.send('tick');
}

/** A harness with a market in the state; account 1 has an order group and an armed credential. */
export function harnessIn(state: State): Harness {
  const harness = new Harness();
  harness.account(100);
  harness.account(100);
  harness.send('createGroup', { maxFilled: SHARE, window: 5000 });
  STATES[state](harness);
  harness.send('heartbeat', { credential: 8, timeout: 5000 });
  return harness;
}

export function isState(name: string): name is State {
  return Object.hasOwn(STATES, name);
}
