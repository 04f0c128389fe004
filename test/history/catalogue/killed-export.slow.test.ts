import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { exportParquet, restoreFromParquet } from '../../../src/history/index.ts';
import { scratchFolder } from '../scratch.ts';
import { bid, message, outPath, tapeOf } from '../tape-messages.ts';

describe('an export', () => {
  it('leaves only a temporary file when it is killed', async () => {
    const messages = Array.from({ length: 300_000 }, (_, count) =>
      message(count, bid(1 + (count % 9_000), count % 50)),
    );
    const tape = tapeOf(messages);
    const folder = scratchFolder();
    const source = resolve(import.meta.dirname, '../../../src/history/index.ts');
    const script = `import(${JSON.stringify(source)}).then(({ exportParquet, TapeFile }) =>
      exportParquet(TapeFile.open(${JSON.stringify(tape.path)}), ${JSON.stringify(join(folder, 'a.parquet'))}, (share) => { if (share > 0.6) process.kill(process.pid, 'SIGKILL'); }))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^a\.parquet\.partial-\w{6}$/)]);
    await exportParquet(tape, join(folder, 'a.parquet'));
    const path = outPath();
    expect(await restoreFromParquet(join(folder, 'a.parquet'), path)).toEqual(tape.manifest);
  }, 60_000);
});
