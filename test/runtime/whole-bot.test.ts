import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, priceBps, type Quote, StrategyFault, unchecked } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { HashStore, hashState, Run, TradingCore } from '../../src/runtime/index.ts';
import type { MarketView } from '../../src/state/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import { runs } from '../runs.ts';
import { messages } from '../state/messages.ts';
import { account, setup, shares } from '../state/world.ts';
import { createInstance, MARKET } from './fakes.ts';
import { SteppedVenue } from './stepped-venue.ts';

/** A random event with a number that selects its details. */
type RandomEvent = readonly [kind: (typeof KINDS)[number], number: number];
const OFTEN = [
  'book',
  'book',
  'arrive',
  'arrive',
  'arrive',
  'answer',
  'answer',
  'answer',
  'answer',
  'fill',
  'fill',
] as const;
const KINDS = [...OFTEN, ...OFTEN, 'refuse next', 'delay', 'halt'] as const;

const randomEvents = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat({ max: 99 })), {
  maxLength: 120,
  size: 'max',
});

/** Quotes two levels on both sides of the mid, skewed against its position. */
function quoter(): StrategyHandlers {
  const quotes = ({ mark, position }: MarketView): readonly Quote[] => {
    if (mark === undefined) return [];
    const mid = Math.round(mark / 20);
    const skew = Math.sign(position.net);
    return [1, 2].flatMap((level) => [
      { side: 'bid', price: priceBps(10 * (mid - level - skew)), shares: shares(10 * level) },
      { side: 'ask', price: priceBps(10 * (mid + level - skew)), shares: shares(10) },
    ]);
  };
  return {
    onBook: (market) => [{ type: 'quote', market: MARKET, quotes: quotes(market) }],
    onFill: (_, view) => [{ type: 'quote', market: MARKET, quotes: quotes(view.market(MARKET)) }],
  };
}

/** A run with real risk and execution and a venue with random latency. */
class RandomRun {
  readonly state = account([setup()]);
  readonly risk = createRiskGate(riskLimits(riskSchema.parse({ max_position: 60, price_collar_bps: 'none' })));
  readonly clock = new SimClock(epochMs(1_000));
  readonly venue = new SteppedVenue(this.clock);
  readonly store = new HashStore({ spec: '{}', tapes: [] });
  readonly run: Run;
  #halted = false;

  constructor(handlers: StrategyHandlers) {
    const instances = [createInstance(handlers)];
    const planner = createPlanner({ firstOrder: unchecked.order(1) });
    const core = new TradingCore({ state: this.state, instances, risk: this.risk, planner });
    this.run = new Run({ core, instances, clock: this.clock, venue: this.venue, store: this.store });
  }

  apply([kind, number]: RandomEvent): void {
    this.clock.advanceTo(this.clock.now() + number);
    if (kind === 'book') this.#rows(this.#book(number));
    else if (kind === 'arrive') for (let left = number % 7; left >= 0; left -= 1) this.venue.processCommand();
    else if (kind === 'answer') for (let left = number % 9; left >= 0; left -= 1) this.venue.deliverAnswer();
    else if (kind === 'fill') this.venue.fill(number, (7 * number) % 101);
    else if (kind === 'refuse next') this.venue.refusesNext = true;
    else if (kind === 'delay') this.#rows(`delay ${number % 4 === 0 ? 5_000 : 0}`);
    else {
      this.#halted = number < 20;
      this.#rows(`status ${this.#halted ? 'HALTED' : 'OPEN'}`);
    }
  }

  /** Delivers all pending commands and answers. */
  settle(): void {
    for (let busy = true; busy; ) busy = [this.venue.processCommand(), this.venue.deliverAnswer()].some(Boolean);
  }

  /** Levels that never cross. */
  #book(number: number): string {
    const mid = 400 + 2 * number;
    return `clear | bid ${10 * (mid - 1 - (number % 3))} 500 | ask ${10 * (mid + 1 + (number % 2))} 500`;
  }

  #rows(rows: string): void {
    const block = messages(`${this.clock.now()} | ${rows}`);
    this.venue.sink.rows(block, 0, block.count);
  }
}

async function runBot(events: readonly RandomEvent[]): Promise<RandomRun> {
  const bot = new RandomRun(quoter());
  await bot.run.start();
  for (const event of events) bot.apply(event);
  return bot;
}

describe('a whole bot under any sequence of events', () => {
  it('leaves no open order when it is stopped', async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, async (events) => {
        const bot = await runBot(events);
        bot.run.stop();
        bot.settle();
        expect([bot.venue.open.size, bot.state.openOrderCount]).toEqual([0, 0]);
        expect(bot.state.available).toBe(bot.state.cash);
        expect([bot.state.externalFills, bot.state.unexplainedEvents]).toEqual([0, 0]);
      }),
      { numRuns: runs(200) },
    );
  });

  it('has every open order in its state once all commands are answered, and never exceeds its limit', async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, async (events) => {
        const bot = new RandomRun(quoter());
        await bot.run.start();
        for (const event of events) {
          bot.apply(event);
          expect(Math.abs(bot.state.market(MARKET).position.net)).toBeLessThanOrEqual(shares(60));
        }
        bot.settle();
        const { orders } = bot.state.market(MARKET);
        expect(orders.map(({ order, remaining, phase }) => [order, remaining, phase])).toEqual(
          [...bot.venue.open.values()]
            .map(({ place, remaining }) => [place.order, remaining, 'live'])
            .toSorted(([a], [b]) => Number(a) - Number(b)),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('leaves no open order when its strategy throws', async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, fc.nat({ max: 30 }), async (events, last) => {
        let calls = 0;
        const { onBook, onFill = () => undefined } = quoter();
        const failing: StrategyHandlers = {
          onFill,
          onBook(market, view) {
            calls += 1;
            if (calls > last) throw new Error('bang');
            return onBook?.(market, view);
          },
        };
        const bot = new RandomRun(failing);
        await bot.run.start();
        const work = () => {
          for (const event of events) bot.apply(event);
          for (let more = 0; more <= last; more += 1) bot.apply(['book', more]);
        };
        expect(work).toThrow(StrategyFault);
        for (let busy = true; busy; ) busy = bot.venue.processCommand();
        expect(bot.venue.open.size).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  });

  it('has fills, refusals, replaces and open orders in its random runs', async () => {
    const counts = { fills: 0, refused: 0, replaces: 0, open: 0 };
    for (const events of fc.sample(randomEvents, { numRuns: 100, seed: 1 })) {
      const bot = await runBot(events);
      counts.fills += bot.venue.reported.filter((type) => type === 'orderFilled').length;
      counts.refused += bot.venue.reported.filter((type) => type === 'cancelRejected').length;
      counts.replaces += bot.venue.processed.filter((type) => type === 'replace').length;
      counts.open += bot.state.openOrderCount;
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
  });

  it('has the same log and state in two runs', async () => {
    await fc.assert(
      fc.asyncProperty(randomEvents, async (events) => {
        const [first, second] = [await runBot(events), await runBot(events)];
        expect(second.store.eventLogHash()).toBe(first.store.eventLogHash());
        expect(hashState(second.state, second.risk.mode)).toBe(hashState(first.state, first.risk.mode));
      }),
      { numRuns: runs(50) },
    );
  });
});
