/** A machine whose events become rows, too. */
import { Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeView } from '../engine/view.ts';
import type { StateMachine } from '../journal/state-machine.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { ExchangeSink, RareEvent } from '../sink.ts';
import type { Hash } from '../state-hash.ts';
import type { StateWriter } from '../state-writer.ts';
import type { Archive } from './archive.ts';
import { bySign, type NameTransfer } from './ledger-kinds.ts';
import { Projector } from './projector.ts';

/** What it is made of. */
export interface ProjectingOptions {
  /** After recovery, which goes by without it: the rows of what is replayed are there. */
  readonly machine: StateMachine;
  /** Of the machine's exchange. */
  readonly view: ExchangeView;
  readonly archive: Archive;
  /** Default: what comes in is a deposit, what goes out a withdrawal. */
  readonly nameTransfer?: NameTransfer;
}

/** Applies commands; what they tell goes to the caller's sink and to the projector. */
export class ProjectingMachine implements StateMachine {
  readonly projector: Projector;
  readonly #machine: StateMachine;
  readonly #nameTransfer: NameTransfer;
  readonly #both: BothSinks;

  /** @throws Fault when the rows do not end where the machine stands */
  constructor({ machine, view, archive, nameTransfer = bySign }: ProjectingOptions) {
    const start = archive.start();
    if (start.seq !== machine.seq) {
      const message = `the rows end at event ${start.seq}, but the exchange stands at ${machine.seq}`;
      throw new Fault('ARCHIVE_DIVERGED', `${message}. Put back a good copy of the database`);
    }
    this.projector = new Projector({ view, start, orderRow: (order) => archive.order(order) });
    this.#machine = machine;
    this.#nameTransfer = nameTransfer;
    this.#both = new BothSinks(this.projector);
  }

  get seq(): number {
    return this.#machine.seq;
  }

  get now(): number {
    return this.#machine.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    const { projector } = this;
    projector.transferKind = command.type === 'transfer' ? this.#nameTransfer(command) : undefined;
    this.#both.caller = sink;
    this.#machine.apply(command, this.#both);
    projector.settle();
  }

  stateHash(): Hash {
    return this.#machine.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    return this.#machine.writeSnapshot(writer);
  }
}

/** Tells the projector first: whoever is told and asks it finds the event in. */
class BothSinks implements ExchangeSink {
  caller: ExchangeSink;
  readonly #projector: Projector;

  constructor(projector: Projector) {
    this.caller = projector;
    this.#projector = projector;
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.#projector.accepted(seq, order, account, terms);
    this.caller.accepted(seq, order, account, terms);
  }

  traded(...told: Parameters<ExchangeSink['traded']>): void {
    this.#projector.traded(...told);
    this.caller.traded(...told);
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.#projector.reduced(seq, order, remaining);
    this.caller.reduced(seq, order, remaining);
  }

  closed(...told: Parameters<ExchangeSink['closed']>): void {
    this.#projector.closed(...told);
    this.caller.closed(...told);
  }

  happened(seq: number, event: RareEvent): void {
    this.#projector.happened(seq, event);
    this.caller.happened(seq, event);
  }

  refused(entry: number, refusal: Refusal): void {
    this.caller.refused(entry, refusal);
  }

  duplicate(entry: number, order: number): void {
    this.caller.duplicate(entry, order);
  }
}
