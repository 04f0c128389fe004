/**
 * Plays one tape: each message becomes a command when its time has come.
 *
 * Invariants: messages go to the exchange in their order, one turn's together, and the next ones only when those are
 * durable; messages that a halted venue refused are sent again, in the same order. After a delay of the machine, the
 * tape continues from its position instead of catching up with the clock.
 */
import type { Clock } from '../../clock/index.ts';
import { column, type EpochMs, formatTime, isFinal } from '../../domain/index.ts';
import type { MarketRecord, PlayTape, Refusal } from '../../exchange/index.ts';
import type { TapeMessage, TapeWalk } from '../../replay/index.ts';
import { KIND, STATUS_CODES } from '../../tape/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { ReplaySettings } from './settings.ts';

export interface TapePlayerOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly log: Log;
  readonly settings: ReplaySettings;
  /** By their number on the tape. */
  readonly markets: readonly Readonly<MarketRecord>[];
  /** Behind the first message that is to be played. */
  readonly walk: TapeWalk;
  /** Moment of the tape at which it stands. */
  readonly standsAt: EpochMs;
}

/** Commands of one turn, at most. */
const MAX_AT_ONCE = 512;
/** Longest delay that the tape catches up; after a longer one it continues from its position. */
const MAX_LATE_MS = 1_000;
/** Delay before the next try while the venue is halted. */
const REST_MS = 200;
const HALTED = STATUS_CODES.indexOf('HALTED');

/** A message's part in one market. */
interface Part extends Pick<PlayTape, 'market' | 'recordedAt' | 'row' | 'rows'> {
  readonly id: string;
}

export class TapePlayer {
  readonly #deps: TapePlayerOptions;
  readonly #clock: TapeClock;
  /** Markets that no longer follow the tape. */
  readonly #left = new Set<number>();
  /** Sent, and not taken yet. */
  #waiting: Part[] = [];
  #cancel: (() => void) | undefined;
  #isOver = false;
  #isClosed = false;

  constructor(deps: TapePlayerOptions) {
    this.#deps = deps;
    this.#clock = new TapeClock(deps.settings.speed, deps.clock.now(), deps.standsAt);
  }

  start(): void {
    const { clock, standsAt, settings, log, walk } = this.#deps;
    this.#clock.set(clock.now(), standsAt);
    const { tape, speed } = settings;
    log.info({ tape: tape.path, at: formatTime(standsAt), row: walk.row, speed }, 'replay: plays');
    this.#arm();
  }

  /** Cancels all timers; commands on their way to the exchange finish. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#deps.walk.close();
  }

  #arm(): void {
    if (this.#isClosed) return;
    const { clock, walk } = this.#deps;
    const next = this.#waiting.length > 0 ? undefined : walk.peek();
    const now = clock.now();
    const pause = this.#waiting.length > 0 ? REST_MS : 0;
    const when = next === undefined ? column.time(now + pause) : this.#clock.dueAt(next.time);
    this.#cancel = clock.schedule(when, () => void this.#play());
  }

  async #play(): Promise<void> {
    const { log, settings, walk } = this.#deps;
    try {
      this.#collect();
      if (this.#waiting.length === 0 && walk.peek() === undefined) this.#end();
      await this.#send();
      if (this.#isOver && this.#waiting.length === 0) this.#tellEnd();
      else this.#arm();
    } catch (error) {
      if (!this.#isClosed) log.error({ err: error, tape: settings.tape.path }, 'replay: it has stopped');
    }
  }

  /** Due messages join the waiting ones. */
  #collect(): void {
    const { clock, walk, log, settings } = this.#deps;
    const now = clock.now();
    const rested = this.#waiting[0];
    if (rested !== undefined) {
      this.#clock.set(now, rested.recordedAt);
      return;
    }
    const first = walk.peek();
    const late = first === undefined ? 0 : now - this.#clock.dueAt(first.time);
    if (first !== undefined && late > MAX_LATE_MS) {
      log.warn({ tape: settings.tape.path, late }, 'replay: it stood still while the machine was held up');
      this.#clock.set(now, first.time);
    }
    while (this.#waiting.length < MAX_AT_ONCE) {
      const message = walk.peek();
      if (message === undefined || this.#clock.dueAt(message.time) > now) return;
      walk.next();
      this.#waiting.push(...this.#partsOf(message));
    }
  }

