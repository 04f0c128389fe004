/**
 * Measures the time from the bytes of a frame, as the socket delivers them, to the bytes of an order, as the system
 * accepts them. It replaces methods of `net.Socket`, below every library. In between, the parts of a bot mark the ends
 * of stages.
 */
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Ends of the stages, in order. A stage without a mark takes no time. */
export const MARK = {
  parsed: 1,
  rowsReady: 2,
  decided: 3,
  stored: 4,
  signed: 5,
  logged: 6,
  framed: 7,
  written: 8,
} as const;
const MARKS = 9;

/** Times of a frame that led to an order, µs. */
export interface Tick {
  readonly wall: number;
  /** Time of each stage, by its mark; index 0 is unused. */
  readonly stages: readonly number[];
}

type Method = (this: Socket, ...args: unknown[]) => unknown;

export class TickClock {
  readonly #marks = new Float64Array(MARKS);
  readonly #restores: (() => void)[] = [];
  #ticks: Tick[] = [];
  #isOn = false;
  /** True from the first byte of a frame to the end of its event loop turn, or to the next frame. */
  #isWithin = false;
  #isReading = false;

  /** Starts to observe all sockets of the process. */
  constructor() {
    this.#replace('push', (push) => {
      const clock = this;
      return function (...args) {
        if (!clock.#isOn || clock.#isReading) return push.apply(this, args);
        clock.#end();
        clock.#begin();
        try {
          return push.apply(this, args);
        } finally {
          clock.#isReading = false;
          // Node's HTTP client writes a request after the callback that created it.
          setImmediate(() => clock.#end());
        }
      };
    });
    for (const name of ['_write', '_writev'] as const) {
      this.#replace(name, (write) => {
        const clock = this;
        return function (...args) {
          if (clock.#isWithin && clock.#marks[MARK.logged] !== 0) clock.mark(MARK.framed);
          const answer = write.apply(this, args);
          if (clock.#isWithin && clock.#marks[MARK.framed] !== 0) clock.#wrote();
          return answer;
        };
      });
    }
  }

  /** Marks the end of a stage. Only the first call for a frame has an effect. */
  mark(stage: number): void {
    if (this.#isWithin && this.#marks[stage] === 0) this.#marks[stage] = performance.now();
  }

  start(): void {
    this.#isOn = true;
  }

  /** Returns the ticks since the start. */
  stop(): readonly Tick[] {
    const ticks = this.#ticks;
    this.#ticks = [];
    this.#isOn = false;
    return ticks;
  }

  /** Stops observing. */
  close(): void {
    for (const restore of this.#restores) restore();
  }

  #begin(): void {
    this.#marks.fill(0);
    this.#isWithin = true;
    this.#isReading = true;
    this.#marks[0] = performance.now();
  }

  #wrote(): void {
    if (this.#marks[MARK.written] !== 0) return;
    this.#marks[MARK.written] = performance.now();
  }

  #end(): void {
    if (!this.#isWithin) return;
    this.#isWithin = false;
    const marks = this.#marks;
    if (marks[MARK.written] === 0) return;
    const start = marks[0] ?? 0;
    let last = start;
    const stages = Array.from(marks, (mark) => {
      const elapsed = mark === 0 ? 0 : 1_000 * (mark - last);
      if (mark !== 0) last = mark;
      return elapsed;
    });
    this.#ticks.push({ wall: 1_000 * (last - start), stages });
  }

  #replace(name: 'push' | '_write' | '_writev', make: (method: Method) => Method): void {
    const members: Record<typeof name, Method> = Object(Socket.prototype);
    const method = members[name];
    const own = Object.getOwnPropertyDescriptor(Socket.prototype, name);
    Object.defineProperty(Socket.prototype, name, { value: make(method), configurable: true, writable: true });
    this.#restores.push(() => {
      if (own === undefined) Reflect.deleteProperty(Socket.prototype, name);
      else Object.defineProperty(Socket.prototype, name, own);
    });
  }
}
