import { expect, it } from 'vitest';
import { unchecked, ZERO_USD } from '../../../src/domain/index.ts';
import { marketIdFromName } from '../../../src/runtime/index.ts';
import type { MarketSetup } from '../../../src/state/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { adapter, openPolymarket } from './harness.ts';
import { marketDataHarness } from './market-data-harness.ts';

function unlisted({ info, ...rest }: MarketSetup): MarketSetup {
  return { ...rest, info: { ...info, market: unchecked.market(1), id: marketIdFromName('gone'), slug: 'gone' } };
}

it('a market of an earlier run that is no longer listed stops neither other books nor the start of the account', async () => {
  const venue = await openPolymarket();
  afterThisTest.add(() => venue.venue.close());
  const { data, core, select } = marketDataHarness(venue.url);
  const [listed] = await select({ ids: [venue.condition] });
  if (listed === undefined) throw new Error('the market of the harness is not listed');
  const unlistedMarket = unlisted(listed);
  await data.start([listed, unlistedMarket], core);
  expect(data.bookStates()).toMatchObject([{ isSynced: true }]);

  const parts = await adapter(venue, { no: 9 });
  const state = new AccountState({ cash: parts.state.cash, markets: [listed, unlistedMarket] });
  const held = { yes: unchecked.shares(30_000), no: unchecked.shares(0), yesCost: ZERO_USD, noCost: ZERO_USD };
  const time = unchecked.time(1);
  state.apply({ type: 'holdingAdjusted', time, venueTime: time, market: unlistedMarket.info.market, ...held });
  const warnings: unknown[] = [];
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, error: ignore, warn: (...entry: unknown[]) => warnings.push(entry) };
  const restarted = await adapter(venue, { no: 9, state, log });
  const session = await restarted.venue.connect({ rows() {}, event: (event) => state.apply(event) });
  afterThisTest.add(() => session.close());
  expect(restarted.venue.agreement).toBe('agrees');
  const text = 'the venue does not list the market of a position: compare the position yourself';
  expect(warnings).toContainEqual([{ market: 'gone', yes: 30_000, no: 0 }, text]);
});