  #partsOf({ time, row, parts }: TapeMessage): readonly Part[] {
    const { markets } = this.#deps;
    return parts.flatMap(({ market: at, rows }) => {
      const market = markets[at];
      // A market that began later on the tape than others has passed this already.
      if (market === undefined || this.#left.has(market.no) || row <= (market.following?.row ?? 0)) return [];
      return [{ id: market.id, market: market.no, recordedAt: column.time(time), row, rows }];
    });
  }

  /** Sends all waiting messages in order; those that a halted venue refused stay. */
  async #send(): Promise<void> {
    const { queue } = this.#deps;
    const sent = this.#waiting;
    this.#waiting = [];
    const answers = await Promise.all(sent.map(async (part) => queue.run<Refusal | undefined>(this.#task(part))));
    for (const [at, refusal] of answers.entries()) {
      const part = sent[at];
      if (part === undefined || refusal === undefined) continue;
      if (refusal.reason === 'VENUE_MODE') this.#waiting.push(part);
      else this.#leave(part, refusal);
    }
  }

  #task({ id: _id, ...part }: Part) {
    const { queue } = this.#deps;
    return {
      command: (): PlayTape => ({ type: 'playTape', time: queue.now, ...part }),
      answer: (events: Parameters<Parameters<CommandQueue['run']>[0]['answer']>[0]): Refusal | undefined =>
        events.find((event) => event.type === 'refused')?.refusal,
    };
  }

  /** An operator decided the market: the tape has no effect on it any more. */
  #leave({ market, id }: Part, refusal: Refusal): void {
    if (this.#left.has(market)) return;
    this.#left.add(market);
    this.#deps.log.warn({ market: id, refusal }, 'replay: the market follows its tape no more');
  }

  /** A market that is still open has no more quotes from the tape: it is halted once and left to operators. */
  #end(): void {
    const { queue, markets, settings, walk } = this.#deps;
    this.#isOver = true;
    const row = walk.row + 1;
    for (const { no: market, id, following } of markets) {
      const recordedAt = following?.recordedAt ?? settings.tape.manifest.to;
      const isOpen = queue.view.market(market)?.status === 'OPEN';
      if (
        (following?.row ?? row) < row &&
        !this.#left.has(market) &&
        !isFinal(queue.view.market(market)?.status ?? 'OPEN')
      ) {
        this.#waiting.push({ id, market, recordedAt, row, rows: isOpen ? [KIND.status, 0, HALTED, 0] : [] });
      }
    }
  }

  #tellEnd(): void {
    const { queue, log, markets, settings } = this.#deps;
    for (const { id, no } of markets) {
      const { status, halted } = queue.view.market(no) ?? {};
      const left = status === 'OPEN' ? 'the tape has no outcome: close, void or resume the market by hand' : undefined;
      log.info({ tape: settings.tape.path, market: id, status, halted, left }, 'replay: the tape is over');
    }
  }
}

/** The time of a playing tape: it follows the clock at a given speed, and stands while the tape is not played. */
export class TapeClock {
  readonly #speed: number;
  /** At this moment of the clock the tape stood at that one of its own. */
  #now: EpochMs;
  #tape: number;

  /** @param speed milliseconds of the tape in one of the clock, above 0 */
  constructor(speed: number, now: EpochMs, tape: number) {
    this.#speed = speed;
    this.#now = now;
    this.#tape = tape;
  }

  /** Due time of an entry of the tape, rounded **up** to milliseconds; it may be in the past. */
  dueAt(tape: number): EpochMs {
    return column.time(this.#now + Math.ceil((tape - this.#tape) / this.#speed));
  }

  /** The tape has stood still: it reaches that time only now. */
  set(now: EpochMs, tape: number): void {
    this.#now = now;
    this.#tape = tape;
  }
}
