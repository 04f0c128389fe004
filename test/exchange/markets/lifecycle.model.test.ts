import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { epochMs } from '../../../src/domain/index.ts';
import {
  LIFECYCLE_STATES,
  type LifecycleState,
  toLifecycleState,
} from '../../../src/exchange/markets/lifecycle-state.ts';
import { TRANSITIONS, type Trigger } from '../../../src/exchange/markets/transitions.ts';
import { findRecordError, transparencyRecord } from '../../../src/exchange/markets/transparency-record.ts';
import { ATTEMPTS } from './attempts.ts';
import { creation, Harness, INITIAL, START, sha256, stateOf } from './harness.ts';
import { DEPLOY, expected, gridReason, type Happening, type Life, NEWBORN } from './lifecycle-model.ts';

/** A market with an initial order; accounts 2 and 3 hold its shares. */
function newHarness(date = NEWBORN.date): Harness {
  const harness = new Harness();
  harness.holders.add(accountNo(2)).add(accountNo(3));
  expect(harness.send(creation(START, { initialOrder: INITIAL, resolutionDate: epochMs(date) }))).toBeUndefined();
  expect(harness.takeCalls()).toEqual([
    'newBook 10',
    'marketChanged',
    'resolutionStepped',
    'reserve',
    'chainRequested',
  ]);
  return harness;
}

/** Executes an action on the market and on the model and compares the results. Returns the new state. */
function execute(harness: Harness, life: Life, action: Happening): Life {
  const expectation = expected(life, action);
  const before = stateOf(harness.markets).join();
  let answer: ReturnType<Harness['send']>;
  if (action.type === 'pass') harness.pass(action.time);
  else if (action.type === 'trade') harness.market().lastTrade = expectation.life.traded ? 5000 : 0;
  else answer = harness.send(action);
  expect(answer).toEqual(
    expectation.refusal === undefined ? undefined : expect.objectContaining({ reason: expectation.refusal }),
  );
  expect(harness.takeCalls()).toEqual(expectation.calls);
  expect(factsOf(harness)).toEqual(expectation.life);
  if (expectation.calls.length === 0) expect(stateOf(harness.markets).join()).toBe(before);
  return expectation.life;
}

/** Returns the market's state in the form of the model. */
function factsOf(harness: Harness): Life {
  const market = harness.market();
  return {
    now: harness.now,
    state: toLifecycleState(market),
    halted: market.halted,
    traded: market.lastTrade !== 0,
    tickBps: market.tickBps,
    minOrderShares: market.minOrderShares,
    date: market.resolutionDate,
    round: market.round,
    votes: market.votes.filter(({ round }) => round === market.round).map(({ model, vote }) => ({ model, vote })),
    disputes: market.disputes
      .filter(({ round, at }) => round === market.round && at >= (market.decidedAt ?? Number.POSITIVE_INFINITY))
      .map(({ account }) => account),
    attempts: market.attempts,
    payout: market.yesPayoutBps,
    deadline: market.deadline,
    manualFrom: market.manualFrom,
  };
}

/** Returns a key of the values that can affect later transitions from a state. */
function situation(life: Life): string {
  const { state, halted, traded, disputes, payout, deadline } = life;
  if (deadline === undefined && state !== 'RESOLUTION_FAILED') return state;
  const votes = state === 'PENDING_RESOLUTION' ? life.votes.map(({ vote }) => vote ?? 'null').sort() : [];
  const disputed = state === 'RESOLVED' ? disputes : [];
  const isSafe = life.manualFrom !== undefined && life.now >= life.manualFrom;
  const isLate = state === DEPLOY && life.now >= life.date;
  return JSON.stringify({ state, halted, traded, disputed, payout, votes, isSafe, isLate });
}

/** Coverage of a walk through all situations. */
interface Walk {
  /** Types of executed actions, by state. */
  readonly tried: ReadonlyMap<LifecycleState, ReadonlySet<string>>;
  /** Transitions as "from, trigger, to". */
  readonly walked: ReadonlySet<string>;
  readonly situations: number;
}

