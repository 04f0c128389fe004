import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { assertSame, assertTrue } from '../exchange/properties/asserts.ts';
import type { SmallDisk } from '../small-disk.ts';
import { FIELDS, type Placed, Venue } from './killed-venue.ts';
import { replayCopy } from './replay-copy.ts';
import {
  keyOf,
  login,
  openSigningTools,
  queryVenue,
  type SignedOrder,
  type SigningTools,
  signOrder,
} from './trader.ts';

/** Options of a run. */
export interface KillRun {
  readonly kills: number;
  readonly seed: number;
  /** An empty folder. */
  readonly folder: string;
  /** The disk of the folder. If given, the run fills it until the venue ends, instead of killing the venue. */
  readonly disk?: SmallDisk;
  readonly sha256: (text: string) => string;
}

/** Counts of a run. */
export interface KillTally {
  /** Acknowledged orders. */
  readonly acknowledged: number;
  /** Acknowledged cancels. */
  readonly cancelled: number;
  /** Orders without a reply. */
  readonly unknown: number;
  /** Orders without a reply that the server had stored. */
  readonly duplicates: number;
  /** Kills that left an incomplete snapshot in the file. */
  readonly torn: number;
  /** Starts that used a snapshot. */
  readonly fromSnapshot: number;
}

const TRADERS = 4;
/** Orders in flight per trader. */
const IN_FLIGHT = 12;
const MAX_ANSWERS = 240;
/** Below the capacity of the read bucket. */
const READS_PER_LOGIN = 400;
const READS_PER_REQUEST = 20;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000, max_clock_skew: 3600000 }\n';
/** One in this many orders is cancelled. */
const CANCEL_ONE_IN = 4;

interface Acknowledged {
  readonly ready: SignedOrder;
  isCancelled?: boolean;
  /** The `PlaceOrderPayload` as it was received. */
  readonly reported: Placed;
}

class Trader {
  readonly key: ReturnType<typeof keyOf>;
  readonly acknowledged: Acknowledged[] = [];
  token = '';
  #salt = 0;

  constructor(tools: SigningTools, no: number) {
    this.key = keyOf(tools, no);
  }

  nextSalt(): number {
    this.#salt += 1;
    return this.#salt;
  }
}

/** Runs all kills and checks. @throws Error at the first failed check */
export async function killRun(options: KillRun): Promise<KillTally> {
  try {
    return await runKills(options);
  } finally {
    Venue.killAll();
  }
}

