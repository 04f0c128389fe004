import type { ExchangeCommand } from '../command.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { ExchangeSink } from '../sink.ts';
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateWriter } from '../state-writer.ts';
import type { StateMachine } from './state-machine.ts';
import { TeeWriter } from './tee-writer.ts';

/** An exchange as a machine that writes its own state into snapshots, and nothing beside it. */
export class PlainMachine implements StateMachine {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
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
