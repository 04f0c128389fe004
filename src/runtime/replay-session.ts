/**
 * Replays a recorded session: passes the same rows and events in the same order to a core with the session's initial
 * state. Every decision must be equal byte by byte.
 *
 * A recording is a tape of rows and a list of all steps. Each step has its event, if there is one, and the number of
 * rows before the step, which orders steps and rows.
 */
import { ByteWriter } from '../domain/index.ts';
import { Cursor, type Feed, makeBlock } from '../tape/index.ts';
import type { TradingCore } from './core.ts';
import type { Outbox, Step } from './ports.ts';
import { encodeStep } from './step-codec.ts';

export interface ReplayInput {
  /** A core with the strategies, parameters, limits and state of the session's start. */
  readonly core: TradingCore;
  /** The rows of the session, whole messages. */
  readonly feed: Feed;
  readonly steps: Iterable<Step>;
  /** Receives the bytes of each equal step, for a hash. */
  readonly onEqualStep?: (bytes: Uint8Array) => void;
  /** Rows per block, at least as many as the longest message has. Default 32,768. */
  readonly blockRows?: number;
}

export interface ReplayOutcome {
  /** Number of equal steps. */
  readonly matching: number;
  readonly rows: number;
  /** The first step that differs, as recorded and as replayed. One can be missing. Undefined if all are equal. */
  readonly difference: { readonly recorded: Step | undefined; readonly replayed: Step | undefined } | undefined;
  /** Whether the rows ended before the steps, as in a recording without its end. */
  readonly rowsEnded: boolean;
}

/** Replays a session up to the first difference, or to the end. */
export function replaySession({ core, feed, steps, onEqualStep, blockRows }: ReplayInput): ReplayOutcome {
  const replayedCore = new ReplayedCore(core, feed, blockRows ?? 32_768);
  const writers = [new ByteWriter(4_096), new ByteWriter(4_096)] as const;
  const rowsBefore = core.rows;
  let matching = 0;
  const outcome = (difference: ReplayOutcome['difference']): ReplayOutcome => {
    return { matching, rows: core.rows - rowsBefore, difference, rowsEnded: false };
  };
  for (const recorded of steps) {
    const replayed = recorded.event === undefined ? replayedCore.nextMarketStep() : replayedCore.replayEvent(recorded);
    if (replayed === 'no more rows') return { ...outcome(undefined), rowsEnded: true };
    const bytes = replayed && bytesIfEqual(recorded, replayed, writers);
    if (bytes === undefined) return outcome({ recorded, replayed });
    onEqualStep?.(bytes);
    matching += 1;
  }
  const extraStep = replayedCore.nextMarketStep();
  return extraStep === 'no more rows' ? outcome(undefined) : outcome({ recorded: undefined, replayed: extraStep });
}

class ReplayedCore {
  readonly #core: TradingCore;
  readonly #feed: Feed;
  readonly #cursor: Cursor;
  readonly #out: Outbox = { steps: [], commands: [], fault: undefined };
  /** Steps of the core that are not compared yet. */
  readonly #waiting: Step[] = [];

  constructor(core: TradingCore, feed: Feed, blockRows: number) {
    this.#core = core;
    this.#feed = feed;
    this.#cursor = new Cursor(makeBlock(blockRows));
  }

  /** Returns the next step that a market message causes. */
  nextMarketStep(): Step | 'no more rows' {
    while (this.#waiting.length === 0) if (!this.#processMessage()) return 'no more rows';
    return this.#waiting.shift() ?? 'no more rows';
  }

  /** Processes the rows before a recorded step, then its event. @returns the core's step */
  replayEvent({ event, row }: Step): Step | 'no more rows' | undefined {
    while (this.#core.rows < row && this.#waiting.length === 0) if (!this.#processMessage()) return 'no more rows';
    if (this.#waiting.length === 0 && event !== undefined) {
      this.#core.step(event, this.#out);
      this.#collect();
    }
    return this.#waiting.shift();
  }

  /** Processes the next message. @returns false if there is none */
  #processMessage(): boolean {
    const { block, row } = this.#cursor;
    if (row >= block.count) {
      if (this.#feed.fill(block) === 0) return false;
      this.#cursor.row = 0;
    }
    this.#core.market(this.#cursor, this.#out);
    this.#cursor.row += 1;
    this.#collect();
    return true;
  }

  #collect(): void {
    this.#waiting.push(...this.#out.steps);
    this.#out.steps = [];
    this.#out.commands = [];
    this.#out.fault = undefined;
    this.#out.wakeAt = undefined;
    this.#out.timers = undefined;
  }
}

/** Returns the bytes of two equal steps, valid until the next use of the writers; undefined if the steps differ. */
function bytesIfEqual(step: Step, other: Step, writers: readonly [ByteWriter, ByteWriter]): Uint8Array | undefined {
  encodeStep(step, writers[0]);
  encodeStep(other, writers[1]);
  const [bytes, otherBytes] = [writers[0].finish(), writers[1].finish()];
  return Buffer.compare(bytes, otherBytes) === 0 ? bytes : undefined;
}
