/**
 * The real program, killed with SIGKILL while traders place signed orders and cancel some, and started again, time after time.
 *
 * Snapshots are taken all the time, so that many a death comes in the midst of one.
 *
 * After each death: the newest snapshot that is whole was used; the state that was recovered is the one that a replay of the same
 * file from the snapshot before it comes to, or from the first record; rows agree with it to the micro-USD; each acknowledged order is there, with what it said, and cancelled where
 * that was acknowledged; each order whose end is unknown is settled by
 * sending the same bytes again. At the end there are as many orders as were acknowledged, not one more.
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
import { assertSame, demand } from '../exchange/properties/demand.ts';
import { programPath } from '../program.ts';
import type { SmallDisk } from '../small-disk.ts';
import { assertAgreement } from '../store/sqlite/agreement.ts';
import {
  keyOf,
  login,
  openSigningTools,
  queryVenue,
  type ReadyOrder,
  Refusal,
  readyOrder,
  type SigningTools,
} from './trader.ts';

/** What a run is made of. */
export interface KillRun {
  readonly kills: number;
  readonly seed: number;
  /** An empty one. */
  readonly folder: string;
  /** Has the folder. With it, the venue is not killed: its disk is full, until it has ended. */
  readonly disk?: SmallDisk;
  readonly sha256: (text: string) => string;
}

/** What it came to. */
export interface KillTally {
  readonly acknowledged: number;
  /** Cancels that were acknowledged. */
  readonly cancelled: number;
  /** Sent, and no answer came. */
  readonly unknown: number;
  /** Of these, known to the server after all. */
  readonly duplicates: number;
  /** Deaths in the midst of a snapshot: parts of it were in the file. */
  readonly torn: number;
  /** Starts from a snapshot. */
  readonly fromSnapshot: number;
}

