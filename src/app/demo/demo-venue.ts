import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { entryUrl } from '../../package-files.ts';

export type DemoVenue = Readonly<Awaited<ReturnType<typeof startDemoVenue>>>;

const CLOSE_TIMEOUT_MS = 10_000;

/** Starts the venue process in its own session, which Ctrl+C does not reach. @throws Fault VENUE if it cannot start */
export async function startDemoVenue(options: DemoVenueOptions, clock: Clock) {
  const child = fork(entryUrl('venue-process', import.meta.url), [], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const listening = Promise.withResolvers<string>();
  const failed = Promise.withResolvers<Error>();
  const exited = Promise.withResolvers<void>();
  let usage: Usage | undefined;
  const fail = (problem: string): void => {
    const fault = new Fault('VENUE', `the demo's venue ${problem}`);
    listening.reject(fault);
    failed.resolve(fault);
  };
  child.on('message', (message) => {
    const event = fromVenueSchema.parse(message);
    if (event.type === 'listening') listening.resolve(event.url);
    else if (event.type === 'ended') usage = { cpuMs: event.cpuMs, peakRss: event.peakRss };
    else fail(`failed: ${event.problem}`);
  });
  child.on('error', (error) => {
    fail(`cannot run (${error.message})`);
    exited.resolve();
  });
  child.on('exit', (code, signal) => {
    fail(`ended (${signal ?? `code ${code}`})`);
    exited.resolve();
  });
  send(child, { type: 'start', ...options });
  const url = await listening.promise;
  return {
    url,
    failed: failed.promise,
    /** Stops the venue, and kills it after 10 s. You can call this again. @returns undefined for a killed venue */
    async close(): Promise<Usage | undefined> {
      send(child, { type: 'close' });
      const cancel = clock.schedule(timeAfter(clock.now(), CLOSE_TIMEOUT_MS), () => child.kill('SIGKILL'));
      await exited.promise;
      cancel();
      return usage;
    },
  };
}

function send(child: ChildProcess, message: z.output<typeof toVenueSchema>): void {
  if (child.connected) child.send(message);
}

const startSchema = z.object({
  type: z.literal('start'),
  folder: z.string(),
  /** Whether the venue removes the folder when the demo dies. */
  isTemporary: z.boolean(),
  tape: z.string(),
  from: z.string(),
  /** Seconds of the tape per second. */
  speed: z.number(),
  creditCents: z.int(),
});
export type DemoVenueOptions = Readonly<Omit<z.output<typeof startSchema>, 'type'>>;

export const toVenueSchema = z.discriminatedUnion('type', [startSchema, z.object({ type: z.literal('close') })]);

const fromVenueSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({ type: z.literal('failed'), problem: z.string() }),
  /** The venue has closed. Processor time in ms, peak memory in bytes. */
  z.object({ type: z.literal('ended'), cpuMs: z.number(), peakRss: z.number() }),
]);
export type FromVenue = z.output<typeof fromVenueSchema>;
type Usage = Omit<Extract<FromVenue, { type: 'ended' }>, 'type'>;
