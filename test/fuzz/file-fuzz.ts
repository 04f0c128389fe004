/**
 * Damaged and forged files as input, for the tests and for `npm run soak:files`. Each case is a real file with some changes;
 * the property: its reader gets a fault that names file and place, with the documented exit code, or an equal read.
 */
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync, gunzipSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { parseRunSpec } from '../../src/backtest/index.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { showFault } from '../../src/cli/output/show-fault.ts';
import { seededRandom } from '../../src/clock/index.ts';
import { chaosSchema } from '../../src/config/chaos-schema.ts';
import { type Configuration, readConfiguration } from '../../src/config/configuration.ts';
import { parseLive } from '../../src/config/live-file.ts';
import { venueSchema } from '../../src/config/venue-schema.ts';
import { ByteWriter } from '../../src/domain/byte-writer.ts';
import {
  checkTape,
  DEFAULT_RECIPE,
  generateTape,
  importBetfair,
  readFrames,
  readStepLog,
  StepLog,
  TapeFile,
  TapeWriter,
} from '../../src/history/index.ts';
import { type BlockEntry, entryNumbers, parseTrailer, writeTrailer } from '../../src/history/tape-format.ts';
import { decodeStep, encodeStep } from '../../src/runtime/index.ts';
import { parseStrict } from '../../src/strategy/index.ts';
import { BLOCK_ROWS, makeBlock } from '../../src/tape/index.ts';
import { anyStep } from '../runtime/any-step.ts';
import { lines } from '../tape/rows.ts';
import { importedFiles } from './import-fuzz.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One kind of file: real ones, what can be forged in them, and how they are read. */
export interface Fuzzed {
  readonly name: string;
  /** Real files. */
  readonly seeds: readonly Buffer[];
  /** Changes something and makes every checksum right again; undefined where the kind has none. */
  readonly forge?: (bytes: Buffer, random: Random) => Buffer;
  /** Reads it as a program does. Throws what that throws; checks what it gives. */
  readonly read: (path: string) => void | Promise<void>;
  /** The exit code of a file that cannot be used. */
  readonly exitCode: number;
}
type Random = ReturnType<typeof seededRandom>;

const BLOCK = makeBlock(BLOCK_ROWS);

/** A case: a file, whether it is forged, and the seed of its changes. */
export const anyCase = (kind: Fuzzed) =>
  fc.record({ file: fc.nat(kind.seeds.length - 1), forged: fc.boolean(), seed: fc.nat(2 ** 31) });

/** Makes the file of a case. */
export function bytesOf(kind: Fuzzed, { file, forged, seed }: { file: number; forged: boolean; seed: number }): Buffer {
  const random = seededRandom(seed);
  const bytes = Buffer.from(kind.seeds[file] ?? Buffer.alloc(0));
  return forged && kind.forge !== undefined ? kind.forge(bytes, random) : mutated(bytes, random, kind.seeds);
}

/** Reads the file of a case. @throws Error with the case's scenario when the property does not hold */
export async function tried(kind: Fuzzed, path: string, bytes: Buffer): Promise<'read' | 'refused'> {
  writeFileSync(path, bytes);
  try {
    await kind.read(path);
    return 'read';
  } catch (error) {
    const { exitCode, text } = showFault(error, false);
    // A file of data comes with a remedy, a configuration with line and column.
    const says = exitCode === EXIT.data ? /\. [A-Z]/ : /:\d+:\d+: |: (?:longer|this) /;
    const isTold = exitCode === kind.exitCode && text.includes(path) && says.test(text);
    if (!isTold) throw new Error(`${kind.name}: exit code ${exitCode}, ${text.slice(0, 2_000)}`, { cause: error });
    return 'refused';
  }
}

