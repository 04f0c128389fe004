/** Rebates and rewards of the venue are booked once each, with their cause. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochMs, unchecked, ZERO_USD } from '../../../src/domain/index.ts';
import { readListedPayments } from '../../../src/venues/polymarket/payment-lists.ts';
import { afterThisTest } from '../../cleanup.ts';
import { MemoryRecords } from '../service/memory-records.ts';
import { adapter, type BotOptions, type BotParts, openPolymarket, openTestMarket, recorder } from './harness.ts';

const MARKET = unchecked.market(0);
const USD = 1_000_000;
const DATE = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

/** Opens a venue with an account of 10,000 dollars, on which a bot has run for `daysRunning` days. */
async function openVenue({ daysRunning = 3 } = {}) {
  const harness = await openPolymarket();
  afterThisTest.add(() => harness.venue.close());
  const testMarket = await openTestMarket(harness, 'Will it pay?');
  const { address } = await harness.join(7);
  const { operate } = harness.venue.server;
  const start = async (more: Partial<BotOptions> = {}) => {
    const parts = await adapter(harness, { no: 7, testMarket, settings: { auditMs: 0 }, ...more });
    const record = recorder(parts.records);
    const session = await parts.venue.connect({
      rows() {},
      event(event, position) {
        parts.state.apply(event);
        record(event, position);
      },
    });
    return { parts, close: () => session.close() };
  };
  const records = new MemoryRecords();
  const first = await start({ records });
  afterThisTest.add(first.close);
  const time = epochMs(Date.now() - daysRunning * DAY_MS);
  const event = { type: 'cashAdjusted', time, venueTime: time, amount: ZERO_USD } as const;
  const before = { seq: unchecked.seq(1), time, row: 0, event, refused: [], commands: [] };
  if (daysRunning > 0) records.steps.unshift(before);
  return {
    harness,
    first,
    credit: (cents: number) => operate('credit', { address, cents }),
    pay: (cause: 'rebate' | 'reward', usd: string, more: object = {}) =>
      operate('polymarket-pay', { address, market: testMarket.id, cause, date: DATE, usd, ...more }),
    /** Kills the process and starts it again. */
    async restart({ parts, close }: typeof first, more: Partial<BotOptions> = {}) {
      await close();
      const next = await start({ records: parts.records.afterCrash(), state: parts.state, ...more });
      afterThisTest.add(next.close);
      return next;
    },
  };
}

/** Returns what the core has beyond the 10,000 dollars, and the payments. */
function figures({ venue, state, records }: BotParts) {
  const events = records.steps.flatMap(({ event }) => event ?? []);
  const paid = events.filter((event) => event.type === 'makerPaid');
  return {
    agreement: venue.agreement,
    cash: state.cash - 10_000 * USD,
    contributed: state.contributed - 10_000 * USD,
    rewards: state.ledger.pnlSplit(MARKET).rewardsMicros,
    realized: state.market(MARKET).position.realized,
    paid: paid.map(({ cause, amount }) => `${cause} ${amount}`),
  };
}

