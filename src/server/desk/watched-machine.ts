import type { ExchangeCommand, ExchangeSink, Hash, StateMachine, StateWriter } from '../../exchange/index.ts';

/** A machine that says when a command has changed it, before anything of it is on its way to the disk. */
export class WatchedMachine implements StateMachine {
  readonly #machine: StateMachine;
  readonly #applied: (command: ExchangeCommand) => void;

  constructor(machine: StateMachine, applied: (command: ExchangeCommand) => void) {
    this.#machine = machine;
    this.#applied = applied;
  }

  get seq(): number {
    return this.#machine.seq;
  }

  get now(): number {
    return this.#machine.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    const before = this.#machine.seq;
    this.#machine.apply(command, sink);
    if (this.#machine.seq !== before) this.#applied(command);
  }

  stateHash(): Hash {
    return this.#machine.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    return this.#machine.writeSnapshot(writer);
  }
}
