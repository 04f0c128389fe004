import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseRunSpec } from '../../../src/backtest/index.ts';
import { TrialPool } from '../../../src/research/index.ts';
import { scratchFolder } from '../../history/scratch.ts';

const JOB = {
  spec: parseRunSpec({ strategy: 'ladder', params: {}, tapes: ['a.tape'] }),
  baseDir: '.',
  strategyFolders: [],
  version: 'test',
};

/** @param source source of the module that the threads run */
function poolOf(source: string): TrialPool {
  const path = join(scratchFolder(), 'thread.mjs');
  writeFileSync(path, source);
  return new TrialPool(2, pathToFileURL(path));
}

describe('the worker threads of a study', () => {
  it.each([
    ['imports a file that is missing', `import './missing.js'; export const ready = () => {}; export default ready;`],
    ['throws', `throw new Error('missing.js')`],
  ])('end the study if their module %s', async (_, source) => {
    const pool = poolOf(source);
    await expect(pool.ready()).rejects.toMatchObject({
      code: 'INSTALL',
      message: expect.stringContaining('missing.js'),
    });
    await pool.close();
  });

  it('fail a trial if its thread ends during the backtest', async () => {
    const pool = poolOf(`export const ready = () => {}; export default () => process.exit(3);`);
    await pool.ready();
    expect(await pool.run(JOB, new AbortController().signal)).toEqual({ problem: 'worker exited with code: 3' });
    await pool.close();
  });

  it('end the study if a thread ends between two backtests', async () => {
    const pool = poolOf(`export const ready = () => {};
      export default () => { setTimeout(() => { throw new Error('a late timer'); }, 5); return { problem: 'none' }; };`);
    await pool.ready();
    const { signal } = new AbortController();
    await pool.run(JOB, signal);
    const late = { code: 'STRATEGY', message: expect.stringContaining('a late timer') };
    await expect.poll(() => pool.run(JOB, signal).catch((fault: unknown) => fault)).toMatchObject(late);
    await pool.close();
  });
});
