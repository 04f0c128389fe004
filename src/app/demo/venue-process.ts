/** Entry of a demo's venue process. The demo's messages start and close the venue, which also ends with the demo. */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pino } from 'pino';
import { venueSchema } from '../../config/venue-schema.ts';
import { thrownText } from '../../domain/index.ts';
import type { VenueServer } from '../../server/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { openServer } from '../serve/open-server.ts';
import { tuneServer } from '../v8-flags.ts';
import { type DemoVenueOptions, type FromVenue, toVenueSchema } from './demo-venue.ts';

const DRAIN_MS = 2_000;
/** Short, because no user disputes the outcome on the tape. */
const DISPUTE_MS = 1_000;

tuneServer();

let server: VenueServer | undefined;
let options: DemoVenueOptions | undefined;

process.on('message', (message) => {
  const command = toVenueSchema.parse(message);
  if (command.type === 'start') void start(command);
  else void close();
});
process.on('disconnect', () => void onDisconnect());

async function start(given: DemoVenueOptions): Promise<void> {
  options = given;
  const { folder, tape, from, speed, creditCents } = given;
  const log = pino(
    { level: 'info', base: null },
    { write: (line) => appendFileSync(join(folder, 'venue.log'), line, { mode: 0o600 }) },
  );
  const replay = { tape, from, speed, category: 'recorded', queue: { model: 'risk-averse' } } as const;
  try {
    server = await openServer({
      file: parseStrict(venueSchema, { exchange: { dispute_window: DISPUTE_MS } }, ''),
      folder,
      log,
      chaos: undefined,
      onStop: (cause) => send({ type: 'failed', problem: thrownText(cause) }),
      overrides: {
        db: join(folder, 'venue.db'),
        host: '127.0.0.1',
        port: 0,
        seed: false,
        creditCents,
        acceptLoss: false,
        dialects: undefined,
        renewOperatorToken: false,
        replays: [{ ...replay, fromField: '--from', trades_only: undefined }],
      },
    });
    send({ type: 'listening', url: server.url });
  } catch (error) {
    send({ type: 'failed', problem: thrownText(error) });
    process.disconnect();
  }
}

async function close(): Promise<void> {
  await server?.close(DRAIN_MS);
  const { user, system } = process.cpuUsage();
  send({ type: 'ended', cpuMs: (user + system) / 1_000, peakRss: process.resourceUsage().maxRSS * 1_024 });
  server = undefined;
  options = undefined;
  process.disconnect();
}

/** Closes the venue and removes a temporary folder after the demo has died. */
async function onDisconnect(): Promise<void> {
  await server?.close(0);
  if (options?.isTemporary === true) rmSync(options.folder, { recursive: true, force: true });
  process.exit(0);
}

function send(message: FromVenue): void {
  process.send?.(message);
}
