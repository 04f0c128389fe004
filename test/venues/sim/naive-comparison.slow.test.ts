import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fifoQueue, logQueue, powerQueue, riskAverseQueue } from '../../../src/replay/queue.ts';
import { runs } from '../../runs.ts';
import { type Outcome, runFast, runNaive, type Scenario } from './scenario.ts';

const base: Scenario = {
  seed: 1,
  markets: 2,
  messages: 600,
  queue: riskAverseQueue(),
  immutable: false,
  delays: { feed: 50, entry: 80, response: 40 },
};

/** Checks that both venues give the same log, fill marks, cash and positions. */
async function expectAgreement(scenario: Scenario): Promise<Outcome> {
  const fast = await runFast(scenario);
  const naive = runNaive(scenario);
  const longer = Math.max(fast.log.length, naive.log.length);
  for (let at = 0; at < longer; at += 1) {
    expect(fast.log[at], `seed ${scenario.seed}, entry ${at}`).toEqual(naive.log[at]);
  }
  expect(fast).toEqual(naive);
  return fast;
}

describe('the simulated venue and its naive implementation', () => {
  it('agree over long scenarios that reach every kind of event', async () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 45; seed += 1) {
      const queue = [riskAverseQueue(), powerQueue(2), fifoQueue()][seed % 3] ?? fifoQueue();
      const { log } = await expectAgreement({ ...base, seed, queue });
      for (const entry of log) kinds.add(kindOf(entry));
    }
    expect([...kinds].toSorted()).toEqual(KINDS);
  });

  it('agree without delays and with immutable liquidity', async () => {
    for (let seed = 46; seed <= 45 + runs(10); seed += 1) {
      const queue = [fifoQueue(), powerQueue(2), logQueue()][seed % 3] ?? fifoQueue();
      await expectAgreement({ ...base, seed, queue, immutable: true, delays: { feed: 0, entry: 0, response: 0 } });
    }
  });

  it('agree on any scenario', async () => {
    const ms = fc.integer({ min: 0, max: 300 });
    const scenario: fc.Arbitrary<Scenario> = fc.record({
      seed: fc.nat(1_000_000),
      markets: fc.integer({ min: 1, max: 3 }),
      messages: fc.integer({ min: 1, max: 250 }),
      queue: fc.constantFrom(riskAverseQueue(), fifoQueue(), powerQueue(1), powerQueue(3, 'whole'), logQueue('front')),
      immutable: fc.boolean(),
      delays: fc.record({ feed: ms, entry: ms, response: ms }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async (each) => void (await expectAgreement(each))),
      { numRuns: runs(40) },
    );
  });
});

describe('the simulated venue', () => {
  it('repeats a run exactly', async () => {
    expect(await runFast(base)).toEqual(await runFast(base));
  });
});

function kindOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) throw new Error('the log of a bot has only objects');
  const facts = Object.fromEntries(Object.entries(entry));
  const values = ['type', 'conversion', 'basis', 'reason']
    .map((key) => facts[key])
    .filter((value) => value !== undefined);
  if (values.length > 0) return values.join(' ');
  return 'rows' in facts ? 'rows' : 'timer';
}

const KINDS = `
cancelRejected ALREADY_FINAL
cancelRejected CONFLICT
cancelRejected NOT_FOUND
conversionRejected claim CONFLICT
conversionRejected merge INSUFFICIENT_SHARES
conversionRejected merge MARKET_NOT_OPEN
conversionRejected split INSUFFICIENT_BALANCE
conversionRejected split MARKET_NOT_OPEN
converted claim
converted merge
converted split
orderAccepted
orderClosed EXPIRED
orderClosed FAK_REMAINDER
orderClosed MARKET_HALTED
orderClosed MARKET_NOT_OPEN
orderClosed SELF_TRADE
orderClosed USER
orderFilled cross
orderFilled queue
orderFilled taker
orderFilled through
orderReduced
orderRejected BELOW_MIN
orderRejected CONFLICT
orderRejected EXPIRED_PARAMS
orderRejected EXPOSURE_LIMIT
orderRejected FOK_NOT_FILLABLE
orderRejected INSUFFICIENT_BALANCE
orderRejected INSUFFICIENT_SHARES
orderRejected INVALID_LOT
orderRejected INVALID_ORDER
orderRejected INVALID_TICK
orderRejected MARKET_HALTED
orderRejected MARKET_NOT_OPEN
orderRejected POST_ONLY_WOULD_CROSS
orderRejected STALE_EPOCH
ordersReplaced
rows
timer`
  .trim()
  .split('\n');