/** Visits every situation breadth first from a new market, and executes every action in each. */
function walkAll(): Walk {
  const tried = new Map<LifecycleState, Set<string>>();
  const walked = new Set<string>();
  // Includes a market whose resolution date precedes its contract.
  const hasty = { ...NEWBORN, date: START + 50 };
  const seen = new Set([situation(NEWBORN), situation(hasty)]);
  const open: [Harness, Life][] = [
    [newHarness(), NEWBORN],
    [newHarness(hasty.date), hasty],
  ];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [harness, life] = next;
    for (const [name, make] of ATTEMPTS) {
      const copy = harness.copy();
      const action = make(life);
      const after = executeNamed(name, copy, life, action);
      const { type } = action;
      tried.set(life.state, (tried.get(life.state) ?? new Set<string>()).add(type));
      walked.add(`${life.state} ${type === 'pass' ? 'due' : type} ${after.state}`);
      if (seen.has(situation(after))) continue;
      seen.add(situation(after));
      open.push([copy, after]);
    }
  }
  return { tried, walked, situations: seen.size };
}

function executeNamed(name: string, harness: Harness, life: Life, action: Happening): Life {
  try {
    return execute(harness, life, action);
  } catch (error) {
    throw new Error(`${name} in ${JSON.stringify(life)}`, { cause: error });
  }
}

describe('every situation of a market', () => {
  let walk: Walk | undefined;
  /** The walk, which runs once for all tests. */
  function sharedWalk(): Walk {
    walk ??= walkAll();
    return walk;
  }

  it('is reached in every state', () => {
    const { tried, situations } = sharedWalk();
    expect([...tried.keys()].sort()).toEqual([...LIFECYCLE_STATES].sort());
    expect(situations).toBeGreaterThan(145);
  });

  it('is tested with every command', () => {
    const commands = new Set(TRANSITIONS.map(({ trigger }) => trigger).filter((trigger) => trigger !== 'createMarket'));
    for (const [, types] of sharedWalk().tried) {
      expect([...commands].filter((trigger) => !types.has(trigger === 'due' ? 'pass' : trigger))).toEqual([]);
    }
  });

  it('covers every row of the transition table', () => {
    const { walked } = sharedWalk();
    const rows = TRANSITIONS.filter(({ from }) => from !== undefined);
    expect(rows.filter(({ from, trigger, to }) => !walked.has(`${from} ${trigger} ${to}`))).toEqual([]);
  });

  it('allows exactly the transitions of the table', () => {
    const triggers = [...new Set(TRANSITIONS.map(({ trigger }) => trigger))].filter(isGridded);
    for (const state of LIFECYCLE_STATES) {
      for (const trigger of triggers) {
        const isRow = TRANSITIONS.some((row) => row.from === state && row.trigger === trigger);
        expect([state, trigger, gridReason(state, trigger) === undefined]).toEqual([state, trigger, isRow]);
      }
    }
  });
});

function isGridded(trigger: Trigger): boolean {
  return trigger !== 'createMarket' && trigger !== 'due';
}

/** Chooses any action at every fourth draw, otherwise a possible one that does not end the market, for longer lives. */
function chooseAction(life: Life, draw: number): Happening {
  const all = ATTEMPTS.map(([, make]) => make(life));
  const lively = all.filter((action) => {
    const { calls, life: after } = expected(life, action);
    return calls.length > 0 && after.deadline !== undefined;
  });
  const among = draw % 4 === 0 || lively.length === 0 ? all : lively;
  const action = among[draw % among.length];
  if (action === undefined) throw new Error('nothing can be tried');
  return action;
}

describe('any life of a market', () => {
  it('follows the model, leaves a valid record, and is restored from a snapshot', () => {
    let rounds = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60, size: 'max' }), fc.nat(60), (draws, restartAt) => {
        let harness = newHarness();
        let life = NEWBORN;
        for (const [place, draw] of draws.entries()) {
          if (place === restartAt) harness = harness.copy();
          life = execute(harness, life, chooseAction(life, draw));
        }
        rounds = Math.max(rounds, life.round);
        expect(findRecordError(transparencyRecord(harness.market()), sha256)).toBeUndefined();
        expect(stateOf(harness.copy().markets)).toEqual(stateOf(harness.markets));
      }),
      { numRuns: 300 },
    );
    expect(rounds).toBeGreaterThan(3);
  });
});
