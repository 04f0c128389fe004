/**
 * Kills the real program with SIGKILL while traders place and cancel signed orders, and starts it again, many times. The venue
 * takes snapshots without a pause, so some kills interrupt one.
 *
 * Checks after each kill:
 * - The venue recovered from the newest complete snapshot, to the state of a replay from the snapshot before it.
 * - The rows of the archive agree with that state to the micro-USD.
 * - Each acknowledged order is stored with the content of its reply, and is cancelled if its cancel was acknowledged.
 * - An order without a reply is accepted once when the same bytes are sent again.
 *
 * At the end the venue has exactly the acknowledged orders.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { default as Database } from 'better-sqlite3';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { Exchange, type Journal, recover } from '../../src/exchange/index.ts';
import { genesisOf } from '../../src/server/genesis.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { assertSame, assertTrue } from '../exchange/properties/asserts.ts';
import { programPath } from '../program.ts';
import type { SmallDisk } from '../small-disk.ts';
import { assertAgreement } from '../store/sqlite/agreement.ts';
import {
  keyOf,
  login,
  openSigningTools,
  queryVenue,
  Refusal,
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
const DISK_FULL = /Make room on the disk and try again: all that was acknowledged is there/;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000, max_clock_skew: 3600000 }\n';
const FIELDS =
  'id orderHash marketId outcome side priceBps shares filledShares timeInForce postOnly expiresAt createdAt';
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted duplicate order { ${FIELDS} } fills { id shares priceBps feeMicros } rejection { reason message } } }`;

const CANCEL = 'mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled rejection { reason } } } }';
/** One in this many orders is cancelled. */
const CANCEL_ONE_IN = 4;

interface Acknowledged {
  readonly ready: SignedOrder;
  isCancelled?: boolean;
  /** The `PlaceOrderPayload` as it was received. */
  readonly reported: Placed;
}

