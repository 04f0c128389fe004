import type { CloseReason } from '../../domain/index.ts';
import type {
  ExchangeCommand,
  ExchangeSink,
  Hash,
  OrderTerms,
  RareEvent,
  Refusal,
  StateMachine,
  StateWriter,
} from '../../exchange/index.ts';

/** Told of a command that has changed the state. @param isRefused it, or an entry of it, was refused: something else was due */
export type OnApplied = (command: ExchangeCommand, isRefused: boolean) => void;

/** A machine that says when a command has changed it, before anything of it is on its way to the disk. */
export class WatchedMachine implements StateMachine {
  readonly #machine: StateMachine;
  readonly #onApplied: OnApplied;
  readonly #watch = new RefusalWatch();

  constructor(machine: StateMachine, onApplied: OnApplied) {
    this.#machine = machine;
    this.#onApplied = onApplied;
  }

  get seq(): number {
    return this.#machine.seq;
  }

  get now(): number {
    return this.#machine.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    const before = this.#machine.seq;
    this.#watch.begin(sink);
    this.#machine.apply(command, this.#watch);
    if (this.#machine.seq !== before) this.#onApplied(command, this.#watch.isRefused);
  }

  stateHash(): Hash {
    return this.#machine.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    return this.#machine.writeSnapshot(writer);
  }
}

/** Hands everything on and notes refusals. */
class RefusalWatch implements ExchangeSink {
  isRefused = false;
  #sink: ExchangeSink | undefined;

  begin(sink: ExchangeSink): void {
    this.#sink = sink;
    this.isRefused = false;
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.#sink?.accepted(seq, order, account, terms);
  }

  traded(...told: Parameters<ExchangeSink['traded']>): void {
    this.#sink?.traded(...told);
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.#sink?.reduced(seq, order, remaining);
  }

  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void {
    this.#sink?.closed(seq, order, unfilled, reason);
  }

  happened(seq: number, event: RareEvent): void {
    this.#sink?.happened(seq, event);
  }

  refused(entry: number, refusal: Refusal): void {
    this.isRefused = true;
    this.#sink?.refused(entry, refusal);
  }

  duplicate(entry: number, order: number): void {
    this.#sink?.duplicate(entry, order);
  }
}
