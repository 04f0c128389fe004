/** Random malicious REST requests and the check of their responses. */
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { OrderType, orderToJsonV2, Side } from '@polymarket/clob-client-v2';
import type { Random } from '../../../src/clock/index.ts';
import { l2SecretBytes, l2Signature } from '../../../src/protocol/polymarket/index.ts';
import { encode, mutate, pick, randomText, randomValue, splice } from './fuzz-values.ts';
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

const INTERNALS = /node_modules|\.tsx?\b|\bat \S+ \(|file:\/\/|SQLITE|ZodError/;
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

export async function attackOf(random: Random, harness: PolymarketHarness, client: Client): Promise<Attack> {
  const [method = 'GET', route = '/'] = pick(random, ROUTES).split(' ');
  const path = route
    .replace('{order}', random.int(2) === 0 ? `0x${'a'.repeat(64)}` : encode(randomText(random)))
    .replace('{market}', random.int(2) === 0 ? harness.condition : encode(randomText(random)))
    .replace('{token}', random.int(2) === 0 ? harness.yes : encode(randomText(random)));
  const chosenMethod = random.int(12) === 0 ? pick(random, METHODS) : method;
  // Deleting the API key would make the venue refuse all later requests.
  const safeMethod = chosenMethod === 'DELETE' && path === '/auth/api-key' ? 'PUT' : chosenMethod;
  const body = safeMethod === 'GET' || safeMethod === 'HEAD' ? '' : await bodyOf(route, random, harness, client);
  return {
    method: safeMethod,
    path,
    query: queryOf(random, harness),
    body,
    headers: headersOf(safeMethod, path, body, random, client),
  };
}

function queryOf(random: Random, harness: PolymarketHarness): string {
  const pairs = Array.from({ length: random.int(5) }, () => {
    const queryValue = pick(random, [
      harness.yes,
      harness.no,
      harness.condition,
      randomText(random),
      randomText(random),
    ]);
    return `${pick(random, QUERY_KEYS)}${pick(random, ['', '', '', '[]'])}=${random.int(20) === 0 ? '%zz' : encode(queryValue)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Signs three of four requests correctly, because the venue reads only the headers of others. */
function headersOf(
  method: string,
  path: string,
  body: string,
  random: Random,
  { creds, address }: Client,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = l2Signature({ timestamp, method: method as 'GET', path, body: body.toWellFormed() }, (signed) =>
    createHmac('sha256', l2SecretBytes(creds.secret)).update(signed).digest('base64'),
  );
  const valid: Record<string, string> = {
    'content-type': pick(random, ['application/json', 'application/json', 'text/html', 'multipart/form-data']),
    poly_address: address,
    poly_signature: signature,
    poly_timestamp: timestamp,
    poly_api_key: creds.key,
    poly_passphrase: creds.passphrase,
  };
  if (random.int(4) !== 0) return valid;
  const invalidHeader = pick(random, Object.keys(valid));
  return { ...valid, [invalidHeader]: randomText(random).replace(/[^\x20-\x7e]/g, '?') };
}

async function bodyOf(route: string, random: Random, harness: PolymarketHarness, client: Client): Promise<string> {
  const valid = JSON.stringify(await validBody(route, random, harness, client)) ?? '';
  switch (random.int(8)) {
    case 0:
      return splice(valid, random);
    case 1:
      return JSON.stringify(randomValue(random, 0)) ?? '';
    case 2:
      return pick(random, [
        '<html><body>502 Bad Gateway</body></html>',
        '['.repeat(50_000),
        '{"a":'.repeat(20_000),
        ' '.repeat(300_000),
        '\u0000',
      ]);
    case 3:
    case 4:
      return JSON.stringify(mutate(JSON.parse(valid === '' ? 'null' : valid), random)) ?? '';
    default:
      return valid;
  }
}

/** A valid body for the route. */
async function validBody(route: string, random: Random, harness: PolymarketHarness, client: Client): Promise<unknown> {
  const { yes, no, condition } = harness;
  const token = random.int(2) === 0 ? yes : no;
  if (route === '/order') return await signedOrder(random, harness, client);
  if (route === '/orders')
    return await Promise.all([signedOrder(random, harness, client), signedOrder(random, harness, client)]);
  if (route === '/cancel-market-orders') return { market: condition, asset_id: token };
  if (route === '/orders-scoring') return [`0x${'b'.repeat(64)}`];
  if (route === '/v1/heartbeats') return { heartbeat_id: '' };
  return Array.from({ length: 1 + random.int(3) }, () => ({ token_id: token, side: 'BUY' }));
}

async function signedOrder(random: Random, harness: PolymarketHarness, { client, creds }: Client): Promise<object> {
  const type = pick(random, [OrderType.GTC, OrderType.FOK, OrderType.FAK]);
  const signed = await client.createOrder(
    {
      tokenID: random.int(2) === 0 ? harness.yes : harness.no,
      price: (1 + random.int(98)) / 100,
      size: 1 + random.int(20),
      side: random.int(3) === 0 ? Side.SELL : Side.BUY,
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
  if (INTERNALS.test(answer)) return 'shows internals';
  if (method === 'HEAD' || status === 204) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return 'not JSON';
  }
  if (status < 400) return undefined;
  const error = typeof json === 'object' && json !== null ? Reflect.get(json, 'error') : undefined;
  return typeof error === 'string' || status === 404 ? undefined : `status ${status} without an error`;
}
