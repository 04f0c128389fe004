/** Flips bits of a database one at a time, and looks at what becomes of each: nothing may be wrong without being said. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EXIT } from '../../src/cli/exit-code.ts';
import { showFault } from '../../src/cli/output/show-fault.ts';
import type { Random } from '../../src/clock/index.ts';

/** A database that is whole, and how it is used. */
export interface Subject {
  readonly file: string;
  /** Starts its program on a copy, asks for everything, and ends. @returns the answers @throws what the program ends with */
  start(copy: string): Promise<unknown>;
  /** What `journal check` reports of a copy. @param isSame whether the answers were the same @throws what it ends with */
  check(copy: string, isSame: boolean): readonly string[];
}

/** Numbers of flips by what came of them. */
export interface FlipTally {
  flips: number;
  /** The same answers, and nothing that `journal check` reports. */
  harmless: number;
  /** The start ends with exit code 3. */
  refused: number;
  /** The start goes on, and `journal check` reports the damage. */
  reported: number;
  /** None of these, each in words. */
  readonly others: string[];
}

export interface FlipOptions {
  readonly random: Random;
  /** One bit of each so many bytes. */
  readonly every: number;
  /** Makes names of copies. */
  readonly copy: () => string;
  /** Looks at this number of flips at most, spread over the file. Default: all. */
  readonly most?: number;
  /** Called after each. */
  readonly flipped?: (tally: FlipTally) => void;
}

export async function flipBits(subject: Subject, options: FlipOptions): Promise<FlipTally> {
  const { random, every, copy, most = Number.POSITIVE_INFINITY, flipped } = options;
  const good = readFileSync(subject.file);
  const tally: FlipTally = { flips: 0, harmless: 0, refused: 0, reported: 0, others: [] };
  const answers = await onCopy(copy(), good, async (name) => JSON.stringify(await subject.start(name)));
  const step = Math.max(every, good.length / most);
  for (let from = 0; from < good.length; from += step) {
    const at = Math.min(good.length - 1, Math.floor(from) + random.int(Math.floor(step)));
    const bit = random.int(8);
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    tally.flips += 1;
    await look(subject, { bytes, copy, answers, place: `byte ${at}, bit ${bit}` }, tally);
    flipped?.(tally);
  }
  return tally;
}

interface Flip {
  readonly bytes: Buffer;
  readonly copy: () => string;
  readonly answers: string;
  readonly place: string;
}

async function look(subject: Subject, { bytes, copy, answers, place }: Flip, tally: FlipTally): Promise<void> {
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

/** Each has a name of its own: a process shares what it knows of a file among its connections. */
async function onCopy<T>(name: string, bytes: Buffer, use: (name: string) => Promise<T>): Promise<T> {
  writeFileSync(name, bytes, { mode: 0o600 });
  try {
    return await use(name);
  } finally {
    for (const end of SIDE_FILES) rmSync(name + end, { force: true });
  }
}

function isDataFault(fault: unknown): boolean {
  return showFault(fault, false).exitCode === EXIT.data;
}

function stackOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
