import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const AMOUNT = 5;
export const LEVELS = 2;
export const MAX_POSITION = 60;

interface BotFilesOptions {
  readonly url: string;
  readonly markets: readonly string[];
  /** Folder of recordings; undefined: nothing is recorded. */
  readonly recordFolder: string | undefined;
}

/** Writes configurations with a watchdog, and without: then the next start cancels or adopts the open orders. */
export function writeBotFiles(folder: string, { url, markets, recordFolder }: BotFilesOptions): void {
  mkdirSync(folder, { recursive: true });
  const text = [
    `venue: { url: "${url}" }`,
    'account: { key: { env: SOAK_KEY } }',
    `markets: { ids: [${markets.join(', ')}] }`,
    'strategy: ladder',
    `params: { bid_spread: 60, ask_spread: 60, order_amount: ${AMOUNT}, order_levels: ${LEVELS}, order_level_spread: 50, order_refresh_time: 0.3, inventory_skew_enabled: false, max_order_age: 1, max_position: ${MAX_POSITION} }`,
    `risk: { max_position: ${MAX_POSITION}, daily_loss_usd: 100000, max_drawdown_usd: 100000, price_collar_bps: none }`,
    'log: { level: info }',
    ...(recordFolder === undefined ? [] : [`record: { folder: ${recordFolder}, raw: true }`]),
  ];
  for (const [name, more] of [
    ['watched', 'watchdog_ms: 5000'],
    ['cancels', 'watchdog_ms: none'],
    ['adopts', 'watchdog_ms: none\nleftovers: adopt'],
  ] as const) {
    writeFileSync(join(folder, `${name}.yaml`), `${[...text, more].join('\n')}\n`);
  }
}
