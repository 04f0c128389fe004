/** The venue's /health and /metrics endpoints. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { SimClock } from '../../src/clock/index.ts';
import { chaosSchema } from '../../src/config/chaos-schema.ts';
import { epochMs } from '../../src/domain/index.ts';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { Health, type HealthInputs } from '../../src/server/health.ts';
import { startLocalVenue } from '../../src/server/index.ts';
import { SqliteStore } from '../../src/store/index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(): Promise<VenueServer> {
  const venue = await startVenue();
  cleanups.push(() => venue.close(0));
  return venue;
}

type LocalVenue = Parameters<typeof startLocalVenue>[0];

/** Starts a local venue on a store, with defaults for everything that these tests do not use. */
function startLocal({
  store,
  log,
  chaos,
  onStop = () => undefined,
}: Pick<LocalVenue, 'store' | 'log'> & Partial<Pick<LocalVenue, 'chaos' | 'onStop'>>): Promise<VenueServer> {
  return startLocalVenue({
    store,
    log,
    version: '1',
    chainId: 31_337,
    contract: undefined,
    access: {},
    mailSender: { send: async () => undefined },
    listen: { host: '127.0.0.1', port: 0, base: '', trustedProxies: [], origins: undefined },
    quotePolicy: undefined,
    config: {},
    betPresetsCents: [],
    chain: undefined,
    payouts: undefined,
    replays: [],
    polymarket: undefined,
    resolver: { type: 'manual' },
    house: undefined,
    seed: false,
    randomSeed: 1,
    chaos,
    renewOperatorToken: false,
    acceptPause: false,
    onStop,
  });
}

