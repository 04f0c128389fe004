import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/database.ts';
import { DatabaseReads } from '../../../src/store/sqlite/database-reads.ts';
import { OrderKeys } from '../../../src/store/sqlite/order-keys.ts';
import { RecentRows } from '../../../src/store/sqlite/recent-rows.ts';
import { SqliteArchive } from '../../../src/store/sqlite/sqlite-archive.ts';
import { EngineBody } from '../../exchange/properties/bodies.ts';
import { move } from '../../exchange/properties/moves.ts';
import { runSequence } from '../../exchange/properties/sequence.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';

const file = databaseFiles();

describe('rows of the last commit', () => {
  it('contain all orders of that commit and equal the database', async () => {
    const moves = fc.array(move, { minLength: 60, maxLength: 120, size: 'max' });
    let [orders, fills] = [0, 0];
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const name = file();
        const harness = openHarness({ file: name });
        let before = 0;
        for (const [at, command] of runSequence(list, new EngineBody()).entries()) {
          harness.apply(command);
          if (at % 16 === 15) await settled(harness);
        }
        await settled(harness);
        const { view } = harness.recovery.machine;
        // Without the recent rows.
        const connection = connect(name, { cacheMb: 8 });
        const reads = new DatabaseReads(name, connection);
        const stored = new SqliteArchive(reads, new OrderKeys(reads));
        const recent = new RecentRows();
        for (const batch of harness.batches) {
          recent.replace(batch);
          expect(recent.order(before)).toBe(undefined);
          for (let order = before + 1; recent.order(order) !== undefined; order += 1) {
            before = order;
            const [row, inTable] = [recent.order(order), stored.order(order)];
            // Constant columns are equal. Others are equal at the order's end, unless a later batch changed them.
            if (row?.seq === inTable?.seq) {
              expect(row).toStrictEqual(inTable);
              expect(recent.fillsOf(order)).toStrictEqual(stored.fillsOfOrder(order));
            } else expect(row?.seq).toBeLessThan(inTable?.seq ?? 0);
            orders += 1;
            for (const { seq } of recent.fillsOf(order) ?? []) {
              // Only a later batch may have reversed it.
              if (recent.isUnreversed(seq))
                expect(stored.reversalSeqOf(seq) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(batch.seq);
              fills += 1;
            }
          }
          expect(recent.fillsOf(before + 1)).toBe(undefined);
        }
        expect(before).toBe(view.orderCount);
        connection.close();
        await harness.store.close();
      }),
      { numRuns: 3 },
    );
    expect(orders).toBeGreaterThan(20);
    expect(fills).toBeGreaterThan(2);
  }, 180_000);

  it('are empty before the first commit', () => {
    const recent = new RecentRows();
    expect([recent.order(1), recent.fillsOf(1), recent.isUnreversed(1)]).toEqual([undefined, undefined, false]);
  });
});
