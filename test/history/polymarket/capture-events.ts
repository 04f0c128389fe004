/** Builds events of the market channel, and imports captures with such events. */
import { join } from 'node:path';
import type { CaptureImportOptions } from '../../../src/history/captures/import-captures.ts';
import { importPolymarket } from '../../../src/history/polymarket/import.ts';
import { BOOK, NO, PRICE_CHANGE, YES } from '../../protocol/polymarket/frames.ts';
import { captureOf, summaryOf } from '../captures/capture.ts';
import { scratchFolder } from '../scratch.ts';

export const START = 1_700_000_000_000;
/** An event `ms` after the start. */
export const eventAt = (ms: number, event: object) => ({ ...event, timestamp: String(START + ms) });
export const NO_BOOK = {
  ...BOOK,
  asset_id: NO,
  bids: [{ price: '0.47', size: '40.5' }],
  asks: [{ price: '0.49', size: '50' }],
  hash: 'no-1',
};
/** Level changes of both tokens, with the best prices of YES after them. */
export function change(
  ms: number,
  price: number,
  size: string,
  side: 'BUY' | 'SELL',
  touch: readonly [string, string],
) {
  const [best_bid, best_ask] = touch;
  const yes = { asset_id: YES, price: String(price / 10_000), size, side, hash: `h${ms}`, best_bid, best_ask };
  const mirror = (text: string): string => String(1 - Number(text)).slice(0, 6);
  const no = {
    asset_id: NO,
    price: String((10_000 - price) / 10_000),
    size,
    side: side === 'BUY' ? 'SELL' : 'BUY',
    hash: `h${ms}`,
    best_bid: mirror(best_ask),
    best_ask: mirror(best_bid),
  };
  return eventAt(ms, { ...PRICE_CHANGE, price_changes: [yes, no] });
}

export async function importCapture(
  lines: readonly unknown[],
  options: Partial<CaptureImportOptions> = {},
  name?: string,
) {
  const folder = scratchFolder();
  const file = captureOf(folder, lines, name);
  const result = await importPolymarket({ files: [file], folder: join(folder, 'out'), name: 'a', ...options });
  return { ...result, ...summaryOf(result, START) };
}
