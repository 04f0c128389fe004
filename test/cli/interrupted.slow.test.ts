import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, ROOT, start, waitForStderr } from './halfspread.ts';
import { SHORT_RUN, strategyWith, workspace } from './workspace.ts';

/** A strategy that prints `midway` at its hundredth book. Books take time, so that a signal arrives in the run. */
const SLOW_STRATEGY = strategyWith(
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
  const slow = workspace(
    `${SHORT_RUN.replace('ladder', './slow')
      .replace(/^to: .*\n/m, '')
      .replace(/params:[\s\S]*?tapes/, 'tapes')}seed: 3\n`,
  );
  slow.write('slow/strategy.ts', SLOW_STRATEGY);
  return slow;
}

/** Sends a signal in the middle of a run. */
async function interrupt(signal: NodeJS.Signals, ...options: readonly string[]) {
  const { folder, reports } = slowRun();
  const child: ChildProcess = start(['backtest', 'run.yaml', '--out', 'reports', ...options], folder);
  const end = ended(child);
  await waitForStderr(child, 'midway');
  child.kill(signal);
  return { ...(await end), reports: reports() };
}

describe('an interrupted backtest', () => {
  it('exits for SIGTERM with code 143, also while it measures sensitivity', async () => {
    expect(await interrupt('SIGTERM', '--sensitivity')).toMatchObject({ code: 143, stdout: '', reports: [] });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('cancels every order, writes no report and exits for %s with code %i', async (signal, expected) => {
    const { code, stdout, stderr, reports } = await interrupt(signal);
    expect({ code, stdout, reports }).toEqual({ code: expected, stdout: '', reports: [] });
    // The whole match has 17,000 messages.
    expect(Number(/stopped after (\d+) books/.exec(stderr)?.[1])).toBeLessThan(5_000);
    expect(stderr).toContain('interrupted: every order was cancelled, no report was written\n');
  });

  it('leaves no report after SIGKILL', async () => {
    const { code, stdout, reports } = await interrupt('SIGKILL');
    expect({ code, stdout, reports }).toEqual({ code: null, stdout: '', reports: [] });
  });
});

describe('an unfinished tape', () => {
  it('has only the name of a partial file when its writer is killed', async () => {
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
  it('does not cause an error, and the run ends normally', async () => {
    const { folder, reports } = workspace();
    const child = start(['backtest', 'run.yaml'], folder);
    const end = ended(child);
    child.stdout?.destroy();
    expect(await end).toMatchObject({ code: 0, stderr: '' });
    expect(reports()).toHaveLength(1);
  });
});
