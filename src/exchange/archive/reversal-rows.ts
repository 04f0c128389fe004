/** Writes the rows of reversed trades. A reversal may change open orders, and closed orders with a reversible trade. */
import type { ExchangeView } from '../engine/view.ts';
import { MATCH } from '../matching/codes.ts';
import type { RareEvent } from '../sink.ts';
import type { Archive } from './archive.ts';
import { type OpenOrder, orderSide, type Trade, tapeSideAgainst, withoutFill } from './open-order.ts';
import type { RowWriter } from './row-batch.ts';
import type { AccountRows, HoldingTracker } from './row-trackers.ts';
import type { OrderProgress } from './rows.ts';

type Reversed = Extract<RareEvent, { readonly type: 'tradeReversed' }>;

export interface ReversalRowsDeps {
  readonly view: ExchangeView;
  readonly archive: Pick<Archive, 'order'>;
  readonly rows: RowWriter;
  readonly accountRows: AccountRows;
  readonly holdings: HoldingTracker;
  /** Open orders, by number. */
  readonly open: ReadonlyMap<number, OpenOrder>;
  change(order: OpenOrder, progress: OrderProgress, seq: number): void;
}

interface TradeSide {
  /** 0 for a trader on a tape. */
  readonly order: number;
  readonly fee: number;
  readonly takerBit: 0 | 1;
}

/** Minimum of `#maxClosed`. When `#closed` exceeds `#maxClosed`, orders without a reversible trade are dropped. */
const MIN_CLEANUP_SIZE = 1024;

export class ReversalRows {
  readonly #deps: ReversalRowsDeps;
  readonly #closed = new Map<number, OpenOrder>();
  #maxClosed = MIN_CLEANUP_SIZE;

  /** @throws RangeError if an order of a reversible trade has no row */
  constructor(deps: ReversalRowsDeps) {
    this.#deps = deps;
    for (const order of this.#reversible()) {
      if (deps.open.has(order)) continue;
      const row = deps.archive.order(order);
      if (row === undefined)
        throw new RangeError(`Invariant: order ${order} has a trade that can be reversed, and no row`);
      this.#closed.set(order, { row, change: 'same' });
    }
  }

  /** Retains a closed order while one of its trades may be reversed. */
  onClosed(order: OpenOrder): void {
    if (order.row.filled === 0 || this.#deps.view.reversals.window === 0) return;
    this.#closed.set(order.row.order, order);
    if (this.#closed.size > this.#maxClosed) this.#removeFinal();
  }

  /** Adds the rows of a reversed trade: opposite cash movements, and an event for each order. */
  onReversed({ maker, taker, fee, ...event }: Reversed, seq: number): void {
    const { rows, view } = this.#deps;
    rows.add('reversal', [event.trade, seq, view.now]);
    const trade = { ...event, seq, match: MATCH.normal };
    const sides: readonly TradeSide[] = [
      { order: maker, fee: 0, takerBit: 0 },
      { order: taker, fee, takerBit: 1 },
    ];
    for (const side of sides) {
      const fill = 2 * event.trade + side.takerBit;
      if (side.order === 0) this.#addTapeSide(maker === 0 ? taker : maker, trade, fill);
      else this.#addSide(side, trade, fill);
    }
  }

  #addSide({ order, fee, takerBit }: TradeSide, trade: Trade, reversedFill: number): void {
    const { accountRows, holdings, view, open, change } = this.#deps;
    const { seq, market, shares } = trade;
    const changed = this.#find(order);
    const { account, outcome, side } = changed.row;
    const { amount } = orderSide(changed.row, trade);
    change(changed, withoutFill(changed.row, { filled: shares, amount, fee }, open.has(order)), seq);
    const entry = { account, market, order, fill: reversedFill };
    accountRows.addEntry({ ...entry, kind: 'TRADE', amount: side === 'BUY' ? amount : -amount }, seq);
    if (fee !== 0) accountRows.addEntry({ ...entry, kind: 'FEE', amount: fee }, seq);
    accountRows.addEvent(changed, 'REVERSED', 2 * seq + takerBit);
    holdings.touch(account, market, outcome, seq, view.now);
  }

  /** Adds the rows that return the tape account's payment. @param other the order on the trade's other side */
  #addTapeSide(other: number, trade: Trade, fill: number): void {
    const { accountRows, holdings, view } = this.#deps;
    const { seq, market } = trade;
    const account = view.market(market)?.following?.account ?? 0;
    const { amount, outcome } = tapeSideAgainst(this.#find(other).row, trade);
    accountRows.addEntry({ account, kind: 'TRADE', amount, market, fill }, seq);
    holdings.touch(account, market, outcome, seq, view.now);
  }

  #find(order: number): OpenOrder {
    const found = this.#deps.open.get(order) ?? this.#closed.get(order);
    if (found === undefined) throw new RangeError(`Invariant: a reversed trade of order ${order} was already final`);
    return found;
  }

  #removeFinal(): void {
    const reversible = this.#reversible();
    for (const order of this.#closed.keys()) if (!reversible.has(order)) this.#closed.delete(order);
    this.#maxClosed = Math.max(MIN_CLEANUP_SIZE, 2 * this.#closed.size);
  }

  #reversible(): ReadonlySet<number> {
    const { trades } = this.#deps.view.reversals;
    const orders = new Set<number>(trades.flatMap(({ maker, taker }) => [maker.order, taker.order]));
    orders.delete(0);
    return orders;
  }
}
