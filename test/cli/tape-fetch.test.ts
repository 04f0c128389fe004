import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fileServer } from '../history/remote/file-server.ts';
import { newFolder, ROOT } from './halfspread.ts';
import { expectAllDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

const TAPE = 'betfair-1.200806927.tape';

it('`tape fetch` copies a tape into the cache folder, where a backtest of the same URL reads it', async () => {
  const [folder, server] = [newFolder(), await fileServer()];
  vi.stubEnv('XDG_CACHE_HOME', folder);
  const bytes = readFileSync(join(ROOT, 'config/tapes', TAPE));
  server.files.set(`/${TAPE}`, bytes);
  const fetched = await runInProcess(['tape', 'fetch', `${server.url}/${TAPE}`, '--json']);
  const printed: { readonly paths: readonly string[] } = JSON.parse(fetched.stdout);
  expectAllDocumented('tape', printed);
  const [path = ''] = printed.paths;
  expect([path.startsWith(join(folder, 'halfspread')), readFileSync(path).equals(bytes)]).toEqual([true, true]);
  const backtest = async (tape: string) => {
    const run = await runInProcess([
      'backtest',
      'config/backtest.yaml',
      '--json',
      '--no-report',
      '--set',
      `tapes=[${tape}]`,
    ]);
    return JSON.parse(run.stdout).eventLogHash;
  };
  const { sent } = server;
  expect(await backtest(`${server.url}/${TAPE}`)).toBe(await backtest(path));
  expect(server.sent - sent).toBeLessThan(bytes.length / 10);
  const wrong = await runInProcess(['tape', 'fetch', `config/tapes/${TAPE}`]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('expected a URL that begins with https://')]);
  const missing = await runInProcess(['tape', 'fetch', `${server.url}/other.tape`]);
  expect([missing.code, missing.stderr]).toEqual([
    3,
    expect.stringMatching(/other\.tape: the server answered 404: there is no such file\. Check the URL/),
  ]);
});
