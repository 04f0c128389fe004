import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { ClockOffset } from '../../../../src/venues/base/index.ts';
import {
  expectData,
  isUnauthorized,
  measureClock,
  parseEndpoint,
  readOperationTexts,
} from '../../../../src/venues/service/transport/index.ts';
import { transportTo } from '../real-venue.ts';
import { json, page, ScriptedVenue } from './scripted-venue.ts';

const HEALTH = {
  health: { status: 'OK', mode: 'NORMAL', version: '1', serverTime: '2026-01-01T00:00:00Z' },
};

async function scripted(...answers: ScriptedVenue['answers']) {
  const venue = await ScriptedVenue.open();
  venue.answers = answers;
  const transport = transportTo(venue.url, { timeoutMs: 200 });
  return { venue, transport, query: () => transport.query(OPERATIONS.health, {}) };
}

describe('a query over HTTP', () => {
  it('returns data, null for a missing object, or errors', async () => {
    const { query, transport } = await scripted(
      json({ data: HEALTH }),
      json({ data: { market: null } }),
      json({ data: { health: null }, errors: [{ message: 'invalid market ID: x', path: ['health'] }] }),
      json({ data: null, errors: [{ message: 'UNAUTHORIZED', path: ['health'] }] }),
    );
    expect(await query()).toEqual({ type: 'data', data: HEALTH, errors: [] });
    const none = await transport.query(OPERATIONS.market, { id: 'x', slug: null });
    expect(none).toEqual({ type: 'data', data: { market: null }, errors: [] });
    expect(await query()).toMatchObject({ type: 'errors', errors: [{ message: 'invalid market ID: x' }] });
    expect(isUnauthorized(await query())).toBe(true);
  });

  it('returns the fields that succeeded and the errors of the others', async () => {
    const { transport } = await scripted(
      json({ data: { a: HEALTH.health, b: null }, errors: [{ message: 'no', path: ['b', 0] }] }),
    );
    expect(await transport.queryDocument({ name: 'both', text: '{ a b }' }, {}, 2)).toMatchObject({
      type: 'data',
      data: { b: null },
      errors: [{ message: 'no', path: ['b', '0'] }],
    });
  });

  it('is repeated when its answer is lost, the venue is down or busy, or a proxy returns a page', async () => {
    const { venue, query } = await scripted(
      (response) => response.destroy(),
      page(502),
      page(200),
      page(429),
      json({ data: HEALTH }),
    );
    expect(await query()).toMatchObject({ type: 'data' });
    expect(venue.requests).toHaveLength(5);
  });

  it('is repeated when it is redirected', async () => {
    const redirect = (response: ServerResponse) =>
      void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    const { venue, query } = await scripted(redirect, redirect, json({ data: HEALTH }));
    expect(await query()).toMatchObject({ type: 'data' });
    expect(venue.requests).toHaveLength(3);
  });

  it('is repeated when it was rate-limited', async () => {
    const refusal = { data: null, errors: [{ message: 'rate limited: retry in 30 ms', path: [] }] };
    const { query } = await scripted(json(refusal), json({ data: HEALTH }));
    expect(await query()).toMatchObject({ type: 'data' });
  });

  it('is repeated when any of several errors is a rate limit', async () => {
    const errors = ['no', 'rate limited: retry in 30 ms'].map((message) => ({ message, path: [] }));
    const { venue, query } = await scripted(json({ data: null, errors }), json({ data: HEALTH }));
    expect(await query()).toMatchObject({ type: 'data' });
    expect(venue.requests).toHaveLength(2);
  });

  it('is not repeated after a refusal', async () => {
    const { venue, query } = await scripted(
      page(403),
      json({ data: null, errors: [{ message: 'no', path: [] }] }),
      json({}, 404),
    );
    expect(await query()).toMatchObject({
      type: 'blocked',
      status: 403,
      problem: expect.stringContaining('an HTML page instead of JSON'),
    });
    expect(await query()).toMatchObject({ type: 'errors' });
    expect(await query()).toMatchObject({ type: 'blocked', status: 404 });
    expect(venue.requests).toHaveLength(3);
  });

  it('is lost without an answer, and a mutation that cannot connect was not sent', async () => {
    const venue = await ScriptedVenue.open();
    const transport = transportTo(venue.url, { timeoutMs: 30, retries: 1 });
    expect(await transport.query(OPERATIONS.health, {})).toMatchObject({ type: 'lost', isSent: true });
    venue.close();
    // The open connection breaks or a new one is refused: both count as lost.
    expect(await transport.query(OPERATIONS.health, {})).toMatchObject({ type: 'lost' });
    expect(await transport.mutate(OPERATIONS.cancelAllOrders, {})).toMatchObject({ type: 'lost', isSent: false });
  });

  it('is lost when the transport closes', async () => {
    const { transport, query } = await scripted(() => undefined);
    const answer = query();
    await transport.close();
    expect(await answer).toMatchObject({ type: 'lost' });
  });

  it('sends credentials, except when it is anonymous', async () => {
    const { venue, transport } = await scripted(json({ data: HEALTH }));
    transport.setCredentials('secret');
    await transport.query(OPERATIONS.health, {});
    await transport.query(OPERATIONS.health, {}, { isAnonymous: true });
    expect(venue.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined]);
  });
});

