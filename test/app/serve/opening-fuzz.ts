/**
 * Venues that are opened and closed in one process, with random settings and clients that hang. Opening ends with a
 * server or a fault, closing ends, and nothing that keeps the process alive stays open.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { openServer } from '../../../src/app/serve/open-server.ts';
import { nextEventLoopTurn, wallClock } from '../../../src/clock/index.ts';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { replaySchema, type VenueFile, venueSchema } from '../../../src/config/venue-schema.ts';
import { Fault, timeAfter } from '../../../src/domain/index.ts';
import { DEFAULT_RECIPE, generateTape } from '../../../src/history/index.ts';
import type { VenueServer } from '../../../src/server/index.ts';
import { parseStrict } from '../../../src/strategy/index.ts';

/** Behaviours of clients that are connected when the venue closes. */
const CLIENTS = ['silent', 'half a head', 'half a body', 'a request', 'a subscriber', 'a subscriber that never reads'];

const LIMIT_MS = 20_000;
/** Nearly all values are valid alone; some contradict each other. */
const number = fc.constantFrom(1, 1, 2, 3, 10, 100, 1_000, 1_000_000);
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const EXCHANGE = [
  'min_bet',
  'max_initial_bet',
  'max_bet_per_market',
  'max_exposure_per_market',
  'min_order_shares',
  'max_question_length',
  'spread_bps',
  'tick_bps',
  'fee_rate_bps',
  'max_batch_orders',
  'max_batch_cancels',
  'min_heartbeat',
  'max_heartbeat',
  'max_group_window',
  'max_clock_skew',
  'dispute_window',
  'quorum',
  'panel_size',
  'quorum_timeout',
  'safety_period',
  'chain_timeout',
];
const chance = fc.constantFrom(0, 0.05, 0.5, 1);
const delay = fc.constantFrom(0, 1, 5, 1_000, 3_600_000);

const anyFile = fc.record(
  {
    exchange: fc.dictionary(fc.constantFrom(...EXCHANGE), number, { maxKeys: 3 }),
    chain: fc.oneof(
      fc.constant({ model: 'manual' }),
      fc.record({
        model: fc.constant('simulated'),
        min_delay_ms: fc.constantFrom(0, 1),
        max_delay_ms: fc.constantFrom(1, 1_000, 3_600_000),
        failure: chance,
      }),
    ),
    resolver: fc.constantFrom(
      { model: 'manual' },
      { model: 'panel' },
      { model: 'scripted', outcomes: { 'a-market': { decision: 'YES', at: '2026-03-01T12:00:00Z' } } },
    ),
    house: fc.record({
      enabled: fc.boolean(),
      shares: fc.constantFrom(1, 500, 1_000_000),
      interval_ms: fc.constantFrom(10, 1_000),
    }),
    geo: some(fc.constant({ country_header: 'cf-ipcountry', rules: { US: 'BLOCKED' } })),
    base_path: some(fc.constant('/venue')),
    audience: some(fc.constantFrom('https://venue.example', 'http://[::1]:1', 'no URL')),
    trusted_proxies: some(fc.constantFrom(['10.0.0.0/8'], ['127.0.0.1'], ['::1'], ['no address'])),
    outbox: some(fc.constantFrom('outbox', 'no/such/folder/outbox')),
  },
  { requiredKeys: [] },
);

const anyChaos = fc.record({
  http: fc.record({ latency_ms: delay, lost_request: chance, lost_answer: chance, duplicated_request: chance }),
  socket: fc.record({ latency_ms: delay, frozen: chance, dropped: chance, reordered: chance }),
  clock: fc.record({ skew_ms: fc.constantFrom(0, -86_400_000, 86_400_000) }),
  modes: fc.record({ every_ms: fc.constantFrom(0, 1, 5), for_ms: fc.constantFrom(0, 1, 5_000) }),
});

/** Settings of a venue that is opened, used and closed. */
export const anyOpening = fc.record({
  file: anyFile,
  chaos: some(anyChaos),
  isInFile: fc.boolean(),
  isPortTaken: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  hasTape: fc.boolean(),
  seed: fc.boolean(),
  clients: fc.array(fc.constantFrom(...CLIENTS), { maxLength: 4 }),
  openMs: fc.constantFrom(0, 1, 20, 100),
  graceMs: fc.constantFrom(0, 1, 50, 300),
  closings: fc.integer({ min: 1, max: 3 }),
});
export type Opening = typeof anyOpening extends fc.Arbitrary<infer Case> ? Case : never;

