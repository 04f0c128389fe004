import { expect, it } from 'vitest';
import { type PriceGrid, priceBps } from '../../../src/domain/index.ts';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import type { PolymarketCaller } from '../../../src/server/polymarket/accounts.ts';
import { PlaceHandler, type PlaceHandlerDeps } from '../../../src/server/polymarket/place-handler.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;
const ID = `0x${'2'.repeat(64)}`;
const ZEROS = `0x${'0'.repeat(64)}`;

/** Sends a BUY of 10 shares at $0.55, which the exchange refuses as it refuses a price outside of a price list. */
async function placeInRecording(outcome: 'YES' | 'NO', grid: PriceGrid): Promise<unknown> {
  const refused = { type: 'refused', refusal: { reason: 'INVALID_TICK', field: 'priceBps' } };
  const deps: Partial<Record<keyof PlaceHandlerDeps, unknown>> = {
    queue: {
      now: 0,
      view: { account: () => ({ available: 1e12, epoch: 0 }) },
      run({ command, answer }: { command(): unknown; answer(events: readonly ExchangeEvent[]): unknown }) {
        command();
        return answer([refused as ExchangeEvent]);
      },
    },
    delays: { isIdle: true },
    faults: { drawDelay: () => 0 },
    ids: { orderNo: () => 0 },
    accounts: { bindMaker: () => true },
    approvals: { isApproved: () => true },
    orderFormat: { version: 2 },
    settlement: { unsettledDollars: () => 0 },
    orders: { exchangeV2: { verify: () => ({ ok: true, address: ADDRESS, id: ID }) } },
    markets: {
      findToken: () => ({ id: '1', outcome, market: { number: 0 } }),
      record: () => ({ number: 0, status: 'OPEN', tickBps: 100, minOrderShares: 0, following: { grid } }),
      touch: () => ({}),
    },
  };
  const order = {
    ...{ salt: 1, maker: ADDRESS, signer: ADDRESS, tokenId: '1', makerAmount: '5500000', takerAmount: '10000000' },
    ...{ side: 'BUY', signatureType: 0, timestamp: '0', expiration: '0', metadata: ZEROS, builder: ZEROS },
    signature: '0x11',
  };
  const caller: unknown = { key: { id: 'key', address: ADDRESS, number: 0 }, account: 1 };
  const handler = new PlaceHandler(deps as PlaceHandlerDeps);
  return handler.place({ order, owner: 'key', orderType: 'GTC' }, caller as PolymarketCaller, undefined);
}

it.each([
  ['YES', '0.5 and 0.6'],
  // A BUY of NO at 0.55 is an ask at 0.45.
  ['NO', '0.49'],
] as const)('a price that a recorded market lacks is refused with the nearest prices: %s', async (outcome, nearest) => {
  const grid: PriceGrid = { type: 'list', bids: [5000, 6000].map(priceBps), asks: [5100, 6100].map(priceBps) };
  await expect(placeInRecording(outcome, grid)).rejects.toMatchObject({
    status: 400,
    message: `order ${ID} is invalid. Price (0.55) breaks minimum tick size rule: the market is a recording with fixed prices: the nearest are ${nearest}`,
  });
});
