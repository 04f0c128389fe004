/** Starts the venue of a demo in a process of its own, and ends it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { type DemoVenueOptions, type FromVenue, fromVenueSchema, type ToVenue } from './messages.ts';

export interface Usage {
  /** Processor time, ms. */
  readonly cpuMs: number;
  /** Most memory, bytes. */
  readonly peakRss: number;
}

export interface DemoVenue {
  readonly url: string;
  /** Resolves when it ends though nobody asked it to. */
  readonly failed: Promise<Error>;
  /** Ends it, at the latest after some seconds; a second time does nothing. @returns undefined when it had to be killed */
  close(): Promise<Usage | undefined>;
}

const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './venue-process.ts' : './venue-process.js', import.meta.url),
);
const PATIENCE_MS = 10_000;

/** In a session of its own, out of reach of Ctrl+C. @throws Fault VENUE when it cannot begin */
export async function startDemoVenue(wish: DemoVenueOptions, clock: Clock): Promise<DemoVenue> {
  const child = fork(ENTRY, [], { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const listening = Promise.withResolvers<string>();
  const failed = Promise.withResolvers<Error>();
  const gone = Promise.withResolvers<void>();
  let usage: Usage | undefined;
  const fail = (problem: string): void => {
    const fault = new Fault('VENUE', `the demo's venue ${problem}`);
    listening.reject(fault);
    failed.resolve(fault);
  };
  child.on('message', (message) => {
    const told: FromVenue = fromVenueSchema.parse(message);
    if (told.type === 'listening') listening.resolve(told.url);
    else if (told.type === 'ended') usage = { cpuMs: told.cpuMs, peakRss: told.peakRss };
    else fail(`cannot go on: ${told.problem}`);
  });
  child.on('error', (error) => {
    fail(`cannot run (${error.message})`);
    gone.resolve();
  });
  child.on('exit', (code, signal) => {
    fail(`ended (${signal ?? `code ${code}`})`);
    gone.resolve();
  });
  tell(child, { type: 'start', ...wish });
  const url = await listening.promise;
  return {
    url,
    failed: failed.promise,
    async close() {
      tell(child, { type: 'close' });
      const cancel = clock.schedule(timeAfter(clock.now(), PATIENCE_MS), () => child.kill('SIGKILL'));
      await gone.promise;
      cancel();
      return usage;
    },
  };
}

function tell(child: ChildProcess, message: ToVenue): void {
  if (child.connected) child.send(message);
}
