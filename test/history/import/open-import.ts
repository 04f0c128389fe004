import { ImportCounts } from '../../../src/history/import/counts.ts';
import type { MarketImport } from '../../../src/history/import/market-import.ts';
import type { MarketRules } from '../../../src/history/import/market-rows.ts';
import { TapeImport, type TapeImportOptions } from '../../../src/history/import/tape-import.ts';
import { BlockWriter } from '../../../src/tape/index.ts';
import { textOfRows } from './tape-rows.ts';

/** Opens an import of one market whose rows are returned as text; `|` ends a message. */
export function openImport(rules: Partial<MarketRules> = {}, options: TapeImportOptions = {}) {
  const rows: string[] = [];
  const out = new BlockWriter((block) => {
    for (const row of textOfRows(block)) rows.push(row);
  });
  const counts = new ImportCounts();
  const tape = new TapeImport(out, counts, options);
  const market = tape.addMarket({ grid: { type: 'tick', tickBps: 100 }, ...rules });
  return {
    counts,
    tape,
    market,
    message(tx: number, fill: (market: MarketImport) => void): void {
      if (!tape.begin(tx)) return;
      fill(market);
      tape.end();
    },
    rows(): readonly string[] {
      tape.finish();
      out.finish();
      counts.reconcile();
      return rows;
    },
    dropped: () => [...counts.dropped].map(([reason, { count }]) => `${reason} ${count}`),
    changed: () => [...counts.changed].map(([reason, { count }]) => `${reason} ${count}`),
  };
}
