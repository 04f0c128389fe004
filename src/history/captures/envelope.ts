/**
 * Reads the envelope in which a recorder stores a venue's message and its receive time.
 *
 * The message is alone, in an object with the time, in a list after the time, or in a line after the time. The message
 * may be JSON in a string.
 */
import { parseJson } from '../../network/index.ts';

/** Keys of the message in a recorder's object; the first present key is used. */
export const MESSAGE_KEYS: readonly string[] = ['message', 'msg', 'data', 'payload', 'raw', 'frame', 'event', 'body'];
/** Time keys that no venue uses, and that are therefore also read inside a message. */
const RECORDER_TIME_KEYS: readonly string[] = [
  ...['received_at', 'receivedAt', 'received', 'recv_ts', 'recv_time', 'receive_time', 'receive_ts'],
  ...['local_timestamp', 'local_ts', 'capture_ts', 'captured_at', 'rx'],
];
/** Keys of the receive time beside a message. */
export const TIME_KEYS: readonly string[] = [...RECORDER_TIME_KEYS, 'ts', 'time', 'timestamp'];

export interface Envelope {
  readonly message: unknown;
  /** Epoch ms; NaN if it cannot be read, undefined if missing. */
  readonly receivedAt: number | undefined;
}

/** Reads a line. @param isMessage whether a value is a message of the venue, not a recorder's object */
export function readLine(text: string, isMessage: (value: object) => boolean): Envelope {
  const start = text.search(/[[{]/);
  const prefix = text.slice(0, Math.max(0, start)).trim();
  const timeText = prefix.replace(/[,;:]$/, '');
  const { message, receivedAt } = openEnvelope(parseJson(timeText === '' ? text : text.slice(start)), isMessage);
  return { message, receivedAt: receivedAt ?? (timeText === '' ? undefined : parseReceiveTime(timeText)) };
}

/** Reads a JSON value. @throws SyntaxError if the message is a string that is not JSON */
export function openEnvelope(value: unknown, isMessage: (value: object) => boolean): Envelope {
  if (Array.isArray(value)) {
    const [time, message] = value;
    const isPair = value.length === 2 && (typeof time === 'number' || typeof time === 'string');
    return isPair
      ? { message: parseMessage(message), receivedAt: parseReceiveTime(time) }
      : { message: value, receivedAt: undefined };
  }
  if (typeof value !== 'object' || value === null) return { message: value, receivedAt: undefined };
  if (isMessage(value)) return { message: value, receivedAt: readTime(RECORDER_TIME_KEYS, value) };
  const key = MESSAGE_KEYS.find((name) => mayBeMessage(Reflect.get(value, name)));
  if (key === undefined) return { message: value, receivedAt: readTime(RECORDER_TIME_KEYS, value) };
  return { message: parseMessage(Reflect.get(value, key)), receivedAt: readTime(TIME_KEYS, value) };
}

function mayBeMessage(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || (typeof value === 'string' && /^\s*[[{]/.test(value));
}

function parseMessage(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value;
}

function readTime(keys: readonly string[], value: object): number | undefined {
  const key = keys.find((name) => Object.hasOwn(value, name));
  return key === undefined ? undefined : parseReceiveTime(Reflect.get(value, key));
}

/** Parses ISO 8601 with a zone, or an epoch number whose size shows s to ns. Rounds **down** to ms; NaN if invalid. */
export function parseReceiveTime(value: unknown): number {
  if (typeof value === 'string' && !/^\d+(\.\d*)?$/.test(value)) {
    const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)$/.test(value);
    const withColon = value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
    return isTime ? Date.parse(withColon.replace(' ', 'T').replace(',', '.')) : Number.NaN;
  }
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 0)) return Number.NaN;
  // 1e11 s is the year 5138, 1e11 ms is 1973.
  if (number < 1e11) return Math.floor(number * 1_000);
  if (number < 1e14) return Math.floor(number);
  return Math.floor(number / (number < 1e17 ? 1_000 : 1_000_000));
}
