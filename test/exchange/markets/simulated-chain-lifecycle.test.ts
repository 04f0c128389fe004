/** Markets from creation to claim on the real exchange with a simulated chain and resolver. */

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { accountNo } from '../../../src/domain/ids.ts';
import {
  credentialNo,
  durationMs,
  epochMs,
  isFinal,
  type MarketNo,
  marketId,
  marketNo,
  microUsd,
  type PriceBps,
  priceBps,
} from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { EventRecorder, type ExchangeEvent } from '../../../src/exchange/journal/event-recorder.ts';
import { SimulatedChain } from '../../../src/exchange/markets/chain.ts';
import { ChainAndResolver } from '../../../src/exchange/markets/chain-and-resolver.ts';
import {
  manualResolver,
  PanelResolver,
  type Resolver,
  ScriptedResolver,
} from '../../../src/exchange/markets/resolver.ts';
import { findRecordError, transparencyRecord } from '../../../src/exchange/markets/transparency-record.ts';
import type { OrderTerms } from '../../../src/exchange/order-terms.ts';
import { creation, INITIAL, readerOf, START, sha256 } from './harness.ts';

const [ANN, BOB] = [accountNo(1), accountNo(2)];
const HOUR = 3_600_000;
const MODELS = ['a', 'b', 'c'].map((name) => ({ name, accuracy: 0.8, silence: 0.1, meanDelay: durationMs(60_000) }));

/** An exchange, its chain and resolver, and a clock that advances from one deadline to the next. */
class Simulation {
  exchange = new Exchange({ sha256 });
  readonly events: ExchangeEvent[] = [];
  chainAndResolver: ChainAndResolver;
  readonly #bodies: ConstructorParameters<typeof ChainAndResolver>[0];
  now = START;
  /** Requests that are pending again after restarts. */
  resumed = 0;

