import type { ExchangeCommand } from '../command.ts';
import { Exchange } from '../engine/exchange.ts';
import type { Identities } from '../engine/identities.ts';
import type { ExchangeOptions } from '../engine/rooms.ts';
import type { StateMachine } from '../journal/state-machine.ts';
import { TeeWriter } from '../journal/tee-writer.ts';
import type { ExchangeSink } from '../sink.ts';
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateReader, type StateWriter } from '../state-writer.ts';

/** Identities that a store keeps: it knows of orders that a machine which is replayed has not come to yet. */
export interface StoredIdentities extends Identities {
  /** The machine has accepted so many orders: later ones count as unknown until they are remembered. */
  startAt(orders: number): void;
}

/** What an exchange with identities in a store is made of. */
export type StoredOptions = Omit<ExchangeOptions, 'identities'> & { readonly identities: StoredIdentities };

/** An exchange whose identities stand in a store, not in its snapshots. */
export class StoredMachine implements StateMachine {
  readonly exchange: Exchange;

  private constructor(exchange: Exchange, identities: StoredIdentities) {
    this.exchange = exchange;
    identities.startAt(exchange.view.orderCount);
  }

  /** A new one. */
  static fresh(options: StoredOptions): StoredMachine {
    return new StoredMachine(new Exchange(options), options.identities);
  }

  /** What `writeSnapshot` wrote. @throws Fault when it is of another version, or not whole */
  static restore(reader: StateReader, options: StoredOptions): StoredMachine {
    return new StoredMachine(Exchange.restore(reader, options), options.identities);
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
    this.exchange.writeState(new TeeWriter(writer, new HashWriter(hash)));
    return hash.digest();
  }
}
