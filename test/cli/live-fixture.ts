/** Runs bots in this process, wired as in `halfspread run`, on an embedded venue that the test operates. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openLive } from '../../src/app/live/open-live.ts';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { type LivePaths, livePaths } from '../../src/app/live/paths.ts';
import { loadConfiguredStrategies } from '../../src/app/live/strategies.ts';
import { openPaper } from '../../src/app/paper.ts';
import { readLiveFile } from '../../src/config/live-file.ts';
import { createLog, Redactor } from '../../src/ops/index.ts';
import { keyOf } from '../server/trader.ts';
import type { Harness } from '../venues/service/harness.ts';
import { newFolder, ROOT } from './halfspread.ts';
import { setSecret, until } from './trading.ts';

let accounts = 0;

/** A configuration, a key and a database for several consecutive bots. */
export class LiveFixture {
  readonly folder: string;
  readonly paths: LivePaths;
  /** Parsed lines of the log. */
  readonly logged: Readonly<Record<string, unknown>>[] = [];
  readonly key: ReturnType<typeof keyOf>;
  readonly #harness: Harness;
  readonly #url: string;
  readonly #env: string;
  readonly #no: number;

  /**
   * @param sections sections of the configuration other than venue and account, including `markets`
   * @param url URL of a proxy of the venue. Default: the venue's own URL
   */
  constructor(harness: Harness, sections: string, url = harness.url) {
    accounts += 1;
    this.#no = 5_000 + accounts;
    this.#harness = harness;
    this.#url = url;
    this.folder = newFolder();
    this.#env = `TEST_LIVE_${accounts}`;
    this.key = keyOf(harness.tools, this.#no);
    setSecret(this.#env, `0x${this.#no.toString(16).padStart(64, '7')}`);
    setSecret('XDG_STATE_HOME', this.folder);
    this.configure(sections);
    const { configuration, file } = this.read();
    this.paths = livePaths(configuration, file, this.folder);
  }

  configure(sections: string): void {
    const text = [
      `venue: { url: "${this.#url}", audience: "${this.#harness.url}" }`,
      `account: { key: { env: ${this.#env} } }`,
      'watchdog_ms: none',
      // A warm-up takes seconds. test/cli/live.slow.test.ts runs with it.
      ...(/^warmup_ms:/m.test(sections) ? [] : ['warmup_ms: none']),
      ...(/^strateg(y|ies):/m.test(sections) ? [] : ['strategy: ladder', LADDER]),
      sections,
    ];
    writeFileSync(join(this.folder, 'bot.yaml'), `${text.join('\n')}\n`);
  }

  read() {
    return readLiveFile('bot.yaml', this.folder);
  }

  /** Opens a bot and, by default, starts it. */
  async run({ starts = true, adopt = false } = {}): Promise<OpenedLive> {
    const live = this.read();
    const folders = { folders: [`${ROOT}/strategies`], baseDir: dirname(live.configuration.path) };
    const strategies = await loadConfiguredStrategies(live.file, folders);
    const redactor = new Redactor();
    const write = (line: string): void => void this.logged.push(JSON.parse(line));
    const log = createLog({ level: 'debug', redactor, write });
    const open = live.file.mode === 'paper' ? openPaper : openLive;
    const opened = await open({ live, paths: this.paths, strategies, adopt, log, redactor });
    if (starts) await opened.start();
    return opened;
  }
}

/** Ends a bot normally. @returns number of orders open at the venue, null if unknown */
export async function stopAndClose(opened: OpenedLive): Promise<number | null> {
  const { open } = await opened.bot.stop(undefined, new Promise<void>(() => {}));
  await opened.close();
  return open;
}

/** Places distant orders on both sides of a book, so that a bot can quote at once. */
export async function placeDistantOrders(harness: Harness, id: string): Promise<void> {
  const other = await harness.trader();
  await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_000, shares: 50 });
  await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 4_000, shares: 50 });
}

/** Opens a market of a category, with a book at which a bot can quote. @returns its id */
export async function openInCategory(harness: Harness, category: string, number: number, resolution: string) {
  await harness.operate('put-category', { slug: category, name: category });
  const id = await harness.market(number, { category, resolution_date: resolution });
  await placeDistantOrders(harness, id);
  return id;
}

/** Returns the time in `count` hours and `moreMs`, as text. */
export function inHours(count: number, moreMs = 0): string {
  return new Date(Date.now() + count * 3_600_000 + moreMs).toISOString();
}

const LADDER =
  'params: { bid_spread: 130, ask_spread: 130, order_amount: 10, order_levels: 2, order_level_spread: 130, order_refresh_time: 0.2, max_position: 100 }';

/** Waits until `count` of the bot's orders are live. */
export function waitForQuotes({ bot }: OpenedLive, count = 4): Promise<void> {
  return until(() => bot.orders().filter(({ phase }) => phase === 'live').length === count, 'the bot quotes');
}

/** Replaces the fees in an answer of the venue. @param reportedFees by market id */
export function replaceFees(value: unknown, reportedFees: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceFees(each, reportedFees));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, replaceFees(member, reportedFees)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  const { id } = copy;
  if (typeof id === 'string' && 'feeRateBps' in copy && reportedFees.has(id)) copy['feeRateBps'] = reportedFees.get(id);
  return copy;
}
