import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openVenue } from '../../../src/app/venue-access.ts';
import { readLiveFile } from '../../../src/config/live-file.ts';
import { timeAfter } from '../../../src/domain/index.ts';
import { Redactor } from '../../../src/ops/index.ts';
import { newFolder } from '../../cli/halfspread.ts';

const HOUR_MS = 3_600_000;

it('continues the timers of a bot when the system time is set back', async () => {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'bot.yaml'),
    'version: 1\nvenue: { url: "http://127.0.0.1:9" }\nmarkets: { slugs: [a] }\nstrategy: ladder\nmode: paper\n',
  );
  const { now } = Date;
  let set = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + set);
  onTestFinished(() => void vi.restoreAllMocks());
  const { clock } = await openVenue(readLiveFile('bot.yaml', folder), new Redactor());
  const before = clock.now();
  const fired = new Promise<void>((resolve) => void clock.schedule(timeAfter(before, 20), resolve));
  set = -HOUR_MS;
  await fired;
  expect(clock.now()).toBeGreaterThanOrEqual(before + 20);
}, 5_000);