/** Writes the tape that venues of this folder play. */
export function prepareFolder(folder: string): void {
  generateTape({ ...DEFAULT_RECIPE, seed: 2, markets: 2, haltEvery: 6, events: 60 }, join(folder, 'a.tape'));
}

/** Opens, uses and closes a venue, in a process without timers. @throws Error unless it ends or throws a fault */
export async function openAndClose(folder: string, opening: Opening): Promise<'opened' | 'refused'> {
  const taken = opening.isPortTaken ? await occupyPort() : undefined;
  let outcome: 'opened' | 'refused' = 'opened';
  try {
    const server = await withinLimit('opening', openVenue(folder, opening, taken?.port ?? 0));
    await exerciseVenue(server, opening);
  } catch (error) {
    if (!(error instanceof Fault) && !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) {
      throw error;
    }
    outcome = 'refused';
  } finally {
    await taken?.close();
  }
  await withinLimit('the end of timers and sockets', waitForResources());
  return outcome;
}

async function openVenue(folder: string, opening: Opening, port: number): Promise<VenueServer> {
  const { chaos, isInFile, hasTape, seed } = opening;
  const file: VenueFile = parseStrict(venueSchema, JSON.parse(JSON.stringify(opening.file)), '');
  const replays = parseStrict(replaySchema, hasTape ? [{ tape: join(folder, 'a.tape'), speed: 1_000 }] : [], '');
  return openServer({
    file,
    folder,
    chaos: chaos === undefined ? undefined : parseStrict(chaosSchema, chaos, ''),
    log: pino({ level: 'silent' }),
    onStop: () => {},
    overrides: {
      db: isInFile ? join(folder, `${randomUUID()}.db`) : ':memory:',
      host: '127.0.0.1',
      port,
      seed,
      creditCents: undefined,
      acceptLoss: false,
      dialects: undefined,
      renewOperatorToken: false,
      replays: replays.map((replay) => ({ ...replay, fromField: 'from' })),
    },
  });
}

async function exerciseVenue(server: VenueServer, { clients, openMs, graceMs, closings }: Opening): Promise<void> {
  const ends = clients.map((client) => connectClient(server.url, client));
  try {
    await wait(openMs);
    const closed = Array.from({ length: closings }, () => server.close(graceMs));
    await withinLimit('closing', Promise.all(closed));
  } finally {
    for (const end of ends) end();
  }
}

/** Connects a client. Returns a function that disconnects it. */
function connectClient(url: string, client: string): () => void {
  const { hostname, port, host, pathname } = new URL(url);
  const path = `${pathname === '/' ? '' : pathname}/graphql`;
  if (client.startsWith('a subscriber')) {
    const web = new WebSocket(`ws://${host}${path}`, 'graphql-transport-ws');
    web.on('error', () => undefined);
    web.on('open', () => {
      web.send('{"type":"connection_init"}');
      web.send('{"id":"1","type":"subscribe","payload":{"query":"subscription { venueStatusChanged { mode } }"}}');
      if (client.endsWith('never reads')) web.pause();
    });
    return () => web.terminate();
  }
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const body = '{"query":"{ __typename }"}';
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  if (client === 'half a head') socket.write(head.slice(0, 20));
  if (client === 'half a body') socket.write(head + body.slice(0, 5));
  if (client === 'a request') socket.write(head + body);
  return () => socket.destroy();
}

async function occupyPort(): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => once(server.close(), 'close'),
  };
}

/** Timers and servers that keep the process alive; one timer belongs to `withinLimit`. */
function resources(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'TCPServerWrap').length;
}

async function waitForResources(): Promise<void> {
  while (resources() > 1) await nextEventLoopTurn();
}

function wait(ms: number): Promise<void> {
  const clock = wallClock();
  return new Promise((resolve) => clock.schedule(timeAfter(clock.now(), ms), resolve));
}

async function withinLimit<Result>(description: string, work: Promise<Result>): Promise<Result> {
  const clock = wallClock();
  const late = Promise.withResolvers<never>();
  const cancel = clock.schedule(timeAfter(clock.now(), LIMIT_MS), () => {
    late.reject(
      new Error(`${description} takes longer than ${LIMIT_MS} ms: ${process.getActiveResourcesInfo().join(', ')}`),
    );
  });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
