import type { DoubleMid, InputEvent, MarketNo } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { SimFill, SimPrint, SimTap, StepTime } from '../../venues/sim/index.ts';
import type { CoreWatch } from './watched-core.ts';

/** Sees a run from all sides and changes nothing: the venue's tap, after the core, after each step. */
export interface RunObserver extends SimTap, CoreWatch {
  steps(steps: readonly Step[]): void;
}

/** HOT: two onlookers as one, the first told first (bench/replay.ts). */
export class RunObserverPair implements RunObserver {
  readonly #first: RunObserver;
  readonly #second: RunObserver;

  constructor(first: RunObserver, second: RunObserver) {
    this.#first = first;
    this.#second = second;
  }

  onFill(fill: SimFill): void {
    this.#first.onFill?.(fill);
    this.#second.onFill?.(fill);
  }

  onMark(market: MarketNo, at: StepTime, mark: DoubleMid): void {
    this.#first.onMark?.(market, at, mark);
    this.#second.onMark?.(market, at, mark);
  }

  onPrint(print: SimPrint): void {
    this.#first.onPrint?.(print);
    this.#second.onPrint?.(print);
  }

  onRecordedMid(market: MarketNo, at: StepTime, mid: DoubleMid | undefined): void {
    this.#first.onRecordedMid?.(market, at, mid);
    this.#second.onRecordedMid?.(market, at, mid);
  }

  message(last: Cursor): void {
    this.#first.message(last);
    this.#second.message(last);
  }

  event(event: InputEvent): void {
    this.#first.event(event);
    this.#second.event(event);
  }

  steps(steps: readonly Step[]): void {
    this.#first.steps(steps);
    this.#second.steps(steps);
  }
}