  constructor(resolver: Resolver, seed = 1, failureProbability = 0) {
    const [minDelay, maxDelay] = [durationMs(1000), durationMs(60_000)];
    const chances = { failureProbability, permanentProbability: 0.3, silenceProbability: failureProbability / 5 };
    const chain = new SimulatedChain({ random: seededRandom(seed), minDelay, maxDelay, ...chances });
    this.#bodies = { chain, resolver };
    this.chainAndResolver = new ChainAndResolver(this.#bodies);
    for (const address of ['0xa', '0xb']) this.send({ type: 'openAccount', ...this.at, address, unlimited: false });
    for (const account of [ANN, BOB])
      this.send({ type: 'transfer', ...this.at, account, amount: microUsd(1_000_000_000) });
  }

  get at() {
    return { time: epochMs(this.now) };
  }

  /** Sends a command and processes its events; returns the refusal. */
  send(command: ExchangeCommand): string | undefined {
    const recorder = new EventRecorder();
    this.exchange.apply(command, recorder);
    let refusal: string | undefined;
    for (const event of recorder.drain()) {
      this.events.push(event);
      if (event.type === 'rareEvent') this.chainAndResolver.onEvent(event.event, this.exchange.view.now);
      if (event.type === 'refused') refusal = event.refusal.reason;
    }
    return refusal;
  }

  /** Restarts from a snapshot. */
  restart(): void {
    const values: (number | string)[] = [];
    const write = (value: number | string): void => void values.push(value);
    this.exchange.writeState({ number: write, text: write });
    this.exchange = Exchange.restore(readerOf(values), { sha256 });
    this.chainAndResolver = new ChainAndResolver(this.#bodies);
    this.chainAndResolver.resume(this.exchange.view.markets);
    this.resumed += this.chainAndResolver.schedule.size;
  }

  create(no: number, question = `Question ${no}?`, initialOrder?: OrderTerms): MarketNo {
    const id = marketId(`00000000-0000-4000-8000-${String(no).padStart(12, '0')}`);
    const resolutionDate = epochMs(this.now + 24 * HOUR);
    expect(this.send(creation(this.now, { id, question, resolutionDate, initialOrder }))).toBeUndefined();
    return marketNo(no);
  }

  place(account: typeof ANN, market: MarketNo, outcome: 'YES' | 'NO', price: PriceBps): string | undefined {
    const terms = { ...INITIAL, market, outcome, price, timestampMs: this.at.time, hash: undefined };
    return this.send({ type: 'place', account, credential: credentialNo(0), ...this.at, ...terms });
  }

  /** Processes all deadlines up to a time, or until none is left. */
  run(until = Number.POSITIVE_INFINITY): this {
    for (;;) {
      const { next = Number.POSITIVE_INFINITY } = this.chainAndResolver.schedule;
      const { nextDeadline = Number.POSITIVE_INFINITY } = this.exchange.view;
      const time = Math.max(this.now, Math.min(next, nextDeadline));
      if (time > until || time === Number.POSITIVE_INFINITY) break;
      this.now = time;
      this.send(this.chainAndResolver.schedule.removeDue(this.at.time) ?? { type: 'tick', ...this.at });
    }
    if (until !== Number.POSITIVE_INFINITY) this.now = until;
    return this;
  }

  /** Statuses in the order of `marketChanged` events. */
  statuses(market: MarketNo): readonly string[] {
    return this.events.flatMap((event) =>
      event.type === 'rareEvent' && event.event.type === 'marketChanged' && event.event.market === market
        ? [event.event.status]
        : [],
    );
  }

  cash(account: typeof ANN): number {
    return (this.exchange.view.account(account)?.available ?? 0) - 1_000_000_000;
  }
}

const script = (decision: 'YES' | 'NO' | 'CANCELLED' | undefined) =>
  new ScriptedResolver(new Map([[marketNo(0), { decision }]]));

describe('a market from creation to claim', () => {
  it.each([
    ['YES', 'RESOLVED_YES', 4_000_000],
    ['NO', 'RESOLVED_NO', -6_000_000],
    [undefined, 'RESOLVED_UNCERTAIN', -1_000_000],
  ] as const)(
    'with the decision %s ends as %s, and the buyer of 10 YES at 60 cents by the initial order gains %d micro-dollars',
    (decision, status, won) => {
      const world = new Simulation(script(decision));
      const market = world.create(0, 'Will it rain?', { ...INITIAL, price: priceBps(6000) });
      expect(world.cash(ANN)).toBe(-6_000_000);
      expect(world.place(BOB, market, 'NO', priceBps(4000))).toBe('MARKET_NOT_OPEN');
      world.run(world.now + HOUR);
      expect(world.place(BOB, market, 'NO', priceBps(4000))).toBeUndefined();
      world.run();
      const requests = { account: ANN, credential: credentialNo(0), ...world.at, market };
      world.send({ type: 'claim', ...requests });
      world.send({ type: 'claim', ...requests, account: BOB });
      expect([world.cash(ANN), world.cash(BOB)]).toEqual([won, -won]);
      const between = ['OPEN', 'PENDING_RESOLUTION', 'RESOLVED', 'PENDING_BLOCKCHAIN'];
      expect(world.statuses(market)).toEqual(['PENDING_BLOCKCHAIN', ...between, status]);
    },
  );

  it('that the panel voids refunds all accounts', () => {
    const world = new Simulation(script('CANCELLED'));
    const market = world.create(0, 'Is this a question?', { ...INITIAL, price: priceBps(6000) });
    world.run(world.now + HOUR);
    world.place(BOB, market, 'NO', priceBps(4000));
    world.run();
    expect(world.exchange.view.market(market)?.status).toBe('CANCELLED');
    for (const account of [ANN, BOB])
      world.send({ type: 'claim', account, credential: credentialNo(0), ...world.at, market });
    expect([world.cash(ANN), world.cash(BOB)]).toEqual([0, 0]);
  });

  it('releases the initial order when the contract creation fails', () => {
    const world = new Simulation(manualResolver, 1, 1);
    world.create(0, 'Will it rain?', INITIAL);
    world.run();
    expect(world.exchange.view.market(0)?.status).toBe('CANCELLED');
    expect([world.cash(ANN), world.exchange.view.openOrderCount]).toEqual([0, 0]);
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'closed', reason: 'MARKET_NOT_OPEN' }));
  });

