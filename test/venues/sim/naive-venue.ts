/** Models 4 as a list of things to do, searched for the first one each time. */
import type { OrderCommand } from '../../../src/domain/index.ts';
import { KIND } from '../../../src/tape/index.ts';
import { NaiveDesk } from './naive-command-handler.ts';
import type { Row, Rules, Told } from './naive-sim.ts';

export type Message = { tx: number; rows: Row[] };
export type Delays = { feed: number; entry: number; response: number };

/** A bot of these tests: it receives events, logs them, and returns commands. */
export type Bot = {
  onRows(time: number, rows: readonly Row[]): readonly OrderCommand[];
  onEvent(event: Told): readonly OrderCommand[];
  onTimer(time: number): readonly OrderCommand[];
  /** The tape is over: no more commands. */
  stop(): void;
};

type Task = { time: number; rank: number; happened: number; late: number; seq: number; run: () => void };

export class NaiveVenue {
  #agenda: Task[] = [];
  #seq = 0;
  #now = 0;
  #epoch = 0;
  #lastReceived = 0;
  #step: Told[] = [];
  readonly desk: NaiveDesk;
  readonly marks: unknown[] = [];
  readonly #delays: Delays;
  readonly #bot: Bot;

  constructor(markets: number, rules: Rules, cash: number, delays: Delays, bot: Bot) {
    this.desk = new NaiveDesk(markets, rules, cash, (reported) => {
      if (reported.type === 'mark') this.marks.push(reported.mark);
      else this.#step.push(reported);
    });
    this.#delays = delays;
    this.#bot = bot;
  }

  run(messages: readonly Message[], timerMs: number): void {
    for (const message of messages) this.#plan(message.tx, 0, () => this.#market(message));
    this.#timer(messages[0]!.tx + timerMs, timerMs);
    let open = true;
    for (;;) {
      if (open && !this.#agenda.some(({ rank, late }) => rank === 0 || (rank === 2 && late === 0))) {
        open = false;
        this.#bot.stop();
      }
      if (!open && this.#agenda.every(({ rank, late }) => rank === 3 || (rank === 1 && late < 0))) return;
      const first = this.#agenda.reduce((best, task) => (before(task, best) ? task : best));
      this.#agenda = this.#agenda.filter((task) => task !== first);
      this.#now = first.time;
      first.run();
    }
  }

  #market({ tx, rows }: Message): void {
    this.desk.now = tx;
    const shown = rows.map((row) => ({ ...row }));
    for (const [at, row] of shown.entries()) {
      this.desk.row(row, shown[at + 1]);
      if (row.kind === KIND.level && !this.desk.markets[row.market]!.lost)
        row.shares = this.desk.size(row.market, row.side, row.price);
    }
    for (const market of new Set(rows.map((row) => row.market))) this.desk.finish(market);
    this.#receive(tx, shown);
  }
  #command(command: OrderCommand, epoch: number, stops: number): void {
    const market = command.type === 'cancelAll' ? undefined : this.desk.markets[command.market];
    this.desk.now = this.#now;
    this.desk.command(command, { stale: epoch < this.desk.epoch, interrupted: market?.stops !== stops });
    this.#receive(this.#now, []);
  }
  /** The step is over: the message, with what own orders took, and the answers set out. */
  #receive(happened: number, rows: Row[]): void {
    const extra: Row[] = [];
    for (const [market, side, price] of this.desk.touched) {
      const shares = this.desk.size(market, side, price);
      const row = rows.findLast(
        (one) => one.kind === KIND.level && one.market === market && one.side === side && one.price === price,
      );
      if (row !== undefined) row.shares = shares;
      else extra.push({ kind: KIND.level, market, side, price, shares });
    }
    this.desk.touched = [];
    for (const message of [rows, extra].filter(({ length }) => length > 0)) {
      this.#lastReceived = Math.max(this.#lastReceived, happened + this.#delays.feed);
      const received = this.#lastReceived;
      this.#plan(received, 2, () => this.#send(this.#bot.onRows(received, message)), happened, 0);
    }
    const time = happened + this.#delays.response;
    for (const reported of this.#step) {
      const event = { ...reported, time, venueTime: happened };
      this.#plan(time, 2, () => this.#send(this.#bot.onEvent(event)), happened, 1);
      for (const order of reported.accepted ?? (reported.type === 'orderAccepted' ? [reported.order] : [])) {
        const { expiration = 0 } = this.desk.orders.find(({ place }) => place.order === order)?.place ?? {};
        if (expiration > 0) this.#plan(expiration, 1, () => this.#expire(), 0, -1);
      }
    }
    this.#step = [];
  }
  #expire(): void {
    this.desk.now = this.#now;
    this.desk.expire();
    this.#receive(this.#now, []);
  }
  #send(commands: readonly OrderCommand[]): void {
    for (const command of commands) {
      const epoch = this.#epoch;
      this.#plan(
        this.#now + this.#delays.entry,
        1,
        () => {
          const market = command.type === 'cancelAll' ? undefined : this.desk.markets[command.market]!;
          const stops = market?.stops ?? 0;
          const delay = command.type === 'place' || command.type === 'replace' ? market!.delay : 0;
          if (delay > 0) this.#plan(this.#now + delay, 1, () => this.#command(command, epoch, stops), 0, 0);
          else this.#command(command, epoch, stops);
        },
        0,
        1,
      );
      if (command.type === 'cancelAll') this.#epoch += 1;
    }
  }
  #timer(time: number, every: number): void {
    this.#plan(time, 3, () => {
      this.#timer(time + every, every);
      this.#send(this.#bot.onTimer(time));
    });
  }
  /** `late` orders what has equal time, rank and origin: expiry, held back, arriving; market, answer. */
  #plan(time: number, rank: number, run: () => void, happened = 0, late = 0): void {
    this.#seq += 1;
    this.#agenda.push({ time, rank, happened, late, seq: this.#seq, run });
  }
}

function before(a: Task, b: Task): boolean {
  const keys = ['time', 'rank', 'happened', 'late', 'seq'] as const;
  for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key];
  return false;
}
