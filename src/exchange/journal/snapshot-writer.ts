/** HOT: a snapshot of a large exchange has tens of millions of numbers, and blocks the exchange (bench/journal.ts). */
import { ByteWriter } from '../../domain/index.ts';
import { StateHash, type StateWriter } from '../state-writer.ts';
import type { Snapshot, StateMachine } from './journal.ts';

/** Takes a snapshot of a machine after a record. Writes bytes and hash in one pass. */
export function takeSnapshot(machine: StateMachine, sequence: number): Snapshot {
  const writer = new SnapshotWriter();
  machine.writeState(writer);
  return { sequence, hash: writer.hash(), pieces: writer.pieces() };
}

/** Writes a state as its hash and as pieces of bytes, which `ByteReader` reads concatenated. */
export class SnapshotWriter implements StateWriter {
  readonly #hash = new StateHash();
  readonly #pieceBytes: number;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #piece: ByteWriter;

  /** @param pieceBytes minimum bytes of each piece but the last */
  constructor(pieceBytes = 1_048_576) {
    this.#pieceBytes = pieceBytes;
    this.#piece = new ByteWriter(pieceBytes + 64);
  }

  number(value: number): void {
    this.#hash.number(value);
    this.#piece.number(value);
    if (this.#piece.length >= this.#pieceBytes) this.#endPiece();
  }

  text(value: string): void {
    this.#hash.text(value);
    this.#piece.text(value);
    if (this.#piece.length >= this.#pieceBytes) this.#endPiece();
  }

  hash(): string {
    return this.#hash.digest();
  }

  /** Ends the writing and returns all bytes. */
  pieces(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#piece.length > 0) this.#endPiece();
    return this.#pieces;
  }

  #endPiece(): void {
    this.#pieces.push(this.#piece.finish().slice());
  }
}
