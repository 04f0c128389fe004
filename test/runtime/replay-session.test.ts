import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, priceBps, unchecked } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { riskAverseQueue } from '../../src/replay/queue.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { type EventStore, Run, replaySession, type Step, TradingCore } from '../../src/runtime/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import { type Block, BlockWriter, type Feed } from '../../src/tape/index.ts';
import { SimVenue } from '../../src/venues/sim/index.ts';
import { account, setup, shares } from '../state/world.ts';
import { feedOf as feedOfBlocks } from '../tape/rows.ts';
import { feedOf } from '../venues/sim/rows.ts';
import { messagesOf, type Scenario, setupOf } from '../venues/sim/scenario.ts';
import { createInstance, MARKET } from './fakes.ts';

const SCENARIO: Scenario = {
  seed: 5,
  markets: 1,
  messages: 500,
  queue: riskAverseQueue(),
  immutable: false,
  delays: { feed: 5, entry: 8, response: 4 },
};

/** Quotes around the mid at each book, with a smaller size after each timer, and sometimes takes. */
function quoter(away = 20): StrategyHandlers {
  let size = 8;
  return {
    onBook({ mark }) {
      if (mark === undefined) return undefined;
      const mid = 10 * Math.round(mark / 20);
      const quotes = [
        { side: 'bid', price: priceBps(mid - away), shares: shares(size) },
        { side: 'ask', price: priceBps(mid + away), shares: shares(size) },
      ] as const;
      return [{ type: 'quote', market: MARKET, quotes }];
    },
    onTimer() {
      size = size > 2 ? size - 1 : 8;
      return undefined;
    },
  };
}

const bots = (away?: number) => [createInstance(quoter(away), { timers: [{ name: 'tick', everyMs: 300 }] })];

function coreOf(coreInstances: ReturnType<typeof bots>): TradingCore {
  const risk = createRiskGate(riskLimits(riskSchema.parse({ max_position: 500, price_collar_bps: 'none' })));
  const planner = createPlanner({ firstOrder: unchecked.order(1) });
  return new TradingCore({ state: account([setup()]), instances: coreInstances, risk, planner });
}

/** Runs a session on a simulated venue. @returns its rows and steps */
async function session(): Promise<{ blocks: readonly Block[]; steps: readonly Step[] }> {
  const clock = new SimClock(epochMs(1_000_000));
  const venue = new SimVenue({
    ...setupOf(SCENARIO),
    feed: feedOf(messagesOf(SCENARIO)),
    clock,
    receiveTime: 'missing',
  });
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(structuredClone(block)), 64);
  const steps: Step[] = [];
  const store: EventStore = { append: (added) => void steps.push(...added) };
  const runInstances = bots();
  const run = new Run({
    core: coreOf(runInstances),
    clock,
    store,
    instances: runInstances,
    venue: {
      connect: (sink) =>
        venue.connect({
          rows(block, from, to) {
            sink.rows(block, from, to);
            writer.append(block, from, to);
          },
          event: (event) => sink.event(event),
        }),
    },
  });
  await run.start();
  while (venue.pump(50)) if (venue.hasTapeEnded && steps.at(-1)?.event?.type !== 'stopped') break;
  run.stop();
  await run.close();
  writer.finish();
  return { blocks, steps };
}

const feed = (blocks: readonly Block[]): Feed => feedOfBlocks([...blocks]);

describe('a recorded session', () => {
  it('replays to the same bytes of decisions and to the same hash', async () => {
    const { blocks, steps } = await session();
    const kinds = steps.flatMap(({ commands, event }) => [event?.type, ...commands.map(({ type }) => type)]);
    expect(kinds).toEqual(expect.arrayContaining(['place', 'replace', 'cancelAll', 'orderFilled', 'timerFired']));
    const hashes = [1, 2].map(() => {
      const hash = createHash('sha256');
      const outcome = replaySession({
        core: coreOf(bots()),
        feed: feed(blocks),
        steps,
        onEqualStep: (bytes) => hash.update(bytes),
      });
      const rows = blocks.reduce((sum, { count }) => sum + count, 0);
      expect(outcome).toEqual({ matching: steps.length, rows, difference: undefined, rowsEnded: false });
      return hash.digest('hex');
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('shows the first step in which a different strategy decides differently', async () => {
    const { blocks, steps } = await session();
    const { matching, difference } = replaySession({ core: coreOf(bots(30)), feed: feed(blocks), steps });
    const first = steps.findIndex(({ commands }) => commands.length > 0);
    expect(matching).toBe(first);
    expect(difference?.recorded).toBe(steps[first]);
    expect(difference?.replayed?.commands).not.toEqual(steps[first]?.commands);
  });

  it('shows an unrecorded step, a missing step and a moved step', async () => {
    const { blocks, steps } = await session();
    const decided = steps.findIndex(({ event, commands }) => event === undefined && commands.length > 0);
    const differenceOf = (changed: readonly Step[]) =>
      replaySession({ core: coreOf(bots()), feed: feed(blocks), steps: changed });
    const without = differenceOf(steps.toSpliced(decided, 1)).difference;
    expect(without?.replayed).toEqual(steps[decided]);
    expect(without?.recorded).toEqual(steps[decided + 1]);
    const step = steps[decided]!;
    const twice = differenceOf(steps.toSpliced(decided, 0, { ...step, commands: [] })).difference;
    expect([twice?.recorded?.commands, twice?.replayed]).toEqual([[], step]);
    const timer = steps.findIndex(({ event }) => event?.type === 'timerFired');
    const later = steps.with(timer, { ...steps[timer]!, row: steps[timer]!.row + 1 });
    expect(differenceOf(later).difference).toBeDefined();
  });

  it('reports rows that end before the steps and rows that continue after them', async () => {
    const { blocks, steps } = await session();
    const cut = replaySession({ core: coreOf(bots()), feed: feed(blocks.slice(0, 3)), steps });
    expect(cut).toMatchObject({ difference: undefined, rowsEnded: true });
    expect(cut.matching).toBeLessThan(steps.length);
    const half = steps.slice(0, Math.floor(steps.length / 2));
    const surplus = replaySession({ core: coreOf(bots()), feed: feed(blocks), steps: half });
    expect(surplus.difference?.recorded).toBeUndefined();
    expect(surplus.matching).toBe(half.length);
  });
});
