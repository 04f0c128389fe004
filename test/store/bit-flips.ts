/** Flips bits of a database one at a time and checks that each flip is harmless, refused or reported. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EXIT } from '../../src/cli/exit-code.ts';
import { showFault } from '../../src/cli/output/show-fault.ts';
import type { Random } from '../../src/clock/index.ts';

/** An intact database and its programs. */
export interface Subject {
  readonly file: string;
  /** Starts the program on a copy, reads everything, and ends. @returns the answers @throws the error of the program */
  start(copy: string): Promise<unknown>;
  /** Findings of `journal check` on a copy. @param isSame whether answers were the same @throws the check's error */
  check(copy: string, isSame: boolean): readonly string[];
}

/** Numbers of flips by outcome. */
export interface FlipTally {
  flips: number;
  /** The answers are the same and `journal check` reports nothing. */
  harmless: number;
  /** The start fails with exit code 3. */
  refused: number;
  /** The start succeeds and `journal check` reports the damage. */
  reported: number;
  /** Descriptions of all other outcomes, which are failures. */
  readonly others: string[];
}

export interface FlipOptions {
  readonly random: Random;
  /** Distance of flipped bits, bytes. */
  readonly every: number;
  /** Returns a name for a copy. */
  readonly copy: () => string;
  /** Maximum number of flips, spread over the file. Default: all. */
  readonly maxFlips?: number;
  /** Called after each flip. */
  readonly onFlip?: (tally: FlipTally) => void;
}

export async function flipBits(subject: Subject, options: FlipOptions): Promise<FlipTally> {
  const { random, every, copy, maxFlips = Number.POSITIVE_INFINITY, onFlip } = options;
  const intact = readFileSync(subject.file);
  const tally: FlipTally = { flips: 0, harmless: 0, refused: 0, reported: 0, others: [] };
  const answers = await onCopy(copy(), intact, async (name) => JSON.stringify(await subject.start(name)));
  const step = Math.max(every, intact.length / maxFlips);
  for (let from = 0; from < intact.length; from += step) {
    const at = Math.min(intact.length - 1, Math.floor(from) + random.int(Math.floor(step)));
    const bit = random.int(8);
    const bytes = Buffer.from(intact);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    tally.flips += 1;
    await checkFlip(subject, { bytes, copy, answers, place: `byte ${at}, bit ${bit}` }, tally);
    onFlip?.(tally);
  }
  return tally;
}

interface Flip {
  readonly bytes: Buffer;
  readonly copy: () => string;
  readonly answers: string;
  readonly place: string;
}

async function checkFlip(subject: Subject, { bytes, copy, answers, place }: Flip, tally: FlipTally): Promise<void> {
  let isSame = false;
  try {
    isSame = await onCopy(copy(), bytes, async (name) => JSON.stringify(await subject.start(name)) === answers);
  } catch (fault) {
    if (isDataFault(fault)) tally.refused += 1;
    else tally.others.push(`${place}: the start ended with ${stackOf(fault)}`);
    return;
  }
  try {
    const found = await onCopy(copy(), bytes, async (name) => subject.check(name, isSame));
    if (found.length > 0) tally.reported += 1;
    else if (isSame) tally.harmless += 1;
    else tally.others.push(`${place}: other answers, and nothing is reported`);
  } catch (fault) {
    if (isDataFault(fault)) tally.reported += 1;
    else tally.others.push(`${place}: journal check ended with ${stackOf(fault)}`);
  }
}

const SIDE_FILES = ['', '-wal', '-shm', '-mark', '-intents', '-lock'];

/** Uses a new name for each copy, as SQLite shares state among connections to one file. */
async function onCopy<T>(name: string, bytes: Buffer, use: (name: string) => Promise<T>): Promise<T> {
  writeFileSync(name, bytes, { mode: 0o600 });
  try {
    return await use(name);
  } finally {
    for (const end of SIDE_FILES) rmSync(name + end, { force: true });
  }
}

function isDataFault(fault: unknown): boolean {
  return showFault(fault).exitCode === EXIT.data;
}

function stackOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
