/** Orders and fills as rows that people and programs ask for: folded from steps, in the transaction that stores them. */
import type { Statement } from 'better-sqlite3';
import type { InputEvent, OrderCommand, OrderFilled, OrderNo, PlaceOrder } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';

/** Where an order stands. The first three are open. */
export type OrderStatus = 'NEW' | 'LIVE' | 'UNKNOWN' | 'FILLED' | 'CLOSED' | 'REJECTED';

const OPEN = "status IN ('NEW', 'LIVE', 'UNKNOWN')";

export class OrderRows {
  readonly #place: Statement;
  readonly #status: Statement;
  readonly #unanswered: Statement;
  readonly #remain: Statement;
  readonly #fillOrder: Statement;
  readonly #fill: Statement;

  constructor(connection: Connection) {
    this.#place = connection.prepare(
      `INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, 'NEW', NULL, ?, ?)`,
    );
    this.#status = connection.prepare(
      `UPDATE orders SET status = ?, reason = ?, updated_at = ? WHERE order_no = ? AND ${OPEN}`,
    );
    this.#unanswered = connection.prepare(
      `UPDATE orders SET status = ?, reason = ?, updated_at = ? WHERE order_no = ? AND status IN ('NEW', 'UNKNOWN')`,
    );
    this.#remain = connection.prepare(
      `UPDATE orders SET status = CASE WHEN ? = 0 THEN 'CLOSED' ELSE 'LIVE' END, remaining = min(remaining, ?),
         updated_at = ? WHERE order_no = ? AND ${OPEN}`,
    );
    this.#fillOrder = connection.prepare(
      `UPDATE orders SET status = CASE WHEN status NOT IN ('NEW', 'LIVE', 'UNKNOWN') THEN status
         WHEN ? = 0 THEN 'FILLED' ELSE 'LIVE' END,
         filled = filled + ?, remaining = min(remaining, ?), updated_at = ? WHERE order_no = ?`,
    );
    this.#fill = connection.prepare(`INSERT INTO fills VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  fold({ seq, time, event, commands }: Step): void {
    if (event !== undefined) this.#foldEvent(event, seq);
    for (const command of commands) this.#foldCommand(command, time);
  }

  #foldCommand(command: OrderCommand, time: number): void {
    if (command.type === 'place') this.#insert(command, time);
    else if (command.type === 'replace') for (const place of command.places) this.#insert(place, time);
  }

  #insert(place: PlaceOrder, time: number): void {
    const { order, bot, market, outcome, side, price, shares, timeInForce, postOnly, expiration } = place;
    const form = [timeInForce, Number(postOnly), expiration];
    this.#place.run(order, bot, market, outcome, side, price, shares, shares, ...form, time, time);
  }

  #foldEvent(event: InputEvent, seq: number): void {
    switch (event.type) {
      case 'orderAccepted':
        this.#turn(event.order, 'LIVE', null, event.time);
        return;
      case 'orderUncertain':
        this.#unanswered.run('UNKNOWN', null, event.time, event.order);
        return;
      case 'orderRejected':
        this.#unanswered.run('REJECTED', event.reason, event.time, event.order);
        return;
      case 'orderClosed':
        this.#turn(event.order, 'CLOSED', event.reason, event.time);
        return;
      case 'ordersReplaced':
        for (const order of event.closed) this.#turn(order, 'CLOSED', 'REPLACED', event.time);
        for (const order of event.accepted) this.#turn(order, 'LIVE', null, event.time);
        return;
      case 'orderReduced':
        this.#remain.run(event.remaining, event.remaining, event.time, event.order);
        return;
      case 'orderFilled':
        this.#filled(event, seq);
        return;
      default:
        return;
    }
  }

  #turn(order: OrderNo, status: OrderStatus, reason: string | null, time: number): void {
    this.#status.run(status, reason, time, order);
  }

  #filled(fill: OrderFilled, seq: number): void {
    const { order, market, outcome, side, price, shares, remaining, fee, liquidity, tag, time, venueTime } = fill;
    const { trade = null } = fill;
    if (order !== 0) this.#fillOrder.run(remaining, shares, remaining, time, order);
    this.#fill.run(seq, order, market, outcome, side, price, shares, fee, liquidity, tag, time, venueTime, trade);
  }
}
