/**
 * HOT: a snapshot of a large exchange is tens of millions of numbers, written while nothing else can happen
 * (bench/journal.ts).
 */
import { ByteWriter } from '../../domain/index.ts';
import { StateHash } from '../state-hash.ts';
import { HashWriter, type StateWriter } from '../state-writer.ts';
import type { Snapshot, StateMachine } from './journal.ts';

/** The state of a machine after a record. One walk over the state makes bytes and hash. */
export function takeSnapshot(machine: StateMachine, sequence: number): Snapshot {
  const writer = new SnapshotWriter();
  machine.writeState(writer);
  return { sequence, hash: writer.hash(), pieces: writer.pieces() };
}

/** A state as its hash and as bytes in pieces, which `ByteReader` reads put together. */
export class SnapshotWriter implements StateWriter {
  readonly #hash = new StateHash();
  readonly #hashWriter = new HashWriter(this.#hash);
  readonly #pieceBytes: number;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #open: ByteWriter;

  /** @param pieceBytes a piece ends when it has so many bytes or more */
  constructor(pieceBytes = 1_048_576) {
    this.#pieceBytes = pieceBytes;
    this.#open = new ByteWriter(pieceBytes + 64);
  }

  number(value: number): void {
    this.#hash.add(value);
    this.#open.number(value);
    if (this.#open.length >= this.#pieceBytes) this.#endPiece();
  }

  text(value: string): void {
    this.#hashWriter.text(value);
    this.#open.text(value);
    if (this.#open.length >= this.#pieceBytes) this.#endPiece();
  }

  /** Of everything written. */
  hash(): string {
    return this.#hash.digest();
  }

  /** Everything written. The writer is not to be used any more. */
  pieces(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#open.length > 0) this.#endPiece();
    return this.#pieces;
  }

  #endPiece(): void {
    this.#pieces.push(this.#open.take().slice());
  }
}