async function runKills({ kills, seed, folder, disk, sha256 }: KillRun): Promise<KillTally> {
  writeFileSync(join(folder, 'venue.yaml'), SETTINGS);
  const [tools, random, clock] = [await openSigningTools(), seededRandom(seed), wallClock()];
  const traders = Array.from({ length: TRADERS }, (_, at) => new Trader(tools, at + 1));
  let venue = await Venue.start(folder);
  const marketId = await openMarket(venue);
  let [unknown, duplicates, torn, fromSnapshot] = [0, 0, 0, 0];
  for (let kill = 0; kill < kills; kill += 1) {
    for (const trader of traders) trader.token = await login(venue.url, tools, trader.key);
    const before = traders.map(({ acknowledged }) => acknowledged.length);
    let answers = random.int(MAX_ANSWERS) + 1;
    const victim = venue;
    let stopped: Promise<void> | undefined;
    const snapshots = victim.takeSnapshots();
    const lost = await Promise.all(
      traders.flatMap((trader) =>
        Array.from({ length: IN_FLIGHT }, async () => {
          for (;;) {
            const request = {
              ...({ marketId, outcome: random.int(2) === 0 ? 'YES' : 'NO', side: 'BUY' } as const),
              priceBps: 100 * (40 + random.int(20)),
              shares: 10_000 * (500 + random.int(2_000)),
              timestampMs: clock.now(),
            };
            const ready = signOrder(tools, trader.key, request, trader.nextSalt());
            const reported = await victim.place(trader.token, ready);
            if (reported === undefined) return { trader, ready };
            const order: Acknowledged = { ready, reported };
            trader.acknowledged.push(order);
            answers -= 1;
            if (answers === 0) stopped = victim.stop(disk);
            if (random.int(CANCEL_ONE_IN) > 0) continue;
            const isCancelled = await victim.cancel(trader.token, ready.hash);
            if (isCancelled === undefined) return undefined;
            order.isCancelled = isCancelled;
          }
        }),
      ),
    );
    await Promise.all([victim.ended, snapshots, stopped]);
    disk?.freeSpace();
    const replay = replayCopy(folder, sha256);
    venue = await Venue.start(folder, venue.token);
    assertSame(venue.logged('exchange: recovered', 'hash'), replay.hash, `state after kill ${kill}`);
    assertSame(venue.logged('exchange: recovered', 'snapshot'), replay.snapshot, `snapshot used after kill ${kill}`);
    if (replay.isTorn) torn += 1;
    if (replay.snapshot > 0) fromSnapshot += 1;
    for (const trader of traders) trader.token = await login(venue.url, tools, trader.key);
    for (const [at, trader] of traders.entries()) {
      await assertStored(venue, trader.token, trader.acknowledged.slice(before[at]));
    }
    for (const { trader, ready } of lost.flatMap((each) => each ?? [])) {
      const reported = await venue.place(trader.token, ready);
      const again = await venue.place(trader.token, ready);
      if (reported === undefined || again === undefined)
        throw new Error(`${ready.hash}: no reply from a running server`);
      assertSame([again.duplicate, again.order.id], [true, reported.order.id], 'reply to the same bytes sent again');
      trader.acknowledged.push({ ready, reported });
      unknown += 1;
      if (reported.duplicate) duplicates += 1;
    }
  }
  for (const { key, acknowledged } of traders) {
    for (let from = 0; from < acknowledged.length; from += READS_PER_LOGIN) {
      const token = await login(venue.url, tools, key);
      await assertStored(venue, token, acknowledged.slice(from, from + READS_PER_LOGIN));
    }
    const { orders } = await queryVenue(venue.url, await login(venue.url, tools, key), '{ orders { totalCount } }', {});
    assertSame(orders.totalCount, acknowledged.length, `orders of ${key.address}`);
  }
  venue.end();
  await venue.ended;
  assertSame(venue.logged('exchange: stopped', 'hash'), replayCopy(folder, sha256).hash, 'state at the end');
  const cancelled = traders.flatMap((trader) => trader.acknowledged.filter(({ isCancelled }) => isCancelled)).length;
  const acknowledged = traders.reduce((sum, trader) => sum + trader.acknowledged.length, 0) - unknown;
  return { acknowledged, cancelled, unknown, duplicates, torn, fromSnapshot };
}

/** Checks that each order is stored with the content of its reply. It may have more fills since. */
async function assertStored(venue: Venue, token: string, list: readonly Acknowledged[]): Promise<void> {
  for (let from = 0; from < list.length; from += READS_PER_REQUEST) {
    const part = list.slice(from, from + READS_PER_REQUEST);
    const lookups = part.map(
      ({ ready }, at) =>
        `o${at}: order(orderHash: "${ready.hash}") { found order { status ${FIELDS} } fills { id shares priceBps feeMicros } }`,
    );
    const found = await queryVenue(venue.url, token, `{ ${lookups.join(' ')} }`, {});
    for (const [at, { ready, reported, isCancelled }] of part.entries()) {
      const { order, fills } = found[`o${at}`];
      assertSame(order?.orderHash, ready.hash, 'hash of an acknowledged order');
      const { filledShares, status, ...content } = order;
      // A cancel without a reply may or may not have been executed.
      if (isCancelled) assertSame(status, 'CANCELLED', `status of ${ready.hash} after an acknowledged cancel`);
      const { filledShares: reportedFilled, ...reportedContent } = reported.order;
      assertSame(content, reportedContent, `content of ${ready.hash}`);
      assertTrue(
        filledShares >= reportedFilled,
        `filled shares of ${ready.hash} fell from ${reportedFilled} to ${filledShares}`,
      );
      const storedFills = fills.filter(({ id }: { readonly id: string }) =>
        reported.fills.some((fill) => fill.id === id),
      );
      assertSame(storedFills, reported.fills, `fills of ${ready.hash}`);
    }
  }
}

async function openMarket(venue: Venue): Promise<string> {
  await venue.operate('put-category', { slug: 'tests', name: 'Tests' });
  const terms = { question: 'Will it hold?', rules: 'As tested.', category: 'tests' };
  const market = await venue.operate('create-market', { ...terms, resolution_date: '2100-01-01T00:00:00Z' });
  await venue.operate('open-market', { market: market.id });
  return market.id;
}
