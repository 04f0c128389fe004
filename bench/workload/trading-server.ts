/**
 * The whole server on a database file, in a child process: `trading-server.ts <file> [polymarket]`. It differs from
 * `halfspread serve` in its very high rate limits.
 */
import { tuneServer } from '../../src/app/v8-flags.ts';
import { completeAccessSettings } from '../../src/server/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { startPlainServer } from '../../test/server/plain-server.ts';
import { openSigningTools } from '../../test/server/trader.ts';

/** The reply to each message. */
export interface TradingReport {
  readonly url: string;
  readonly operatorToken: string | undefined;
  /** Processor time of the main thread so far. */
  readonly mainSeconds: number;
  /** Processor time of the process so far. */
  readonly allSeconds: number;
}

const MICROS_PER_SECOND = 1e6;
const VERY_HIGH = { capacity: 1_000_000_000, perSecond: 1_000_000_000 };

tuneServer();
const [file = '', dialect] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined, error: console.error };
const { messages, signer } = await openSigningTools();
const server = await startPlainServer({
  log,
  messages,
  store: SqliteStore.open({ file }),
  access: completeAccessSettings({
    audience: 'http://127.0.0.1',
    creditCents: 1_000_000_000,
    buckets: { read: VERY_HIGH, order: VERY_HIGH, cancel: VERY_HIGH, parse: VERY_HIGH },
  }),
  ...(dialect === 'polymarket' ? { polymarket: { signer, settings: { tier: undefined } } } : {}),
  renewOperatorToken: false,
  onStop: (cause) => {
    throw cause;
  },
});
const report = (): void => {
  const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
  const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / MICROS_PER_SECOND;
  const { url, operatorToken } = server;
  process.send?.({ url, operatorToken, mainSeconds: seconds(main), allSeconds: seconds(all) } satisfies TradingReport);
};
process.on('message', report);
process.on('disconnect', () => void server.close(0).then(() => process.exit()));
report();
