/** Builds recordings in memory from short texts, and replays them under a simulated clock. */
import type { Clock } from '../../../src/clock/index.ts';
import {
  type AccountNo,
  epochMs,
  marketId,
  microShares,
  microUsd,
  type PriceGrid,
  unchecked,
} from '../../../src/domain/index.ts';
import type { MarketRecord, Place } from '../../../src/exchange/index.ts';
import type { RecordedTape, ReplaySettings } from '../../../src/server/replay/recorded-markets.ts';
import { Replays } from '../../../src/server/replay/replays.ts';
import type { TapeManifest } from '../../../src/tape/index.ts';
import { anyBlocksOf, feedOf, type Message } from '../../tape/rows.ts';
import { row } from '../../venues/sim/rows.ts';
import type { EngineHarness } from '../engine-harness.ts';

/** Start time of all recordings. */
const RECORDED = epochMs(1_600_000_000_000);
const TICK: PriceGrid = { type: 'tick', tickBps: 10 };

/** A message `ms` after the start. Rows are texts of `row`: `bid 6000 100`, or `1: bid 6000 100` for market 1. */
export function messageAt(ms: number, ...texts: readonly string[]): Message {
  const rows = texts.map((text) => {
    const [, market = '0', rest = text] = /^(\d+): (.*)$/.exec(text) ?? [];
    return row(rest, Number(market));
  });
  return { tx: RECORDED + ms, rx: RECORDED + ms, rows };
}

/** A recording of the messages. */
export function tapeOf(
  messages: readonly Message[],
  options: { markets?: number; grid?: PriceGrid; hash?: string } = {},
) {
  const { markets = 1, grid = TICK, hash = 'a'.repeat(64) } = options;
  const manifest: TapeManifest = {
    format: 1,
    name: 'a-tape',
    units: [],
    receiveTime: 'missing',
    contentHash: hash,
    source: { description: 'Written by hand', licence: 'none', files: [] },
    markets: Array.from({ length: markets }, (_, no) => ({
      id: marketId(`00000000-0000-4000-8000-00000000000${no}`),
      slug: `tape-market-${no}`,
      question: `Will number ${no} win?`,
      outcomes: ['one', 'other'],
      grid,
      scheduledResolution: undefined,
      commissionBps: 0,
    })),
    rows: messages.reduce((sum, { rows }) => sum + rows.length, 0),
    from: epochMs(messages[0]?.tx ?? RECORDED),
    to: epochMs(messages.at(-1)?.tx ?? RECORDED),
  };
  const tape: RecordedTape = { path: 'a.tape', manifest, feed: () => feedOf(anyBlocksOf(messages)) };
  return tape;
}

/** Replays a recording on a harness. @param after start position in the recording, milliseconds */
export async function startReplays(
  harness: EngineHarness,
  tape: RecordedTape,
  { speed = 1, after = 0 }: { readonly speed?: number; readonly after?: number } = {},
): Promise<Replays> {
  const replays = replaysOf(harness, [settingsOf(tape, { speed, after })]);
  await replays.prepare();
  replays.start();
  return replays;
}

export function settingsOf(tape: RecordedTape, { speed = 1, after = 0 } = {}): ReplaySettings {
  const models = { queue: { model: 'risk-averse' } } as const;
  return { tape, speed, from: epochMs(RECORDED + after), category: 'recorded', models };
}

export function replaysOf(
  { clock, queue, catalogue, log }: Omit<EngineHarness, 'clock'> & { readonly clock: Clock },
  settings: readonly ReplaySettings[],
): Replays {
  return new Replays({ clock, queue, catalogue, log, settings });
}

export function marketOf({ view }: EngineHarness, no = 0): Readonly<MarketRecord> {
  const market = view.markets[no];
  if (market === undefined) throw new Error(`no market ${no}`);
  return market;
}

/** Best bid and ask, such as `6000 6100`. */
export function bestPricesOf({ view }: EngineHarness, no = 0): string {
  const { bestBid, bestAsk } = view.book(no) ?? {};
  return `${bestBid} ${bestAsk}`;
}

/** Opens an account with a deposit of $1,000. */
export async function openTrader({ queue, view }: EngineHarness) {
  await queue.execute({ type: 'openAccount', time: queue.now, address: '0xtrader', unlimited: false });
  const account = unchecked.account(view.accountOf('0xtrader'));
  await queue.execute({ type: 'transfer', time: queue.now, account, amount: microUsd(1_000_000_000) });
  return account;
}

/** A GTC buy order for 20 shares. */
export function order(
  { queue }: EngineHarness,
  account: AccountNo,
  { outcome, price }: Pick<Place, 'outcome' | 'price'>,
): Place {
  return {
    type: 'place',
    time: queue.now,
    account,
    credential: unchecked.credential(0),
    market: unchecked.market(0),
    outcome,
    side: 'BUY',
    price,
    shares: microShares(20_000_000),
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: queue.now,
    epoch: 0,
    maxFeeBps: 1000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: unchecked.group(0),
    restriction: undefined,
    hash: undefined,
    clientOrderId: undefined,
  };
}
