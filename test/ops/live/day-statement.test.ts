import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import {
  DAY_MS,
  epochMs,
  type InputEvent,
  microShares,
  microUsd,
  priceBps,
  unchecked,
  ZERO_USD,
} from '../../../src/domain/index.ts';
import { compareStatement, type DayStatement, dayStatement, type ListedDay } from '../../../src/ops/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { BotReader, BotStore, pruneFile } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { anyAction } from '../../state/any-action.ts';
import { filled, setup } from '../../state/world.ts';
import { BotHarness } from '../../store/bot/bot-harness.ts';
import { databaseFiles } from '../../store/sqlite/files.ts';

const file = databaseFiles();
const DAY = epochMs(Date.UTC(2026, 10, 27));
const NOW = epochMs(DAY + 3 * DAY_MS);
const MARKET = unchecked.market(0);

type Sums = Omit<DayStatement, 'day' | 'name' | 'start' | 'end' | 'unlisted' | 'removedFills' | 'fills' | 'moves'>;

function sumsOf({ trades, fees, reversals, payouts, conversions, rebates, rewards, adjustments }: DayStatement): Sums {
  return { trades, fees, reversals, payouts, conversions, rebates, rewards, adjustments };
}

/** A bot whose cash every cause changed on the 27th, and some causes on the days before and after. */
async function writeTradedBot(): Promise<string> {
  const name = file();
  const harness = BotHarness.open({ file: name }, 1, () => new AccountState({ cash: ZERO_USD, markets: [setup(0)] }));
  const applyAt = (hours: number, event: object): void => {
    const time = epochMs(DAY + hours * 3_600_000);
    harness.applyEvent({ ...event, time, venueTime: time } as InputEvent);
  };
  applyAt(-20, { type: 'cashAdjusted', amount: microUsd(1_000_000_000) });
  const terms = { ...filled({ order: 1, price: 5_000, size: 10 }), order: unchecked.order(0) };
  applyAt(1, { ...terms, trade: 't-1 o-1', fee: microUsd(12_345) });
  applyAt(2, { ...terms, trade: 't-2 o-1', price: priceBps(4_000), provisional: true });
  const { market, outcome, side, shares, liquidity, order } = terms;
  const back = { market, outcome, side, shares, liquidity, order, price: priceBps(4_000), fee: ZERO_USD };
  applyAt(3, { type: 'fillReversed', ...back, trade: 't-2 o-1' });
  const split = { type: 'converted', conversion: 'split', bot: unchecked.instance(0), market: MARKET, fee: ZERO_USD };
  applyAt(4, { ...split, shares: microShares(2_000_000), paid: microUsd(-2_000_000) });
  applyAt(5, {
    type: 'makerPaid',
    market: MARKET,
    cause: 'rebate',
    day: epochMs(DAY - DAY_MS),
    amount: microUsd(1_234_567),
  });
  applyAt(6, {
    type: 'makerPaid',
    market: MARKET,
    cause: 'reward',
    day: epochMs(DAY - DAY_MS),
    amount: microUsd(2_000_001),
  });
  const outside = `rebate 2026-11-26 0x${'c'.repeat(64)}`;
  applyAt(7, { type: 'cashAdjusted', amount: microUsd(1), trade: outside });
  applyAt(8, { type: 'cashAdjusted', amount: microUsd(7_000_000) });
  applyAt(24, { type: 'cashAdjusted', amount: microUsd(9) });
  await harness.store.close(NOW);
  return name;
}

function read(name: string, day: number): DayStatement | undefined {
  const reader = BotReader.open(name);
  try {
    return dayStatement(reader, epochMs(day), NOW);
  } finally {
    reader.close();
  }
}

