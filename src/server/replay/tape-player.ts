/**
 * Plays one tape by sending each message as a command at the message's scaled time.
 *
 * Invariants: messages are sent in order. The player sends due messages in batches; each batch waits until the previous
 * batch is durable. Messages that a halted venue refuses are sent again in the same order.
 */
import { type EpochMs, formatTime, isFinal, unchecked } from '../../domain/index.ts';
import type { MarketRecord, PlayTape, Refusal } from '../../exchange/index.ts';
import type { TapeMessage, TapeMessageReader } from '../../replay/index.ts';
import { KIND, STATUS_CODES } from '../../tape/index.ts';
import type { ReplayDeps, ReplaySettings } from './recorded-markets.ts';

export interface TapePlayerOptions extends ReplayDeps {
  readonly settings: ReplaySettings;
  /** Markets of the tape, by number on the tape. */
  readonly markets: readonly Readonly<MarketRecord>[];
  /** Positioned before the first message to play. */
  readonly reader: TapeMessageReader;
  /** Initial time on the tape. */
  readonly position: EpochMs;
}

const MAX_BATCH_COMMANDS = 512;
/** After a longer stall, the tape continues from its position instead of catching up. */
const MAX_CATCH_UP_MS = 1_000;
/** Delay between tries while the venue is halted. */
const RETRY_MS = 200;
const HALTED_CODE = STATUS_CODES.indexOf('HALTED');

/** The part of a message that concerns one market. */
interface MessagePart extends Pick<PlayTape, 'market' | 'recordedAt' | 'row' | 'rows'> {
  readonly id: string;
}

export class TapePlayer {
  readonly #deps: TapePlayerOptions;
  readonly #clock: TapeClock;
  /** Markets that no longer follow the tape, for example because an operator ended them. */
  readonly #detached = new Set<number>();
  /** Messages that the exchange has not accepted yet. */
  #waiting: MessagePart[] = [];
  #cancel: (() => void) | undefined;
  #hasReachedEnd = false;
  #isClosed = false;

  constructor(deps: TapePlayerOptions) {
    this.#deps = deps;
    this.#clock = new TapeClock(deps.settings.speed, deps.clock.now(), deps.position);
  }

  start(): void {
    const { clock, position, settings, log, reader } = this.#deps;
    this.#clock.set(clock.now(), position);
    const { tape, speed } = settings;
    log.info({ tape: tape.path, at: formatTime(position), row: reader.row, speed }, 'replay: playing');
    this.#schedule();
  }

  /** Cancels all timers. Sent commands finish. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#deps.reader.close();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    const { clock, reader } = this.#deps;
    const next = this.#waiting.length > 0 ? undefined : reader.peek();
    const now = clock.now();
    const pauseMs = this.#waiting.length > 0 ? RETRY_MS : 0;
    const when = next === undefined ? unchecked.time(now + pauseMs) : this.#clock.dueAt(next.time);
    this.#cancel = clock.schedule(when, () => void this.#play());
  }

  async #play(): Promise<void> {
    const { log, settings, reader } = this.#deps;
    try {
      this.#collect();
      if (this.#waiting.length === 0 && reader.peek() === undefined) this.#addEndMessages();
      await this.#send();
      if (this.#hasReachedEnd && this.#waiting.length === 0) this.#logEnd();
      else this.#schedule();
    } catch (error) {
      if (!this.#isClosed) log.error({ err: error, tape: settings.tape.path }, 'replay: stopped by an error');
    }
  }

  /** Adds due messages to the waiting messages. If refused messages wait, sets the tape back to their time instead. */
  #collect(): void {
    const { clock, reader, log, settings } = this.#deps;
    const now = clock.now();
    const refused = this.#waiting[0];
    if (refused !== undefined) {
      this.#clock.set(now, refused.recordedAt);
      return;
    }
    const first = reader.peek();
    const lateMs = first === undefined ? 0 : now - this.#clock.dueAt(first.time);
    if (first !== undefined && lateMs > MAX_CATCH_UP_MS) {
      log.warn({ tape: settings.tape.path, lateMs }, 'replay: the tape paused because the machine stalled');
      this.#clock.set(now, first.time);
    }
    while (this.#waiting.length < MAX_BATCH_COMMANDS) {
      const message = reader.peek();
      if (message === undefined || this.#clock.dueAt(message.time) > now) return;
      reader.next();
      this.#waiting.push(...this.#splitMessage(message));
    }
  }

