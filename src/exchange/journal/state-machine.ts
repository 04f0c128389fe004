import type { ExchangeCommand } from '../command.ts';
import type { ExchangeSink } from '../sink.ts';
import type { Hash } from '../state-hash.ts';
import type { StateWriter } from '../state-writer.ts';

/**
 * What can be journalled: an `Exchange`, with what stands beside its state (identities) written and restored by the host.
 * The same commands in the same order bring it to the same state, and its state changes exactly when it tells an event.
 */
export interface StateMachine {
  /** The number of the last event; 0 before the first. */
  readonly seq: number;
  /** The time of the last event, in epoch milliseconds; 0 before the first. */
  readonly now: number;
  /** Synchronous. What it throws is a broken invariant. */
  apply(command: ExchangeCommand, sink: ExchangeSink): void;
  /** Of everything that matters. */
  stateHash(): Hash;
  /** Writes all that a restart needs. @returns the state's hash, from the same walk: it takes a long one to make */
  writeSnapshot(writer: StateWriter): Hash;
}