const TRADERS = 4;
/** Orders in flight of each trader. */
const AHEAD = 12;
const MAX_ANSWERS = 240;
/** Below the least that a bucket of reads holds. */
const READS_A_LOGIN = 400;
const READS_A_REQUEST = 20;
const FULL = /Make room on the disk and try again: all that was acknowledged is there/;
const SETTINGS =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 1000000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000, max_clock_skew: 3600000 }\n';
const FIELDS =
  'id orderHash marketId outcome side priceBps shares filledShares timeInForce postOnly expiresAt createdAt';
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted duplicate order { ${FIELDS} } fills { id shares priceBps feeMicros } rejection { reason message } } }`;

const CANCEL = 'mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled rejection { reason } } } }';
/** One of so many orders is cancelled. */
const CANCELLED_OF = 4;

interface Acknowledged {
  readonly ready: ReadyOrder;
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

/** Kills and starts again. @throws Error at the first thing that is not as it must be */
export async function killRun(of: KillRun): Promise<KillTally> {
  try {
    return await played(of);
  } finally {
    Venue.killAll();
  }
}

async function played({ kills, seed, folder, disk, sha256 }: KillRun): Promise<KillTally> {
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
    const living = venue;
    let stopped: Promise<void> | undefined;
    const snapping = living.takeSnapshots();
    const lost = await Promise.all(
      traders.flatMap((trader) =>
        Array.from({ length: AHEAD }, async () => {
          for (;;) {
            const request = {
              ...({ marketId, outcome: random.int(2) === 0 ? 'YES' : 'NO', side: 'BUY' } as const),
              priceBps: 100 * (40 + random.int(20)),
              shares: 10_000 * (500 + random.int(2_000)),
              timestampMs: clock.now(),
            };
            const ready = readyOrder(tools, trader.key, request, trader.nextSalt());
            const reported = await living.place(trader.token, ready);
            if (reported === undefined) return { trader, ready };
            const known: Acknowledged = { ready, reported };
            trader.acknowledged.push(known);
            answers -= 1;
            if (answers === 0) stopped = living.stop(disk);
            if (random.int(CANCELLED_OF) > 0) continue;
            const isCancelled = await living.cancel(trader.token, ready.hash);
            if (isCancelled === undefined) return undefined;
            known.isCancelled = isCancelled;
          }
        }),
      ),
    );
    await Promise.all([living.ended, snapping, stopped]);
    disk?.makeRoom();
    const found = replayed(folder, sha256);
    venue = await Venue.start(folder, venue.token);
    assertSame(venue.logged('exchange: recovered', 'hash'), found.hash, `state after kill ${kill}`);
    assertSame(venue.logged('exchange: recovered', 'snapshot'), found.snapshot, `snapshot used after kill ${kill}`);
    if (found.isTorn) torn += 1;
    if (found.snapshot > 0) fromSnapshot += 1;
    for (const trader of traders) trader.token = await login(venue.url, tools, trader.key);
    for (const [at, trader] of traders.entries()) {
      await assertThere(venue, trader.token, trader.acknowledged.slice(before[at]));
    }
    for (const { trader, ready } of lost.flatMap((each) => each ?? [])) {
      const reported = await venue.place(trader.token, ready);
      const again = await venue.place(trader.token, ready);
      if (reported === undefined || again === undefined)
        throw new Error(`${ready.hash}: no answer from a living server`);
      assertSame([again.duplicate, again.order.id], [true, reported.order.id], 'the same bytes a second time');
      trader.acknowledged.push({ ready, reported });
      unknown += 1;
      if (reported.duplicate) duplicates += 1;
    }
  }
  for (const { key, acknowledged } of traders) {
    for (let from = 0; from < acknowledged.length; from += READS_A_LOGIN) {
      const token = await login(venue.url, tools, key);
      await assertThere(venue, token, acknowledged.slice(from, from + READS_A_LOGIN));
    }
    const { orders } = await queryVenue(venue.url, await login(venue.url, tools, key), '{ orders { totalCount } }', {});
    assertSame(orders.totalCount, acknowledged.length, `orders of ${key.address}`);
  }
  venue.end();
  await venue.ended;
  assertSame(venue.logged('exchange: stopped', 'hash'), replayed(folder, sha256).hash, 'state at the end');
  const cancelled = traders.flatMap((trader) => trader.acknowledged.filter(({ isCancelled }) => isCancelled)).length;
  const acknowledged = traders.reduce((sum, trader) => sum + trader.acknowledged.length, 0) - unknown;
  return { acknowledged, cancelled, unknown, duplicates, torn, fromSnapshot };
}

interface Replayed {
  readonly hash: string;
  /** The newest one that is whole, 0 for none. */
  readonly snapshot: number;
  readonly isTorn: boolean;
}

/** What a replay of a copy comes to, from its newest snapshot and from the one before it; its rows agree with it. */
function replayed(folder: string, sha256: KillRun['sha256']): Replayed {
  // Closing a connection folds the log into the database, so each look has a copy of its own.
  const isTorn = hasTornSnapshot(copyOf(folder, 'looked-at.db'));
  const copy = copyOf(folder, 'copy.db');
  const store = SqliteStore.open({ file: copy, thread: false });
  const { journal, archive, identities, registry } = store;
  const stored = { ...genesisOf(registry, undefined), sha256, identities };
  const from = (kept: Journal) =>
    recover({
      journal: kept,
      fresh: () => new Exchange(stored),
      restore: (reader) => Exchange.restore(reader, stored),
    });
  const [newest = 0, ...older] = journal.snapshots;
  const before = from(journalWith(journal, older));
  assertSame(before.snapshot, older[0] ?? 0, 'the snapshot that a replay began with');
  const { machine, snapshot } = from(journal);
  assertSame([snapshot, machine.stateHash()], [newest, before.machine.stateHash()], 'from one snapshot and another');
  assertAgreement(archive, machine.view);
  void store.close();
  return { hash: machine.stateHash(), snapshot, isTorn };
}

/** Copies the database with its log and its mark. */
function copyOf(folder: string, name: string): string {
  for (const end of ['', '-wal', '-mark']) {
    const from = join(folder, `venue.db${end}`);
    const to = join(folder, `${name}${end}`);
    rmSync(to, { force: true });
    if (existsSync(from)) copyFileSync(from, to);
  }
  return join(folder, name);
}

/** The same records, other snapshots. */
function journalWith(journal: Journal, snapshots: readonly number[]): Journal {
  return Object.create(journal, {
    snapshots: { value: snapshots },
    name: { value: journal.name },
    first: { value: journal.first },
    last: { value: journal.last },
    read: { value: (record: number) => journal.read(record) },
    readSnapshot: { value: (sequence: number) => journal.readSnapshot(sequence) },
    setAside: { value: () => undefined },
  });
}

/** Whether parts of a snapshot are there whose end is not. */
function hasTornSnapshot(file: string): boolean {
  const connection = new Database(file);
  const sql = 'SELECT count(*) FROM snapshot_pieces WHERE sequence NOT IN (SELECT sequence FROM snapshots)';
  const pieces = connection.prepare<[], number>(sql).pluck().get();
  connection.close();
  return pieces !== 0;
}

/** Each order is what its answer said; since then it may have been filled further. */
async function assertThere(venue: Venue, token: string, list: readonly Acknowledged[]): Promise<void> {
  for (let from = 0; from < list.length; from += READS_A_REQUEST) {
    const part = list.slice(from, from + READS_A_REQUEST);
    const lookups = part.map(
      ({ ready }, at) =>
        `o${at}: order(orderHash: "${ready.hash}") { found order { status ${FIELDS} } fills { id shares priceBps feeMicros } }`,
    );
    const found = await queryVenue(venue.url, token, `{ ${lookups.join(' ')} }`, {});
    for (const [at, { ready, reported, isCancelled }] of part.entries()) {
      const { order, fills } = found[`o${at}`];
      assertSame(order?.orderHash, ready.hash, 'an acknowledged order');
      const { filledShares, status, ...content } = order;
      // Nobody knows of a cancel without an answer whether it came; of one with an answer everybody does.
      if (isCancelled) assertSame(status, 'CANCELLED', `${ready.hash}, whose cancel was acknowledged`);
      const { filledShares: toldFilled, ...toldContent } = reported.order;
      assertSame(content, toldContent, `content of ${ready.hash}`);
      demand(filledShares >= toldFilled, `${ready.hash} had ${toldFilled} filled, now ${filledShares}`);
      const kept = fills.filter(({ id }: { readonly id: string }) => reported.fills.some((fill) => fill.id === id));
      assertSame(kept, reported.fills, `fills of ${ready.hash}`);
    }
  }
}

async function openMarket(venue: Venue): Promise<string> {
  await venue.operate('put-category', { slug: 'tests', name: 'Tests' });
  const terms = { question: 'Will it hold?', rules: 'As tested.', category: 'tests' };
  const made = await venue.operate('create-market', { ...terms, resolution_date: '2100-01-01T00:00:00Z' });
  await venue.operate('open-market', { market: made.id });
  return made.id;
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

  private constructor(child: ChildProcess, said: { url: string; token: string }, text: () => string) {
    this.url = said.url;
    this.token = said.token;
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

  /** Kills it; with a disk, fills that until it has ended by itself, which it does with a reason. */
  async stop(disk: SmallDisk | undefined): Promise<void> {
    if (disk === undefined) {
      this.#child.kill('SIGKILL');
      return;
    }
    this.#mayRefuse = true;
    await disk.keepFull(this.ended);
    assertSame(this.#child.exitCode, 3, `exit code on a full disk: ${this.#text()}`);
    demand(FULL.test(this.#text()), `it says what to do: ${this.#text()}`);
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
      child.once('close', () => reject(new Error(`it ended before it listened: ${log}`)));
    });
    const token = /shown only once: (\S+)/.exec(log)?.[1] ?? knownToken;
    return new Venue(child, { url, token }, () => log);
  }

  /** @returns undefined when no answer came. @throws Refusal when it was not accepted */
  async place(token: string, { input }: ReadyOrder): Promise<Placed | undefined> {
    try {
      const { placeOrder } = await queryVenue(this.url, token, PLACE, { i: input });
      if (!placeOrder.accepted) throw new Refusal(JSON.stringify(placeOrder));
      return placeOrder;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** @returns whether it was cancelled, it may have filled before; undefined when no answer came */
  async cancel(token: string, id: string): Promise<boolean | undefined> {
    try {
      const { cancelOrder } = await queryVenue(this.url, token, CANCEL, { id });
      return cancelOrder.results[0].cancelled;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** One snapshot after the other, until it is dead. */
  async takeSnapshots(): Promise<void> {
    let isAlive = true;
    void this.ended.then(() => {
      isAlive = false;
    });
    while (isAlive) await this.operate('snapshot', {}).catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }

  async operate(command: string, args: object) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/operator`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ command, ...args }),
    });
    const { ok, result } = Object(await answer.json());
    demand(ok, `${command} was refused`);
    return result;
  }
}
