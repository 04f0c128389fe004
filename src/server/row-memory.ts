/**
 * Where the rows of open orders lie in memory (docs/decisions/0026): each in a cache line of its own, and a large table in large pages (2 MB for
 * 4 kB), which Linux is asked for. Of the rest of the process nothing changes; where a wish is not fulfilled nothing is lost but time.
 */
import { platform } from 'node:os';
import type { MemoryAdvice } from '../exchange/index.ts';

/** What is used of the package `koffi`. */
interface ForeignMemory {
  address(memory: ArrayBufferLike): bigint | number;
  load(file: string): { func(name: string, result: string, parameters: readonly string[]): Madvise };
}

type Madvise = (from: bigint, length: bigint, advice: number) => unknown;

const PACKAGE = 'koffi';
/** The C library of glibc's systems. */
const LIBRARY = 'libc.so.6';
/** `MADV_HUGEPAGE` of Linux, madvise(2). */
const HUGE_PAGE = 14;
const PAGE = 2_097_152n;
const CACHE_LINE = 64n;
/** Smaller tables get no large pages: they are in the caches, and growing leaves them behind. */
const LEAST_BYTES = 16_777_216;

/** @returns undefined where this system can do neither: another system, another C library, or no `koffi` */
export async function openRowMemory(system: string = platform()): Promise<MemoryAdvice | undefined> {
  if (system !== 'linux') return undefined;
  let foreign: ForeignMemory;
  let madvise: Madvise;
  try {
    const module: { readonly default?: unknown } = await import(PACKAGE);
    foreign = foreignMemory(module.default);
    madvise = foreign.load(LIBRARY).func('madvise', 'int', ['uintptr_t', 'size_t', 'int']);
  } catch {
    return undefined;
  }
  return (memory) => {
    const at = BigInt(foreign.address(memory));
    if (memory.byteLength >= LEAST_BYTES) {
      const from = upTo(at, PAGE);
      const end = ((at + BigInt(memory.byteLength)) / PAGE) * PAGE;
      // What it answers is no news: a kernel without large pages refuses, and the memory is as it was.
      madvise(from, end - from, HUGE_PAGE);
    }
    return Number(upTo(at, CACHE_LINE) - at);
  };
}

/** The next multiple of `step`, which may be itself. */
function upTo(address: bigint, step: bigint): bigint {
  return ((address + step - 1n) / step) * step;
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