interface Placed {
  readonly accepted: boolean;
  readonly duplicate: boolean;
  readonly order: { readonly id: string; readonly filledShares: number };
  readonly fills: readonly { readonly id: string }[];
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

interface Replay {
  readonly hash: string;
  /** Sequence number of the newest complete snapshot, 0 for none. */
  readonly snapshot: number;
  /** Whether the file has an incomplete snapshot. */
  readonly isTorn: boolean;
}

/**
 * Replays a copy of the database from its newest snapshot and from the one before it.
 * @throws Error when the two states, or the rows of the archive, differ
 */
function replayCopy(folder: string, sha256: KillRun['sha256']): Replay {
  // Closing a connection checkpoints the WAL into the database, so each reader gets its own copy.
  const isTorn = hasTornSnapshot(copyOf(folder, 'torn-check.db'));
  const copy = copyOf(folder, 'copy.db');
  const store = SqliteStore.open({ file: copy, thread: false });
  const { journal, archive, identities, registry } = store;
  const stored = { ...genesisOf(registry, undefined), sha256, identities };
  const recoverFrom = (source: Journal) =>
    recover({
      journal: source,
      fresh: () => new Exchange(stored),
      restore: (reader) => Exchange.restore(reader, stored),
    });
  const [newest = 0, ...older] = journal.snapshots;
  const before = recoverFrom(journalWith(journal, older));
  assertSame(before.snapshot, older[0] ?? 0, 'snapshot that the replay started from');
  const { machine, snapshot } = recoverFrom(journal);
  assertSame(
    [snapshot, machine.stateHash()],
    [newest, before.machine.stateHash()],
    'snapshot and state of two replays',
  );
  assertAgreement(archive, machine.view);
  void store.close();
  return { hash: machine.stateHash(), snapshot, isTorn };
}

/** Copies the database with its WAL and its mark file. */
function copyOf(folder: string, name: string): string {
  for (const end of ['', '-wal', '-mark']) {
    const from = join(folder, `venue.db${end}`);
    const to = join(folder, `${name}${end}`);
    rmSync(to, { force: true });
    if (existsSync(from)) copyFileSync(from, to);
  }
  return join(folder, name);
}

/** A view of a journal with the same records and other snapshots. */
function journalWith(journal: Journal, snapshots: readonly number[]): Journal {
  return Object.create(journal, {
    snapshots: { value: snapshots },
    name: { value: journal.name },
    first: { value: journal.first },
    last: { value: journal.last },
    read: { value: (record: number) => journal.read(record) },
    readSnapshot: { value: (sequence: number) => journal.readSnapshot(sequence) },
    markUnusable: { value: () => undefined },
  });
}

/** Whether the file has pieces of a snapshot that was not completed. */
function hasTornSnapshot(file: string): boolean {
  const connection = new Database(file);
  const sql = 'SELECT count(*) FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)';
  const pieces = connection.prepare<[], number>(sql).pluck().get();
  connection.close();
  return pieces !== 0;
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

/** `halfspread serve` as a process. */
class Venue {
  static readonly #running = new Set<ChildProcess>();
  readonly url: string;
  readonly token: string;
  readonly ended: Promise<unknown>;
  readonly end: () => void;
  readonly logged: (message: string, field: string) => unknown;
  readonly #child: ChildProcess;
  readonly #text: () => string;
  #mayRefuse = false;

  private constructor(child: ChildProcess, address: { url: string; token: string }, text: () => string) {
    this.url = address.url;
    this.token = address.token;
    this.#child = child;
    this.#text = text;
    this.ended = once(child, 'close');
    this.end = () => void child.kill('SIGTERM');
    this.logged = (message, field) => {
      const lines = text().split('\n');
      const line = lines.find((each) => each.startsWith('{') && JSON.parse(each).msg === message);
      return line === undefined ? undefined : JSON.parse(line)[field];
    };
  }

  /** Kills the venue. With a disk, fills the disk until the venue ends and explains why. */
  async stop(disk: SmallDisk | undefined): Promise<void> {
    if (disk === undefined) {
      this.#child.kill('SIGKILL');
      return;
    }
    this.#mayRefuse = true;
    await disk.keepFull(this.ended);
    assertSame(this.#child.exitCode, 3, `exit code on a full disk: ${this.#text()}`);
    assertTrue(DISK_FULL.test(this.#text()), `advice in the log on a full disk: ${this.#text()}`);
  }

  static killAll(): void {
    for (const child of Venue.#running) child.kill('SIGKILL');
  }

  static async start(folder: string, knownToken = ''): Promise<Venue> {
    const args = ['serve', '--port', '0', '--db', 'venue.db', '--config', 'venue.yaml'];
    const child = spawn(process.execPath, [programPath(), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    Venue.#running.add(child);
    child.once('close', () => Venue.#running.delete(child));
    let [out, log] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
        const ready = /^listening on (\S+)\n/.exec(out)?.[1];
        if (ready !== undefined) resolve(ready);
      });
      child.once('close', () => reject(new Error(`the venue ended before it listened: ${log}`)));
    });
    const token = /shown only once: (\S+)/.exec(log)?.[1] ?? knownToken;
    return new Venue(child, { url, token }, () => log);
  }

  /** @returns undefined without a reply @throws Refusal when the order was not accepted */
  async place(token: string, { input }: SignedOrder): Promise<Placed | undefined> {
    try {
      const { placeOrder } = await queryVenue(this.url, token, PLACE, { i: input });
      if (!placeOrder.accepted) throw new Refusal(JSON.stringify(placeOrder));
      return placeOrder;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** @returns whether the order was cancelled, false if it was filled before; undefined without a reply */
  async cancel(token: string, id: string): Promise<boolean | undefined> {
    try {
      const { cancelOrder } = await queryVenue(this.url, token, CANCEL, { id });
      return cancelOrder.results[0].cancelled;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** Takes snapshots until the venue ends. */
  async takeSnapshots(): Promise<void> {
    let isRunning = true;
    void this.ended.then(() => {
      isRunning = false;
    });
    while (isRunning) await this.operate('snapshot', {}).catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }

  async operate(command: string, args: object) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/operator`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ command, ...args }),
    });
    const { ok, result } = Object(await answer.json());
    assertTrue(ok, `${command} was refused`);
    return result;
  }
}
