import { FileFault, InputFault } from '../../domain/index.ts';
import { NestingError, parseJson } from '../../network/index.ts';
import type { ImportCounts } from '../import/counts.ts';
import { splitCsv } from '../import/csv-source.ts';
import { checkRereadable, nestingFault, newReadProgress, type ReadProgress, readLineBatches } from '../lines.ts';
import { type Envelope, MESSAGE_KEYS, openEnvelope, parseReceiveTime, readLine, TIME_KEYS } from './envelope.ts';

export interface CapturedMessage<E> {
  readonly events: readonly E[];
  /** Epoch ms: first exchange time of the events. If missing: receive time, or else the next message's time. */
  readonly at: number;
  readonly receivedAt: number | undefined;
  readonly line: number;
}

export interface CaptureBatch<E> {
  readonly messages: readonly CapturedMessage<E>[];
  /** Receive time of each message; if missing, `at`. These times order the messages of several files. */
  readonly times: readonly number[];
}

/** Decodes the messages of one file, in order. */
export interface CaptureDecoder<E> {
  /** Whether a value is a message of the venue, not the envelope of a recorder. */
  readonly isMessage: (value: object) => boolean;
  /** @throws InputFault that names the field */
  decode(message: unknown): readonly E[];
  /** Exchange time of an event; undefined if the event has none. */
  getTime(event: E): number | undefined;
}

/** Reads one line; undefined for the header of a CSV file. @throws SyntaxError for an invalid line */
type ReadEnvelope = (text: string, isMessage: (value: object) => boolean) => Envelope | undefined;

/** Maximum number of messages without a time that wait for the next message with a time. */
const MAX_UNTIMED = 100_000;

/** One file of a recording: JSON lines, or CSV with the messages in one column; plain or gzip. */
export class CaptureFile<E> {
  readonly path: string;
  /** Name of the file in reports, unique in the import. */
  readonly name: string;
  readonly progress: ReadProgress = newReadProgress();
  readonly bytes: number;
  hasReceiveTimes = false;
  readonly #decoder: CaptureDecoder<E>;
  readonly #counts: ImportCounts;
  #untimed: { events: readonly E[]; receivedAt: number | undefined; line: number }[] = [];

  /** @throws FileFault when there is no such file */
  constructor(path: string, name: string, decoder: CaptureDecoder<E>, counts: ImportCounts) {
    this.path = path;
    this.name = name;
    this.#decoder = decoder;
    this.#counts = counts;
    this.bytes = checkRereadable(path).size;
  }

