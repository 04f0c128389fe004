/** A command with too small a heap ends with an error message, not with V8's stack dump. */
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { type Heap, watchHeap } from '../../src/cli/heap-watch.ts';
import { type Ended, ended, start } from './halfspread.ts';
import { strategyWith, workspace } from './workspace.ts';

function runWithHeap(megabytes: number, args: readonly string[], cwd?: string): Promise<Ended> {
  const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${megabytes}` };
  return ended(start(args, cwd, [], env));
}

describe('a heap below the minimum', { concurrent: true }, () => {
  it.each([
    [8, ['backtest', 'config/demo.yaml']],
    [64, ['backtest', 'config/demo.yaml']],
    [64, ['serve', '--port', '0', '--seed']],
    [64, ['run', 'config/bot.yaml']],
    [64, ['demo', '--duration', '1s']],
    [95, ['help']],
  ])('of %d MB makes the program exit with code 2 and a remedy: %j', async (megabytes, args) => {
    expect(await runWithHeap(megabytes, args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `error: V8 may use ${megabytes} MB for its heap, and halfspread needs at least 96 MB.\n` +
        'Fix: start it with NODE_OPTIONS=--max-old-space-size=512 or more. Without that option V8 takes a share of the memory that the machine or the container has.\n',
    });
  });

  it('is determined by the last of several heap options', async () => {
    const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=4096' };
    const { code } = await ended(start(['help'], undefined, ['--max-old-space-size=40'], env));
    expect(code).toBe(2);
    env.NODE_OPTIONS = '--max-old-space-size=40';
    expect((await ended(start(['help'], undefined, ['--max-old-space-size=4096'], env))).code).toBe(0);
  });
});

it('a full heap ends a backtest with a one-line error', async () => {
  const { folder, write } = workspace();
  write('strategies/hoarder/strategy.ts', strategyWith('hoarder', LEAKING_SCRIPT));
  write('run.yaml', 'strategy: hoarder\ntapes: [match.tape]\n');
  const { code, stdout, stderr } = await runWithHeap(128, ['backtest', 'run.yaml', '--no-report'], folder);
  expect(stderr).toMatch(/^error: the heap is full: 1\d\d MB of 128 MB are in use after a collection/m);
  expect(stderr).not.toContain('FATAL ERROR');
  expect([code, stdout]).toEqual([2, '']);
});

/** Retains 5 KB for each book: 5 MB between two checks of the heap. V8 aborts 15 MB after their limit. */
const LEAKING_SCRIPT = `(() => {
  const kept = [];
  return { onBook: () => {
    const until = performance.now() + 0.1;
    for (let n = 0; n < 200; n += 1) kept.push({ n });
    while (performance.now() < until);
    return [];
  } };
})()`;

describe('the heap monitor', () => {
  /** @param samples MB in use before and after a collection, for each check */
  function watch(...samples: readonly (readonly [before: number, after: number])[]) {
    const problems: string[] = [];
    let [index, collections, ends] = [0, 0, 0];
    let isCollected = false;
    const heap: Heap = {
      limitMb: 100,
      usedMb: () => samples[index]?.[isCollected ? 1 : 0] ?? 0,
      collect: () => {
        isCollected = true;
        collections += 1;
      },
    };
    watchHeap(
      heap,
      (problem) => problems.push(problem),
      (_everyMs, work) => {
        check = work;
        return () => {
          ends += 1;
        };
      },
    );
    for (; index < samples.length && ends === 0; index += 1) {
      isCollected = false;
      check();
    }
    return { problems: problems.length, collections, ends };
  }
  let check = (): void => {};

  it('does not collect while much of the heap is free', () => {
    expect(watch([79, 79], [10, 10])).toEqual({ problems: 0, collections: 0, ends: 0 });
  });

  it('distinguishes live data from garbage with one collection', () => {
    expect(watch([95, 20])).toEqual({ problems: 0, collections: 1, ends: 0 });
    expect(watch([95, 90], [95, 90])).toEqual({ problems: 1, collections: 1, ends: 1 });
  });

  it('collects again only after the heap has grown', () => {
    expect(watch([81, 80], [82, 82], [83, 83], [84, 82], [84, 84], [86, 90])).toEqual({
      problems: 1,
      collections: 3,
      ends: 1,
    });
    expect(watch([81, 20], [79, 20], [81, 20])).toEqual({ problems: 0, collections: 2, ends: 0 });
  });
});
