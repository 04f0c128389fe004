/**
 * Damaged and forged input files, for the tests and for `npm run soak:files`. Each case is a valid file with some
 * changes. The property: the reader either reports a fault with the file, the place and the documented exit code, or
 * reads the file.
 */
import { deepStrictEqual } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
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
import { checkTape, importBetfair, readFrames, readStepLog, StepLog, TapeFile } from '../../src/history/index.ts';
import { decodeStep, encodeStep } from '../../src/runtime/index.ts';
import { parseStrict } from '../../src/strategy/index.ts';
import { anyStep } from '../runtime/any-step.ts';
import { importedFiles } from './import-fuzz.ts';
import { corrupt, mutate, type Random, replaceToken, replaceTokens, replaceValue } from './mutations.ts';
import { tapes, withFolder } from './tape-fuzz.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One kind of file: valid seeds, a function that forges changes, and the reader. */
export interface FuzzedFile {
  readonly name: string;
  /** Valid files. */
  readonly seeds: readonly Buffer[];
  /** Changes content and recomputes every checksum; undefined for a kind without forged cases. */
  readonly forge?: (bytes: Buffer, random: Random) => Buffer;
  /** Reads the file as the program does and checks the result. @throws Error when the file is refused */
  readonly read: (path: string) => void | Promise<void>;
  /** The exit code of the program when it refuses the file. */
  readonly exitCode: number;
}

/** A case: a file, whether it is forged, and the seed of its changes. */
export const anyCase = (kind: FuzzedFile) =>
  fc.record({ file: fc.nat(kind.seeds.length - 1), forged: fc.boolean(), seed: fc.nat(2 ** 31) });

/** Returns the bytes of a case. */
export function bytesOf(
  kind: FuzzedFile,
  { file, forged, seed }: { file: number; forged: boolean; seed: number },
): Buffer {
  const random = seededRandom(seed);
  const bytes = Buffer.from(kind.seeds[file] ?? Buffer.alloc(0));
  return forged && kind.forge !== undefined ? kind.forge(bytes, random) : mutate(bytes, random, kind.seeds);
}

/** Writes the bytes to `path` and reads them. @throws Error when the property does not hold */
export async function readOrRefuse(kind: FuzzedFile, path: string, bytes: Buffer): Promise<'read' | 'refused'> {
  writeFileSync(path, bytes);
  try {
    await kind.read(path);
    return 'read';
  } catch (error) {
    const { exitCode, text } = showFault(error);
    // The message for a data file contains a remedy, the one for a configuration file a line and column.
    const expected = exitCode === EXIT.data ? /\. [A-Z]/ : /:\d+:\d+: |: (?:longer|this) /;
    const isExplained = exitCode === kind.exitCode && text.includes(path) && expected.test(text);
    if (!isExplained) throw new Error(`${kind.name}: exit code ${exitCode}, ${text.slice(0, 2_000)}`, { cause: error });
    return 'refused';
  }
}

/* Steps */

function frameOf(bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length);
  head.writeUInt32LE(crc32(bytes), 4);
  return Buffer.concat([head, bytes]);
}

/** Returns the chunks after the first line. */
function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = bytes.indexOf(0x0a) + 1; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at)) {
    chunks.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at)));
  }
  return chunks;
}

function changeChunk(bytes: Buffer, random: Random, change: (chunk: Buffer) => Buffer): Buffer {
  const head = bytes.subarray(0, bytes.indexOf(0x0a) + 1);
  const chunks = chunksOf(bytes);
  const spot = random.int(chunks.length);
  return Buffer.concat([head, ...chunks.map((chunk, at) => frameOf(at === spot ? change(chunk) : chunk))]);
}

function readSteps(path: string): void {
  const { head, count, steps } = readStepLog(path);
  const writer = new ByteWriter(4_096);
  let seen = 0;
  for (const step of steps()) {
    seen += 1;
    encodeStep(step, writer);
    // Not compared as bytes because NaN has several encodings.
    deepStrictEqual(decodeStep(writer.finish()), step);
  }
  if (head === undefined || seen !== count) throw new Error(`${seen} steps of ${count}`);
}

