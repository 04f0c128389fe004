import { type DoubleMid, type InputEvent, LOT, type MarketNo, type StepTime } from '../../domain/index.ts';
import type { Core, Step } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { SimFill, SimObserver, SimPrint } from '../../venues/sim/index.ts';

export interface ObservedRun {
  /** Exchange time of the first row. */
  readonly start: number;
  /** Micro-USD. */
  readonly capital: number;
  /** The bot's state, whose orders determine levels, uptime and capital in use. */
  readonly state: AccountState;
  /** Number of markets of the run, including markets added later. */
  readonly markets: number;
  /** Cash and holdings at the mark, micro-USD. Updated before the observer is called. */
  readonly equity: () => number;
}

/** An own fill. The shares ahead in the queue are unknown for a live fill. */
export interface ObservedFill extends Omit<SimFill, 'acceptedAt' | 'sharesAheadAtArrival' | 'sharesAhead' | 'bot'> {
  readonly sharesAheadAtArrival: number | undefined;
  readonly sharesAhead: number | undefined;
}

/** Observes a run without changing it: events of the venue, messages and events that the core handled, and steps. */
export interface RunObserver extends Omit<SimObserver, 'onFill'> {
  onFill(fill: ObservedFill): void;
  onMessage(lastRow: Cursor): void;
  onEvent(event: InputEvent): void;
  onSteps(steps: readonly Step[]): void;
}

/** Returns the current YES minus NO, lots; 0 for a final market. */
export function heldLots(state: AccountState, market: number): number {
  const position = state.markets[market]?.position;
  return position === undefined || position.settlement !== undefined ? 0 : (position.yes - position.no) / LOT;
}

/** Returns an observer that calls the given observers in order and skips undefined ones. */
export function combineObservers(first: RunObserver, ...others: readonly (RunObserver | undefined)[]): RunObserver {
  const defined = others.filter((observer) => observer !== undefined);
  return defined.reduce<RunObserver>((pair, next) => new RunObserverPair(pair, next), first);
}

/** HOT: calls two observers in order (bench/replay.ts). */
class RunObserverPair implements RunObserver {
  readonly #first: RunObserver;
  readonly #second: RunObserver;

  constructor(first: RunObserver, second: RunObserver) {
    this.#first = first;
    this.#second = second;
  }

  onFill(fill: ObservedFill): void {
    this.#first.onFill(fill);
    this.#second.onFill(fill);
  }

  onFillSettled(trade: string): void {
    this.#first.onFillSettled?.(trade);
    this.#second.onFillSettled?.(trade);
  }

  onFillReversed(trade: string, at: StepTime): void {
    this.#first.onFillReversed?.(trade, at);
    this.#second.onFillReversed?.(trade, at);
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

  onMessage(lastRow: Cursor): void {
    this.#first.onMessage(lastRow);
    this.#second.onMessage(lastRow);
  }

  onEvent(event: InputEvent): void {
    this.#first.onEvent(event);
    this.#second.onEvent(event);
  }

  onSteps(steps: readonly Step[]): void {
    this.#first.onSteps(steps);
    this.#second.onSteps(steps);
  }
}

/** HOT: returns a core that calls the observer after each message and event (bench/replay.ts). */
export function observeCore(core: Core, observer: RunObserver): Core {
  return {
    market(row, out) {
      core.market(row, out);
      observer.onMessage(row);
    },
    step(event, out) {
      core.step(event, out);
      observer.onEvent(event);
    },
  };
}
