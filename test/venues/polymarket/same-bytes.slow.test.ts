/** Orders as the adapter signs them, against those of the venue's own client: 10,000 random ones, equal byte by byte. */
import { ClobClient, Side, type TickSize } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { afterEach, expect, it, vi } from 'vitest';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { column, counted, type PlaceOrder, priceBps, sharesOfLots } from '../../../src/domain/index.ts';
import { POLYMARKET_CONTRACTS, polymarketExchange } from '../../../src/protocol/polymarket/index.ts';
import { uuidOfName } from '../../../src/runtime/index.ts';
import { type Hex, polymarketOrders } from '../../../src/signing/index.ts';
import { saltSecret } from '../../../src/venues/base/index.ts';
import { MarketTable } from '../../../src/venues/polymarket/market-table.ts';
import { PolymarketSigner } from '../../../src/venues/polymarket/order-signer.ts';
import { openSigner } from '../../signing/stage.ts';

const ORDERS = 10_000;
const CHAIN = 137;
const KEY: Hex = `0x${'5'.repeat(64)}`;
const WALLET: Hex = `0x${'7'.repeat(40)}`;
const TOKENS = ['47611377983922317250784812980376557454107008393253041408495181648663352997953', '12345'] as const;
const TICKS = new Map<number, TickSize>([
  [1_000, '0.1'],
  [100, '0.01'],
  [10, '0.001'],
  [1, '0.0001'],
]);

afterEach(() => {
  vi.restoreAllMocks();
});

it(`${ORDERS} random orders have the ids, amounts and signatures of the official client`, async () => {
  const random = seededRandom(21);
  const signer = await openSigner('native');
  const key = signer.key(KEY);
  const contracts = POLYMARKET_CONTRACTS[CHAIN];
  if (contracts === undefined) throw new Error('no contracts');
  const market = { id: uuidOfName('polymarket-test'), condition: `0x${'a'.repeat(64)}`, tokens: TOKENS };
  const markets = new MarketTable();
  markets.add(market);
  const wallet = createWalletClient({
    account: privateKeyToAccount(KEY),
    chain: polygon,
    transport: http('http://127.0.0.1:1'),
  });
  const ordersOf = (version: 2 | 3) =>
    polymarketOrders(signer, {
      chainId: CHAIN,
      version: String(version),
      verifyingContract: polymarketExchange(contracts, version, false),
    });
  const types = [0, 1, 2, 3].map((signatureType) => {
    const maker = signatureType === 0 ? key.address : WALLET;
    const funder = signatureType === 0 ? {} : { funderAddress: WALLET };
    const client = new ClobClient({
      host: 'http://127.0.0.1:1',
      chain: CHAIN,
      signer: wallet,
      signatureType,
      ...funder,
    });
    const secret = saltSecret(signer, key);
    const orders = { 2: ordersOf(2), 3: ordersOf(3) };
    const own = new PolymarketSigner({
      signer,
      key,
      orders,
      maker,
      signatureType,
      owner: 'key',
      saltSecret: secret,
      markets,
    });
    return { client, own };
  });
  const time = { now: 0 };
  vi.spyOn(Date, 'now').mockImplementation(() => time.now);
  const salted = vi.spyOn(Math, 'random');
  for (let number = 1; number <= ORDERS; number += 1) {
    const { client, own } = types[number % types.length] ?? raise();
    const [tickBps, tickSize] = [...TICKS][random.int(TICKS.size)] ?? raise();
    const place = orderOf(number, tickBps, random);
    time.now = 1_700_000_000_000 + random.int(1_000_000_000);
    const record = own.sign(place, 2, market.id, column.time(time.now));
    const body: { readonly order: Readonly<Record<string, unknown>> } = JSON.parse(record.wire);
    salted.mockReturnValue(drawOf(Number(body.order['salt']), time.now));
    const tokenID = TOKENS[place.outcome === 'YES' ? 0 : 1];
    client.tickSizes[tokenID] = tickSize;
    const order = await client.createOrder(
      {
        tokenID,
        price: place.price / 10_000,
        size: place.shares / 1_000_000,
        side: place.side === 'BUY' ? Side.BUY : Side.SELL,
      },
      { tickSize, negRisk: false, version: 2 },
    );
    expect({ number, ...plain(body.order) }).toEqual({ number, ...plain({ ...order }) });
  }
}, 600_000);

/** What both say of an order, as text. */
function plain(order: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const names = ['salt', 'maker', 'signer', 'tokenId', 'makerAmount', 'takerAmount', 'signatureType', 'timestamp'];
  const said = [...names, 'metadata', 'builder', 'signature'].map((name) => [name, String(order[name]).toLowerCase()]);
  const side = String(order['side']);
  return { ...Object.fromEntries(said), side: side === '0' ? 'BUY' : side === '1' ? 'SELL' : side };
}

/** The client's salt is a random number times the time, rounded: the number that makes it this one. */
function drawOf(salt: number, now: number): number {
  const step = salt / now / 2 ** 53;
  for (let count = -8; count <= 8; count += 1) {
    const drawn = salt / now + count * step;
    if (Math.round(drawn * now) === salt) return drawn;
  }
  throw new Error(`no number makes ${salt}`);
}

function orderOf(number: number, tickBps: number, random: Random): PlaceOrder {
  const ticks = 10_000 / tickBps;
  return {
    type: 'place',
    order: counted.order(number),
    bot: counted.bot(0),
    market: counted.market(0),
    outcome: random.int(2) === 0 ? 'YES' : 'NO',
    side: random.int(2) === 0 ? 'BUY' : 'SELL',
    price: priceBps(tickBps * (1 + random.int(ticks - 1))),
    shares: sharesOfLots(1 + random.int(random.int(2) === 0 ? 1_000 : 10_000_000)),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  };
}

function raise(): never {
  throw new Error('no such entry');
}
