/**
 * Asks Linux for large pages (2 MB for 4 kB) for the rows of open orders: among a million of them it is dear to look up where a page of
 * memory is (docs/decisions/0026). Of the rest of the process nothing changes. It is a wish: where it is not fulfilled, nothing is lost but time.
 */
import { platform } from 'node:os';
import type { MemoryAdvice } from '../exchange/index.ts';

/** What is used of the package `koffi`. */
interface ForeignMemory {
  address(memory: ArrayBufferLike): bigint;
  load(file: string): { func(name: string, result: string, parameters: readonly string[]): Madvise };
}

type Madvise = (from: bigint, length: bigint, advice: number) => unknown;

const PACKAGE = 'koffi';
/** The C library of glibc's systems. */
const LIBRARY = 'libc.so.6';
/** `MADV_HUGEPAGE` of Linux, madvise(2). */
const HUGE_PAGE = 14;
const PAGE = 2_097_152n;
/** Smaller tables stay as they are: they are in the caches, and growing leaves them behind. */
const LEAST_BYTES = 16_777_216;

/** @returns undefined where this system has none to give: another system, another C library, or no `koffi` */
export async function openLargePages(system: string = platform()): Promise<MemoryAdvice | undefined> {
  if (system !== 'linux') return undefined;
  let foreign: ForeignMemory;
  let madvise: Madvise;
  try {
    foreign = foreignMemory((await import(PACKAGE)).default);
    madvise = foreign.load(LIBRARY).func('madvise', 'int', ['uintptr_t', 'size_t', 'int']);
  } catch {
    return undefined;
  }
  return (memory) => {
    if (memory.byteLength < LEAST_BYTES) return;
    const at = BigInt(foreign.address(memory));
    const from = ((at + PAGE - 1n) / PAGE) * PAGE;
    const to = ((at + BigInt(memory.byteLength)) / PAGE) * PAGE;
    // What it answers is no news: a kernel without large pages refuses, and the memory is as it was.
    madvise(from, to - from, HUGE_PAGE);
  };
}

function foreignMemory(module: unknown): ForeignMemory {
  if (!isForeignMemory(module)) throw new Error(`${PACKAGE} lacks functions that are used of it`);
  return module;
}

function isForeignMemory(module: unknown): module is ForeignMemory {
  if (typeof module !== 'object' || module === null) return false;
  const members = new Map(Object.entries(module));
  return typeof members.get('load') === 'function' && typeof members.get('address') === 'function';
}
