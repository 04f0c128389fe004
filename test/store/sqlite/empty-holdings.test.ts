import { expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { OPENING } from '../../exchange/properties/sequence.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';
import { checkFile, putInitialSettings } from './small-venue.ts';

const file = databaseFiles();
const [account, credential, market] = [unchecked.account(4), unchecked.credential(0), unchecked.market(0)];
const time = unchecked.time(1_795_000_000_000);

it('journal check finds no fault in a market that ends after an account cancelled its only order and the venue restarted', async () => {
  const options = { file: file(), thread: false };
  let harness = openHarness(options);
  putInitialSettings(harness);
  for (const command of OPENING) if (command.type !== 'split') harness.apply(command);
  harness.apply({
    ...{ type: 'place', time, account, credential, market, outcome: 'YES', side: 'BUY' },
    ...{ price: unchecked.price(1000), shares: unchecked.shares(1_000_000), timeInForce: 'GTC', postOnly: false },
    ...{ expiration: 0, timestampMs: time, epoch: 0, maxFeeBps: 1000, replaces: 0, selfTrade: 'CANCEL_TAKER' },
    ...{ group: unchecked.group(0), restriction: undefined, hash: undefined, clientOrderId: undefined },
  });
  const orders = [unchecked.order(harness.machine.view.orderCount)];
  harness.apply({ type: 'cancel', time, account, credential, orders });
  harness.exchange.snapshot();
  await settled(harness);
  await harness.store.close();
  harness = openHarness(options);
  harness.apply({ type: 'voidMarket', time, market, note: '' });
  await settled(harness);
  await harness.store.close();
  expect(checkFile(options.file)).toMatchObject({ structure: [], records: [], states: [], rows: [] });
});
