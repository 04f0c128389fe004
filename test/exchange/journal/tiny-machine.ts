import { unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import type { StateMachine } from '../../../src/exchange/journal/journal.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';
import { type Hash, StateHash, type StateReader, type StateWriter } from '../../../src/exchange/state-writer.ts';

/**
 * A minimal state machine for journal tests: accounts whose cash cannot become negative, and a deadline that is
 * processed before the next command, also a refused one. A transfer of 666 breaks an invariant.
 */
export class TinyMachine implements StateMachine {
  seq = 0;
  readonly #cash: number[] = [];
  #deadline = 0;

  /** The time is always 0. */
  readonly view: StateMachine['view'];

  constructor() {
    const seq = (): number => this.seq;
    this.view = {
      get seq() {
        return seq();
      },
      now: unchecked.time(0),
    };
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    if (this.#deadline !== 0 && command.time >= this.#deadline) {
      this.#deadline = 0;
      this.seq += 1;
      sink.rareEvent(this.seq, { type: 'heartbeatLapsed', account: 1, credential: 0 });
    }
    if (command.type === 'openAccount') {
      this.seq += 1;
      this.#cash.push(0);
      const { address, unlimited } = command;
      sink.rareEvent(this.seq, { type: 'accountOpened', account: this.#cash.length, address, unlimited });
    } else if (command.type === 'transfer') this.#transfer(command.account, command.amount, sink);
    else if (command.type === 'heartbeat') {
      this.seq += 1;
      this.#deadline = command.time + command.timeout;
      const deadline = unchecked.time(this.#deadline);
      sink.rareEvent(this.seq, { type: 'heartbeatArmed', account: 1, credential: 0, deadline });
    } else if (command.type !== 'tick') sink.refused(0, { reason: 'INVALID_ORDER' });
  }

  stateHash(): Hash {
    const hash = new StateHash();
    this.writeState(hash);
    return hash.digest();
  }

  writeState(writer: StateWriter): void {
    writer.number(this.seq);
    writer.number(this.#deadline);
    writer.number(this.#cash.length);
    for (const cash of this.#cash) writer.number(cash);
    writer.text('tiny');
  }

  static restore(reader: StateReader): TinyMachine {
    const machine = new TinyMachine();
    machine.seq = reader.number();
    machine.#deadline = reader.number();
    for (let remaining = reader.number(); remaining > 0; remaining--) machine.#cash.push(reader.number());
    if (reader.text() !== 'tiny') throw new Error('not a state of TinyMachine');
    return machine;
  }

  #transfer(account: number, amount: number, sink: ExchangeSink): void {
    const cash = this.#cash[account - 1];
    if (amount === 666) throw new RangeError('Invariant: 666');
    if (cash === undefined || cash + amount < 0) {
      sink.refused(-1, { reason: 'INSUFFICIENT_BALANCE', field: 'amount' });
      return;
    }
    this.#cash[account - 1] = cash + amount;
    this.seq += 1;
    sink.rareEvent(this.seq, { type: 'transferred', account, amount: unchecked.usd(amount) });
  }
}
