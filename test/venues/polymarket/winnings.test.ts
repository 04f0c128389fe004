/** Winnings of a resolved market that are redeemed by hand, while a bot runs and while none does. */
import { expect, it } from 'vitest';
import { durationMs, type MarketStatus, unchecked } from '../../../src/domain/index.ts';
import { Cursor } from '../../../src/tape/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { adapter, type BotOptions, type BotParts, openPolymarket, openTestMarket, recorder } from './harness.ts';

const MARKET = unchecked.market(0);
const USD = 1_000_000;

/** Opens a venue where the bot's account has 10 pairs. Functions resolve the market to YES, redeem and deposit. */
async function openVenue() {
  const harness = await openPolymarket({ exchange: { disputeWindow: durationMs(0) } });
  afterThisTest.add(() => harness.venue.close());
  const testMarket = await openTestMarket(harness, 'Will it pay?');
  const { operate } = harness.venue.server;
  const { id: market } = testMarket;
  let status: MarketStatus = 'OPEN';
  const start = async (more: Partial<BotOptions> = {}) => {
    const settings = { auditMs: 0 };
    const parts = await adapter(harness, { no: 7, testMarket, settings, status: () => status, ...more });
    const record = recorder(parts.records);
    const session = await parts.venue.connect({
      rows(block, from) {
        const cursor = new Cursor(block);
        cursor.row = from;
        parts.state.applyMessage(cursor);
      },
      event(event, position) {
        parts.state.apply(event);
        record(event, position);
      },
    });
    return { parts, close: () => session.close() };
  };
  const { address } = await harness.join(7);
  await operate('polymarket-convert', { address, action: 'split', market, shares: 10 });
  return {
    start,
    yes: testMarket.yes,
    redeem: () => operate('polymarket-convert', { address, action: 'redeem', market }),
    credit: (cents: number) => operate('credit', { address, cents }),
    async end() {
      await operate('close-early', { market });
      for (const model of ['one', 'two']) await operate('vote', { market, model, vote: 'YES' });
      const markets = harness.stranger(8);
      await expect.poll(async () => (await markets.getMarket(testMarket.condition)).closed).toBe(true);
      status = 'RESOLVED_YES';
    },
  };
}

/** Ends the market while the bot is down and starts the bot again. */
async function endMarketWhileDown() {
  const venue = await openVenue();
  const first = await venue.start();
  await first.close();
  await venue.end();
  const { parts, close } = await venue.start({
    records: first.parts.records.afterCrash(),
    state: first.parts.state,
  });
  afterThisTest.add(close);
  return { venue, parts };
}

/** Returns the holdings of the core and its agreement with the venue. */
function figures({ venue, state, records }: BotParts) {
  const { position } = state.market(MARKET);
  const claims = records.steps.filter(({ event }) => event?.type === 'converted').length;
  return { agreement: venue.agreement, equity: state.exitEquity, yes: position.yes, no: position.no, claims };
}

it('winnings that were redeemed while the bot was down are booked apart from a deposit of the same time', async () => {
  const venue = await openVenue();
  const first = await venue.start();
  const { equity: atHalf } = figures(first.parts);
  await first.close();
  await venue.end();
  await venue.redeem();
  await venue.credit(123);
  const second = await venue.start({ records: first.parts.records.afterCrash(), state: first.parts.state });
  afterThisTest.add(second.close);
  expect(figures(second.parts)).toEqual({
    agreement: 'agrees',
    equity: atHalf + 1_230_000,
    yes: 0,
    no: 0,
    claims: 1,
  });
  expect(second.parts.state.cash).toBe(10_000 * USD + 1_230_000);
  expect(second.parts.state.contributed).toBe(first.parts.state.contributed);
});

it('unredeemed winnings stay unclaimed when the same amount is deposited, and are claimed once when they are redeemed', async () => {
  const { venue, parts } = await endMarketWhileDown();
  const { equity } = figures(parts);
  expect(equity).toBe(10_000 * USD);
  await venue.credit(1_000);
  await parts.venue.audit();
  expect(figures(parts)).toMatchObject({ agreement: 'agrees', equity: equity + 10 * USD, claims: 0 });
  await venue.redeem();
  await parts.venue.audit();
  await parts.venue.audit();
  expect(figures(parts)).toMatchObject({ agreement: 'agrees', equity: equity + 10 * USD, yes: 0, claims: 1 });
});

it('partly redeemed winnings stop the bot with the advice to redeem the rest, and are then claimed once', async () => {
  const { venue, parts } = await endMarketWhileDown();
  const read = parts.rest.read.bind(parts.rest);
  let left = 4 * USD;
  // The test venue redeems all shares at once. This hides some of them and their dollars.
  parts.rest.read = async (request) => {
    const json = Object(await read(request));
    const { token_id: token, asset_type: asset } = request.query ?? {};
    const hidden = token === venue.yes ? left : asset === 'COLLATERAL' ? -left : 0;
    return 'balance' in json ? { ...json, balance: String(Number(json.balance) + hidden) } : json;
  };
  await venue.redeem();
  await parts.venue.audit();
  expect(figures(parts)).toMatchObject({ agreement: 'disagrees', yes: 10 * USD, claims: 0 });
  await expect(parts.venue.recheck()).rejects.toThrow(/10 YES and 10 NO stored, 4 YES and 10 NO .*redeem the rest/);
  left = 0;
  await parts.venue.recheck();
  expect(figures(parts)).toMatchObject({ agreement: 'agrees', equity: 10_000 * USD, yes: 0, claims: 1 });
});
