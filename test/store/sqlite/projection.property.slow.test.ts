import fc from 'fast-check';
import { describe, it } from 'vitest';
import { assertSame } from '../../exchange/properties/asserts.ts';
import { EngineBody } from '../../exchange/properties/bodies.ts';
import { move } from '../../exchange/properties/moves.ts';
import { runSequence } from '../../exchange/properties/sequence.ts';
import { assertAgreement } from './agreement.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';

const file = databaseFiles();

describe('the rows of a venue', () => {
  it('agree with the exchange after each command of a random sequence', async () => {
    const moves = fc.array(move, { minLength: 20, maxLength: 120, size: 'max' });
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const harness = openHarness({ file: ':memory:' });
        const { view } = harness.recovery.machine;
        for (const [at, command] of runSequence(list, new EngineBody()).entries()) {
          harness.apply(command);
          assertSame(harness.faults, [], 'faults');
          // Checks all rows regularly and after each of the last commands.
          if (at % 7 === 0 || at > list.length) assertAgreement(harness.store.archive, view);
        }
        await harness.store.close();
      }),
      { numRuns: 25 },
    );
  });

  it('agree with the exchange after a restart from records and from snapshots, and continue', async () => {
    const moves = fc.array(move, { minLength: 20, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(
        moves,
        fc.constantFrom(0, 7),
        fc.constantFrom(false, false, true),
        async (list, snapshotEvery, thread) => {
          const commands = runSequence(list, new EngineBody());
          const options = { file: file(), thread, snapshotEvery };
          let harness = openHarness(options);
          for (const [at, command] of commands.entries()) {
            harness.apply(command);
            if (at % 11 !== 10 && at < commands.length - 1) continue;
            await settled(harness);
            // The last batch has all commands since the last awaited one.
            assertAgreement(harness.store.archive, harness.recovery.machine.view);
            const hash = harness.machine.stateHash();
            await harness.store.close();
            harness = openHarness(options);
            assertSame(harness.machine.stateHash(), hash, 'the state after a restart');
            assertAgreement(harness.store.archive, harness.recovery.machine.view);
          }
          await harness.store.close();
          assertSame(harness.faults, [], 'faults');
        },
      ),
      { numRuns: 8 },
    );
    // Dozens of restarts on a busy machine.
  }, 180_000);
});
