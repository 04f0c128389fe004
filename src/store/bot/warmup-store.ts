/** Keeps what a warm-up decides as a bot's file would, up to the entry of the log, which goes to nobody's file or nowhere. */
import { type EventStore, followsOn, type OrderRecords, type SignedRecord, type Step } from '../../runtime/index.ts';
import { FRAME_HEADER, putFrameHeader } from '../frame.ts';
import { EntryWriter } from './log-entry.ts';
import type { ScratchFile } from './scratch-file.ts';

export class WarmupStore implements EventStore, OrderRecords {
  readonly cursor = 0;
  readonly epoch = 0;
  readonly #writer = new EntryWriter(FRAME_HEADER);
  readonly #scratch: ScratchFile | undefined;
  #held: Step[] = [];
  #last = 0;
  #entries = 0;
  #reached = 0;

  /** @param scratch takes the entries; without it they are dropped */
  constructor(scratch?: ScratchFile) {
    this.#scratch = scratch;
  }

  /** How many entries were made. */
  get entries(): number {
    return this.#entries;
  }

  append(steps: readonly Step[]): void {
    this.appendUntilSigned(steps);
    this.settle();
  }

  appendUntilSigned(steps: readonly Step[]): void {
    this.#last = followsOn(this.#last, steps);
    for (const step of steps) this.#held.push(step);
  }

  settle(): void {
    if (this.#held.length > 0) this.#keep([]);
  }

  signed(rows: readonly SignedRecord[]): void {
    this.#keep(rows);
  }

  unsettled(): readonly SignedRecord[] {
    return [];
  }

  find(): undefined {
    return undefined;
  }

  numbered(): undefined {
    return undefined;
  }

  trades(): readonly [] {
    return [];
  }

  reached(seq: number): void {
    this.#reached = seq;
  }

  reachedEpoch(): void {}

  #keep(signed: readonly SignedRecord[]): void {
    const steps = this.#held;
    this.#held = [];
    this.#entries += 1;
    const frame = this.#writer.write({ steps, signed, cursor: this.#reached, risk: undefined });
    putFrameHeader(frame, { first: this.#entries, count: 1 }, 0);
    this.#scratch?.write(frame);
  }
}