describe('a mutation over HTTP', () => {
  it('is sent once, whatever the result', async () => {
    const { venue, transport } = await scripted(page(502));
    expect(await transport.mutate(OPERATIONS.cancelAllOrders, {})).toMatchObject({ type: 'lost', isSent: true });
    expect(venue.requests).toHaveLength(1);
  });

  it('does not wait for unanswered queries', async () => {
    const venue = await ScriptedVenue.open();
    const transport = transportTo(venue.url, { timeoutMs: 3_000, retries: 0, concurrency: 2 });
    venue.answers = [() => {}, () => {}, json({ data: { cancelAllOrders: null } })];
    const reads = [1, 2, 3].map(() => transport.query(OPERATIONS.health, {}));
    await expect.poll(() => venue.requests.length).toBe(2);
    const answer = await transport.mutate(OPERATIONS.cancelAllOrders, {}, { timeoutMs: 1_500 });
    expect(answer).toMatchObject({ type: 'data' });
    await transport.close();
    await Promise.all(reads);
  });
});

it.each([
  [{ type: 'lost', problem: 'x', isSent: true }, 'LINK', true],
  [{ type: 'blocked', problem: 'x', status: 403 }, 'BLOCKED', false],
  [{ type: 'errors', errors: [{ message: 'UNAUTHORIZED', path: ['me'] }] }, 'UNAUTHORIZED', false],
  [{ type: 'errors', errors: [{ message: 'Cannot query field', path: [] }] }, 'REFUSED', false],
] as const)('expectData throws for a failed query: %j', (answer, code, retryable) => {
  expect(() => expectData(answer, 'it')).toThrow(expect.objectContaining({ code, retryable }));
});

describe("the venue's clock", () => {
  it('is taken from the sample with the shortest round trip', () => {
    const offset = new ClockOffset();
    expect([offset.offsetMs, offset.errorMs, offset.minSkewMs]).toEqual([0, Number.POSITIVE_INFINITY, 0]);
    offset.sample(1_000, 1_100, 6_000);
    expect([offset.offsetMs, offset.errorMs, offset.minSkewMs]).toEqual([4_950, 51, 4_899]);
    expect(offset.provenOffsetMs).toBe(4_899);
    offset.sample(2_000, 2_010, 7_004);
    offset.sample(3_000, 3_400, 8_000);
    expect([offset.offsetMs, offset.errorMs]).toEqual([4_999, 6]);
  });

  it('is measured again after a clock was set, even if earlier samples were more exact', () => {
    const offset = new ClockOffset();
    offset.sample(1_000, 1_002, 1_001);
    // The same clocks with a longer round trip.
    offset.sample(31_000, 31_100, 31_050);
    expect(offset.minSkewMs).toBe(0);
    // Our clock jumps ahead by five seconds, later back by an hour.
    offset.sample(66_000, 66_100, 61_050);
    expect([offset.sampleCount, offset.offsetMs, offset.minSkewMs]).toEqual([1, -5_000, 4_949]);
    expect(offset.provenOffsetMs).toBe(-4_949);
    offset.sample(1_000, 1_100, 3_661_050);
    expect([offset.sampleCount, offset.minSkewMs]).toEqual([1, 3_659_949]);
  });

  it('ignores impossible samples and discards old ones', () => {
    const offset = new ClockOffset();
    offset.sample(1_000, 900, 6_000);
    offset.sample(1_000, 1_100, Number.NaN);
    expect(offset.sampleCount).toBe(0);
    offset.sample(0, 2, 10);
    offset.sample(700_000, 700_100, 700_000);
    expect([offset.sampleCount, offset.offsetMs]).toEqual([1, -50]);
  });

  it('is read from the health query', async () => {
    const { transport } = await scripted(json({ data: HEALTH }));
    await measureClock(transport);
    expect(transport.offset.sampleCount).toBe(1);
    expect(transport.offset.minSkewMs).toBeGreaterThan(1_000);
  });
});

