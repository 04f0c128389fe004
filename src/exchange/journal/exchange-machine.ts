import { Exchange } from '../engine/exchange.ts';
import { MemoryIdentities } from '../engine/identities.ts';
import type { ExchangeOptions } from '../engine/rooms.ts';
import type { Hash } from '../state-hash.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import { PlainMachine } from './plain-machine.ts';

/** What an exchange with identities in memory is made of. */
export type MachineOptions = Omit<ExchangeOptions, 'identities'>;

/** An exchange that keeps what its identities remember in its own snapshots, in front of its state. */
export class ExchangeMachine extends PlainMachine {
  readonly #identities: MemoryIdentities;

  /** A new one. */
  constructor(options: MachineOptions, identities = new MemoryIdentities(), exchange?: Exchange) {
    super(exchange ?? new Exchange({ ...options, identities }));
    this.#identities = identities;
  }

  /** What `writeSnapshot` wrote. @throws Fault when it is of another version, or not whole */
  static restore(reader: StateReader, options: MachineOptions): ExchangeMachine {
    const identities = MemoryIdentities.restore(reader);
    return new ExchangeMachine(options, identities, Exchange.restore(reader, { ...options, identities }));
  }

  override writeSnapshot(writer: StateWriter): Hash {
    this.#identities.writeState(writer);
    return super.writeSnapshot(writer);
  }
}
