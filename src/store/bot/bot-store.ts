/**
 * A bot's file: its steps, its signed orders, snapshots, and rows for those who ask how it stands. One SQLite database.
 *
 * What is acknowledged outlives the process, however it ends; a power cut can take the last moments, and reconciliation
 * with the venue heals that (`synchronous = NORMAL`). Steps, the rows that follow from them, the position in the venue's
 * event stream and risk's state are one transaction.
 *
 * A step that decided an order and the signed order that follows at once are one transaction, too: it stays open while the
 * order is signed, within one turn of the loop (`appendUntilSigned`), and whatever is written next ends it.
 *
 * HOT: `append` is on the way of every order. 20 to 40 us for a step with an order (2 cores, Node 24, bench/bot-store.ts).
 * Checkpoints run on a thread; only their short end is done here, when that thread is done.
 *
 * Invariant: steps that change nothing (a timer or a message after which nothing is sent) are not kept, so numbers may be
 * left out; the order is kept.
 */
import type { Statement } from 'better-sqlite3';
import { FileFault, type OrderNo } from '../../domain/index.ts';
import {
  type EventStore,
  followsOn,
  type OrderRecords,
  type SignedRecord,
  type Step,
  type StoredRun,
} from '../../runtime/index.ts';
import { type Connection, connect, guarded, MEMORY, prepareFile } from '../sqlite/database.ts';
import { AccountRows } from './account-rows.ts';
import type { BotSource } from './bot-source.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import { LogKeeper } from './log-keeper.ts';
import { OrderRows } from './order-rows.ts';
import { SignedRows } from './signed-rows.ts';
import { StepRows } from './step-rows.ts';
import { Transaction } from './transaction.ts';

export interface BotStoreOptions {
  /** `:memory:` for one that lives as long as the process. */
  readonly file: string;
  /** What the file belongs to: venue and account. Another bot's file is refused. */
  readonly name: string;
  /** The configuration, to tell that it changed. */
  readonly spec: string;
  /** A snapshot after so many stored steps. Default 20,000. */
  readonly snapshotEvery?: number;
  /** Most pages of 4 KB that the file may have. Default no limit. */
  readonly mostPages?: number;
  /** Checkpoints on a thread of their own. Default true but in memory. */
  readonly thread?: boolean;
}

/** The one row that says how far the bot is. */
interface BotRow {
  readonly name: string;
  readonly spec: string;
  readonly last_seq: number;
  readonly cursor: number;
  readonly epoch: number;
  readonly risk: string | null;
}

/** Signed orders that ended are kept for so many numbers: late questions by hash come within seconds. */
const KEPT_SIGNED = 50_000;

export class BotStore implements EventStore, OrderRecords {
  readonly file: string;
  /** Whether the configuration is another than the one the file was last opened with. */
  readonly specChanged: boolean;
  readonly #connection: Connection;
  readonly #snapshotEvery: number;
  readonly #log: LogKeeper;
  readonly #steps: StepRows;
  readonly #orders: OrderRows;
  readonly #signed: SignedRows;
  readonly #account: AccountRows;
  readonly #transaction: Transaction;
  readonly #head: Statement;
  #source: BotSource | undefined;
  /** The last number that was appended, kept or not. */
  #last = 0;
  #stored: number;
  #cursor: number;
  #reached: number;
  #epoch: number;
  #risk: string | null;
  #sinceSnapshot = 0;
  #resolutions = 0;

  private constructor(options: BotStoreOptions, connection: Connection) {
    this.file = options.file;
    this.#connection = connection;
    this.#snapshotEvery = options.snapshotEvery ?? 20_000;
    const row = this.#claim(options);
    this.specChanged = row.spec !== options.spec;
    this.#stored = row.last_seq;
    this.#cursor = row.cursor;
    this.#reached = row.cursor;
    this.#epoch = row.epoch;
    this.#risk = row.risk;
    this.#steps = new StepRows(options.file, connection);
    this.#orders = new OrderRows(connection);
    this.#signed = new SignedRows(connection);
    this.#account = new AccountRows(connection);
    this.#head = connection.prepare('UPDATE bot SET last_seq = ?, cursor = ?, epoch = ?, risk = ?');
    const onThread = options.file !== MEMORY && (options.thread ?? true);
    this.#log = new LogKeeper(connection, onThread ? options.file : undefined);
    this.#transaction = new Transaction(options.file, connection, (rows) => this.#log.wrote(rows));
  }

