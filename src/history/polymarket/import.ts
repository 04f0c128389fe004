/**
 * Turns events of Polymarket's market channel into rows of a tape.
 *
 * Rules (docs/importing.md#polymarket): both tokens of a market form one YES book, with NO levels on the other side at
 * 10000 - price. A `book` event replaces the book. After a level change, the best prices must equal the best prices in
 * the message. Otherwise a message was lost, and the book is unknown until the next `book` event. Trades have no ids,
 * but level changes have hashes. If a file repeats level changes, its equal trades are repeats too.
 */
import { z } from 'zod';
import { DAY_MS, FULL_BPS, type Outcome } from '../../domain/index.ts';
import {
  type PolymarketBook,
  type PolymarketMarketRecord,
  type PolymarketPriceChange,
  type PolymarketTrade,
  readPolymarketMarketRecord,
} from '../../protocol/polymarket/index.ts';
import { polymarketMarketId } from '../../runtime/index.ts';
import { SIDE, type TapeMarket } from '../../tape/index.ts';
import type { CaptureDecoder, CapturedMessage } from '../captures/capture-file.ts';
import { CapturedMarkets } from '../captures/captured-markets.ts';
import {
  type CaptureImportOptions,
  type CaptureImportResult,
  type CaptureVenue,
  importCaptures,
} from '../captures/import-captures.ts';
import type { MarketImport } from '../import/market-import.ts';
import { type CapturedEvent, POLYMARKET_DECODER, type TradeRecordEvent } from './decoder.ts';
import { ANNOUNCED, PolymarketMarket, SAVED_MARKET } from './market-state.ts';

type AppliedEvent = Exclude<CapturedEvent['event'], { type: 'unknown' | 'best_bid_ask' }>;

/** Maximum age of a book event, whose time is that of the last change. For an older event, the receive time is used. */
const STALE_BOOK_MS = 60_000;
/** YES payout of a market that no token wins alone, bps. */
const SPLIT_PAYOUT: number = FULL_BPS / 2;

/** Matches trades, also as JSON in a string or a CSV cell. Does not match the field `last_trade_price` of books. */
const TRADE_PATTERN = /event_type[\\"]+\s*:\s*[\\"]+last_trade_price|"transaction_?[hH]ash[\\"]/;

/**
 * Turns market-channel captures into tapes (docs/importing.md#polymarket). `markets` is a file with metadata of Gamma
 * or of the CLOB. Without `markets`, the first token of a market in the recording is YES.
 * @throws FileFault that names file and line
 */
export function importPolymarket(options: CaptureImportOptions): Promise<CaptureImportResult> {
  return importCaptures({
    options,
    readRecord: readPolymarketMarketRecord,
    tradePattern: TRADE_PATTERN,
    getVenueInputs: (records) => records,
    makeVenue: (target) => new PolymarketEvents(target),
  });
}