  /** Yields the messages in batches, in the order of the file. @throws FileFault with the last readable line */
  async *messages(): AsyncGenerator<CaptureBatch<E>> {
    const read = /\.csv(\.gz)?$/i.test(this.path) ? makeCsvReader(this.path) : readLine;
    for await (const { texts, firstNumber, isCut } of readLineBatches(this.path, this.progress)) {
      const batch: CapturedMessage<E>[] = [];
      for (const [at, text] of texts.entries()) {
        const content = text.endsWith('\r') ? text.slice(0, -1) : text;
        if (/^(<{7} |={7}$|>{7} )/.test(content)) this.#drop('merge-conflict marker', firstNumber + at);
        else if (content !== '') this.#readLine(content, firstNumber + at, isCut, read, batch);
      }
      yield { messages: batch, times: batch.map(({ receivedAt, at }) => receivedAt ?? at) };
    }
    for (const { line } of this.#untimed) this.#drop('message without a time, and no later message has one', line);
  }

  #readLine(text: string, line: number, isCut: boolean, read: ReadEnvelope, batch: CapturedMessage<E>[]): void {
    this.#counts.records += 1;
    let envelope: Envelope | undefined;
    try {
      envelope = read(text, this.#decoder.isMessage);
    } catch (cause) {
      if (cause instanceof NestingError) throw nestingFault(this.path, line, cause);
      if (!(cause instanceof SyntaxError)) throw cause;
      const isKeepAlive = /^"?(PING|PONG|heartbeat)"?$/i.test(text.trim());
      this.#drop(isKeepAlive ? 'keep-alive' : isCut ? 'incomplete last line' : 'line that is not JSON', line);
      return;
    }
    if (envelope === undefined) return;
    const { message } = envelope;
    let { receivedAt } = envelope;
    if (Number.isNaN(receivedAt)) {
      this.#counts.setPlace(this.name, line);
      this.#counts.countChanged('receive time that cannot be read: the exchange time is used');
      receivedAt = undefined;
    }
    try {
      this.#addDecoded(this.#decoder.decode(message), receivedAt, line, batch);
    } catch (cause) {
      if (!(cause instanceof InputFault)) throw cause;
      this.#drop(toDropReason(cause), line);
    }
  }

  #addDecoded(events: readonly E[], receivedAt: number | undefined, line: number, batch: CapturedMessage<E>[]): void {
    if (events.length === 0) return;
    if (receivedAt !== undefined) this.hasReceiveTimes = true;
    let at: number | undefined;
    for (const event of events) at ??= this.#decoder.getTime(event);
    at ??= receivedAt;
    if (at === undefined) {
      if (this.#untimed.length >= MAX_UNTIMED) {
        const problem = `${MAX_UNTIMED} messages without an exchange time or a receive time`;
        throw new FileFault(this.path, `line ${line}`, problem, 'Record the receive time of each message');
      }
      this.#untimed.push({ events, receivedAt, line });
      return;
    }
    for (const message of this.#untimed) batch.push({ ...message, at });
    this.#untimed = [];
    batch.push({ events, at, receivedAt, line });
  }

  #drop(reason: string, line: number): void {
    this.#counts.setPlace(this.name, line);
    this.#counts.countDropped(reason);
  }
}

/** Returns a reader of CSV lines. The reader throws a FileFault for a header without a column of JSON messages. */
function makeCsvReader(path: string): ReadEnvelope {
  let columns: ReturnType<typeof findCsvColumns> | undefined;
  return (text, isMessage) => {
    const cells = splitCsv(text, ',');
    if (columns === undefined) {
      columns = findCsvColumns(path, cells ?? []);
      return undefined;
    }
    const { count, message, time } = columns;
    if (cells?.length !== count) throw new SyntaxError('a row with another number of cells than the header');
    const envelope = openEnvelope(parseJson(cells[message] ?? ''), isMessage);
    return time < 0 ? envelope : { ...envelope, receivedAt: parseReceiveTime(cells[time]) };
  };
}

function findCsvColumns(path: string, names: readonly string[]) {
  const findIndex = (keys: readonly string[]) => keys.map((key) => names.indexOf(key)).find((at) => at >= 0) ?? -1;
  const message = findIndex(MESSAGE_KEYS);
  if (message >= 0) return { count: names.length, message, time: findIndex(TIME_KEYS) };
  const problem = `no column with JSON messages: ${names.slice(0, 20).join(', ')}`;
  const remedy = `Name it ${MESSAGE_KEYS.join(', ')}; a table of levels and trades needs \`import csv\` and a mapping file`;
  throw new FileFault(path, 'line 1', problem, remedy);
}

/** A message that cannot be read, after which the book of its market is unknown. */
export interface InvalidMessage {
  readonly type: 'invalid';
  readonly reason: string;
  readonly market: string | undefined;
}

/** @param market id in the message; ignored unless it is a string @throws `cause` unless it is an InputFault */
export function toInvalidMessage(cause: unknown, market: unknown): InvalidMessage {
  if (!(cause instanceof InputFault)) throw cause;
  return { type: 'invalid', reason: toDropReason(cause), market: typeof market === 'string' ? market : undefined };
}

/** Returns the reason for a drop, without the received value, which would make each reason different. */
export function toDropReason({ field, expected }: InputFault): string {
  return `${field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*') || 'message'}: expected ${expected}`;
}
