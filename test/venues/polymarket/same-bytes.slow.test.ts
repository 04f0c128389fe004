/**
 * For the same orders, requests of the adapter and of the venue's own client have the same bytes and headers. `ORDERS`
 * sets the number.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { type ApiKeyCreds, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { type PlaceOrder, priceBps, sharesOfLots, unchecked } from '../../../src/domain/index.ts';
import {
  type PolymarketOrderVersion,
  polymarketDomain,
  polymarketExchange,
  priceText,
} from '../../../src/protocol/polymarket/index.ts';
import { marketIdFromName } from '../../../src/runtime/index.ts';
import { polymarketOrders, type Signer } from '../../../src/signing/index.ts';
import { saltSecret } from '../../../src/venues/base/index.ts';
import { MarketTable } from '../../../src/venues/polymarket/market-table.ts';
import { PolymarketSigner } from '../../../src/venues/polymarket/order-signer.ts';
import { RestClient } from '../../../src/venues/polymarket/rest-client.ts';
import { afterThisFile } from '../../cleanup.ts';
import { POLYMARKET_TICKS } from '../../protocol/polymarket/ticks.ts';
import { ADDRESS, KEY, WALLET } from '../../protocol/polymarket/vectors.ts';
import { openSigner } from '../../signing/harness.ts';

const CHAIN = 137;
const ORDERS = Number(process.env['ORDERS'] ?? 2_000);
const CREDS: ApiKeyCreds = {
  key: '00000000-0000-4000-8000-000000000001',
  secret: Buffer.from('a secret of thirty-two bytes, ok').toString('base64'),
  passphrase: 'a passphrase',
};

interface CapturedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const orderCase = fc.record({
  version: fc.constantFrom<PolymarketOrderVersion>(2, 3),
  negRisk: fc.boolean(),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  tick: fc.constantFrom(...POLYMARKET_TICKS.keys()),
  at: fc.nat(),
  lots: fc.integer({ min: 1, max: 10_000_000 }),
  order: fc.integer({ min: 1, max: 1_000_000_000 }),
  side: fc.constantFrom(Side.BUY, Side.SELL),
  outcome: fc.constantFrom('YES' as const, 'NO' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'GTD' as const),
  postOnly: fc.boolean(),
  time: fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 }),
  lifetimeMs: fc.integer({ min: 180_000, max: 1_000_000_000 }),
});

describe("requests of the adapter and of the venue's own client", () => {
  let signer: Signer;
  let url: string;
  const captured: CapturedRequest[] = [];

  beforeAll(async () => {
    signer = await openSigner('native');
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        captured.push({ method, path, headers, body: Buffer.concat(parts).toString() });
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    afterThisFile.add(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
  });

  it('have the same signatures, bodies and headers, for every tick, side, size, time in force and kind of wallet', {
    timeout: 900_000,
  }, async () => {
    const key = signer.key(KEY);
    const account = privateKeyToAccount(KEY);
    const wallet = createWalletClient({ account, chain: polygon, transport: http('http://127.0.0.1:1') });
    const tokens = [String((1n << 255n) + 12_345n), '7'] as const;
    const markets = new MarketTable();
    const idOf = (negRisk: boolean) => marketIdFromName(`polymarket-same-bytes-${negRisk}`);
    for (const isNegRisk of [false, true])
      markets.add({ id: idOf(isNegRisk), condition: `0x${'ab'.repeat(32)}`, tokens, isNegRisk });
    let now = 0;
    const clock = { ...wallClock(), now: () => unchecked.time(now), schedule: wallClock().schedule };
    const rest = new RestClient({ clobUrl: url, clock, offset: { offsetMs: 0 }, timeoutMs: 1e12 });
    afterThisFile.add(() => rest.close());
    rest.setCredentials({ address: ADDRESS, apiKey: CREDS.key, secret: CREDS.secret, passphrase: CREDS.passphrase });

    await fc.assert(
      fc.asyncProperty(orderCase, async (each) => {
        const { version, negRisk, signatureType, tick, side, outcome, timeInForce, postOnly, time } = each;
        const maker = signatureType === 0 ? ADDRESS : WALLET;
        const price = priceBps(tick * (1 + (each.at % (10_000 / tick - 1))));
        const command: PlaceOrder = {
          type: 'place',
          order: unchecked.order(each.order),
          bot: unchecked.instance(0),
          market: unchecked.market(0),
          outcome,
          side,
          price,
          shares: sharesOfLots(each.lots),
          timeInForce,
          postOnly,
          expiration: timeInForce === 'GTD' ? unchecked.time(time + each.lifetimeMs) : 0,
        };
        now = time;
        const ours = new PolymarketSigner({
          signer,
          key,
          chainId: CHAIN,
          maker,
          signatureType,
          owner: CREDS.key,
          saltSecret: saltSecret(signer, key),
          markets,
        }).sign(command, version, idOf(negRisk), unchecked.time(time));
        const salt = Number(/"salt":(\d+)/.exec(ours.wire)?.[1]);

        // The client's salt is a random number times the time, rounded. The mocks replace it with our salt.
        const round = Math.round;
        const spies = [
          vi.spyOn(Date, 'now').mockReturnValue(time),
          vi.spyOn(Math, 'random').mockReturnValue(Number.NaN),
          vi.spyOn(Math, 'round').mockImplementation((value) => (Number.isNaN(value) ? salt : round(value))),
        ];
        captured.length = 0;
        try {
          const client = new ClobClient({
            host: url,
            chain: CHAIN,
            signer: wallet,
            creds: CREDS,
            signatureType,
            ...(signatureType === 0 ? {} : { funderAddress: WALLET }),
          });
          const tokenID = outcome === 'YES' ? tokens[0] : tokens[1];
          const tickSize = priceText(tick);
          Object.assign(client, { tickSizes: { [tokenID]: tickSize } });
          const expiration = timeInForce === 'GTD' ? Math.ceil((time + each.lifetimeMs) / 1_000) + 60 : 0;
          const order = { tokenID, price: price / 10_000, size: each.lots / 100, side, expiration };
          const theirs = await client.createOrder(order, { negRisk, version });
          await client.postOrder(theirs, timeInForce === 'GTD' ? OrderType.GTD : OrderType.GTC, postOnly);
        } finally {
          for (const spy of spies) spy.mockRestore();
        }
        await rest.sendPrivate({ method: 'POST', path: '/order', body: ours.wire });

        const [client, adapter] = captured;
        if (client === undefined || adapter === undefined) throw new Error('a request is missing');
        // The case of addresses may differ.
        const { body: clientBody, ...clientRest } = normalized(client);
        const { body, ...adapterRest } = normalized(adapter);
        expect(body).toBe(clientBody);
        expect({ ...adapterRest, signed: undefined }).toEqual({ ...clientRest, signed: undefined });
        expect(adapterRest.signed).toBe(hmacOf(adapter.body, time));
        expect(clientRest.signed).toBe(hmacOf(client.body, time));
        const message = JSON.parse(ours.wire).order;
        const domain = polymarketDomain(CHAIN, polymarketExchange(version, negRisk));
        const verified = polymarketOrders(signer, domain).verify(
          {
            ...message,
            tokenId: BigInt(message.tokenId),
            makerAmount: BigInt(message.makerAmount),
            takerAmount: BigInt(message.takerAmount),
            timestamp: BigInt(message.timestamp),
          },
          message.signature,
        );
        expect(verified).toEqual({ ok: true, id: ours.hash, address: key.address });
      }),
      { numRuns: ORDERS },
    );
  });
});

/** Returns the request with its addresses in lower case. */
function normalized({ method, path, headers, body }: CapturedRequest) {
  const { poly_address, poly_timestamp, poly_api_key, poly_passphrase, poly_signature } = headers;
  return {
    method,
    path,
    body: body.replace(/"(?:maker|signer)":"0x[0-9a-fA-F]{40}"/g, (text) => text.toLowerCase()),
    address: String(poly_address).toLowerCase(),
    timestamp: poly_timestamp,
    apiKey: poly_api_key,
    passphrase: poly_passphrase,
    signed: poly_signature,
  };
}

/** Returns the HMAC of the sent bytes, before addresses are lower-cased. */
function hmacOf(body: string, time: number): string {
  const text = `${Math.floor(time / 1_000)}POST/order${body}`;
  const digest = createHmac('sha256', Buffer.from(CREDS.secret, 'base64')).update(text).digest('base64');
  return digest.replaceAll('+', '-').replaceAll('/', '_');
}