describe('a payment to makers', () => {
  it('is booked once as a gain with its own cause, also after a restart', async () => {
    const { first, pay, credit, restart } = await openVenue();
    await pay('rebate', '1.234567');
    await first.parts.venue.audit();
    const booked = {
      agreement: 'agrees',
      cash: 1_234_567,
      contributed: 0,
      rewards: 1_234_567,
      realized: 1_234_567,
      paid: ['rebate 1234567'],
    };
    expect(figures(first.parts)).toEqual(booked);
    await first.parts.venue.audit();
    expect(figures(first.parts)).toEqual(booked);
    const second = await restart(first);
    await second.parts.venue.audit();
    expect(figures(second.parts)).toEqual(booked);
    // The same amount again is a deposit, because the payment is booked already.
    await credit(123);
    await second.parts.venue.audit();
    expect(figures(second.parts)).toMatchObject({ contributed: 1_230_000, paid: ['rebate 1234567'] });
  });

  it('is distinguished from a deposit that was made while the bot was down', async () => {
    const venue = await openVenue();
    await venue.first.close();
    await venue.pay('rebate', '1.234567');
    await venue.pay('reward', '2.000001');
    await venue.credit(500);
    const { parts } = await venue.restart(venue.first);
    const paid = ['rebate 1234567', 'reward 2000001'];
    const rewards = 3_234_568;
    expect(figures(parts)).toMatchObject({ cash: rewards + 5 * USD, contributed: 5 * USD, rewards, paid });
  });

  it('is booked only when its cash has arrived', async () => {
    const { first, pay, credit } = await openVenue();
    await pay('rebate', '1.5', { only: 'record' });
    await first.parts.venue.audit();
    expect(figures(first.parts).paid).toEqual([]);
    await pay('reward', '2.000001');
    await first.parts.venue.audit();
    expect(figures(first.parts).paid).toEqual(['reward 2000001']);
    await credit(100);
    await first.parts.venue.audit();
    expect(figures(first.parts)).toMatchObject({ contributed: USD, paid: ['reward 2000001'] });
    await pay('rebate', '1.5');
    await first.parts.venue.audit();
    expect(figures(first.parts)).toMatchObject({ contributed: USD, rewards: 3_500_001 });
  });

  it('replaces an adjustment of cash when its record comes after the cash', async () => {
    const venue = await openVenue();
    await venue.pay('rebate', '1.234567', { only: 'cash' });
    await venue.first.parts.venue.audit();
    expect(figures(venue.first.parts)).toMatchObject({ contributed: 1_234_567, rewards: 0 });
    await venue.pay('rebate', '1.234567', { only: 'record' });
    const second = await venue.restart(venue.first);
    const named = { agreement: 'agrees', cash: 1_234_567, contributed: 0, rewards: 1_234_567 };
    expect(figures(second.parts)).toMatchObject(named);
    const third = await venue.restart(second);
    expect(figures(third.parts)).toMatchObject({ ...named, paid: ['rebate 1234567'] });
  });

  it('changes only cash, once, for a market outside of this run', async () => {
    const { harness, first, pay, restart } = await openVenue();
    const other = await openTestMarket(harness, 'Another one?');
    await pay('reward', '1.000001', { market: other.id });
    await first.parts.venue.audit();
    const second = await restart(first);
    await second.parts.venue.audit();
    expect(figures(second.parts)).toMatchObject({ cash: 1_000_001, contributed: 1_000_001, paid: [] });
    const cash = second.parts.records.cash(epochMs(0));
    expect(cash.adjusted.at(-1)).toMatchObject({ amount: 1_000_001, trade: `reward ${DATE} ${other.condition}` });
  });

  it('counts as initial cash when it was earned before the bot had the account', async () => {
    const { first, pay } = await openVenue({ daysRunning: 0 });
    await pay('rebate', '1.234567');
    await first.parts.venue.audit();
    expect(figures(first.parts)).toMatchObject({ contributed: 1_234_567, paid: [] });
  });
});

describe('the venue’s lists of payments', () => {
  const maker = `0x${'a'.repeat(40)}`;
  const day = epochMs(Date.UTC(2026, 10, 27));
  const row = { date: '2026-11-27', condition_id: `0x${'1'.repeat(64)}`, maker_address: maker, asset_address: maker };
  const read = (rebates: unknown, rewards: unknown = []) => {
    const rest = {
      sendPublic: async () => ({ type: 'done', json: rebates }) as const,
      read: async () => ({ data: rewards, next_cursor: 'LTE=' }),
    };
    const clock = { now: () => epochMs(0) };
    return readListedPayments({ rest, clock } as never, { maker, signatureType: 0 }, day);
  };

  it('give exact micro-dollars', async () => {
    const listed = await read([{ ...row, rebated_fees_usdc: '0.1' }], [{ ...row, earnings: 1.234567 }]);
    expect(listed.map(({ cause, amount }) => [cause, amount])).toEqual([
      ['rebate', 100_000],
      ['reward', 1_234_567],
    ]);
    expect(await read([{ ...row, rebated_fees_usdc: '0' }])).toEqual([]);
  });

  it.each([
    ['a negative amount', [{ ...row, rebated_fees_usdc: '-1' }]],
    ['an amount that is not a number', [{ ...row, rebated_fees_usdc: 'NaN' }]],
    ['an impossibly large amount', [{ ...row, rebated_fees_usdc: '1e30' }]],
    ['another day', [{ ...row, date: '2026-11-26', rebated_fees_usdc: '1' }]],
    ['another account', [{ ...row, maker_address: `0x${'b'.repeat(40)}`, rebated_fees_usdc: '1' }]],
    ['a duplicate', Array(2).fill({ ...row, rebated_fees_usdc: '1' })],
    ['an object instead of a list', { data: [] }],
  ])('are refused with %s', async (_, rebates) => {
    await expect(read(rebates)).rejects.toThrow('cannot be read');
  });
});
