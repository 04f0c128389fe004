/** The timing rules of docs/spec/models.md#time-and-look-ahead as an unsorted list of tasks. */
import type { OrderCommand } from '../../../src/domain/index.ts';
import { KIND } from '../../../src/tape/index.ts';
import { NaiveCommandHandler } from './naive-command-handler.ts';
import type { NaiveEvent, Row, Rules } from './naive-sim.ts';

export type Message = { tx: number; rows: Row[] };
export type Delays = { feed: number; entry: number; response: number };

/** Receives market data and events and returns commands. */
export type Bot = {
  onRows(time: number, rows: readonly Row[]): readonly OrderCommand[];
  onEvent(event: NaiveEvent): readonly OrderCommand[];
  onTimer(time: number): readonly OrderCommand[];
  /** Called at the end of the tape; later calls return no commands. */
  stop(): void;
};

type Task = { time: number; rank: number; happened: number; tie: number; seq: number; run: () => void };

export class NaiveVenue {
  #tasks: Task[] = [];
  #seq = 0;
  #now = 0;
  #epoch = 0;
  #lastReceived = 0;
  #events: NaiveEvent[] = [];
  readonly handler: NaiveCommandHandler;
  readonly marks: unknown[] = [];
  readonly #delays: Delays;
  readonly #bot: Bot;

  constructor(markets: number, rules: Rules, cash: number, delays: Delays, bot: Bot) {
    this.handler = new NaiveCommandHandler(markets, rules, cash, (event) => {
      if (event.type === 'mark') this.marks.push(event.mark);
      else this.#events.push(event);
    });
    this.#delays = delays;
    this.#bot = bot;
  }

  run(messages: readonly Message[], timerMs: number): void {
    for (const message of messages) this.#plan(message.tx, 0, () => this.#market(message));
    this.#timer(messages[0]!.tx + timerMs, timerMs);
    let open = true;
    for (;;) {
      if (open && !this.#tasks.some(({ rank, tie }) => rank === 0 || (rank === 2 && tie === 0))) {
        open = false;
        this.#bot.stop();
      }
      if (!open && this.#tasks.every(({ rank, tie }) => rank === 3 || (rank === 1 && tie < 0))) return;
      const first = this.#tasks.reduce((best, task) => (before(task, best) ? task : best));
      this.#tasks = this.#tasks.filter((task) => task !== first);
      this.#now = first.time;
      first.run();
    }
  }

  #market({ tx, rows }: Message): void {
    this.handler.now = tx;
    const shown = rows.map((row) => ({ ...row }));
    for (const [at, row] of shown.entries()) {
      this.handler.row(row, shown[at + 1]);
      if (row.kind === KIND.level && !this.handler.markets[row.market]!.inGap)
        row.shares = this.handler.size(row.market, row.side, row.price);
    }
    for (const market of new Set(rows.map((row) => row.market))) this.handler.finish(market);
    this.#publish(tx, shown);
  }
  #command(command: OrderCommand, epoch: number, stops: number): void {
    const market = command.type === 'cancelAll' ? undefined : this.handler.markets[command.market];
    this.handler.now = this.#now;
    this.handler.command(command, { stale: epoch < this.handler.epoch, interrupted: market?.stops !== stops });
    this.#publish(this.#now, []);
  }
  /** Ends a step: schedules its message, with sizes consumed by own orders, and its events. */
  #publish(happened: number, rows: Row[]): void {
    const extra: Row[] = [];
    for (const [market, side, price] of this.handler.touched) {
      const shares = this.handler.size(market, side, price);
      const row = rows.findLast(
        (row) => row.kind === KIND.level && row.market === market && row.side === side && row.price === price,
      );
      if (row !== undefined) row.shares = shares;
      else extra.push({ kind: KIND.level, market, side, price, shares });
    }
    this.handler.touched = [];
    for (const message of [rows, extra].filter(({ length }) => length > 0)) {
      this.#lastReceived = Math.max(this.#lastReceived, happened + this.#delays.feed);
      const received = this.#lastReceived;
      this.#plan(received, 2, () => this.#send(this.#bot.onRows(received, message)), happened, 0);
    }
    const time = happened + this.#delays.response;
    for (const event of this.#events) {
      const delivered = { ...event, time, venueTime: happened };
      this.#plan(time, 2, () => this.#send(this.#bot.onEvent(delivered)), happened, 1);
      for (const order of event.accepted ?? (event.type === 'orderAccepted' ? [event.order] : [])) {
        const { expiration = 0 } = this.handler.orders.find(({ place }) => place.order === order)?.place ?? {};
        if (expiration > 0) this.#plan(expiration, 1, () => this.#expire(), 0, -1);
      }
    }
    this.#events = [];
  }
  #expire(): void {
    this.handler.now = this.#now;
    this.handler.expire();
    this.#publish(this.#now, []);
  }
  #send(commands: readonly OrderCommand[]): void {
    for (const command of commands) {
      const epoch = this.#epoch;
      this.#plan(
        this.#now + this.#delays.entry,
        1,
        () => {
          const market = command.type === 'cancelAll' ? undefined : this.handler.markets[command.market]!;
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
  /** @param tie order at equal time, rank and origin: expiry -1, delayed 0, arriving 1; market data 0, event 1 */
  #plan(time: number, rank: number, run: () => void, happened = 0, tie = 0): void {
    this.#seq += 1;
    this.#tasks.push({ time, rank, happened, tie, seq: this.#seq, run });
  }
}

function before(a: Task, b: Task): boolean {
  const keys = ['time', 'rank', 'happened', 'tie', 'seq'] as const;
  for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key];
  return false;
}
