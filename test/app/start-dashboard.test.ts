import { ChildProcess } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type DashboardStart, startDashboard } from '../../src/app/start-dashboard.ts';

const START: DashboardStart = { bots: [], reports: 'reports', studies: 'config', audit: 'audit.jsonl', port: 0 };

function replaceSpawn(spawn: (this: ChildProcess) => void): void {
  const prototype: ChildProcess & { spawn?: () => void } = ChildProcess.prototype;
  const spy = vi.spyOn(prototype, 'spawn').mockImplementationOnce(spawn);
  onTestFinished(() => spy.mockRestore());
}

it('a process that cannot be started is a problem, not an error', async () => {
  replaceSpawn(() => {
    throw new Error('spawn ENOMEM');
  });
  const dashboard = startDashboard(START);
  expect(await dashboard.started).toEqual({ problem: 'spawn ENOMEM' });
  dashboard.close();
});

it('a start without free file descriptors is a problem, not an error', async () => {
  // Node then returns a process without a channel, and reports the error later.
  replaceSpawn(function (this: ChildProcess) {
    process.nextTick(() => this.emit('error', new Error('spawn EMFILE')));
  });
  const dashboard = startDashboard(START);
  expect(await dashboard.started).toEqual({ problem: 'spawn EMFILE' });
  dashboard.close();
});
