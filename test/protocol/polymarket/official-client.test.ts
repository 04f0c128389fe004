/** Our orders have the same amounts and signatures as those of Polymarket's official client. */
import {
  type CreateOrderOptions,
  getContractConfig,
  OrderBuilder,
  Side,
  type TickSize,
} from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon, polygonAmoy } from 'viem/chains';
import { beforeAll, describe, expect, it } from 'vitest';
import { priceBps, sharesOfLots } from '../../../src/domain/index.ts';
import {
  POLYMARKET_CONTRACTS,
  type PolymarketOrderVersion,
  polymarketAmounts,
  polymarketDomain,
  polymarketExchange,
  priceText,
} from '../../../src/protocol/polymarket/index.ts';
import { lowerAddress, polymarketOrders, type Signer } from '../../../src/signing/index.ts';
import { openSigner } from '../../signing/harness.ts';
import { POLYMARKET_TICKS } from './ticks.ts';
import { KEY, WALLET, ZERO } from './vectors.ts';

const CHAINS = { 137: polygon, 80002: polygonAmoy };
/** Number of random orders. same-bytes.slow.test.ts compares whole requests for many more. */
const ORDERS = 400;

const anyOrder = fc.record({
  chain: fc.constantFrom(137 as const, 80_002 as const),
  version: fc.constantFrom<PolymarketOrderVersion>(2, 3),
  negRisk: fc.boolean(),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  tick: fc.constantFrom(...POLYMARKET_TICKS.keys()),
  at: fc.nat(),
  lots: fc.integer({ min: 1, max: 10_000_000 }),
  side: fc.constantFrom(Side.BUY, Side.SELL),
  tokenId: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
});

describe("our orders and those of Polymarket's official client", () => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await openSigner('native');
  });

  it('have the same amounts and signatures, for both versions and all kinds of wallets', {
    timeout: 600_000,
  }, async () => {
    const key = signer.key(KEY);
    const account = privateKeyToAccount(KEY);
    await fc.assert(
      fc.asyncProperty(anyOrder, async ({ chain, version, negRisk, signatureType, tick, at, lots, side, tokenId }) => {
        const wallet = createWalletClient({ account, chain: CHAINS[chain], transport: http('http://127.0.0.1:1') });
        const price = priceBps(tick * (1 + (at % (10_000 / tick - 1))));
        const builder = new OrderBuilder(wallet, chain, signatureType, signatureType === 0 ? undefined : WALLET);
        const options: CreateOrderOptions = { tickSize: tickSize(tick), negRisk };
        const request = { tokenID: String(tokenId), price: price / 10_000, size: lots / 100, side };
        const official = await builder.buildOrder(request, options, version);
        if (!('timestamp' in official)) throw new Error('the client created an order of version 1');
        const { makerAmount, takerAmount } = polymarketAmounts(side, sharesOfLots(lots), price);
        const message = {
          salt: BigInt(String(official.salt)),
          maker: address(signatureType === 0 ? account.address : WALLET),
          signer: address(signatureType === 3 ? WALLET : account.address),
          tokenId,
          makerAmount,
          takerAmount,
          side,
          signatureType,
          timestamp: BigInt(String(official.timestamp)),
          metadata: ZERO,
          builder: ZERO,
        };
        const orders = polymarketOrders(signer, polymarketDomain(chain, polymarketExchange(version, negRisk)));
        expect([makerAmount, takerAmount].map(String)).toEqual([official.makerAmount, official.takerAmount]);
        const own = orders.sign(message, key);
        expect(own.signature).toBe(official.signature);
        expect(orders.verify(message, official.signature)).toEqual({ ok: true, id: own.id, address: key.address });
      }),
      { numRuns: ORDERS },
    );
  });

  it.each([137, 80_002] as const)('use the same contracts on chain %i', (chain) => {
    const official = getContractConfig(chain);
    expect(POLYMARKET_CONTRACTS[chain]).toEqual({
      exchangeV2: lowerAddress(official.exchangeV2),
      negRiskExchangeV2: lowerAddress(official.negRiskExchangeV2),
      exchangeV3: lowerAddress(official.exchangeV3),
      collateral: lowerAddress(official.collateral),
      conditionalTokens: lowerAddress(official.conditionalTokens),
    });
  });
});

function tickSize(bps: number): TickSize {
  const sizes: readonly TickSize[] = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'];
  const found = sizes.find((size) => size === priceText(bps));
  if (found === undefined) throw new Error(`the client has no tick of ${bps} bps`);
  return found;
}

function address(text: string): `0x${string}` {
  const lower = lowerAddress(text);
  if (lower === undefined) throw new Error(`${text} is not an address`);
  return lower;
}
