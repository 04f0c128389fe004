import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { newFolder, ROOT } from './halfspread.ts';
import { serving } from './serving.ts';

it('the example with viem and fetch places a signed order on a venue', async () => {
  const venue = await serving(['--seed'], newFolder());
  // A new market opens after its transaction on the chain.
  const open = '{ markets(input: { first: 1, filter: { status: OPEN } }) { totalCount } }';
  await vi.waitUntil(async () => JSON.stringify(await venue.query(open)).includes('"totalCount":13'), 30_000);
  const example = join(ROOT, 'examples/signed-order.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [example, venue.url]);
  expect(JSON.parse(stdout)).toMatchObject({ accepted: true, order: { status: 'LIVE' }, rejection: null });
  await venue.stop('SIGTERM');
});
