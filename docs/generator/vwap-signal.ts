/**
 * A file of signals for examples: what the recorded match traded at in the last ten minutes. It knows nothing that a bot in
 * the market does not know.
 */
import { epochMs, FULL_BPS, formatTime } from '../../src/domain/index.ts';
import { TapeFile } from '../../src/history/index.ts';
import { BLOCK_ROWS, Cursor, KIND, makeBlock } from '../../src/tape/index.ts';

const EVERY_MS = 60_000;
const WINDOW_MS = 600_000;

/** One line a minute with trades: `<name>.p`, four decimals. @param from epoch ms */
export function vwapSignal(tape: string, name: string, from: number): string {
  const block = makeBlock(BLOCK_ROWS);
  const feed = TapeFile.open(tape).feed();
  const trades: { readonly time: number; readonly price: number; readonly shares: number }[] = [];
  const lines: string[] = [];
  let next = from;
  const emit = (time: number): void => {
    while (trades[0] !== undefined && trades[0].time <= time - WINDOW_MS) trades.shift();
    const shares = trades.reduce((sum, trade) => sum + trade.shares, 0);
    if (shares === 0) return;
    const paid = trades.reduce((sum, trade) => sum + trade.price * trade.shares, 0);
    const value = Math.round((paid / shares / FULL_BPS) * 10_000) / 10_000;
    lines.push(JSON.stringify({ time: formatTime(epochMs(time)), name: `${name}.p`, value }));
  };
  try {
    while (feed.fill(block) > 0) {
      for (const cursor = new Cursor(block); cursor.row < block.count; cursor.row += 1) {
        for (; next <= cursor.rx; next += EVERY_MS) emit(next);
        if (cursor.kind === KIND.trade) trades.push({ time: cursor.rx, price: cursor.price, shares: cursor.shares });
      }
    }
  } finally {
    feed.close();
  }
  return `${lines.join('\n')}\n`;
}