/** Flips, cuts, pieces that are moved, doubled or taken from another file, numbers at their ends. */
function mutated(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let now = bytes;
  for (let changes = 1 + random.int(3); changes > 0; changes -= 1) {
    const at = random.int(now.length + 1);
    const to = Math.min(now.length, at + 1 + random.int(60));
    switch (random.int(8)) {
      case 0:
        now = now.subarray(0, at);
        break;
      case 1:
        now = Buffer.concat([now.subarray(0, at), now.subarray(to)]);
        break;
      case 2:
        now = Buffer.concat([now.subarray(0, to), now.subarray(at)]);
        break;
      case 3: {
        const other = others[random.int(others.length)] ?? now;
        const from = random.int(other.length + 1);
        now = Buffer.concat([now.subarray(0, at), other.subarray(from, from + 1 + random.int(200)), now.subarray(at)]);
        break;
      }
      case 4:
        now = Buffer.from(now);
        now.fill(random.int(3) === 0 ? 255 : 0, at, to);
        break;
      default:
        now = Buffer.from(now);
        if (at < now.length) now[at] = (now[at] ?? 0) ^ (1 << random.int(8));
    }
  }
  return now;
}

/** A number in bytes, as one that a format may choke on. */
function withOddNumber(bytes: Buffer, random: Random): void {
  if (bytes.length < 8) return;
  const at = random.int(bytes.length - 7);
  const odd = [0, 1, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 32 - 1, 2 ** 53, -(2 ** 53), 1e300];
  const value = odd[random.int(odd.length)] ?? 0;
  if (random.int(2) === 0) bytes.writeDoubleLE(value, at);
  else bytes.writeUInt32LE(Number.isFinite(value) && value > 0 ? Math.min(value, 2 ** 32 - 1) >>> 0 : 0, at);
}

function spoilt(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  if (random.int(2) === 0) withOddNumber(copy, random);
  else return mutated(copy, random, [copy]);
  return copy;
}

/** A word of JSON or YAML replaced by one that should not stand there. */
function withOddWord(text: string, random: Random): string {
  const words = [...text.matchAll(/-?\b[\w.]+\b|"[^"\n]*"|[[\]{},:]/g)];
  const word = words[random.int(Math.max(1, words.length))];
  const odd = [
    'null',
    '-1',
    '0.5',
    '1e999',
    '9007199254740993',
    '[]',
    '{}',
    '""',
    '"x"',
    '[[[[]]]]',
    '4294967296',
    '',
    '"\\ud800"',
    '~',
  ];
  if (word?.index === undefined) return text;
  return text.slice(0, word.index) + (odd[random.int(odd.length)] ?? '') + text.slice(word.index + word[0].length);
}

/** A value of a key replaced by one that a schema may let through. */
function withOddValue(text: string, random: Random): string {
  const values = [...text.matchAll(/(?<=: )[\w.]+/g)];
  const value = values[random.int(Math.max(1, values.length))];
  const odd = ['0', '1', '2', '-1', '3', '7', '0.01', '1000', '65536', '1000000', '9007199254740991', 'true', 'x'];
  if (value?.index === undefined) return text;
  return text.slice(0, value.index) + (odd[random.int(odd.length)] ?? '') + text.slice(value.index + value[0].length);
}

/** In a folder that `made` gives away and takes back. */
function inFolder<T>(made: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-fuzz-'));
  try {
    return made(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/* Tapes */

function forgedTape(bytes: Buffer, random: Random): Buffer {
  const trailer = parseTrailer(bytes.subarray(-32));
  if (trailer === undefined) return bytes;
  const text = bytes.subarray(trailer.offset, trailer.offset + trailer.bytes).toString('utf8');
  const footer = JSON.parse(text);
  const entry = footer.blocks[0];
  let frame: Buffer = bytes.subarray(entry[0], entry[0] + entry[1]);
  let changed = text;
  if (random.int(3) === 0) changed = withOddWord(text, random);
  else {
    const raw = spoilt(zstdDecompressSync(frame), random);
    frame = random.int(4) === 0 ? spoilt(frame, random) : zstdCompressSync(raw);
    const next: BlockEntry = {
      offset: 16,
      bytes: frame.length,
      rawBytes: raw.length,
      rows: entry[3],
      firstTx: entry[4],
      lastTx: entry[5],
      crc: crc32(frame),
    };
    changed = JSON.stringify({ manifest: footer.manifest, blocks: [entryNumbers(next)] });
  }
  const end = Buffer.from(changed);
  return Buffer.concat([bytes.subarray(0, 16), frame, end, writeTrailer(16 + frame.length, end)]);
}

function readTape(path: string): void {
  const tape = TapeFile.open(path);
  const feed = tape.feed();
  const rows: string[] = [];
  try {
    while (feed.fill(BLOCK) > 0) rows.push(...lines(BLOCK));
  } finally {
    feed.close();
  }
  if (rows.length !== tape.manifest.rows) throw new Error(`${rows.length} rows of ${tape.manifest.rows}`);
  checkTape(tape);
  // What a reader takes, a writer does: the same manifest and rows.
  const { name, source, units, receiveTime, markets } = tape.manifest;
  const writer = new TapeWriter(`${path}.copy`);
  const again = tape.feed();
  try {
    while (again.fill(BLOCK) > 0) writer.messages.append(BLOCK);
    deepStrictEqual(writer.finish({ name, source, units, receiveTime, markets }), tape.manifest);
  } finally {
    again.close();
    writer.abandon();
  }
}

function tapes(): Fuzzed {
  const seeds = inFolder((folder) => {
    return [
      { seed: 1, markets: 1, haltEvery: 0 },
      { seed: 2, markets: 3, haltEvery: 6, placeDelayMs: 500, receiveDelayMs: 20 },
    ].map((recipe) => {
      const path = join(folder, 'a.tape');
      generateTape({ ...DEFAULT_RECIPE, ...recipe, events: 60 }, path);
      return readFileSync(path);
    });
  });
  return { name: 'tape', seeds, forge: forgedTape, read: readTape, exitCode: EXIT.data };
}

/* Steps */

function framed(bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length);
  head.writeUInt32LE(crc32(bytes), 4);
  return Buffer.concat([head, bytes]);
}

/** The chunks behind a first line. */
function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = bytes.indexOf(0x0a) + 1; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at)) {
    chunks.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at)));
  }
  return chunks;
}