  #splitMessage({ time, row, parts }: TapeMessage): readonly MessagePart[] {
    const { markets } = this.#deps;
    return parts.flatMap(({ market: number, rows }) => {
      const market = markets[number];
      // Skip messages that the market's state already contains. After a restart, markets may be at different rows.
      if (market === undefined || this.#detached.has(market.number) || row <= (market.following?.row ?? 0)) return [];
      return [{ id: market.id, market: market.number, recordedAt: unchecked.time(time), row, rows }];
    });
  }

  /** Sends all waiting messages in order. Keeps messages that a halted venue refuses. */
  async #send(): Promise<void> {
    const { queue, log } = this.#deps;
    const sent = this.#waiting;
    this.#waiting = [];
    const refusals = await Promise.all(
      sent.map(async ({ id: _id, ...part }) =>
        queue.run<Refusal | undefined>({
          command: (): PlayTape => ({ type: 'playTape', time: queue.now, ...part }),
          answer: (events) => events.find((event) => event.type === 'refused')?.refusal,
        }),
      ),
    );
    for (const [index, refusal] of refusals.entries()) {
      const part = sent[index];
      if (part === undefined || refusal === undefined) continue;
      if (refusal.reason === 'VENUE_MODE') this.#waiting.push(part);
      else if (!this.#detached.has(part.market)) {
        this.#detached.add(part.market);
        log.warn({ market: part.id, refusal }, 'replay: the market no longer follows its tape');
      }
    }
  }

  /** Adds a last message for each unfinished market. The message halts an open market until an operator acts. */
  #addEndMessages(): void {
    const { queue, markets, settings, reader } = this.#deps;
    this.#hasReachedEnd = true;
    const row = reader.row + 1;
    for (const { number: market, id, following } of markets) {
      const status = queue.view.market(market)?.status;
      if ((following?.row ?? row) >= row || this.#detached.has(market) || isFinal(status ?? 'OPEN')) continue;
      const recordedAt = following?.recordedAt ?? settings.tape.manifest.to;
      const rows = status === 'OPEN' ? [KIND.status, 0, HALTED_CODE, 0] : [];
      this.#waiting.push({ id, market, recordedAt, row, rows });
    }
  }

  #logEnd(): void {
    const { queue, log, markets, settings } = this.#deps;
    for (const { id, number } of markets) {
      const { status, halted } = queue.view.market(number) ?? {};
      const remedy = status === 'OPEN' ? 'the tape has no outcome: close, void or resume the market' : undefined;
      log.info({ tape: settings.tape.path, market: id, status, halted, remedy }, 'replay: the tape has ended');
    }
  }
}

/** The time of a playing tape, which follows the clock at a given speed. */
class TapeClock {
  readonly #speed: number;
  /** When the clock shows `#clockTime`, the tape is at `#tapeTime`. */
  #clockTime: EpochMs;
  #tapeTime: number;

  /** @param speed milliseconds on the tape per millisecond of the clock, above 0 */
  constructor(speed: number, clockTime: EpochMs, tapeTime: number) {
    this.#speed = speed;
    this.#clockTime = clockTime;
    this.#tapeTime = tapeTime;
  }

  /** Returns the clock time of a tape time, rounded **up** to milliseconds. The result may be in the past. */
  dueAt(tapeTime: number): EpochMs {
    return unchecked.time(this.#clockTime + Math.ceil((tapeTime - this.#tapeTime) / this.#speed));
  }

  /** Sets the tape time that corresponds to a clock time. */
  set(clockTime: EpochMs, tapeTime: number): void {
    this.#clockTime = clockTime;
    this.#tapeTime = tapeTime;
  }
}
