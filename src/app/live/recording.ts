/** Records a session for replay: market data in a tape, a log of steps, signals, and raw frames if configured. */
import { appendFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { counted, formatTime } from '../../domain/index.ts';
import { FrameLog, Recording, recordedStore, recordedVenue, StepLog, type TapeHead } from '../../history/index.ts';
import type { Log } from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import { type BotSnapshot, type EventStore, makeFolder, type Step, type Venue } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import { lockFile } from '../../store/index.ts';
import type { LiveCore } from './core.ts';
import type { LiveStart } from './opened-live.ts';
import type { LivePaths } from './paths.ts';

/** The first line of a recorded session's log. */
export interface SessionHead {
  readonly format: 1;
  readonly version: string;
  readonly file: LiveFile;
  readonly baseDir: string;
  readonly snapshot: BotSnapshot;
}

/** `folder` is created if it is missing. */
export interface LiveRecordingOptions extends NonNullable<LivePaths['record']> {
  readonly head: Omit<SessionHead, 'format' | 'version'>;
  readonly markets: () => readonly MarketView[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes a session to disk. A disk failure ends the recording and is logged; the bot continues. */
export class LiveRecording {
  /** Path of the step log. The tape has the same name with `.tape`. */
  readonly path: string;
  readonly #tape: Recording;
  readonly #steps: StepLog;
  readonly #frames: FrameLog | undefined;
  readonly #signalsPath: string;
  readonly #unlock: () => void;
  readonly #options: LiveRecordingOptions;
  #signalLines = '';
  readonly #stopFlushing: () => void;

  /** @throws FileFault when the files cannot be made */
  constructor(options: LiveRecordingOptions) {
    const { folder, head, clock, log, markets, raw, rotation } = options;
    makeFolder(folder, 0o700);
    const name = resolve(folder, formatTime(clock.now()).replaceAll(':', '-'));
    const onFault = (fault: Error): void => log.error({ err: fault }, 'recording has ended');
    this.path = `${name}.steps`;
    this.#signalsPath = `${name}.signals.jsonl`;
    this.#options = options;
    this.#unlock = lockFile(recordingLock(this.path));
    this.#tape = new Recording({ path: `${name}.tape`, head: () => tapeHead(markets()), onFault, rotation });
    this.#steps = new StepLog(this.path, { format: 1, version: version(), ...head } satisfies SessionHead, onFault);
    const session = { format: 1, version: version(), venue: head.file.venue.url };
    this.#frames = raw ? new FrameLog({ path: `${name}.frames`, head: session, onFault }) : undefined;
    this.#stopFlushing = repeatEvery(clock, 1_000, () => this.#flush());
  }

  recordFrame(frame: Buffer, socket: number): void {
    this.#frames?.append(frame, socket, this.#options.clock.now());
  }

  wrapVenue(venue: Venue): Venue {
    return recordedVenue(venue, this.#tape);
  }

  wrapStore(store: EventStore): EventStore {
    return recordedStore(store, this.#steps);
  }

  recordSignals(steps: readonly Step[]): void {
    for (const { event } of steps) {
      if (event?.type !== 'signalReceived') continue;
      const { time, name, value } = event;
      this.#signalLines += `${JSON.stringify({ time: formatTime(time), name, value })}\n`;
    }
  }

  /** @throws FileFault when the files cannot be completed */
  async finish(): Promise<void> {
    const { log } = this.#options;
    this.#stopFlushing();
    await this.#frames?.close();
    const lost = this.#frames?.lost ?? 0;
    if (lost > 0) log.warn({ frames: lost }, 'the recording lacks frames, as the disk was too slow');
    this.#flushSignals();
    try {
      this.#steps.close();
      this.#tape.finish();
    } finally {
      this.#unlock();
      rmSync(recordingLock(this.path), { force: true });
    }
  }

  #flushSignals(): void {
    if (this.#signalLines === '') return;
    try {
      appendFileSync(this.#signalsPath, this.#signalLines, { mode: 0o600 });
    } catch (error) {
      const text = 'recording signals failed: the recording lacks the signals of this second';
      this.#options.log.error({ err: error }, text);
    }
    this.#signalLines = '';
  }

  #flush(): void {
    this.#tape.flush();
    this.#steps.flush();
    this.#frames?.flush();
    this.#flushSignals();
  }
}

/** Returns the path of the lock that is held during a recording. @param path steps file */
export function recordingLock(path: string): string {
  return path.replace(/\.steps$/, '.lock');
}

/** Records a session if configured. */
export class SessionRecorder {
  readonly #config: LivePaths['record'];
  /** Undefined without a recording, and before `begin`. */
  current: LiveRecording | undefined;

  constructor({ record }: Pick<LivePaths, 'record'>) {
    this.#config = record;
  }

  /** Receives the raw frames of a transport; undefined if the configuration keeps no frames. */
  get onFrame(): ((frame: Buffer, socket: number) => void) | undefined {
    return this.#config?.raw === true ? (frame, socket) => this.current?.recordFrame(frame, socket) : undefined;
  }

  /** Starts the recording, before the first input of the bot. @throws FileFault when the files cannot be created */
  begin({ live: { file, configuration }, log, closers }: LiveStart, { state, snapshot }: LiveCore, clock: Clock): void {
    if (this.#config === undefined) return;
    const head = { file, baseDir: dirname(configuration.path), snapshot: snapshot() };
    const recording = new LiveRecording({ ...this.#config, head, markets: () => state.markets, clock, log });
    log.info({ file: recording.path }, 'recording');
    this.current = recording;
    closers.add(() => recording.finish());
  }
}

export function tapeHead(markets: readonly MarketView[]): TapeHead {
  return {
    name: `input of a bot on ${counted(markets.length, 'market')}`,
    source: { description: 'recorded by halfspread during trading', licence: "the venue's terms", files: [] },
    units: ['own orders are not in the books', 'tx is the time of the venue, never falling; rx is the receive time'],
    receiveTime: 'recorded',
    markets: markets.map(({ info: { market, venue, ...info } }) => {
      return { ...info, outcomes: ['YES', 'NO'], commissionBps: 0 };
    }),
  };
}