function withChunk(bytes: Buffer, random: Random, change: (chunk: Buffer) => Buffer): Buffer {
  const head = bytes.subarray(0, bytes.indexOf(0x0a) + 1);
  const chunks = chunksOf(bytes);
  const spot = random.int(chunks.length);
  return Buffer.concat([head, ...chunks.map((chunk, at) => framed(at === spot ? change(chunk) : chunk))]);
}

function readSteps(path: string): void {
  const { head, count, steps } = readStepLog(path);
  const writer = new ByteWriter(4_096);
  let seen = 0;
  for (const step of steps()) {
    seen += 1;
    encodeStep(step, writer);
    // Not compared as bytes: NaN has many.
    deepStrictEqual(decodeStep(writer.take()), step);
  }
  if (head === undefined || seen !== count) throw new Error(`${seen} steps of ${count}`);
}

function steps(): Fuzzed {
  const seeds = inFolder((folder) => {
    return [1, 2, 3].map((seed) => {
      const log = new StepLog(join(folder, 'a.steps'), { format: 1, of: 'a test' }, () => {});
      for (const step of fc.sample(anyStep, { numRuns: 6, seed })) log.add(step);
      log.flush();
      // Without the end mark, which is no chunk.
      const bytes = readFileSync(log.path);
      log.close();
      return bytes;
    });
  });
  const forge = (bytes: Buffer, random: Random) => withChunk(bytes, random, (chunk) => spoilt(chunk, random));
  return { name: 'steps', seeds, forge, read: readSteps, exitCode: EXIT.data };
}

/* Frames */

