/** The end of a dashboard. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDashboard } from '../../src/app/dashboard.ts';
import { Fleet } from '../../src/dashboard/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { newFolder } from '../cli/halfspread.ts';

it('stops listening when the connection to a bot cannot be closed', async () => {
  const folder = newFolder();
  const dashboard = await openDashboard({
    bots: [{ id: 'none', address: join(folder, 'none.sock') }],
    host: '127.0.0.1',
    port: 0,
    isBehindProxy: false,
    hostNames: [],
    reports: folder,
    studies: folder,
    audit: join(folder, 'audit.jsonl'),
  });
  vi.spyOn(Fleet.prototype, 'close').mockImplementationOnce(() => {
    throw new Error('broke');
  });
  afterThisTest.add(() => vi.restoreAllMocks());
  await expect(dashboard.close()).rejects.toThrow('broke');
  await expect(fetch(dashboard.url)).rejects.toThrow('fetch failed');
}, 120_000);
