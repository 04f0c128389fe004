import { statSync } from 'node:fs';
import { FileFault, InputFault } from '../../domain/index.ts';
import type { ImportCounts } from '../import/counts.ts';
import { type FileTrace, lineBatches, newTrace } from '../lines.ts';
import { CsvCaptures } from './csv-captures.ts';
import { type Envelope, readLine } from './envelope.ts';

/** One message of a recording, decoded. */
export interface CapturedMessage<E> {
  readonly events: readonly E[];
  /** Exchange time of the first event, epoch ms. Where the venue sends none, that of the next message that has one. */
  readonly at: number;
  readonly receivedAt: number | undefined;
  readonly line: number;
}

/** Decodes the messages of one file, in their order. */
export interface CaptureDecoder<E> {
  /** Whether a value is a message of the venue, and not what a recorder puts around it. */
  isMessage(value: object): boolean;
  /** @throws InputFault that names the field */
  decode(message: unknown): readonly E[];
  /** Exchange time of an event; undefined where it has none. */
  timeOf(event: E): number | undefined;
}

/** Messages without a time that may wait for the next one that has one. */
const MAX_WAITING = 100_000;

/** One file of a recording: JSON lines, or CSV with the messages in a column; plain or gzip. */
export class CaptureFile<E> {
  readonly path: string;
  /** Name for places. No other file of the import has it. */
  readonly name: string;
  readonly trace: FileTrace = newTrace();
  readonly bytes: number;
  /** Whether a message of it had a time of receipt. */
  hasReceiveTimes = false;
  readonly #decoder: CaptureDecoder<E>;
  readonly #isMessage: (value: object) => boolean;
  readonly #counts: ImportCounts;
  #waiting: { events: readonly E[]; receivedAt: number | undefined; line: number }[] = [];

  /** @throws FileFault when there is no such file */
  constructor(path: string, name: string, decoder: CaptureDecoder<E>, counts: ImportCounts) {
    this.path = path;
    this.name = name;
    this.#decoder = decoder;
    this.#isMessage = (value) => decoder.isMessage(value);
    this.#counts = counts;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new FileFault(path, undefined, 'there is no such file', 'Check the path');
    this.bytes = stat.size;
  }

  /** The messages in batches, in the order of the file. @throws FileFault with the line after which the file broke */
  async *messages(): AsyncGenerator<CapturedMessage<E>[]> {
    const csv = /\.csv(\.gz)?$/i.test(this.path) ? new CsvCaptures(this.path) : undefined;
    for await (const { texts, first, isCut } of lineBatches(this.path, this.trace)) {
      const batch: CapturedMessage<E>[] = [];
      let line = first;
      for (const text of texts) {
        const own = text.endsWith('\r') ? text.slice(0, -1) : text;
        if (own !== '' && !isMarker(own)) this.#line(own, line, isCut, csv, batch);
        else if (own !== '') this.#drop('merge-conflict marker', line);
        line += 1;
      }
      if (batch.length > 0) yield batch;
    }
    for (const { line } of this.#waiting) this.#drop('message without a time, and none with one after it', line);
  }

  #line(text: string, line: number, isCut: boolean, csv: CsvCaptures | undefined, batch: CapturedMessage<E>[]): void {
    this.#counts.records += 1;
    let envelope: Envelope | undefined;
    try {
      envelope = csv === undefined ? readLine(text, this.#isMessage) : csv.read(text, this.#isMessage);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      this.#drop(isKeepAlive(text) ? 'keep-alive' : isCut ? 'half a line at the end' : 'line that is no JSON', line);
      return;
    }
    if (envelope === undefined) return;
    const { message } = envelope;
    let { receivedAt } = envelope;
    if (Number.isNaN(receivedAt)) {
      this.#counts.at(this.name, line);
      this.#counts.change('receive time that cannot be read: the exchange time counts');
      receivedAt = undefined;
    }
    try {
      this.#decoded(this.#decoder.decode(message), receivedAt, line, batch);
    } catch (cause) {
      if (!(cause instanceof InputFault)) throw cause;
      this.#drop(reasonOf(cause), line);
    }
  }

  #decoded(events: readonly E[], receivedAt: number | undefined, line: number, batch: CapturedMessage<E>[]): void {
    if (events.length === 0) return;
    if (receivedAt !== undefined) this.hasReceiveTimes = true;
    let at: number | undefined;
    for (const event of events) at ??= this.#decoder.timeOf(event);
    at ??= receivedAt;
    if (at === undefined) {
      if (this.#waiting.length >= MAX_WAITING) {
        const problem = `${MAX_WAITING} messages without an exchange time, and no receive time beside them`;
        throw new FileFault(this.path, `line ${line}`, problem, 'Record the time of receipt with each message');
      }
      this.#waiting.push({ events, receivedAt, line });
      return;
    }
    for (const waiting of this.#waiting) batch.push({ ...waiting, at });
    this.#waiting = [];
    batch.push({ events, at, receivedAt, line });
  }

  #drop(reason: string, line: number): void {
    this.#counts.at(this.name, line);
    this.#counts.drop(reason);
  }
}

function isMarker(text: string): boolean {
  return /^(<{7} |={7}$|>{7} )/.test(text);
}

function isKeepAlive(text: string): boolean {
  return /^"?(PING|PONG|heartbeat)"?$/i.test(text.trim());
}

/** One reason a field and what it should be, whatever stood there. */
export function reasonOf({ field, expected }: InputFault): string {
  return `${field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*') || 'message'}: expected ${expected}`;
}