describe('the statement of a day', () => {
  it('explains the change of cash over the day by causes, to the micro-dollar', async () => {
    const name = await writeTradedBot();
    const day = read(name, DAY);
    expect(day).toMatchObject({
      day: '2026-11-27',
      start: 1_000_000_000,
      trades: -9_000_000,
      fees: -12_345,
      reversals: 4_000_000,
      payouts: 0,
      conversions: -2_000_000,
      rebates: 1_234_568,
      rewards: 2_000_001,
      adjustments: 7_000_000,
      end: 1_003_222_224,
      unlisted: 0,
    });
    expect(day?.fills.map(({ trade, cash }) => [trade, cash])).toEqual([
      ['t-1 o-1', -5_000_000],
      ['t-2 o-1', -4_000_000],
    ]);
    expect(day?.moves.map(({ cause, earned }) => `${cause} ${earned}`)).toContain('rebate 2026-11-26');
    expect(read(name, DAY - DAY_MS)).toMatchObject({ start: 0, adjustments: 1_000_000_000, end: day?.start });
    expect(read(name, DAY + DAY_MS)).toMatchObject({ start: day?.end, adjustments: 9 });
    expect(read(name, DAY + 2 * DAY_MS)).toMatchObject({ start: 1_003_222_233, end: 1_003_222_233, fills: [] });
  });

  it('keeps its sums when rows of fills are removed', async () => {
    const name = await writeTradedBot();
    const before = read(name, DAY);
    pruneFile(name, NOW);
    const after = read(name, DAY);
    expect(after).toMatchObject({ removedFills: 2, fills: [], start: before?.start, end: before?.end });
    expect(after && sumsOf(after)).toEqual(before && sumsOf(before));
  });

  it('refuses a day before the first one, and a day in the future', async () => {
    const name = await writeTradedBot();
    expect(() => read(name, DAY - 2 * DAY_MS)).toThrow('from 2026-11-26');
    expect(() => read(name, NOW + DAY_MS)).toThrow('to today');
    expect(read(await writeIdleBot(), DAY)).toBeUndefined();
  });

  it('adds up to the cash of the bot after any events that its holdings explain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 60 }), async (actions) => {
        const name = file();
        const harness = BotHarness.open({ file: name });
        for (const each of actions) harness.apply(each);
        harness.apply({ kind: 'cash', order: 1, amount: 9, market: 0 });
        await nextEventLoopTurn();
        const day = read(name, 0);
        expect(day?.end).toBe(harness.account.cash);
        // The account starts with $1000 without an event.
        if (harness.account.unexplainedEvents === 0) expect(day?.unlisted).toBe(1_000_000_000);
        expect(day && day.start + Object.values(sumsOf(day)).reduce((sum, part) => sum + part, 0)).toBe(day?.end);
      }),
      { numRuns: runs(60) },
    );
  }, 180_000);
});

describe('a comparison with the venue’s records', () => {
  const fill = { outcome: 'YES', side: 'BUY', shares: 10_000_000, isReversed: false };
  const first = { ...fill, trade: 't-1 o-1', time: DAY + 1, priceBps: 5_000, fee: 12_345 };
  const second = { ...fill, trade: 't-2 o-1', time: DAY + 2, priceBps: 4_000, fee: null, isReversed: true };
  const days = [epochMs(DAY - DAY_MS)];
  const earning = { day: epochMs(DAY - DAY_MS), market: `0x${'d'.repeat(64)}`, marketId: String(setup(0).info.id) };
  const rows = [
    { ...earning, cause: 'rebate', cash: 1_234_567 },
    { ...earning, cause: 'reward', cash: 2_000_001 },
    { ...earning, cause: 'rebate', cash: 1, market: `0x${'c'.repeat(64)}`, marketId: 'elsewhere' },
  ] as const;
  const listed: ListedDay = { fills: [first, second], earnings: { days, rows }, cash: 1_003_222_233 };

  async function differences(other: Partial<ListedDay>) {
    const reader = BotReader.open(await writeTradedBot());
    const statement = dayStatement(reader, DAY, NOW);
    if (statement === undefined) throw new Error('there is a statement');
    const found = compareStatement(reader, { statement, day: DAY }, { ...listed, ...other });
    reader.close();
    return found.differences.map(({ what, id, field, bot, venue }) => `${what} ${id} ${field}: ${bot}, ${venue}`);
  }

  it('finds no differences when both agree to the micro-dollar', async () => {
    expect(await differences({})).toEqual([]);
  });

  it('names each fill that differs by its id, with both values', async () => {
    const third = { ...first, trade: 't-3 o-9' };
    const foreign = { ...first, trade: 't-0 o-0', time: DAY - 21 * 3_600_000 };
    const found = await differences({ fills: [{ ...first, fee: 12_346, priceBps: 5_001 }, third, foreign] });
    expect(found).toEqual([
      'fill t-1 o-1 priceBps: 5000, 5001',
      'fill t-1 o-1 fee: 12345, 12346',
      'fill t-2 o-1 cash: -4000000, null',
      'fill t-3 o-9 shares: null, 10000000',
    ]);
    expect(
      await differences({
        fills: [
          { ...first, isReversed: true },
          { ...second, isReversed: false },
        ],
      }),
    ).toEqual(['fill t-1 o-1 state: valid, reversed', 'fill t-2 o-1 state: reversed, valid']);
    expect(await differences({ fills: [first, { ...second, isReversed: null }] })).toEqual([]);
  });

  it('names rebates and rewards that are missing on either side or differ by a micro-dollar, and cash', async () => {
    const [rebate, , other] = rows;
    const wrong = [{ ...rebate, cash: 1_234_568 }, other, { ...other, cause: 'reward', cash: 5 } as const];
    const found = await differences({ earnings: { days, rows: wrong }, cash: 1_003_222_234 });
    expect(found).toEqual([
      `rebate 2026-11-26 0x${'d'.repeat(64)} cash: 1234567, 1234568`,
      `reward 2026-11-26 0x${'c'.repeat(64)} cash: null, 5`,
      `reward 2026-11-26 ${String(setup(0).info.id)} cash: 2000001, null`,
      'cash now cash: 1003222233, 1003222234',
    ]);
  });
});

/** A file that a bot has opened and not traded with. */
async function writeIdleBot(): Promise<string> {
  const name = file();
  await BotStore.open({ file: name, name: 'nobody', spec: '{}', thread: false }).close(1);
  return name;
}
