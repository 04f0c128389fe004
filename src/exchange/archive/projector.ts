/**
 * Converts the exchange's events and view to rows.
 *
 * HOT: every event passes here, about 2.5 µs a command (bench/journal.ts). An order, account, position or bucket that
 * changes several times between two commits is written once.
 *
 * Invariants: `drainRows` returns exactly the rows of the commands applied since the last call. The ledger entries of
 * an account sum to its available and reserved cash. Each event of an account links to the account's previous event.
 */
import { type CloseReason, Fault, isFinal } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeView } from '../engine/view.ts';
import { MATCH } from '../matching/codes.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { ExchangeSink, RareEvent } from '../sink.ts';
import type { Archive } from './archive.ts';
import { updateStatistics } from './market-statistics.ts';
import { MarketTracker } from './market-tracker.ts';
import {
  newOpenOrder,
  type OpenOrder,
  orderSide,
  type Trade,
  tapeBuySide,
  tapeSideAgainst,
  updateOrder,
  writeOrder,
} from './open-order.ts';
import { ReversalRows } from './reversal-rows.ts';
import { type RowBatch, type RowSource, RowWriter } from './row-batch.ts';
import { AccountRows, AccountTracker, HoldingTracker } from './row-trackers.ts';
import { type ClassifyTransfer, type OrderEventKind, type TransferKind, transferKindBySign } from './rows.ts';

export interface ProjectorOptions {
  /** View of the exchange after recovery. Replayed commands already have rows. */
  readonly view: ExchangeView;
  /** Contains the rows of all earlier events. */
  readonly archive: Pick<Archive, 'start' | 'order'>;
  /** Default: incoming cash is a deposit, outgoing cash a withdrawal. */
  readonly classifyTransfer?: ClassifyTransfer;
}

const [IS_MAKER, IS_TAKER] = [false, true];

/** Call `begin` before each command and `end` after it. */
export class Projector implements ExchangeSink, RowSource {
  readonly #view: ExchangeView;
  readonly #rows = new RowWriter();
  readonly #open = new Map<number, OpenOrder>();
  readonly #accounts: AccountTracker;
  readonly #holdings: HoldingTracker;
  readonly #markets: MarketTracker;
  readonly #accountRows: AccountRows;
  readonly #reversals: ReversalRows;
  #dirty: OpenOrder[] = [];
  #seq: number;
  readonly #classifyTransfer: ClassifyTransfer;
  #transferKind: TransferKind | undefined;

