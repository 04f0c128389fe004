import { Exchange } from '../engine/exchange.ts';
import type { Identities } from '../engine/identities.ts';
import type { ExchangeOptions } from '../engine/rooms.ts';
import { PlainMachine } from '../journal/plain-machine.ts';
import type { StateReader } from '../state-writer.ts';

/** Identities that a store keeps: it knows of orders that a machine which is replayed has not come to yet. */
export interface StoredIdentities extends Identities {
  /** The machine has accepted so many orders: later ones count as unknown until they are remembered. */
  startAt(orders: number): void;
}

/** What an exchange with identities in a store is made of. */
export type StoredOptions = Omit<ExchangeOptions, 'identities'> & { readonly identities: StoredIdentities };

/** An exchange whose identities stand in a store, not in its snapshots. */
export class StoredMachine extends PlainMachine {
  private constructor(exchange: Exchange, identities: StoredIdentities) {
    super(exchange);
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
}