  it('without votes waits for the operator’s decision after the safety period', () => {
    const world = new Simulation(manualResolver);
    const market = world.create(0);
    world.run();
    const decide = { type: 'decideManually', market, decision: 'NO', note: 'seen by all' } as const;
    expect(world.send({ ...decide, ...world.at })).toBe('CONFLICT');
    world.run(world.now + 24 * HOUR);
    expect(world.send({ ...decide, ...world.at })).toBeUndefined();
    world.run();
    expect(world.statuses(market).slice(-4)).toEqual([
      'RESOLUTION_FAILED',
      'RESOLVED',
      'PENDING_BLOCKCHAIN',
      'RESOLVED_NO',
    ]);
  });
});

describe('many markets with a panel and a chain that fail', () => {
  /** Runs forty markets. The operator retries failed resolutions twice, then voids the market. */
  function simulate(seed: number, { restartsDaily = false } = {}): Simulation {
    const resolver = new PanelResolver({ random: seededRandom(seed), models: MODELS, decisionOf: truthOf });
    const world = new Simulation(resolver, seed, 0.5);
    for (let no = 0; no < 40; no += 1) world.create(no);
    for (let days = 0; days < 40; days += 1) {
      world.run(world.now + 24 * HOUR);
      if (restartsDaily) world.restart();
      for (const { number: market, status, round } of world.exchange.view.markets) {
        if (status !== 'RESOLUTION_FAILED') continue;
        world.send({ type: round < 3 ? 'retryResolution' : 'voidMarket', market, note: '', ...world.at });
      }
    }
    return world.run();
  }

  let world: Simulation | undefined;
  /** The simulation of seed 7, which runs once for all tests. */
  function sharedSimulation(): Simulation {
    world ??= simulate(7);
    return world;
  }

  it('all become final, with every outcome, some after failures', () => {
    const { exchange, chainAndResolver } = sharedSimulation();
    const { markets } = exchange.view;
    expect(markets.filter(({ status }) => !isFinal(status))).toEqual([]);
    expect(new Set(markets.map(({ status }) => status)).size).toBe(4);
    expect(markets.filter(({ round }) => round > 1).length).toBeGreaterThan(3);
    expect(chainAndResolver.schedule.size).toBe(0);
  });

  it('cause no refusals except CONFLICT and ALREADY_FINAL, for votes that are too late', () => {
    const refusals = sharedSimulation().events.flatMap((event) =>
      event.type === 'refused' ? [event.refusal.reason] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(['CONFLICT', 'ALREADY_FINAL']));
  });

  it('have transparency records that anyone can recompute', () => {
    for (const market of sharedSimulation().exchange.view.markets) {
      expect(findRecordError(transparencyRecord(market), sha256)).toBeUndefined();
    }
  });

  it('lose nothing when the exchange restarts each day', () => {
    const restarted = simulate(7, { restartsDaily: true });
    expect(restarted.resumed).toBeGreaterThan(40);
    expect(restarted.exchange.stateHash()).toBe(sharedSimulation().exchange.stateHash());
  });

  it('evolve identically with the same seed and differently with another', () => {
    const again = simulate(7);
    expect(again.exchange.stateHash()).toBe(sharedSimulation().exchange.stateHash());
    expect(again.events).toEqual(sharedSimulation().events);
    expect(simulate(8).exchange.stateHash()).not.toBe(sharedSimulation().exchange.stateHash());
  });
});

function truthOf(market: MarketNo): 'YES' | 'NO' | 'CANCELLED' | undefined {
  return (['YES', 'NO', 'YES', 'NO', undefined, 'CANCELLED'] as const)[market % 6];
}
