/**
 * Signals are external data for strategies. As text, they are one JSON object per line:
 *
 *     {"time":"2026-03-01T12:00:00.250Z","name":"rain-tomorrow.p","value":0.61}
 *
 * A backtest delivers a signal at its `time`. A live source may omit `time`, and must not state a future time.
 */
import { createHash } from 'node:crypto';
import { checkSignalName, type EpochMs, errorMessage, FileFault, InputFault, parseTime } from '../domain/index.ts';
import { readConfigured } from './files.ts';

export interface Signal {
  /** Letters, digits and `. _ : -`, at most 100. */
  readonly name: string;
  readonly value: number;
  /** Undefined if a live source states no time. */
  readonly time: EpochMs | undefined;
}

export type TimedSignal = Signal & { readonly time: EpochMs };

const MAX_FILE_BYTES = 256 * 1_048_576;

/** Reads one signal from parsed JSON. @throws InputFault that names the invalid field */
export function parseSignal(json: unknown): Signal {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new InputFault('', json, 'an object such as {"name":"rain-tomorrow.p","value":0.61}');
  const { time, name, value, ...others }: { time?: unknown; name?: unknown; value?: unknown } = json;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new InputFault(unknown, Reflect.get(others, unknown), 'only time, name, value');
  if (time !== undefined && typeof time !== 'string')
    throw new InputFault('time', time, 'a time such as 2026-03-01T12:00:00Z');
  const checkedName = checkSignalName('name', name);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InputFault('value', value, 'a finite number');
  // The addition turns -0 into 0.
  return { name: checkedName, value: value + 0, time: time === undefined ? undefined : parseTime('time', time) };
}

/** Reads the signals of a file. @throws FileFault with the line that is invalid, has no time, or is out of order */
export function readSignals(path: string): { readonly signals: readonly TimedSignal[]; readonly sha256: string } {
  const bytes = readConfigured(path, { maxBytes: MAX_FILE_BYTES, kind: 'a file of signals', key: 'signals' });
  const signals: TimedSignal[] = [];
  for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { time, ...signal } = parseLine(path, index + 1, line);
    const before = signals.at(-1);
    if (time === undefined) throw lineFault(path, index + 1, 'the signal has no time');
    if (before !== undefined && time < before.time)
      throw lineFault(path, index + 1, 'its time is earlier than the time of the previous signal');
    signals.push({ ...signal, time });
  }
  return { signals, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function parseLine(path: string, number: number, line: string): Signal {
  try {
    return parseSignal(JSON.parse(line));
  } catch (cause) {
    throw lineFault(path, number, errorMessage(cause), cause);
  }
}

function lineFault(path: string, number: number, problem: string, cause?: unknown): FileFault {
  const remedy = 'Each line is {"time":"2026-03-01T12:00:00Z","name":"rain-tomorrow.p","value":0.61}, in order of time';
  return new FileFault(path, `line ${number}`, problem, remedy, { cause });
}
