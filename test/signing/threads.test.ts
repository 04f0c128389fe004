import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { BACKENDS } from './harness.ts';

const PROGRAM = new URL('./signing-program.ts', import.meta.url);

describe.each(BACKENDS)('the %s curve', (backend) => {
  it('signs on several threads at once, each with its own instance, and does not keep threads or the process alive', async () => {
    const workers = [1, 2, 3].map((seed) => new Worker(PROGRAM, { workerData: { backend, seed } }));
    const received = await Promise.all(
      workers.map(async (worker) => {
        const [[message], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
        return { message, code };
      }),
    );
    const alone = execFileSync(process.execPath, [fileURLToPath(PROGRAM), backend], {
      encoding: 'utf8',
      timeout: 120_000,
    }).trim();
    expect(alone).toMatch(/^0x[0-9a-f]{40} 0x[0-9a-f]{64}$/);
    expect(received).toEqual(workers.map(() => ({ message: alone, code: 0 })));
  });
});