describe('an endpoint', () => {
  it('is a base URL or a GraphQL URL, and by default its socket has the same path', () => {
    const urlsOf = (url: string, wsUrl?: string) => {
      const { http, ws } = parseEndpoint({ url, ...(wsUrl === undefined ? {} : { wsUrl }) });
      return [http.href, ws.href];
    };
    expect(urlsOf('https://a.b')).toEqual(['https://a.b/graphql', 'wss://a.b/graphql']);
    expect(urlsOf('http://a.b/x/')).toEqual(['http://a.b/x/graphql', 'ws://a.b/x/graphql']);
    expect(urlsOf('http://a.b/api/graphql', 'wss://c.d/s')).toEqual(['http://a.b/api/graphql', 'wss://c.d/s']);
  });

  it.each(['', 'a.b', 'ftp://a.b'])('refuses the URL %j', (url) => {
    expect(() => parseEndpoint({ url })).toThrow(/^venue\.url: expected a URL that begins with http/);
  });

  it('is not shown with its password in an error', () => {
    expect(() => parseEndpoint({ url: 'https://me:hush@a.b' })).toThrow(/^(?!.*hush)/);
  });
});

describe("an operator's documents", () => {
  const withFile = (name: string, text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspread-ops-'));
    writeFileSync(join(folder, name), text);
    try {
      return readOperationTexts(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('replace the default documents, and answers have the default names', async () => {
    const fields = 'status: kind mode version ...Rest } } fragment Rest on State { serverTime: now';
    const texts = withFile('Health.graphql', `query Health {\n  health: state { ${fields} }\n`);
    expect(texts.textOf(OPERATIONS.health)).toBe(
      'query Health { health: state { status: kind mode version ...Rest } } fragment Rest on State { serverTime: now }',
    );
    expect(texts.textOf(OPERATIONS.me)).toBe(OPERATIONS.me.text);
  });

  it.each([
    ['Helth.graphql', 'query Helth { health { status } }', 'no operation is called Helth'],
    ['Health.graphql', 'query Health { health', 'Syntax Error'],
    ['Health.graphql', 'mutation Health { health }', 'it is a mutation'],
    ['Health.graphql', 'query Other { health { status } }', 'its operation has another name'],
    ['Health.graphql', 'query Health { state { status } }', 'its answer is under state'],
    [
      'Health.graphql',
      'query Health { health { status mode ...A } } fragment A on Health { ...A version }',
      'it does not select health.serverTime. Request them',
    ],
    ['Health.graphql', 'query Health { health { status } } query B { health { status } }', 'it holds 2 operations'],
  ])('are refused when they cannot replace the default: %s, %s', (name, text, problem) => {
    expect(() => withFile(name, text)).toThrow(problem);
  });

  it('must be in an existing folder', () => {
    expect(() => readOperationTexts('/nowhere')).toThrow(/there is no such file or folder/);
    expect(readOperationTexts(undefined).overridden.size).toBe(0);
  });
});