function frames(): Fuzzed {
  const frame = (at: number, socket: number, text: string): Buffer => {
    const head = Buffer.alloc(16);
    head.writeDoubleLE(at, 0);
    head.writeUInt32LE(socket, 8);
    head.writeUInt32LE(Buffer.byteLength(text), 12);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const chunk = (from: number) =>
    framed(deflateRawSync(Buffer.concat([1, 2, 3].map((no) => frame(from + no, no, `{"no":${no},"text":"é"}`)))));
  const seeds = [Buffer.concat([Buffer.from('{"format":1}\n'), chunk(1_000), chunk(2_000)])];
  const forge = (bytes: Buffer, random: Random) =>
    withChunk(bytes, random, (packed) =>
      random.int(4) === 0 ? spoilt(packed, random) : deflateRawSync(spoilt(inflateRawSync(packed), random)),
    );
  const read = (path: string): void => {
    for (const { at, text } of readFrames(path).frames()) {
      if (!(at >= 0) || typeof text !== 'string') throw new Error(`a frame at ${at}`);
      new Date(at).toISOString();
    }
  };
  return { name: 'frames', seeds, forge, read, exitCode: EXIT.data };
}

/* YAML */

/** @param more files of this kind beside the one in `config/` */
function yaml(name: string, parse: (configuration: Configuration) => unknown, ...more: readonly string[]): Fuzzed {
  const seeds = [readFileSync(join(ROOT, 'config', name)), ...more.map((text) => Buffer.from(text))];
  const forge = (bytes: Buffer, random: Random) => {
    const text = bytes.toString('utf8');
    return Buffer.from(
      random.int(2) === 0 ? withOddValue(text, random) : withOddWord(withOddWord(text, random), random),
    );
  };
  const read = async (path: string): Promise<void> => {
    const configuration = readConfiguration(path, '/');
    try {
      await parse(configuration);
    } catch (fault) {
      throw configuration.blame(fault);
    }
  };
  return { name, seeds, forge, read, exitCode: EXIT.usage };
}

/** Sections that `config/venue.yaml` leaves out. */
const MORE_OF_A_VENUE = `
audience: https://venue.example
contract: "0x00000000000000000000000000000000000000a1"
base_path: /venue
trusted_proxies: [127.0.0.1, 10.0.0.0/8]
origins: ["https://page.example"]
email_needed_for: [ORDER]
quote_policy: additive
exchange: { tick_bps: 10, min_heartbeat: 1000, max_heartbeat: 60000, quorum: 2, panel_size: 3 }
chain: { model: manual }
resolver: { model: scripted, outcomes: { a-market: { decision: YES, at: 2026-03-01T12:00:00Z, sources: [here] } } }
house: { enabled: true, policy: additive, spread_bps: 100, refill_below: 10, interval_ms: 1000 }
geo: { country_header: cf-ipcountry, rules: { US: BLOCKED, FR: CLOSE_ONLY }, unknown: ALLOWED }
rates: { read: { capacity: 100, per_second: 10 } }
payouts: { provision_ms: 1, broadcast_ms: 1, confirm_ms: 1, failure: 0.5 }
`;

/* Recordings of Betfair */

function betfair(): Fuzzed {
  const text = gunzipSync(readFileSync(join(ROOT, 'test/fixtures/betfair/1.197931751.gz'))).toString('utf8');
  const seeds = [Buffer.from(text.split('\n').slice(0, 6).join('\n'))];
  const forge = (bytes: Buffer, random: Random) => {
    let changed = bytes.toString('utf8');
    for (let changes = 1 + random.int(3); changes > 0; changes -= 1) changed = withOddWord(changed, random);
    return Buffer.from(changed);
  };
  const read = async (path: string): Promise<void> => {
    const folder = `${path}-tapes`;
    try {
      for (const tape of await importBetfair({ recording: path, folder })) checkTape(TapeFile.open(tape.path));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { name: 'betfair', seeds, forge, read, exitCode: EXIT.data };
}

/** Every kind of file that is fuzzed. */
export function fuzzedFiles(): readonly Fuzzed[] {
  return [
    tapes(),
    steps(),
    frames(),
    yaml('backtest.yaml', ({ value }) => parseRunSpec(value)),
    yaml('live.yaml', parseLive),
    yaml('bot.yaml', parseLive),
    yaml('venue.yaml', ({ value }) => parseStrict(venueSchema, value ?? {}, ''), MORE_OF_A_VENUE),
    yaml('chaos.yaml', ({ value }) => parseStrict(chaosSchema, value ?? {}, '')),
    betfair(),
    ...importedFiles((bytes, random) => {
      let changed = bytes.toString('utf8');
      for (let changes = 1 + random.int(3); changes > 0; changes -= 1) changed = withOddWord(changed, random);
      return Buffer.from(changed);
    }),
  ];
}
