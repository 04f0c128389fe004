/** Requests over REST that mean harm, drawn, and what may be answered to them. */
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { OrderType, orderToJsonV2, Side } from '@polymarket/clob-client-v2';
import type { Random } from '../../../src/clock/index.ts';
import { l2SecretBytes, l2Signature } from '../../../src/protocol/polymarket/index.ts';
import { encoded, mutated, pick, spliced, text, value } from './fuzz-values.ts';
import type { Client, PolymarketHarness } from './harness.ts';

export interface Attack {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

const INSIDE = /node_modules|\.tsx?\b|\bat \S+ \(|file:\/\/|SQLITE|ZodError/;
const MAX_ANSWER_BYTES = 1_000_000;
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'];
export const ROUTES = [
  'POST /auth/api-key',
  'GET /auth/derive-api-key',
  'GET /auth/api-keys',
  'GET /auth/ban-status/closed-only',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /order',
  'POST /orders',
  'DELETE /order',
  'DELETE /orders',
  'DELETE /cancel-all',
  'DELETE /cancel-market-orders',
  'GET /data/order/{order}',
  'GET /data/orders',
  'GET /data/trades',
  'GET /data/pre-migration-orders',
  'GET /balance-allowance',
  'GET /balance-allowance/update',
  'POST /v1/heartbeats',
  'GET /order-scoring',
  'POST /orders-scoring',
  'GET /rewards/user',
  'GET /rewards/user/total',
  'GET /rewards/markets/current',
  'GET /rebates/current',
  'GET /ok',
  'GET /version',
  'GET /time',
  'GET /markets',
  'GET /simplified-markets',
  'GET /markets/{market}',
  'GET /clob-markets/{market}',
  'GET /markets-by-token/{token}',
  'GET /gamma/markets/keyset',
  'GET /book',
  'POST /books',
  'GET /midpoint',
  'POST /midpoints',
  'GET /spread',
  'POST /spreads',
  'GET /price',
  'POST /prices',
  'GET /last-trade-price',
  'POST /last-trades-prices',
  'GET /tick-size',
  'GET /neg-risk',
  'GET /fee-rate',
  'GET /prices-history',
  'GET /notifications',
  'GET /ws/market',
];
const QUERY_KEYS = [
  'token_id',
  'asset_id',
  'market',
  'side',
  'next_cursor',
  'id',
  'order_id',
  'before',
  'after',
  'asset_type',
  'signature_type',
  'startTs',
  'endTs',
  'fidelity',
  'interval',
  'limit',
  'condition_ids',
  'date',
  'maker_address',
];

export async function attackOf(dice: Random, harness: PolymarketHarness, client: Client): Promise<Attack> {
  const [method = 'GET', route = '/'] = pick(dice, ROUTES).split(' ');
  const path = route
    .replace('{order}', dice.int(2) === 0 ? `0x${'a'.repeat(64)}` : encoded(text(dice)))
    .replace('{market}', dice.int(2) === 0 ? harness.condition : encoded(text(dice)))
    .replace('{token}', dice.int(2) === 0 ? harness.yes : encoded(text(dice)));
  const drawn = dice.int(12) === 0 ? pick(dice, METHODS) : method;
  // Without its key, all that follows would be refused at the door.
  const used = drawn === 'DELETE' && path === '/auth/api-key' ? 'PUT' : drawn;
  const body = used === 'GET' || used === 'HEAD' ? '' : await bodyOf(route, dice, harness, client);
  return {
    method: used,
    path,
    query: queryOf(dice, harness),
    body,
    headers: headersOf(used, path, body, dice, client),
  };
}

function queryOf(dice: Random, harness: PolymarketHarness): string {
  const pairs = Array.from({ length: dice.int(5) }, () => {
    const value = pick(dice, [harness.yes, harness.no, harness.condition, text(dice), text(dice)]);
    return `${pick(dice, QUERY_KEYS)}${pick(dice, ['', '', '', '[]'])}=${dice.int(20) === 0 ? '%zz' : encoded(value)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Signed as it should be three times out of four: what is refused at the door tries nothing behind it. */
function headersOf(
  method: string,
  path: string,
  body: string,
  dice: Random,
  { creds, address }: Client,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = l2Signature({ timestamp, method: method as 'GET', path, body: body.toWellFormed() }, (signed) =>
    createHmac('sha256', l2SecretBytes(creds.secret)).update(signed).digest('base64'),
  );
  const good: Record<string, string> = {
    'content-type': pick(dice, ['application/json', 'application/json', 'text/html', 'multipart/form-data']),
    poly_address: address,
    poly_signature: signature,
    poly_timestamp: timestamp,
    poly_api_key: creds.key,
    poly_passphrase: creds.passphrase,
  };
  if (dice.int(4) !== 0) return good;
  const spoilt = pick(dice, Object.keys(good));
  return { ...good, [spoilt]: text(dice).replace(/[^\x20-\x7e]/g, '?') };
}

async function bodyOf(route: string, dice: Random, harness: PolymarketHarness, client: Client): Promise<string> {
  const good = JSON.stringify(await goodBody(route, dice, harness, client)) ?? '';
  switch (dice.int(8)) {
    case 0:
      return spliced(good, dice);
    case 1:
      return JSON.stringify(value(dice, 0)) ?? '';
    case 2:
      return pick(dice, [
        '<html><body>502 Bad Gateway</body></html>',
        '['.repeat(50_000),
        '{"a":'.repeat(20_000),
        ' '.repeat(300_000),
        '\u0000',
      ]);
    case 3:
    case 4:
      return JSON.stringify(mutated(JSON.parse(good === '' ? 'null' : good), dice)) ?? '';
    default:
      return good;
  }
}

/** What a client would send to the route. */
async function goodBody(route: string, dice: Random, harness: PolymarketHarness, client: Client): Promise<unknown> {
  const { yes, no, condition } = harness;
  const token = dice.int(2) === 0 ? yes : no;
  if (route === '/order') return await order(dice, harness, client);
  if (route === '/orders') return await Promise.all([order(dice, harness, client), order(dice, harness, client)]);
  if (route === '/cancel-market-orders') return { market: condition, asset_id: token };
  if (route === '/orders-scoring') return [`0x${'b'.repeat(64)}`];
  if (route === '/v1/heartbeats') return { heartbeat_id: '' };
  return Array.from({ length: 1 + dice.int(3) }, () => ({ token_id: token, side: 'BUY' }));
}

async function order(dice: Random, harness: PolymarketHarness, { client, creds }: Client): Promise<object> {
  const type = pick(dice, [OrderType.GTC, OrderType.FOK, OrderType.FAK]);
  const signed = await client.createOrder(
    {
      tokenID: dice.int(2) === 0 ? harness.yes : harness.no,
      price: (1 + dice.int(98)) / 100,
      size: 1 + dice.int(20),
      side: dice.int(3) === 0 ? Side.SELL : Side.BUY,
    },
    { tickSize: '0.01', negRisk: false, version: 2 },
  );
  return orderToJsonV2(signed as Parameters<typeof orderToJsonV2>[0], creds.key, type);
}

export function send({ url }: PolymarketHarness, { method, path, query, body, headers }: Attack): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest(
      {
        host: target.hostname,
        port: target.port,
        method,
        path: `/polymarket${path}${query}`,
        headers: { ...headers, ...length },
      },
      (received) => {
        let all = '';
        received.setEncoding('utf8');
        received.on('data', (chunk: string) => {
          all += chunk;
        });
        received.on('end', () => resolve({ status: received.statusCode ?? 0, text: all }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export function problemOf({ method }: Attack, { status, text: answer }: Answer): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (answer.length > MAX_ANSWER_BYTES) return `an answer of ${answer.length} bytes`;
  if (INSIDE.test(answer)) return 'shows internals';
  if (method === 'HEAD' || status === 204) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return 'no JSON';
  }
  if (status < 400) return undefined;
  const error = typeof json === 'object' && json !== null ? Reflect.get(json, 'error') : undefined;
  return typeof error === 'string' || status === 404 ? undefined : `status ${status} without an error`;
}
