/**
 * Public messages of Kalshi's streams as rows of a tape.
 *
 * Rules (docs/importing.md#kalshi): a snapshot replaces a book. A book ends until its next snapshot when a sequence number is missing, when
 * a level would fall below 0, when it crosses, and when one of its messages cannot be read. It follows one subscription; where several
 * files have a market, the first one counts until its book ends. A result is final when the market is settled; until then it is pending.
 */
import { z } from 'zod';
import type {
  KalshiDelta,
  KalshiLifecycle,
  KalshiMarketRecord,
  KalshiMessage,
  KalshiSnapshot,
  KalshiTrade,
} from '../../protocol/kalshi/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { CapturedMessage } from '../captures/capture-file.ts';
import { RecentKeys, SAVED_KEYS } from '../captures/recent-keys.ts';
import type { ImportCounts } from '../import/counts.ts';
import type { ImportTapes } from '../import/import-tapes.ts';
import type { MarketImport } from '../import/market-import.ts';
import { KalshiMarket, SAVED_MARKET } from './market-state.ts';
import { SAVED_SUBSCRIPTIONS, Subscriptions } from './subscriptions.ts';

/** A message that cannot be read. The book of its market is unknown from then on. */
export interface InvalidMessage {
  readonly type: 'invalid';
  readonly reason: string;
  readonly market: string | undefined;
}

type ReadMessage = Exclude<KalshiMessage, { type: 'command' | 'ticker' }> | InvalidMessage;

/** Trades by whose ids repeated ones are known. */
const REMEMBERED = 100_000;

export class KalshiMessages {
  readonly markets = new Map<string, KalshiMarket>();
  /** Messages by kind. */
  readonly #kinds: Record<string, number>;
  readonly #tapes: ImportTapes;
  readonly #counts: ImportCounts;
  readonly #records: ReadonlyMap<string, KalshiMarketRecord>;
  readonly #subscriptions = new Subscriptions();
  readonly #trades = new RecentKeys(REMEMBERED);
  /** Markets of the open message whose rows came too late. */
  readonly #late = new Set<string>();
  #lastAt = 0;

  /** @param records market metadata by ticker @param kinds counts messages by kind */
  constructor(
    tapes: ImportTapes,
    counts: ImportCounts,
    records: ReadonlyMap<string, KalshiMarketRecord>,
    kinds: Record<string, number>,
  ) {
    this.#tapes = tapes;
    this.#counts = counts;
    this.#records = records;
    this.#kinds = kinds;
  }

  apply({ events, at, receivedAt, line }: CapturedMessage<KalshiMessage | InvalidMessage>, file: string): void {
    this.#counts.at(file, line);
    for (const event of events) {
      this.#kinds[event.type] = (this.#kinds[event.type] ?? 0) + 1;
      // The touch of a ticker says nothing that the book does not say.
      if (event.type === 'command' || event.type === 'ticker') continue;
      const time = 'at' in event ? (event.at ?? at) : at;
      this.#tapes.begin(time, receivedAt ?? time);
      this.#message(event, file);
      this.#end(time);
    }
  }

  /** Results that no message made final: those of the metadata, and those that were pending at the end. */
  resolveByRecords(): void {
    for (const { ticker, record, pendingPayout } of this.markets.values()) {
      const payout = record?.payout ?? pendingPayout;
      if (payout === undefined) continue;
      const at = Math.max(this.#lastAt, record?.settledAt ?? 0);
      this.#tapes.begin(at, at);
      const tape = this.#tapes.market(ticker);
      if (tape?.isResolved === false) tape.resolution(payout);
      this.#end(at);
    }
  }

  /** No message of a file comes any more. */
  endFile(file: string): void {
    this.#subscriptions.end(file);
  }

  /** Plain values between two messages. */
  save(): unknown {
    const saved: z.input<typeof SAVED> = {
      markets: [...this.markets.values()].map((market) => market.save()),
      subscriptions: this.#subscriptions.save(),
      trades: this.#trades.save(),
      kinds: this.#kinds,
      lastAt: this.#lastAt,
    };
    return saved;
  }

  restore(state: unknown): void {
    const saved = SAVED.parse(state);
    for (const each of saved.markets) {
      const market = new KalshiMarket(each.ticker, this.#records.get(each.ticker));
      market.restore(each);
      this.markets.set(each.ticker, market);
    }
    this.#subscriptions.restore(saved.subscriptions);
    this.#trades.restore(saved.trades);
    Object.assign(this.#kinds, saved.kinds);
    this.#lastAt = saved.lastAt;
  }

  /** Closes the message. What came too late for its market has changed an unknown part of its book. */
  #end(time: number): void {
    this.#tapes.end();
    this.#lastAt = Math.max(this.#lastAt, time);
    for (const ticker of this.#late) {
      this.#tapes.begin(this.#lastAt, this.#lastAt);
      this.#lose(ticker);
      this.#tapes.end();
    }
    this.#late.clear();
  }

  #lose(ticker: string): void {
    if (!this.markets.has(ticker)) return;
    const tape = this.#tapes.market(ticker);
    if (tape?.hasBook === true) tape.gap();
  }

  #message(event: ReadMessage, file: string): void {
    if (event.type === 'invalid') {
      this.#counts.drop(event.reason);
      if (event.market !== undefined) this.#lose(event.market);
      return;
    }
    if (!this.#isNext(event, file)) return;
    switch (event.type) {
      case 'orderbook_snapshot':
        this.#snapshot(event, file);
        return;
      case 'orderbook_delta':
        this.#delta(event, file);
        return;
      case 'trade':
        this.#trade(event);
        return;
      case 'lifecycle':
        this.#lifecycle(event);
        return;
      default:
      // Replies and private messages change nothing.
    }
  }

  /** Follows the sequence. @returns false for a message that came before */
  #isNext(event: Exclude<ReadMessage, InvalidMessage>, file: string): boolean {
    const { step, lost } = this.#subscriptions.step(file, event, event.type === 'orderbook_snapshot');
    if (step === 'repeat') {
      this.#counts.drop('repeated sequence number');
      return false;
    }
    if (step === 'next') return true;
    const what = lost.length > 0 ? 'books' : 'other messages';
    if (step === 'gap') this.#counts.change(`gap in the sequence of ${what}`);
    else if (step === 'restart') this.#counts.change('subscription that began again');
    else this.#counts.change('sequence number that another message had: two connections in one file? The books end');
    for (const ticker of lost) this.#lose(ticker);
    return true;
  }

