import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { durationMs, epochMs, microShares, microUsd, priceBps, unchecked } from '../../../src/domain/index.ts';
import type { MarketRecord } from '../../../src/exchange/index.ts';
import { additive } from '../../../src/exchange/quotes/retail-quote.ts';
import { makeSimulation } from '../../../src/server/simulation/simulation.ts';
import { createMarket, type EngineHarness, openEngineHarness, START } from '../engine-harness.ts';

const PANEL = [
  { name: 'one', accuracy: 1, meanDelay: durationMs(1_000) },
  { name: 'two', accuracy: 1, meanDelay: durationMs(1_000) },
  { name: 'three', accuracy: 1, meanDelay: durationMs(1_000) },
];
const HOUSE = {
  policy: additive,
  spreadBps: undefined,
  shares: microShares(500_000_000),
  refillBelow: microShares(100_000_000),
  intervalMs: 250,
};
const CHAIN = { minDelayMs: 200, maxDelayMs: 1_000, failure: 0, permanent: 0 };
const DAY = 86_400_000;
const ID_WITH_OUTCOME = '11111111-1111-4111-8111-111111111111';

type Settings = Partial<Parameters<typeof makeSimulation>[0]>;

type Simulation = ReturnType<typeof makeSimulation>;

const simulations: Simulation[] = [];
const harnesses: EngineHarness[] = [];
afterEach(async () => {
  for (const simulation of simulations.splice(0)) simulation.close();
  for (const harness of harnesses.splice(0)) await harness.close();
});

function openHarness(file?: string, start?: typeof START): EngineHarness {
  const harness = openEngineHarness(file, start);
  harnesses.push(harness);
  return harness;
}

async function startSimulation(harness: EngineHarness, settings: Settings = {}): Promise<Simulation> {
  const { clock, queue, catalogue, log } = harness;
  const options = {
    clock,
    log,
    random: seededRandom(7),
    chain: CHAIN,
    house: undefined,
    seed: false,
    resolver: { type: 'panel', models: PANEL } as const,
    ...settings,
  };
  const simulation = makeSimulation(options, queue, catalogue);
  simulations.push(simulation);
  await simulation.start();
  return simulation;
}

