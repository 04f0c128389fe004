import type { ExchangeCommand } from '../command.ts';
import { Exchange } from '../engine/exchange.ts';
import { MemoryIdentities } from '../engine/identities.ts';
import type { ExchangeOptions } from '../engine/rooms.ts';
import type { ExchangeSink } from '../sink.ts';
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateReader, type StateWriter } from '../state-writer.ts';
import type { StateMachine } from './state-machine.ts';
import { TeeWriter } from './tee-writer.ts';

/** What an exchange with identities in memory is made of. */
export type MachineOptions = Omit<ExchangeOptions, 'identities'>;

/** An exchange that keeps what its identities remember in its own snapshots, in front of its state. */
export class ExchangeMachine implements StateMachine {
  readonly exchange: Exchange;
  readonly #identities: MemoryIdentities;

  /** A new one. */
  constructor(options: MachineOptions, identities = new MemoryIdentities(), exchange?: Exchange) {
    this.#identities = identities;
    this.exchange = exchange ?? new Exchange({ ...options, identities });
  }

  /** What `writeSnapshot` wrote. @throws Fault when it is of another version, or not whole */
  static restore(reader: StateReader, options: MachineOptions): ExchangeMachine {
    const identities = MemoryIdentities.restore(reader);
    return new ExchangeMachine(options, identities, Exchange.restore(reader, { ...options, identities }));
  }

  get seq(): number {
    return this.exchange.view.seq;
  }

  get now(): number {
    return this.exchange.view.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    this.exchange.apply(command, sink);
  }

  stateHash(): Hash {
    return this.exchange.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    const hash = new StateHash();
    this.#identities.writeState(writer);
    this.exchange.writeState(new TeeWriter(writer, new HashWriter(hash)));
    return hash.digest();
  }
}