function steps(): FuzzedFile {
  const seeds = withFolder((folder) => {
    return [1, 2, 3].map((seed) => {
      const log = new StepLog(join(folder, 'a.steps'), { format: 1, of: 'a test' }, () => {});
      for (const step of fc.sample(anyStep, { numRuns: 6, seed })) log.add(step);
      log.flush();
      // Read before `close`, which appends the end mark; the end mark is not a chunk.
      const bytes = readFileSync(log.path);
      log.close();
      return bytes;
    });
  });
  const forge = (bytes: Buffer, random: Random) => changeChunk(bytes, random, (chunk) => corrupt(chunk, random));
  return { name: 'steps', seeds, forge, read: readSteps, exitCode: EXIT.data };
}

/* Frames */

function frames(): FuzzedFile {
  const frame = (at: number, socket: number, text: string): Buffer => {
    const head = Buffer.alloc(16);
    head.writeDoubleLE(at, 0);
    head.writeUInt32LE(socket, 8);
    head.writeUInt32LE(Buffer.byteLength(text), 12);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const chunk = (from: number) =>
    frameOf(deflateRawSync(Buffer.concat([1, 2, 3].map((no) => frame(from + no, no, `{"no":${no},"text":"é"}`)))));
  const seeds = [Buffer.concat([Buffer.from('{"format":1}\n'), chunk(1_000), chunk(2_000)])];
  const forge = (bytes: Buffer, random: Random) =>
    changeChunk(bytes, random, (packed) =>
      random.int(4) === 0 ? corrupt(packed, random) : deflateRawSync(corrupt(inflateRawSync(packed), random)),
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

/** @param more further seeds besides the file in `config/` */
function yaml(name: string, parse: (configuration: Configuration) => unknown, ...more: readonly string[]): FuzzedFile {
  const seeds = [readFileSync(join(ROOT, 'config', name)), ...more.map((text) => Buffer.from(text))];
  const forge = (bytes: Buffer, random: Random) => {
    const text = bytes.toString('utf8');
    return Buffer.from(
      random.int(2) === 0 ? replaceValue(text, random) : replaceToken(replaceToken(text, random), random),
    );
  };
  const read = async (path: string): Promise<void> => {
    const configuration = readConfiguration(path, '/');
    try {
      await parse(configuration);
    } catch (fault) {
      throw configuration.locateFault(fault);
    }
  };
  return { name, seeds, forge, read, exitCode: EXIT.usage };
}

/** Sections of a venue's configuration that `config/venue.yaml` does not contain. */
const FURTHER_VENUE_SECTIONS = `
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

function betfair(): FuzzedFile {
  const text = gunzipSync(readFileSync(join(ROOT, 'test/fixtures/betfair/1.197931751.gz'))).toString('utf8');
  const seeds = [Buffer.from(text.split('\n').slice(0, 6).join('\n'))];
  const read = async (path: string): Promise<void> => {
    const folder = `${path}-tapes`;
    try {
      for (const tape of await importBetfair({ recording: path, folder })) checkTape(TapeFile.open(tape.path));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { name: 'betfair', seeds, forge: replaceTokens, read, exitCode: EXIT.data };
}

/** Returns every kind of file that is fuzzed. */
export function fuzzedFiles(): readonly FuzzedFile[] {
  return [
    tapes(),
    steps(),
    frames(),
    yaml('backtest.yaml', ({ value }) => parseRunSpec(value)),
    yaml('live.yaml', parseLive),
    yaml('bot.yaml', parseLive),
    yaml('venue.yaml', ({ value }) => parseStrict(venueSchema, value ?? {}, ''), FURTHER_VENUE_SECTIONS),
    yaml('chaos.yaml', ({ value }) => parseStrict(chaosSchema, value ?? {}, '')),
    betfair(),
    ...importedFiles(replaceTokens),
  ];
}
