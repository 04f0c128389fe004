/** Orders whose exchange contract has no allowance, for example because it was revoked. */
import { expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { microShares, priceBps, SHARE } from '../../../src/domain/index.ts';
import { POLYMARKET_CONTRACTS } from '../../../src/protocol/polymarket/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { adapter, openPolymarket, openTestMarket } from './harness.ts';
import { placeCommand } from './parts.ts';

const ORDER = placeCommand(1, { price: priceBps(4_000), shares: microShares(5 * SHARE) });

it.each([
  ['BUY', 'COLLATERAL', 'pUSD'],
  ['SELL', 'CONDITIONAL', 'outcome tokens'],
] as const)(
  'a %s without an allowance fails its market, and the fault names the contract and the asset',
  async (side, asset, assetName) => {
    const harness = await openPolymarket();
    afterThisTest.add(() => harness.venue.close());
    const { operate } = harness.venue.server;
    const testMarket = await openTestMarket(harness, 'Is it approved?');
    const { address } = await harness.join(5);
    await operate('polymarket-convert', { address, action: 'split', market: testMarket.id, shares: 10 });
    const parts = await adapter(harness, { no: 5, testMarket, settings: { auditMs: 0 } });
    const session = await parts.venue.connect({ rows: () => {}, event: (event) => parts.state.apply(event) });
    afterThisTest.add(() => session.close());
    await operate('polymarket-approve', { address, asset, approved: false });
    const order = { ...ORDER, side };
    parts.state.applyCommand(order, wallClock().now());
    session.send([order]);
    await until(() => parts.faults.length > 0, 'the market has failed');
    const contract = POLYMARKET_CONTRACTS[137]?.exchangeV2;
    expect(parts.faults.map(({ message }) => message)).toEqual([
      `the exchange contract ${contract} (exchangeV2) has no allowance for the account's ${assetName}. Approve it once with the wallet that holds the money, then start again`,
    ]);
  },
);
