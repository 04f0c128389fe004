/** Encodes batches: records, the last event's number, sometimes the state's hash. Recovery compares number and hash. */
import { ByteReader, ByteWriter, Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { Hash } from '../state-writer.ts';
import { decodeCommand, encodeCommand } from './command-codec.ts';
import type { JournalBatch } from './journal.ts';

/** Permanent codes of records that are not commands. Command codes are lower (command-codec.ts). */
const LAST_EVENT = 16;
const HASH = 17;

export class BatchWriter {
  readonly #bytes = new ByteWriter();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(command: ExchangeCommand): void {
    encodeCommand(command, this.#bytes);
    this.#count += 1;
  }

  /** Ends the batch, whose bytes are valid until `clear`. @param seq last event @param hash the state's hash */
  end(first: number, seq: number, hash: Hash | undefined): JournalBatch {
    this.#bytes.byte(LAST_EVENT);
    this.#bytes.number(seq);
    if (hash !== undefined) {
      this.#bytes.byte(HASH);
      this.#bytes.text(hash);
    }
    return { first, count: this.#count, bytes: this.#bytes.written() };
  }

  /** Begins the next batch in the same memory. */
  clear(): void {
    this.#bytes.truncate(0);
    this.#count = 0;
  }
}

/** Contents of a batch, in order. */
export interface BatchVisitor {
  command(record: number, command: ExchangeCommand): void;
  /** @param seq number of the last event up to this record, when the batch was written */
  lastEvent(record: number, seq: number): void;
  /** @param hash hash of the state after `record` when the batch was written */
  hash(record: number, hash: Hash): void;
}

/** Decodes a batch. @throws Fault if the bytes are invalid or contain another number of records */
export function visitBatch({ first, count, bytes }: JournalBatch, visitor: BatchVisitor): void {
  const reader = new ByteReader(bytes);
  let next = first;
  while (!reader.isAtEnd) {
    const code = reader.byte();
    if (code === LAST_EVENT) {
      const seq = readOrFault(() => reader.number());
      visitor.lastEvent(next - 1, seq);
    } else if (code === HASH) {
      const hash = readOrFault(() => reader.text());
      visitor.hash(next - 1, hash);
    } else {
      const command = readOrFault(() => decodeCommand(code, reader));
      visitor.command(next, command);
      next += 1;
    }
  }
  if (next !== first + count) {
    throw new Fault('JOURNAL_BYTES', `the batch from record ${first} holds ${next - first} records, not ${count}`);
  }
}

/** Converts a RangeError, which invalid bytes cause, to a Fault. */
function readOrFault<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RangeError) throw new Fault('JOURNAL_BYTES', cause.message, { cause });
    throw cause;
  }
}