  /** @throws Fault if the rows do not end at the exchange's last event; RangeError if an open order has no row */
  constructor({ view, archive, classifyTransfer = transferKindBySign }: ProjectorOptions) {
    const { seq, accounts, holdings, markets } = archive.start();
    if (seq !== view.seq) {
      const message = `the rows end at event ${seq}, but the exchange is at event ${view.seq}`;
      throw new Fault('ARCHIVE_DIVERGED', `${message}. Put back a good copy of the database`);
    }
    this.#view = view;
    this.#classifyTransfer = classifyTransfer;
    this.#seq = seq;
    this.#accounts = new AccountTracker(accounts);
    this.#accountRows = new AccountRows(view, this.#rows, this.#accounts);
    this.#holdings = new HoldingTracker(holdings);
    this.#markets = new MarketTracker(view, markets);
    for (let account = 1; account <= view.accountCount; account += 1) {
      for (const { order } of view.openOrders(account)) {
        const row = archive.order(order);
        if (row === undefined) throw new RangeError(`Invariant: order ${order} is open and has no row`);
        this.#open.set(order, { row, change: 'same' });
      }
    }
    this.#reversals = new ReversalRows({
      view,
      archive,
      rows: this.#rows,
      open: this.#open,
      accountRows: this.#accountRows,
      holdings: this.#holdings,
      change: (order, progress, eventSeq) => this.#change(order, progress, eventSeq),
    });
  }

  begin(command: ExchangeCommand): void {
    // The host may pass null as a command.
    this.#transferKind = command?.type === 'transfer' ? this.#classifyTransfer(command) : undefined;
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    const { now } = this.#view;
    const open = newOpenOrder(order, account, terms, { seq, now });
    this.#open.set(order, open);
    this.#dirty.push(open);
    this.#accounts.markChanged(account).orders += 1;
    this.#addOrderEvent(open, 'ACCEPTED', seq);
  }

  traded(
    seq: number,
    market: number,
    maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    match: number,
    fee: number,
  ): void {
    const trade = { seq, market, yesPrice, shares, match };
    if (maker === 0) this.#addTapeFill(taker, trade, IS_MAKER);
    else this.#addFill(maker, trade, 0, IS_MAKER);
    const amount = taker === 0 ? this.#addTapeFill(maker, trade, IS_TAKER) : this.#addFill(taker, trade, fee, IS_TAKER);
    this.#addToStatistics(market, trade.shares, amount);
    this.#seq = seq;
  }

  reduced(seq: number, order: number, remaining: number): void {
    const open = this.#order(order);
    this.#change(open, { shares: open.row.filled + remaining }, seq);
    this.#addOrderEvent(open, 'REDUCED', seq);
  }

  closed(seq: number, order: number, _unfilled: number, reason: CloseReason): void {
    const open = this.#order(order);
    this.#open.delete(order);
    this.#reversals.onClosed(open);
    this.#seq = seq;
    // The last fill has already changed all fields of the order.
    if (reason === 'FILLED') return;
    const kind = reason === 'EXPIRED' ? 'EXPIRED' : 'CANCELLED';
    this.#change(open, { status: kind, cancelReason: reason }, seq);
    this.#addOrderEvent(open, kind, seq);
  }

  rareEvent(seq: number, event: RareEvent): void {
    this.#seq = seq;
    const { now } = this.#view;
    switch (event.type) {
      case 'accountOpened':
        this.#accounts.open(event, now);
        return;
      case 'transferred': {
        const kind = this.#transferKind ?? transferKindBySign(event);
        this.#accountRows.addEntry({ account: event.account, kind, amount: event.amount }, seq);
        return;
      }
      case 'tradeReversed':
        this.#reversals.onReversed(event, seq);
        return;
      case 'converted': {
        const { account, market, shares, conversion } = event;
        const [kind, amount] = conversion === 'split' ? (['SPLIT', -shares] as const) : (['MERGE', shares] as const);
        this.#accountRows.addEntry({ account, market, kind, amount }, seq);
        this.#holdings.touch(account, market, undefined, seq, now);
        return;
      }
      case 'claimed': {
        const { account, market, paid, refundedFees } = event;
        const isRefund = this.#view.market(market)?.status === 'CANCELLED';
        const owed = { account, market, kind: isRefund ? 'REFUND' : 'CLAIM', amount: paid - refundedFees } as const;
        if (owed.amount !== 0) this.#accountRows.addEntry(owed, seq);
        if (refundedFees !== 0)
          this.#accountRows.addEntry({ account, market, kind: 'REBATE', amount: refundedFees }, seq);
        this.#holdings.touch(account, market, undefined, seq, now);
        return;
      }
      case 'marketChanged':
        this.#markets.markChanged(event.market);
        // All positions change, because their payout is known now.
        if (isFinal(event.status)) {
          for (const { account, market } of this.#view.holdingsIn(event.market)) {
            this.#holdings.touch(account, market, undefined, seq, now);
          }
        }
        return;
      case 'resolutionStepped':
        // A vote changes only `updatedAt`.
        this.#markets.markChanged(event.market);
        return;
      case 'venueChanged':
        this.#markets.touchAll();
        return;
      case 'tapePlayed':
        this.#markets.touch(event.market);
        return;
      case 'printed': {
        // A fill without an account moves no cash.
        const { market, buysYes, shares } = event;
        const { kind, price, amount } = tapeBuySide(buysYes, event);
        this.#rows.add('fill', [2 * seq + 1, 0, 0, market, kind, price, shares, 0, MATCH.normal, now]);
        this.#addToStatistics(market, shares, amount);
        return;
      }
      default:
    }
  }

  refused(): void {}

  duplicate(): void {}

  end(): void {
    this.#markets.writePrices(this.#rows);
  }

  drainRows(): RowBatch {
    const rows = this.#rows;
    for (const open of this.#dirty) writeOrder(open, rows);
    this.#dirty = [];
    this.#accounts.flush(rows);
    this.#holdings.flush(rows);
    this.#markets.flush(rows);
    return rows.drain(this.#seq);
  }

  /** Adds an order's fill. @returns price times shares in the order's terms */
  #addFill(order: number, trade: Trade, fee: number, isTaker: boolean): number {
    const { seq, market, shares, match } = trade;
    const open = this.#order(order);
    const { row } = open;
    const { account, outcome, side } = row;
    const { kind, price, amount } = orderSide(row, trade);
    const filled = row.filled + shares;
    const status = filled === row.shares ? 'FILLED' : 'PARTIALLY_FILLED';
    this.#change(open, { filled, amount: row.amount + amount, fee: row.fee + fee, status }, seq);
    const fill = 2 * seq + (isTaker ? 1 : 0);
    const { now } = this.#view;
    this.#rows.add('fill', [fill, order, account, market, kind, price, shares, fee, match, now]);
    this.#accounts.markChanged(account).fills += 1;
    const paid = side === 'BUY' ? -amount : amount;
    this.#accountRows.addEntry({ account, kind: 'TRADE', amount: paid, market, order, fill }, seq);
    if (fee !== 0) this.#accountRows.addEntry({ account, kind: 'FEE', amount: -fee, market, order, fill }, seq);
    this.#accountRows.addEvent(open, 'FILLED', fill);
    this.#holdings.touch(account, market, outcome, seq, now);
    return amount;
  }

  /** Adds the tape account's fill against an order. @returns price times shares in the tape account's terms */
  #addTapeFill(order: number, trade: Trade, isTaker: boolean): number {
    const { seq, market, shares, match } = trade;
    const { now } = this.#view;
    const account = this.#view.market(market)?.following?.account ?? 0;
    const { kind, outcome, price, amount } = tapeSideAgainst(this.#order(order).row, trade);
    const fill = 2 * seq + (isTaker ? 1 : 0);
    this.#rows.add('fill', [fill, 0, account, market, kind, price, shares, 0, match, now]);
    this.#accounts.markChanged(account).fills += 1;
    this.#accountRows.addEntry({ account, kind: 'TRADE', amount: -amount, market, fill }, seq);
    this.#holdings.touch(account, market, outcome, seq, now);
    return amount;
  }

  #addToStatistics(market: number, shares: number, amount: number): void {
    const tracked = this.#markets.markChanged(market);
    updateStatistics(tracked.statistics, { at: this.#view.now, shares, paid: amount });
    tracked.prices.addVolume(amount);
  }

  #change(open: OpenOrder, change: Parameters<typeof updateOrder>[1], seq: number): void {
    if (open.change === 'same') this.#dirty.push(open);
    updateOrder(open, change, seq, this.#view.now);
  }

  /** Adds an event other than a fill. */
  #addOrderEvent(open: OpenOrder, kind: OrderEventKind, seq: number): void {
    const { account, market, outcome, side } = open.row;
    this.#accountRows.addEvent(open, kind, 2 * seq);
    // A position shows the shares that open SELL orders reserve.
    if (side === 'SELL') this.#holdings.touch(account, market, outcome, seq, this.#view.now);
    this.#markets.touch(market);
    this.#seq = seq;
  }

  #order(order: number): OpenOrder {
    const open = this.#open.get(order);
    if (open === undefined) throw new RangeError(`Invariant: order ${order} has an event, but is not open`);
    return open;
  }
}