function market({ view }: EngineHarness, id: string): Readonly<MarketRecord> {
  const found = view.markets.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no market ${id}`);
  return found;
}

describe('the simulated chain and resolver', () => {
  it('deploy a market, resolve it at its date and pay it out after the dispute window', async () => {
    const harness = openHarness();
    await startSimulation(harness);
    // The simulated panel finds one question in a hundred invalid, by market id. This one is valid.
    const id = await createMarket(harness, { id: ID_WITH_OUTCOME });
    expect(market(harness, id).status).toBe('PENDING_BLOCKCHAIN');
    await harness.pass(1_000);
    expect(market(harness, id).status).toBe('OPEN');
    await harness.pass(DAY);
    expect(market(harness, id).status).toBe('RESOLVED');
    await harness.pass(2 * 3_600_000 + 60_000);
    expect(market(harness, id).status).toMatch(/^RESOLVED_(YES|NO|UNCERTAIN)$/);
    expect(market(harness, id).votes).toHaveLength(2);
  });

  it('continue after restarts with the same result, including steps that became due meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspread-simulation-'));
    const run = async (name: string, restartsMs: readonly number[]) => {
      const file = join(folder, name);
      let [harness, now] = [openEngineHarness(file), START];
      let simulation = await startSimulation(harness);
      const id = ID_WITH_OUTCOME;
      await createMarket(harness, { id });
      for (const ms of restartsMs) {
        await harness.pass(ms);
        simulation.close();
        now = epochMs(now + ms);
        await harness.close();
        harness = openEngineHarness(file, now);
        simulation = await startSimulation(harness);
      }
      await harness.pass(START + 2 * DAY - now);
      const { status, votes } = market(harness, id);
      simulation.close();
      await harness.close();
      return { status, votes: votes.map(({ model, vote, confidenceBps }) => ({ model, vote, confidenceBps })) };
    };
    const withoutRestart = await run('unbroken.db', []);
    expect(withoutRestart.status).toMatch(/^RESOLVED_/);
    expect(await run('broken.db', [100, 400, DAY - 500, 700, 3_600_000])).toEqual(withoutRestart);
    rmSync(folder, { recursive: true });
  });

  it('leave every step to operators in manual mode', async () => {
    const harness = openHarness();
    await startSimulation(harness, { chain: undefined, resolver: { type: 'manual' } });
    const id = await createMarket(harness);
    await harness.pass(60_000);
    expect(market(harness, id).status).toBe('PENDING_BLOCKCHAIN');
    await harness.operate('open-market', { market: id });
    await harness.operate('close-early', { market: id });
    await harness.operate('vote', { market: id, model: 'me', vote: 'NO' });
    await harness.operate('vote', { market: id, model: 'you', vote: 'NO' });
    await harness.pass(2 * 3_600_000);
    expect(market(harness, id).status).toBe('PENDING_BLOCKCHAIN');
    await harness.operate('report-payout', { market: id });
    expect(market(harness, id).status).toBe('RESOLVED_NO');
  });

  it('resolve markets by slug as configured, but not before the configured time', async () => {
    const harness = openHarness();
    const at = epochMs(START + DAY + 3_600_000);
    const outcomes = new Map([['will-it-hold', { decision: 'YES' as const, at }]]);
    await startSimulation(harness, { resolver: { type: 'scripted', outcomes } });
    const id = await createMarket(harness);
    const other = await createMarket(harness, { question: 'And the other?' });
    await harness.pass(DAY + 3_599_000);
    expect(market(harness, id).status).toBe('PENDING_RESOLUTION');
    await harness.pass(2_000);
    expect([market(harness, id).status, market(harness, other).status]).toEqual(['RESOLVED', 'PENDING_RESOLUTION']);
    expect(market(harness, id).yesPayoutBps).toBe(10_000);
  });

  it('retry a failed step of the chain', async () => {
    const harness = openHarness();
    await startSimulation(harness, { chain: { ...CHAIN, failure: 0.9 } });
    const id = await createMarket(harness);
    await harness.pass(1_800_000);
    expect(market(harness, id).attempts).toBeGreaterThan(1);
    expect(market(harness, id).status).toBe('OPEN');
  });
});

describe('example markets', () => {
  it('are created once, opened and quoted', async () => {
    const harness = openHarness();
    await startSimulation(harness, { seed: true, house: HOUSE });
    await harness.pass(5_000);
    const { markets } = harness.view;
    expect(markets).toHaveLength(13);
    expect(markets.map(({ status }) => status)).toEqual(markets.map(() => 'OPEN'));
    for (const { number } of markets) {
      const book = harness.view.book(number);
      expect([book?.bestBid, book?.bestAsk]).toEqual([4_000, 6_000]);
    }
    const { seq } = harness.view;
    await startSimulation(harness, { seed: true });
    await harness.pass(5_000);
    expect(harness.view.seq).toBe(seq);
  });
});

describe('the house market maker', () => {
  async function openQuotedMarket() {
    const harness = openHarness();
    await startSimulation(harness, { house: HOUSE });
    const id = await createMarket(harness);
    await harness.pass(2_000);
    const { number } = market(harness, id);
    const { queue, clock, view } = harness;
    const address = `0x${'ab'.repeat(20)}`;
    await queue.execute({ type: 'openAccount', time: clock.now(), address, unlimited: true });
    const account = unchecked.account(view.accountOf(address));
    const buy = (shares: number, price: number) =>
      queue.execute({
        type: 'place',
        time: clock.now(),
        account,
        credential: unchecked.credential(0),
        market: number,
        outcome: 'YES',
        side: 'BUY',
        price: priceBps(price),
        shares: microShares(shares),
        timeInForce: 'FAK',
        postOnly: false,
        expiration: 0,
        timestampMs: clock.now(),
        epoch: 0,
        maxFeeBps: 1_000,
        replaces: 0,
        selfTrade: 'CANCEL_TAKER',
        group: unchecked.group(0),
        restriction: undefined,
        hash: undefined,
        clientOrderId: undefined,
      });
    return { harness, id, no: number, buy };
  }

  it('moves its quotes with the last trade at most once per interval', async () => {
    const { harness, no, buy } = await openQuotedMarket();
    await buy(450_000_000, 6_000);
    expect(harness.view.book(no)?.bestAsk).toBe(6_000);
    await harness.pass(249);
    expect(harness.view.book(no)?.bestAsk).toBe(6_000);
    await harness.pass(1);
    expect([harness.view.book(no)?.bestBid, harness.view.book(no)?.bestAsk]).toEqual([5_000, 7_000]);
    const { seq } = harness.view;
    await harness.pass(60_000);
    expect(harness.view.seq).toBe(seq);
  });

  it('quotes again after a halt and does not duplicate its orders after a restart', async () => {
    const { harness, id, no } = await openQuotedMarket();
    await harness.operate('halt', { market: id });
    await harness.pass(1_000);
    expect(harness.view.openOrderCount).toBe(0);
    await harness.operate('resume', { market: id });
    await harness.pass(1_000);
    expect([harness.view.book(no)?.bestBid, harness.view.book(no)?.bestAsk]).toEqual([4_000, 6_000]);
    await startSimulation(harness, { house: HOUSE });
    await harness.pass(1_000);
    expect(harness.view.openOrderCount).toBe(2);
  });

  it('leaves the ledger balanced', async () => {
    const { harness, buy } = await openQuotedMarket();
    await buy(100_000_000, 6_000);
    await harness.pass(1_000);
    let sum = 0;
    for (let account = 1; account <= harness.view.accountCount; account += 1) {
      const { available = 0, reserved = 0 } = harness.view.account(account) ?? {};
      sum += available + reserved;
    }
    expect(microUsd(sum + harness.view.collateral(0) + harness.view.fees)).toBe(0);
  });
});