class PolymarketEvents
  extends CapturedMarkets<PolymarketMarketRecord, PolymarketMarket>
  implements CaptureVenue<CapturedEvent>
{
  readonly #announced = new Map<string, PolymarketMarketRecord>();
  /** Whether a level change was repeated. The files then contain the same messages more than once. */
  #isDoubled = false;
  #file = '';

  decoder(): CaptureDecoder<CapturedEvent> {
    return POLYMARKET_DECODER;
  }

  /** Writes events of one time as one message of the tape. */
  apply({ events, receivedAt, line, at: fallback }: CapturedMessage<CapturedEvent>, file: string): void {
    this.target.counts.setPlace(file, line);
    this.#file = file;
    let messageTime: number | undefined;
    for (const { event, hash } of events) {
      this.countKind(event.type);
      if (event.type === 'unknown') this.target.counts.countDropped('event of an unknown kind');
      // The book already contains the best prices.
      if (event.type === 'unknown' || event.type === 'best_bid_ask') continue;
      const at = event.type === 'invalid' ? (messageTime ?? fallback) : this.#computeTime(event, receivedAt);
      if (at !== messageTime) {
        if (messageTime !== undefined) this.endMessage(messageTime);
        messageTime = at;
        this.target.tapes.begin(at, receivedAt ?? at);
      }
      this.#applyEvent(event, hash);
    }
    if (messageTime !== undefined) this.endMessage(messageTime);
  }

  /** Resolves markets without a resolution event, if the metadata has their winner. */
  finish(): void {
    for (const { id, record } of this.markets.values()) {
      if (record?.winner !== undefined) this.resolve(id, toPayout(record.winner, record.assets[0]), record.closedAt);
    }
  }

  describe(id: string): TapeMarket {
    const { record, assets, ticks } = this.markets.get(id) ?? this.newMarket(id);
    const [yes = '', no = ''] = assets;
    return {
      id: polymarketMarketId(id),
      slug: record?.slug ?? `polymarket-${id}`,
      question: record?.question ?? `Polymarket ${id}`,
      outcomes: record?.outcomes ?? [`token ${yes}`, no === '' ? `not token ${yes}` : `token ${no}`],
      grid: { type: 'tick', tickBps: ticks.tickBps },
      scheduledResolution: record?.endsAt,
      ...(record?.category !== undefined && { category: record.category }),
      // At most one market of a neg-risk event resolves to YES.
      ...(record?.negRiskEvent !== undefined && { eventId: record.negRiskEvent, exclusive: true }),
      commissionBps: 0,
    };
  }

  units(): readonly string[] {
    const units = [
      'price = dollars x 10000 bps, exact; average prices of trades round to the nearest bps; sizes round down to 0.01 share',
      'both tokens of a market are one YES book: NO levels are the other side at 10000 - price',
    ];
    const unnamed = [...this.markets.values()].filter(({ record }) => record === undefined).length;
    if (unnamed > 0) units.push(`YES is the token that came first, in ${unnamed} markets without metadata`);
    if (this.target.inferPrints)
      units.push('no trades in the recording: prints are inferred from repeated books, and flagged');
    return units;
  }

  save(): unknown {
    const saved: z.input<typeof SAVED> = {
      markets: [...this.markets.values()].map((market) => market.save()),
      announced: [...this.#announced.values()],
      kinds: this.target.countsByKind,
      lastAt: this.lastAt,
      isDoubled: this.#isDoubled,
    };
    return saved;
  }

  restore(json: unknown): void {
    const saved = SAVED.parse(json);
    for (const record of saved.announced) this.#announced.set(record.market, record);
    for (const { id, ...state } of saved.markets) {
      const market = new PolymarketMarket(id, undefined);
      market.restore(state, this.#findRecord(id));
      this.markets.set(id, market);
    }
    Object.assign(this.target.countsByKind, saved.kinds);
    this.lastAt = saved.lastAt;
    this.#isDoubled = saved.isDoubled;
  }

  /** Returns the exchange time of an event. Returns the receive time for a book without recent changes. */
  #computeTime(event: { readonly type: string; readonly at: number }, receivedAt: number | undefined): number {
    if (event.type !== 'book') return event.at;
    const isStale = receivedAt !== undefined && receivedAt - event.at > STALE_BOOK_MS;
    const at = Math.max(isStale ? receivedAt : event.at, this.lastAt);
    if (at - event.at > STALE_BOOK_MS)
      this.target.counts.countChanged('book whose last change is old: it starts at the time of its message');
    return at;
  }

  #applyEvent(event: AppliedEvent, hash: string | undefined): void {
    if (event.type === 'invalid') {
      this.target.counts.countDropped(event.reason);
      if (event.market !== undefined) this.addGap(event.market);
    } else if (event.type === 'recording_gap') this.addGap(event.market);
    else if (event.type === 'book') this.#applyBook(event, hash);
    else if (event.type === 'price_change') this.#applyLevelChanges(event);
    else if (event.type === 'last_trade_price' || event.type === 'trade_record') this.#applyTrade(event);
    else if (event.type === 'market_resolved') this.#applyResolution(event.market, event.winner);
    else if (event.type === 'tick_size_change') this.markets.get(event.market)?.ticks.addTick(event.newTickBps);
    else {
      if (!this.#announced.has(event.market)) this.#announced.set(event.market, ANNOUNCED.parse(event));
      this.markets.get(event.market)?.setRecord(this.#findRecord(event.market));
    }
  }

  #applyResolution(id: string, winner: string | undefined): void {
    // The stream covers all markets of the venue, including unrecorded markets.
    if (!this.markets.has(id)) return;
    const [market, marketImport] = this.market(id);
    if (winner === undefined) {
      // If the metadata names the winner, `finish` resolves the market.
      if (market.record?.winner === undefined) marketImport?.resolution(SPLIT_PAYOUT);
      return;
    }
    const outcome = this.#getOutcome(market, winner);
    if (outcome !== undefined) marketImport?.resolution(outcome === 'NO' ? 0 : FULL_BPS);
  }

  #applyBook(book: PolymarketBook, hash: string | undefined): void {
    const [market, marketImport] = this.market(book.market);
    if (book.tickBps !== undefined) market.ticks.addTick(book.tickBps);
    if (hash !== undefined && hash !== book.hash) this.target.counts.countChanged('book with a wrong hash');
    const outcome = this.#getOutcome(market, book.asset);
    if (outcome === undefined || marketImport === undefined) return;
    const isRepeated = book.hash !== undefined && market.recent.checkAndAdd(`${book.asset} ${book.at} ${book.hash}`);
    if (isRepeated && marketImport.hasBook) {
      this.target.counts.countDropped('repeated book');
      return;
    }
    marketImport.fullBook();
    for (const { price, size } of book.bids) this.#setLevel(market, marketImport, SIDE.bid, price, size, outcome);
    for (const { price, size } of book.asks) this.#setLevel(market, marketImport, SIDE.ask, price, size, outcome);
  }

  #applyLevelChanges({ market: id, at, changes }: PolymarketPriceChange): void {
    const [market, marketImport] = this.market(id);
    const [first, last] = [changes[0], changes.at(-1)];
    // A hash identifies a state of a token's book, in which a level has one size. The number packs time and price.
    if (first?.hash !== undefined && market.recent.checkAndAdd(first.hash, (at % DAY_MS) * FULL_BPS + first.price)) {
      this.#isDoubled = true;
      this.target.counts.countDropped('repeated level changes');
      return;
    }
    if (marketImport === undefined) return;
    for (const { asset, side, price, size } of changes) {
      const outcome = this.#getOutcome(market, asset);
      if (outcome !== undefined)
        this.#setLevel(market, marketImport, side === 'BUY' ? SIDE.bid : SIDE.ask, price, size, outcome);
    }
    if (last?.hasTouch !== true || !marketImport.hasBook) return;
    const [bid, ask] = [marketImport.best(SIDE.bid), marketImport.best(SIDE.ask)];
    const isNo = market.getOutcome(last.asset) === 'NO';
    const statedBid = isNo ? complement(last.bestAsk) : last.bestBid;
    const statedAsk = isNo ? complement(last.bestBid) : last.bestAsk;
    if (bid === statedBid && ask === statedAsk) return;
    this.target.counts.countChanged('best prices other than stated: the book is unknown until the next full book');
    marketImport.gap();
  }

  #setLevel(
    market: PolymarketMarket,
    marketImport: MarketImport,
    side: 0 | 1,
    price: number,
    size: number,
    outcome: Outcome,
  ): void {
    if (!market.ticks.addPrice(price))
      this.target.counts.countChanged('price finer than the stated tick: the grid is finer too');
    marketImport.level(side, price, size, outcome);
  }

  #applyTrade(trade: PolymarketTrade | TradeRecordEvent): void {
    const [market, marketImport] = this.market(trade.market);
    const outcome = this.#getOutcome(market, trade.asset);
    if (outcome === undefined || marketImport === undefined) return;
    const key = `${trade.asset} ${trade.at} ${trade.side} ${trade.price} ${trade.size}`;
    const wasInFile = market.recent.checkAndAdd(`${key} ${this.#file}`);
    // Equal trades of one file are different trades, unless the file contains two captures.
    if (market.recent.checkAndAdd(key) && (this.#isDoubled || !wasInFile)) {
      this.target.counts.countDropped('trade of a repeated message');
      return;
    }
    if (!trade.isExactPrice) this.target.counts.countChanged('average price rounded to a basis point');
    market.ticks.addPrice(trade.price);
    marketImport.trade(trade.side === 'BUY' ? SIDE.bid : SIDE.ask, trade.price, trade.size, outcome);
  }

  #getOutcome(market: PolymarketMarket, asset: string): Outcome | undefined {
    const outcome = market.getOutcome(asset);
    if (outcome === undefined) this.target.counts.countDropped('third token of a market');
    return outcome;
  }

  #findRecord(id: string): PolymarketMarketRecord | undefined {
    return this.target.records.get(id) ?? this.#announced.get(id);
  }

  protected newMarket(id: string): PolymarketMarket {
    return new PolymarketMarket(id, this.#findRecord(id));
  }
}

const SAVED = z.object({
  markets: z.array(SAVED_MARKET.extend({ id: z.string() })),
  announced: z.array(ANNOUNCED),
  kinds: z.record(z.string(), z.number()),
  lastAt: z.number(),
  isDoubled: z.boolean(),
});

/** Returns the YES payout in bps. */
function toPayout(winner: string, yes: string): number {
  if (winner === 'split') return SPLIT_PAYOUT;
  return winner === yes ? FULL_BPS : 0;
}

function complement(price: number | undefined): number | undefined {
  return price === undefined ? undefined : FULL_BPS - price;
}