  /**
   * Opens a file, a new one where there is none. Nobody else may have it: take the lease first.
   * @throws FileFault when it is damaged, of another program or bot, or of a later version
   */
  static open(options: BotStoreOptions): BotStore {
    const connection = connect(options.file, { cacheMb: 32, mayWrite: true });
    try {
      prepareFile(options.file, connection, BOT_MIGRATIONS, BOT_APPLICATION_ID);
      connection.pragma('synchronous = NORMAL');
      if (options.mostPages !== undefined) connection.pragma(`max_page_count = ${options.mostPages}`);
      return guarded(options.file, 'opened', () => new BotStore(options, connection));
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** What is there of a bot that ran before; undefined in a new file. @throws FileFault when it cannot be read */
  stored(): StoredRun | undefined {
    return guarded(this.file, 'read', () => {
      const snapshot = this.#steps.lastSnapshot();
      if (snapshot === undefined) return undefined;
      const risk = this.#risk === null ? snapshot.risk : JSON.parse(this.#risk);
      return { snapshot, steps: this.#steps.after(snapshot.seq), risk };
    });
  }

  /**
   * From now on the store asks this about the present. Keeps a snapshot at once, from which the next start begins.
   * @param time of that snapshot
   */
  follow(source: BotSource, time: number): void {
    this.#source = source;
    this.#transaction.write(() => {
      this.#account.all(source.account, time);
      this.#keepSnapshot(source, time);
    });
  }

  get cursor(): number {
    return this.#cursor;
  }

  get epoch(): number {
    return this.#epoch;
  }

  append(steps: readonly Step[]): void {
    this.appendUntilSigned(steps);
    this.settle();
  }

  appendUntilSigned(steps: readonly Step[]): void {
    this.#transaction.demandWell();
    const last = followsOn(this.#last, steps);
    const kept = steps.every(changes) ? steps : steps.filter(changes);
    if (kept.length > 0) this.#transaction.hold(() => this.#keep(kept), kept.length);
    this.#last = last;
  }

  settle(): void {
    this.#transaction.settle();
  }

  signed(rows: readonly SignedRecord[]): void {
    this.#transaction.write(() => {
      for (const row of rows) this.#signed.add(row);
    }, rows.length);
  }

  unsettled(): readonly SignedRecord[] {
    return guarded(this.file, 'read', () => this.#signed.unsettled());
  }

  find(hash: string): SignedRecord | undefined {
    return guarded(this.file, 'read', () => this.#signed.find(hash));
  }

  numbered(order: OrderNo): SignedRecord | undefined {
    return guarded(this.file, 'read', () => this.#signed.numbered(order));
  }

  reached(seq: number): void {
    if (seq > this.#reached) this.#reached = seq;
  }

  reachedEpoch(epoch: number): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#transaction.write(() => this.#writeHead());
  }

  /**
   * Writes risk's state if it has changed since, and what else waits for the next step: to be called each second or so, as
   * equity moves without steps.
   */
  touch(): void {
    if (this.#source === undefined) return;
    const risk = JSON.stringify(this.#source.risk());
    if (risk === this.#risk && this.#reached === this.#cursor) return;
    this.#risk = risk;
    this.#transaction.write(() => this.#writeHead());
  }

  /** A last snapshot, so that the next start is quick; then the file is free. A second time does nothing. */
  async close(time: number): Promise<void> {
    if (!this.#connection.open) return;
    try {
      const source = this.#source;
      if (source !== undefined && this.#transaction.isWell) {
        this.#transaction.write(() => this.#keepSnapshot(source, time));
      }
    } finally {
      await this.#log.close();
      this.#connection.close();
    }
  }

  #keep(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#steps.add(step);
      this.#orders.fold(step);
      this.#stored = step.seq;
    }
    const source = this.#source;
    if (source !== undefined) {
      this.#account.fold(steps, source.account);
      this.#risk = JSON.stringify(source.risk());
      this.#sinceSnapshot += steps.length;
      if (this.#sinceSnapshot >= this.#snapshotEvery || this.#resolutions !== source.account.resolutions) {
        this.#keepSnapshot(source, steps.at(-1)?.time ?? 0);
        return;
      }
    }
    this.#writeHead();
  }

  #keepSnapshot(source: BotSource, time: number): void {
    const snapshot = source.snapshot();
    this.#steps.keep(snapshot, time);
    this.#signed.forgetBelow(snapshot.nextOrder - KEPT_SIGNED);
    this.#sinceSnapshot = 0;
    this.#resolutions = source.account.resolutions;
    this.#risk = JSON.stringify(snapshot.risk);
    this.#writeHead();
  }

  #writeHead(): void {
    this.#head.run(this.#stored, this.#reached, this.#epoch, this.#risk);
    this.#cursor = this.#reached;
  }

  /** The file's own row, made where it is new. */
  #claim({ file, name, spec }: BotStoreOptions): BotRow {
    const insert = this.#connection.prepare('INSERT OR IGNORE INTO bot VALUES (1, ?, ?, 0, 0, 0, NULL)');
    insert.run(name, spec);
    const row = this.#connection.prepare<[], BotRow>('SELECT * FROM bot').get();
    if (row === undefined) throw new Error('Invariant: a row that was just made is there');
    if (row.name !== name) {
      const problem = `it belongs to "${row.name}", not to "${name}"`;
      throw new FileFault(file, undefined, problem, 'Name another file, or the account and venue it was made for');
    }
    this.#connection.prepare('UPDATE bot SET spec = ?').run(spec);
    return row;
  }
}

/** Whether a step changes anything that a restart has to know. */
function changes({ event, commands }: Step): boolean {
  if (commands.length > 0) return true;
  return event !== undefined && event.type !== 'timerFired' && event.type !== 'woke';
}