  #snapshot(snapshot: KalshiSnapshot, file: string): void {
    const { market: ticker, bids, asks } = snapshot;
    const [market, tape] = this.#market(ticker);
    if (tape === undefined) return;
    if (tape.hasBook && this.#subscriptions.carrierOf(ticker, file, snapshot) === 'other file') {
      this.#counts.drop('snapshot of a book that another file has');
      return;
    }
    this.#subscriptions.carry(file, snapshot, ticker);
    tape.fullBook();
    for (const { price, size } of bids) {
      market.steps.see(price);
      tape.level(SIDE.bid, price, size);
    }
    for (const { price, size } of asks) {
      market.steps.see(price);
      tape.level(SIDE.ask, price, size);
    }
    this.#endIfCrossed(tape, 'crossed snapshot: do NO levels come in the other prices (--yes-prices)?');
  }

  #delta(delta: KalshiDelta, file: string): void {
    const { market: ticker, side, price, change } = delta;
    const [market, tape] = this.#market(ticker);
    if (tape === undefined) return;
    const carrier = this.#subscriptions.carrierOf(ticker, file, delta);
    if (tape.hasBook && (carrier === 'this file' || carrier === 'other file')) {
      this.#counts.drop('level change of a book that another subscription has');
      return;
    }
    if (tape.hasBook && carrier === 'ended') {
      this.#counts.change('book whose file ended: it ends until a snapshot of another file');
      tape.gap();
    }
    market.steps.see(price);
    if (!tape.levelDelta(side === 'bid' ? SIDE.bid : SIDE.ask, price, change)) tape.gap();
    else this.#endIfCrossed(tape, 'book crossed by a level change: it ends until the next snapshot');
  }

  #endIfCrossed(tape: MarketImport, reason: string): void {
    const [bid, ask] = [tape.best(SIDE.bid), tape.best(SIDE.ask)];
    if (bid === undefined || ask === undefined || bid < ask) return;
    this.#counts.change(reason);
    tape.gap();
  }

  #trade({ market: ticker, id, side, price, size, isBlock }: KalshiTrade): void {
    if (id !== undefined && this.#trades.isRepeated(id)) {
      this.#counts.drop('repeated trade');
      return;
    }
    if (isBlock) {
      this.#counts.trades.read += 1;
      this.#counts.trades.shares.add(size);
      this.#counts.drop('trade agreed away from the book', size);
      return;
    }
    const [market, tape] = this.#market(ticker);
    market.steps.see(price);
    tape?.trade(side === undefined ? SIDE.unknown : side === 'BUY' ? SIDE.bid : SIDE.ask, price, size);
  }

  #lifecycle({ market: ticker, event, payout }: KalshiLifecycle): void {
    // Streams tell of every market of the venue.
    if (!this.markets.has(ticker)) return;
    const [market, tape] = this.#market(ticker);
    market.pendingPayout = payout ?? market.pendingPayout;
    if (event === 'activated') tape?.status('OPEN');
    else if (event === 'deactivated') tape?.status('HALTED');
    else if (event === 'determined') tape?.status('PENDING_RESOLUTION');
    else if (event === 'settled' && market.pendingPayout !== undefined) tape?.resolution(market.pendingPayout);
    else if (event === 'settled') this.#counts.drop('settlement without a result');
  }

  /** The market with its rows of the open message; without them when the message came too late. */
  #market(ticker: string): readonly [KalshiMarket, MarketImport | undefined] {
    let market = this.markets.get(ticker);
    if (market === undefined) {
      market = new KalshiMarket(ticker, this.#records.get(ticker));
      this.markets.set(ticker, market);
    }
    const tape = this.#tapes.market(ticker);
    if (tape === undefined) this.#late.add(ticker);
    return [market, tape];
  }
}

const SAVED = z.object({
  markets: z.array(SAVED_MARKET),
  subscriptions: SAVED_SUBSCRIPTIONS,
  trades: SAVED_KEYS,
  kinds: z.record(z.string(), z.number()),
  lastAt: z.number(),
});