async function healthOf({ url }: VenueServer): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${url}/health`);
  return [answer.status, await answer.json()];
}

async function metricsOf({ url }: VenueServer): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

async function query({ url }: VenueServer, text: string): Promise<unknown> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  };
  return (await fetch(`${url}/graphql`, sent)).json();
}

describe('health', () => {
  it('is OK, DEGRADED while a commit hangs or the mode is not NORMAL, and DOWN after the shutdown', () => {
    const clock = new SimClock(epochMs(1_800_000_000_000));
    let inputs: HealthInputs = { mode: 'NORMAL', seq: 7, commitMs: 0, isStoreBroken: false, exchangeTime: 0 };
    const health = new Health({ clock, version: '1.2.3', inputs: () => inputs });
    clock.advanceTo(1_800_000_061_500);
    expect(health.report()).toEqual({
      status: 'OK',
      mode: 'NORMAL',
      version: '1.2.3',
      engineSeq: '7',
      uptimeSeconds: 61,
      serverTime: '2027-01-15T08:01:01.500Z',
    });
    inputs = { ...inputs, commitMs: 3_000 };
    expect(health.status).toBe('OK');
    inputs = { ...inputs, commitMs: 3_001 };
    expect(health.status).toBe('DEGRADED');
    for (const mode of ['POST_ONLY', 'CANCEL_ONLY', 'HALTED'] as const) {
      inputs = { ...inputs, mode, seq: 8, commitMs: 0 };
      expect(health.report()).toMatchObject({ status: 'DEGRADED', mode, engineSeq: '8' });
    }
    inputs = { ...inputs, mode: 'NORMAL', exchangeTime: clock.now() + 1_000 };
    expect([health.status, health.clockLagMs]).toEqual(['OK', 1_000]);
    inputs = { ...inputs, exchangeTime: clock.now() + 3_600_000 };
    expect([health.status, health.clockLagMs]).toEqual(['DEGRADED', 3_600_000]);
    clock.advanceTo(clock.now() + 3_600_000);
    expect([health.status, health.clockLagMs]).toEqual(['OK', 0]);
    inputs = { ...inputs, isStoreBroken: true };
    expect(health.status).toBe('DOWN');
    inputs = { ...inputs, isStoreBroken: false };
    expect(health.status).toBe('OK');
    health.setDown();
    expect(health.status).toBe('DOWN');
  });

  it('is DEGRADED with HTTP status 200 in another mode, because cancels still work', async () => {
    const venue = await start();
    expect(await healthOf(venue)).toEqual([200, expect.objectContaining({ status: 'OK', engineSeq: '0' })]);
    await venue.operate('mode', { mode: 'CANCEL_ONLY' });
    expect(await healthOf(venue)).toEqual([
      200,
      expect.objectContaining({ status: 'DEGRADED', mode: 'CANCEL_ONLY', engineSeq: '1' }),
    ]);
    expect(await query(venue, '{ health { status mode } }')).toEqual({
      data: { health: { status: 'DEGRADED', mode: 'CANCEL_ONLY' } },
    });
    await venue.operate('mode', { mode: 'NORMAL' });
    expect(venue.health()).toMatchObject({ status: 'OK', mode: 'NORMAL', engineSeq: '2' });
  });

  it('is DOWN with HTTP status 503 from a failed commit until the server closes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspread-health-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const stopped = Promise.withResolvers<unknown>();
    const silent = () => undefined;
    const logged: object[] = [];
    const error = (fields: object, message: string) => void logged.push({ ...fields, message });
    const venue = await startLocal({
      store: SqliteStore.open({ file: join(folder, 'venue.db'), maxPages: 100 }),
      log: { info: silent, warn: silent, error },
      onStop: stopped.resolve,
    });
    cleanups.push(() => venue.close(0).catch(() => undefined));
    const message = 'x'.repeat(900);
    const fill = async (): Promise<unknown> => {
      for (let count = 0; ; count += 1) {
        await venue.operate('notice', { message });
        await venue.operate('mode', { mode: count % 2 === 0 ? 'POST_ONLY' : 'NORMAL' });
      }
    };
    await expect(fill()).rejects.toThrow();
    expect(venue.health().status).toBe('DOWN');
    // A failed write of the registry stops the exchange at the next command.
    await venue.operate('mode', { mode: 'HALTED' }).catch(() => undefined);
    expect(String(await stopped.promise)).toMatch(/venue\.db.*(full|FULL)/);
    expect(await healthOf(venue)).toEqual([503, expect.objectContaining({ status: 'DOWN' })]);
    expect(await query(venue, '{ health { status } }')).toEqual({ data: { health: { status: 'DOWN' } } });
    expect(await metricsOf(venue)).toMatch(/^halfspread_health\{is="DOWN"\} 1$/m);
    // The log has the full fault once and one line for each failed request.
    for (let count = 0; count < 3; count += 1) {
      expect(await query(venue, '{ markets { totalCount } }')).toEqual({
        data: { markets: null },
        errors: [{ message: expect.stringMatching(/^internal error/), path: ['markets'] }],
      });
    }
    const stops = logged.filter((entry) => 'message' in entry && entry.message === 'exchange: stopped permanently');
    expect(stops).toEqual([expect.objectContaining({ err: expect.any(Error) })]);
    expect(logged.slice(-3)).toEqual(
      Array.from({ length: 3 }, () => ({
        code: 'EXCHANGE_STOPPED',
        problem: 'the exchange has stopped: restart the server; acknowledged commands are kept',
        requestId: expect.any(String),
        path: ['markets'],
        message: 'internal error while answering a request',
      })),
    );
  });

  it('is DEGRADED and logs the reason after a start with a clock behind the last event', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspread-health-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const warned: object[] = [];
    const warn = (fields: object, message: string): void => {
      if (message.startsWith('exchange: the last event is ahead of the clock.')) warned.push(fields);
    };
    const startWithSkew = (skew: number): Promise<VenueServer> =>
      startLocal({
        store: SqliteStore.open({ file: join(folder, 'venue.db') }),
        log: { info: () => undefined, warn, error: () => undefined },
        chaos: chaosSchema.parse({ clock: { skew_ms: skew } }),
      });
    const ahead = await startWithSkew(7_200_000);
    await ahead.operate('mode', { mode: 'POST_ONLY' });
    await ahead.operate('mode', { mode: 'NORMAL' });
    expect(ahead.health().status).toBe('OK');
    await ahead.close(0);
    expect(warned).toEqual([]);
    const correct = await startWithSkew(0);
    cleanups.push(() => correct.close(0));
    expect(correct.health()).toMatchObject({ status: 'DEGRADED', mode: 'NORMAL' });
    expect(warned).toEqual([{ exchangeTime: expect.any(String), behindMs: expect.any(Number) }]);
    const [, behind = ''] = /^halfspread_clock_behind_seconds ([\d.]+)$/m.exec(await metricsOf(correct)) ?? [];
    expect(Number(behind)).toBeGreaterThan(7_100);
    expect(Number(behind)).toBeLessThanOrEqual(7_200);
  });

  it('is DOWN from the moment the venue closes', async () => {
    const venue = await start();
    const closed = venue.close(1_000);
    expect(venue.health().status).toBe('DOWN');
    await closed;
  });
});

describe('metrics', () => {
  const value = (text: string, name: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    if (line === undefined) throw new Error(`no ${name} in ${text}`);
    return Number(line.slice(name.length + 1));
  };

  it('count requested, refused and failed operations', async () => {
    const venue = await start();
    await query(venue, '{ health { status } me { id } }');
    await query(venue, '{ a: health { status } b: health { status } }');
    await query(venue, '{ market(id: "x") { id } nonsense }');
    await query(venue, '{ market(id: "x") { id } }');
    const text = await metricsOf(venue);
    expect(value(text, 'halfspread_operations_total{operation="health"}')).toBe(3);
    expect(value(text, 'halfspread_operations_refused_total{operation="health"}')).toBe(1);
    expect(value(text, 'halfspread_operations_refused_total{operation="me"}')).toBe(1);
    expect(value(text, 'halfspread_operations_total{operation="market"}')).toBe(1);
    expect(value(text, 'halfspread_operations_failed_total{operation="market"}')).toBe(1);
    expect(value(text, 'halfspread_operations_failed_total{operation="health"}')).toBe(0);
    expect(value(text, 'halfspread_http_requests_total')).toBe(5);
  });

  it('include commands, commits, the mode and the health of the exchange', async () => {
    const venue = await start();
    await venue.operate('put-category', { slug: 'tests', name: 'Tests' });
    await venue.operate('mode', { mode: 'POST_ONLY' });
    await venue.operate('mode', { mode: 'NORMAL' });
    await venue.operate('mode', { mode: 'HALTED' });
    const text = await metricsOf(venue);
    expect(value(text, 'halfspread_engine_seq')).toBe(3);
    expect(value(text, 'halfspread_commands_total')).toBe(3);
    expect(value(text, 'halfspread_commit_seconds_count')).toBe(3);
    expect(value(text, 'halfspread_commit_seconds_bucket{le="+Inf"}')).toBe(3);
    expect(value(text, 'halfspread_queue_waiting')).toBe(0);
    expect(value(text, 'halfspread_mode{is="HALTED"}')).toBe(1);
    expect(value(text, 'halfspread_mode{is="NORMAL"}')).toBe(0);
    expect(value(text, 'halfspread_health{is="DEGRADED"}')).toBe(1);
    expect(value(text, 'halfspread_open_orders')).toBe(0);
    expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  it('include connections, subscriptions, frames, bytes and refusals of streams', async () => {
    const venue = await start();
    const url = `${venue.url.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(url, 'graphql-transport-ws');
    const received: { readonly type: string }[] = [];
    socket.on('message', (data) => void received.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    const query = 'subscription { venueStatusChanged { mode } }';
    socket.send(JSON.stringify({ id: 's', type: 'subscribe', payload: { query } }));
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2);
    await venue.operate('mode', { mode: 'POST_ONLY' });
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(3);
    const lost = new WebSocket(`${venue.url.replace('http', 'ws')}/nowhere`, 'graphql-transport-ws');
    await new Promise((resolve) => lost.once('error', resolve));
    const text = await metricsOf(venue);
    expect(received.map(({ type }) => type)).toEqual(['connection_ack', 'next', 'next']);
    expect(value(text, 'halfspread_stream_connections')).toBe(1);
    expect(value(text, 'halfspread_stream_subscriptions')).toBe(1);
    expect(value(text, 'halfspread_stream_frames_total')).toBe(3);
    expect(value(text, 'halfspread_stream_bytes_total')).toBeGreaterThan(100);
    expect(value(text, 'halfspread_stream_refused_total')).toBe(1);
    expect(value(text, 'halfspread_stream_left_out_total')).toBe(0);
    expect(value(text, 'halfspread_stream_slow_closed_total')).toBe(0);
    expect(value(text, 'halfspread_operations_total{operation="venueStatusChanged"}')).toBe(1);
    socket.terminate();
  });
});
