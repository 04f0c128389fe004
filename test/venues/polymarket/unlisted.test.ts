/** A market of an earlier run that neither Gamma nor the CLOB lists any more. */
import { expect, it } from 'vitest';
import { counted } from '../../../src/domain/index.ts';
import { uuidOfName } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import type { Selected } from '../../../src/venues/base/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { adapter, openPolymarket } from './harness.ts';
import { marketDataHarness } from './market-data-harness.ts';

function unlisted({ setup, ...rest }: Selected): Selected {
  return {
    ...rest,
    setup: { ...setup, info: { ...setup.info, market: counted.market(1), id: uuidOfName('gone'), slug: 'gone' } },
  };
}

it('stops neither the books of the other markets nor the start of the account', async () => {
  const venue = await openPolymarket();
  afterThisTest.add(() => venue.venue.close());
  const { data, core, select } = marketDataHarness(venue.url);
  const [listed] = await select({ ids: [venue.condition] });
  if (listed === undefined) throw new Error('the market of the harness is not listed');
  const gone = unlisted(listed);
  await data.start([listed, gone], core);
  expect(data.ages()).toMatchObject([{ isSynced: true }]);

  const parts = await adapter(venue, { no: 9 });
  const state = new AccountState({ cash: parts.state.cash, markets: [listed.setup, gone.setup] });
  const again = await adapter(venue, { no: 9, state });
  const session = await again.venue.connect({ rows() {}, event: (event) => state.fold(event) });
  afterThisTest.add(() => session.close());
  expect(again.venue.agreement).toBe('agrees');
});
