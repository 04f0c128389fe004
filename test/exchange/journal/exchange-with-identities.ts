import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import { Exchange, type ExchangeOptions } from '../../../src/exchange/index.ts';
import type { StateMachine } from '../../../src/exchange/journal/journal.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';
import { type Hash, StateHash, type StateReader, type StateWriter } from '../../../src/exchange/state-writer.ts';

type Options = Omit<ExchangeOptions, 'identities'>;

/** An exchange that writes its identities before its state into snapshots: for tests without a database. */
export class ExchangeWithIdentities implements StateMachine {
  readonly exchange: Exchange;
  readonly #identities: MemoryIdentities;

  constructor(options: Options, identities = new MemoryIdentities(), exchange?: Exchange) {
    this.#identities = identities;
    this.exchange = exchange ?? new Exchange({ ...options, identities });
  }

  static restore(reader: StateReader, options: Options): ExchangeWithIdentities {
    const identities = MemoryIdentities.restore(reader);
    return new ExchangeWithIdentities(options, identities, Exchange.restore(reader, { ...options, identities }));
  }

  get view() {
    return this.exchange.view;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    this.exchange.apply(command, sink);
  }

  stateHash(): Hash {
    const hash = new StateHash();
    this.writeState(hash);
    return hash.digest();
  }

  writeState(writer: StateWriter): void {
    this.#identities.writeState(writer);
    this.exchange.writeState(writer);
  }
}
