/**
 * The process of a demo's venue: started with a channel to the demo, told over it what to play. It ends when it is told to,
 * or when the demo is gone.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pino } from 'pino';
import { venueSchema } from '../../config/venue-schema.ts';
import { thrownText } from '../../domain/index.ts';
import type { VenueServer } from '../../server/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { openServer } from '../serve/open-server.ts';
import { tuneServer } from '../serve/tune-server.ts';
import { type DemoVenueOptions, type FromVenue, toVenueSchema } from './messages.ts';

const DRAIN_MS = 2_000;
/** What the tape says of the match's end stands: nobody is there to dispute it. */
const DISPUTE_MS = 1_000;

// As `halfspread serve` has it.
tuneServer();

let server: VenueServer | undefined;
let wish: DemoVenueOptions | undefined;

process.on('message', (message) => {
  const told = toVenueSchema.parse(message);
  if (told.type === 'start') void begin(told);
  else void end();
});
process.on('disconnect', () => void orphaned());

async function begin(given: DemoVenueOptions): Promise<void> {
  wish = given;
  const { folder, tape, from, speed, creditCents } = given;
  const log = pino(
    { level: 'info', base: null },
    { write: (line) => appendFileSync(join(folder, 'venue.log'), line, { mode: 0o600 }) },
  );
  const replay = {
    tape,
    from,
    fromField: '--from',
    speed,
    category: 'recorded',
    queue: { model: 'risk-averse' },
  } as const;
  try {
    server = await openServer({
      file: parseStrict(venueSchema, { exchange: { dispute_window: DISPUTE_MS } }, ''),
      folder,
      log,
      chaos: undefined,
      onStop: (cause) => say({ type: 'failed', problem: thrownText(cause) }),
      wishes: {
        db: join(folder, 'venue.db'),
        host: '127.0.0.1',
        port: 0,
        seed: false,
        creditCents,
        renewOperatorToken: false,
        replays: [{ ...replay, trades_only: undefined }],
      },
    });
    say({ type: 'listening', url: server.url });
  } catch (error) {
    say({ type: 'failed', problem: thrownText(error) });
    process.disconnect();
  }
}

async function end(): Promise<void> {
  await server?.close(DRAIN_MS);
  const { user, system } = process.cpuUsage();
  say({ type: 'ended', cpuMs: (user + system) / 1_000, peakRss: process.resourceUsage().maxRSS * 1_024 });
  server = undefined;
  wish = undefined;
  process.disconnect();
}

/** Nobody is there any more: what was theirs goes too. */
async function orphaned(): Promise<void> {
  await server?.close(0);
  if (wish?.temporary === true) rmSync(wish.folder, { recursive: true, force: true });
  process.exit(0);
}

function say(message: FromVenue): void {
  process.send?.(message);
}
