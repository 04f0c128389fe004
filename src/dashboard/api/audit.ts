/** The dashboard's audit log: an append-only file with a line of JSON for each action. */
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorMessage } from '../../domain/index.ts';
import type { AuditEntry } from '../generated/schema-types.ts';
import { auditEntrySchema } from './report-schema.ts';

/** Maximum number of bytes to read from the end of the file, enough for thousands of entries. */
const MAX_READ_BYTES = 1_048_576;
const MAX_TEXT_LENGTH = 2_000;

export class AuditLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Never throws, because a full disk must not stop a kill. @returns why the entry could not be written */
  add(entry: AuditEntry): string | undefined {
    const [details, text] = [entry.details.slice(0, MAX_TEXT_LENGTH), entry.text.slice(0, MAX_TEXT_LENGTH)];
    try {
      const file = openSync(this.#path, 'a+', 0o600);
      try {
        // The last line may be cut off, by a full disk or the end of a process.
        const lineStart = ['', '\n'].includes(readEnd(file, 1)) ? '' : '\n';
        appendFileSync(file, `${lineStart}${JSON.stringify({ ...entry, details, text })}\n`);
      } finally {
        closeSync(file);
      }
      return undefined;
    } catch (error) {
      return `not written to ${this.#path}: ${errorMessage(error)}`;
    }
  }

  /** Returns the newest entries first. Skips invalid lines, such as a line that a full disk cut off. */
  read(max: number): readonly AuditEntry[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, 'r');
    try {
      const lines = readEnd(file, MAX_READ_BYTES).split('\n').filter(Boolean).toReversed();
      return lines.flatMap(parseEntry).slice(0, max);
    } finally {
      closeSync(file);
    }
  }
}

function readEnd(file: number, maxBytes: number): string {
  const { size } = fstatSync(file);
  const length = Math.min(size, maxBytes);
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, size - length);
  return bytes.toString('utf8');
}

function parseEntry(line: string): readonly AuditEntry[] {
  try {
    return [auditEntrySchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
