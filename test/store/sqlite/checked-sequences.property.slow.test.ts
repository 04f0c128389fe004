/** `journal check` finds nothing in intact files, after any commands and with any first record. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EngineBody } from '../../exchange/properties/bodies.ts';
import { move } from '../../exchange/properties/moves.ts';
import { runSequence } from '../../exchange/properties/sequence.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';
import { checkFile, putInitialSettings } from './small-venue.ts';

const file = databaseFiles();
const WHOLE = { structure: [], records: [], states: [], rows: [] };

it('the check finds nothing wrong after a random sequence with snapshots and restarts, pruned or not', async () => {
  const moves = fc.array(move, { minLength: 40, maxLength: 120, size: 'max' });
  let fromSnapshots = 0;
  await fc.assert(
    fc.asyncProperty(moves, fc.boolean(), fc.integer({ min: 5, max: 40 }), async (list, keepRecords, every) => {
      const options = { file: file(), thread: false, keepRecords };
      let harness = openHarness(options);
      putInitialSettings(harness);
      for (const [at, command] of runSequence(list, new EngineBody()).entries()) {
        harness.apply(command);
        if (at % every !== every - 1) continue;
        harness.exchange.snapshot();
        await settled(harness);
        if (at % 3 !== 0) continue;
        await harness.store.close();
        harness = openHarness(options);
      }
      await settled(harness);
      await harness.store.close();
      const found = checkFile(options.file);
      expect(found).toMatchObject(WHOLE);
      if ((found.comparedFrom ?? 0) > 1) fromSnapshots += 1;
    }),
    // Shrinking a failure creates the file hundreds of times.
    { numRuns: 12, endOnFailure: true },
  );
  expect(fromSnapshots).toBeGreaterThan(1);
});

it('the check finds nothing wrong in a file of the first version that was migrated', async () => {
  const name = file();
  copyFileSync(join(import.meta.dirname, '../../fixtures/store/version-1.db'), name);
  const harness = openHarness({ file: name, thread: false });
  putInitialSettings(harness);
  await harness.store.close();
  expect(checkFile(name)).toMatchObject(WHOLE);
});
