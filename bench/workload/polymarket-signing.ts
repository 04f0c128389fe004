/** Measures the time from an order command to the signed body, with the adapter and with the official client. */
import { ClobClient, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { type PlaceOrder, priceBps, sharesOfLots, unchecked } from '../../src/domain/index.ts';
import { marketIdFromName } from '../../src/runtime/index.ts';
import { createSigner, type Hex, loadPrimitives } from '../../src/signing/index.ts';
import { saltSecret } from '../../src/venues/base/index.ts';
import { PolymarketSigner } from '../../src/venues/polymarket/index.ts';
import { MarketTable } from '../../src/venues/polymarket/market-table.ts';

const CHAIN = 137;
const KEY: Hex = `0x${'5'.repeat(64)}`;
const TOKEN = '47611377983922317250784812980376557454107008393253041408495181648663352997953';

/** Returns functions that sign `orders` orders. They return microseconds per order. */
export async function polymarketSigning(orders: number) {
  const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(1) }));
  const key = signer.key(KEY);
  const market = {
    id: marketIdFromName('polymarket-bench'),
    condition: `0x${'a'.repeat(64)}`,
    tokens: [TOKEN, '1'],
    isNegRisk: false,
  } as const;
  const markets = new MarketTable();
  markets.add(market);
  const ours = new PolymarketSigner({
    signer,
    key,
    chainId: CHAIN,
    maker: key.address,
    signatureType: 0,
    owner: 'key',
    saltSecret: saltSecret(signer, key),
    markets,
  });
  const account = privateKeyToAccount(KEY);
  const wallet = createWalletClient({ account, chain: polygon, transport: http('http://127.0.0.1:1') });
  const client = new ClobClient({ host: 'http://127.0.0.1:1', chain: CHAIN, signer: wallet });
  client.tickSizes[TOKEN] = '0.01';
  let number = 0;
  return {
    ours(): Promise<number> {
      return timed(orders, () => {
        number += 1;
        ours.sign(createPlace(number), 2, market.id, unchecked.time(1_700_000_000_000 + number));
      });
    },
    client(): Promise<number> {
      const order = { tokenID: TOKEN, price: 0.52, size: 10, side: Side.BUY };
      return timed(orders, () => client.createOrder(order, { tickSize: '0.01', negRisk: false, version: 2 }));
    },
  };
}

async function timed(orders: number, sign: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < orders; count += 1) await sign();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / orders;
}

function createPlace(number: number): PlaceOrder {
  return {
    type: 'place',
    order: unchecked.order(number),
    bot: unchecked.instance(0),
    market: unchecked.market(0),
    outcome: 'YES',
    side: 'BUY',
    price: priceBps(5_200),
    shares: sharesOfLots(1_000),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  };
}
