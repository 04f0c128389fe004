import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { marketId } from '../../src/domain/index.ts';
import { type TapeHead, TapeWriter } from '../../src/history/index.ts';
import type { TapeManifest } from '../../src/tape/index.ts';
import { type Message, write } from '../tape/rows.ts';

/** A folder of this test's own, gone when it is finished. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The same for a whole `describe`: `path` is set while its tests run. */
export function makeScratch(): { path: string } {
  const folder = { path: '' };
  beforeAll(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'halfspread-'));
  });
  afterAll(() => rmSync(folder.path, { recursive: true }));
  return folder;
}

export const HEAD: TapeHead = {
  name: 'made by hand',
  source: { description: 'a test', licence: 'MIT', files: [{ name: 'x.gz', sha256: '00' }] },
  units: ['price = bps'],
  receiveTime: 'recorded',
  markets: [
    {
      id: marketId('00000000-0000-4000-8000-000000000001'),
      slug: 'a-market',
      question: 'Does it?',
      outcomes: ['yes', 'no'],
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: undefined,
      commissionBps: 500,
    },
  ],
};

export function writeTape(path: string, messages: readonly Message[], head: TapeHead = HEAD): TapeManifest {
  const writer = new TapeWriter(path);
  write(writer.messages, messages);
  return writer.finish(head);
}
