import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, ROOT, said, start } from './halfspread.ts';
import { SHORT_RUN, strategyWith, workspace } from './workspace.ts';

/** Says so at its hundredth book, then is slow enough to be met by a signal: each book costs it some milliseconds. */
const SLOW = strategyWith(
  'slow',
  `(() => {
    let books = 0;
    return {
      onBook() {
        books += 1;
        if (books === 100) console.error('midway');
        for (let work = 0; work < 3_000_000; work += 1) Math.sqrt(work);
        return undefined;
      },
      onStop() {
        console.error(\`stopped after \${books} books\`);
        return undefined;
      },
    };
  })()`,
);

function slowRun() {
  const made = workspace(
    `${SHORT_RUN.replace('ladder', './slow')
      .replace(/^to: .*\n/m, '')
      .replace(/params:[\s\S]*?tapes/, 'tapes')}seed: 3\n`,
  );
  made.write('slow/strategy.ts', SLOW);
  return made;
}

/** Sends a signal when the run is midway. */
async function met(signal: NodeJS.Signals) {
  const { folder, reports } = slowRun();
  const child: ChildProcess = start(['backtest', 'run.yaml', '--out', 'reports'], folder);
  const end = ended(child);
  await said(child, 'midway');
  child.kill(signal);
  return { ...(await end), reports: reports() };
}

describe('an interrupted backtest', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s cancels everything, writes no report and ends with %i', async (signal, expected) => {
    const { code, stdout, stderr, reports } = await met(signal);
    expect({ code, stdout, reports }).toEqual({ code: expected, stdout: '', reports: [] });
    // The match has some 17,000 messages in play, at some milliseconds each here: it is not run to its end.
    expect(Number(/stopped after (\d+) books/.exec(stderr)?.[1])).toBeLessThan(5_000);
    expect(stderr).toContain('interrupted: every order was cancelled, no report was written\n');
  });

  it('by kill -9 leaves no report', async () => {
    const { code, stdout, reports } = await met('SIGKILL');
    expect({ code, stdout, reports }).toEqual({ code: null, stdout: '', reports: [] });
  });
});

describe('an unfinished tape', () => {
  it('does not have the name of a tape when its writer is killed', async () => {
    const { folder } = workspace();
    const received = new AbortController();
    const changes = watch(folder, { signal: received.signal });
    const recipe = join(ROOT, 'config/synthetic.yaml');
    const child = start(['tape', 'generate', recipe, '--set', 'events=20000000', '--out', 'large.tape'], folder);
    const end = ended(child);
    for await (const { filename } of changes) {
      if (filename === 'large.tape.partial') break;
    }
    child.kill('SIGKILL');
    expect((await end).code).toBeNull();
    expect(existsSync(join(folder, 'large.tape'))).toBe(false);
    expect(readdirSync(folder)).toContain('large.tape.partial');
  });
});

describe('a reader of the output that ends early', () => {
  it('is no error: the run ends normally', async () => {
    const { folder, reports } = workspace();
    const child = start(['backtest', 'run.yaml'], folder);
    const end = ended(child);
    child.stdout?.destroy();
    expect(await end).toMatchObject({ code: 0, stderr: '' });
    expect(reports()).toHaveLength(1);
  });
});
