/**
 * Turns public messages of Kalshi's streams into rows of a tape.
 *
 * Rules (docs/importing.md#kalshi): a snapshot replaces a book. A missing sequence number, a level below 0, a crossed
 * book or an unreadable message makes the book unknown until its next snapshot. A book follows one subscription. If
 * several files have a market, its book comes from the first file until that book ends. A result is pending until the
 * market is settled.
 */
import { z } from 'zod';
import {
  type KalshiDelta,
  type KalshiLifecycle,
  type KalshiMarketRecord,
  type KalshiMessage,
  type KalshiSnapshot,
  type KalshiTrade,
  readKalshiMarketRecord,
} from '../../protocol/kalshi/index.ts';
import { marketIdFromName } from '../../runtime/index.ts';
import { SIDE, type TapeMarket } from '../../tape/index.ts';
import type { CaptureDecoder, CapturedMessage, InvalidMessage } from '../captures/capture-file.ts';
import { CapturedMarkets, type CaptureTarget } from '../captures/captured-markets.ts';
import {
  type CaptureImportOptions,
  type CaptureImportResult,
  type CaptureVenue,
  importCaptures,
} from '../captures/import-captures.ts';
import { RepeatDetector, SAVED_KEYS } from '../captures/repeat-detector.ts';
import { SAVED_TICKS, TickInference } from '../captures/tick-inference.ts';
import type { MarketImport } from '../import/market-import.ts';
import { makeKalshiDecoder } from './decoder.ts';
import { SAVED_SUBSCRIPTIONS, Subscriptions } from './subscriptions.ts';

type TapeMessage = Exclude<KalshiMessage, { type: 'command' | 'ticker' }> | InvalidMessage;

/** Number of recent trade ids to remember, to detect repeated trades. */
const RECENT_TRADES = 100_000;

/** Matches a key that only trades have. The JSON may be inside a string or a CSV cell. */
const TRADE_PATTERN = /"(yes_price(_dollars)?|taker_side)[\\"]/;

export interface KalshiImportOptions extends CaptureImportOptions {
  /** Whether NO levels have YES prices. Default: as the last recorded command says; false before the first command. */
  readonly usesYesPrices?: boolean | undefined;
}

/**
 * Converts captures of public streams to tapes (docs/importing.md#kalshi). `markets` is a response of `GET /markets`.
 * Without `markets`, tickers are names, and prices are in whole cents or finer.
 * @throws FileFault with file and line
 */
export function importKalshi(options: KalshiImportOptions): Promise<CaptureImportResult> {
  const { usesYesPrices } = options;
  return importCaptures({
    options,
    readRecord: readKalshiMarketRecord,
    tradePattern: TRADE_PATTERN,
    getVenueInputs: (records) => [records, usesYesPrices],
    makeVenue: (target) => new KalshiMessages(target, usesYesPrices),
  });
}

class KalshiMessages
  extends CapturedMarkets<KalshiMarketRecord, KalshiMarket>
  implements CaptureVenue<KalshiMessage | InvalidMessage>
{
  readonly #usesYesPrices: boolean | undefined;
  readonly #subscriptions = new Subscriptions();
  readonly #trades = new RepeatDetector(RECENT_TRADES);

  constructor(target: CaptureTarget<KalshiMarketRecord>, usesYesPrices: boolean | undefined) {
    super(target);
    this.#usesYesPrices = usesYesPrices;
  }

  decoder(): CaptureDecoder<KalshiMessage | InvalidMessage> {
    return makeKalshiDecoder(this.#usesYesPrices);
  }

  apply({ events, at, receivedAt, line }: CapturedMessage<KalshiMessage | InvalidMessage>, file: string): void {
    this.target.counts.setPlace(file, line);
    for (const event of events) {
      this.countKind(event.type);
      // A ticker has only best prices, which the book already contains.
      if (event.type === 'command' || event.type === 'ticker') continue;
      const time = 'at' in event ? (event.at ?? at) : at;
      this.target.tapes.begin(time, receivedAt ?? time);
      this.#applyMessage(event, file);
      this.endMessage(time);
    }
  }

  /** Resolves markets whose final result is only in the response of `GET /markets`. */
  finish(): void {
    for (const { ticker, record } of this.markets.values())
      if (record?.payout !== undefined) this.resolve(ticker, record.payout, record.settledAt);
  }

  describe(ticker: string): TapeMarket {
    const { record, ticks } = this.markets.get(ticker) ?? this.newMarket(ticker);
    return {
      id: marketIdFromName(`kalshi-${ticker}`),
      slug: ticker.toLowerCase(),
      question: record?.title ?? ticker,
      outcomes: ['Yes', 'No'],
      grid: record?.grid ?? { type: 'tick', tickBps: ticks.tickBps },
      scheduledResolution: record?.closesAt,
      ...(record?.category !== undefined && { category: record.category }),
      ...(record?.event !== undefined && { eventId: record.event, ...(record.isExclusive && { exclusive: true }) }),
      commissionBps: 0,
    };
  }

  units(): readonly string[] {
    const units = [
      'price = dollars x 10000 bps, or cents x 100, exact; sizes round down to 0.01 contract, a contract is a share of 1 USD',
      'NO bids are the ask side at 10000 - price',
    ];
    if (this.target.inferPrints)
      units.push('no trades in the recording: prints are inferred from repeated snapshots, and flagged');
    return units;
  }

  endFile(file: string): void {
    this.#subscriptions.endFile(file);
  }

  save(): unknown {
    const saved: z.input<typeof SAVED> = {
      markets: [...this.markets.values()].map((market) => market.save()),
      subscriptions: this.#subscriptions.save(),
      trades: this.#trades.save(),
      kinds: this.target.countsByKind,
      lastAt: this.lastAt,
    };
    return saved;
  }

  restore(json: unknown): void {
    const saved = SAVED.parse(json);
    for (const state of saved.markets) {
      const market = this.newMarket(state.ticker);
      market.restore(state);
      this.markets.set(state.ticker, market);
    }
    this.#subscriptions.restore(saved.subscriptions);
    this.#trades.restore(saved.trades);
    Object.assign(this.target.countsByKind, saved.kinds);
    this.lastAt = saved.lastAt;
  }

  #applyMessage(event: TapeMessage, file: string): void {
    if (event.type === 'invalid') {
      this.target.counts.countDropped(event.reason);
      if (event.market !== undefined) this.addGap(event.market);
      return;
    }
    if (!this.#acceptSequence(event, file)) return;
    if (event.type === 'orderbook_snapshot') this.#applySnapshot(event, file);
    else if (event.type === 'orderbook_delta') this.#applyDelta(event, file);
    else if (event.type === 'trade') this.#applyTrade(event);
    else if (event.type === 'lifecycle') this.#applyLifecycle(event);
  }

  /** Checks the sequence number of a message, and ends lost books. Returns false for a repeated message. */
  #acceptSequence(event: Exclude<TapeMessage, InvalidMessage>, file: string): boolean {
    const { counts } = this.target;
    const { step, lost } = this.#subscriptions.checkSequence(file, event, event.type === 'orderbook_snapshot');
    if (step === 'repeat') {
      counts.countDropped('repeated sequence number');
      return false;
    }
    if (step === 'next') return true;
    const kind = lost.length > 0 ? 'books' : 'other messages';
    if (step === 'gap') counts.countChanged(`gap in the sequence of ${kind}`);
    else if (step === 'restart') counts.countChanged('subscription that restarted');
    else counts.countChanged('sequence number of another message: the file may mix connections, so the books end');
    for (const ticker of lost) this.addGap(ticker);
    return true;
  }

  #applySnapshot(snapshot: KalshiSnapshot, file: string): void {
    const { market: ticker, bids, asks } = snapshot;
    const [market, marketImport] = this.market(ticker);
    if (marketImport === undefined) return;
    if (marketImport.hasBook && this.#subscriptions.getCarrier(ticker, file, snapshot) === 'other file') {
      this.target.counts.countDropped('snapshot of a book that another file carries');
      return;
    }
    this.#subscriptions.setCarrier(file, snapshot, ticker);
    marketImport.fullBook();
    for (const { price } of [...bids, ...asks]) market.ticks.addPrice(price);
    for (const { price, size } of bids) marketImport.level(SIDE.bid, price, size);
    for (const { price, size } of asks) marketImport.level(SIDE.ask, price, size);
    this.#endIfCrossed(marketImport, 'crossed snapshot: the NO levels may have the other prices (--yes-prices)');
  }

  #applyDelta(delta: KalshiDelta, file: string): void {
    const { market: ticker, side, price, change } = delta;
    const [market, marketImport] = this.market(ticker);
    if (marketImport === undefined) return;
    const carrier = this.#subscriptions.getCarrier(ticker, file, delta);
    if (marketImport.hasBook && (carrier === 'other subscription' || carrier === 'other file')) {
      this.target.counts.countDropped('level change of a book that another subscription carries');
      return;
    }
    if (marketImport.hasBook && carrier === 'ended file') {
      this.target.counts.countChanged('book whose file ended: the book is unknown until a snapshot of another file');
      marketImport.gap();
    }
    market.ticks.addPrice(price);
    if (!marketImport.levelDelta(side === 'bid' ? SIDE.bid : SIDE.ask, price, change)) marketImport.gap();
    else this.#endIfCrossed(marketImport, 'book crossed by a level change: it is unknown until the next snapshot');
  }

  #endIfCrossed(marketImport: MarketImport, reason: string): void {
    const [bid, ask] = [marketImport.best(SIDE.bid), marketImport.best(SIDE.ask)];
    if (bid === undefined || ask === undefined || bid < ask) return;
    this.target.counts.countChanged(reason);
    marketImport.gap();
  }

  #applyTrade({ market: ticker, id, side, price, size, isBlock }: KalshiTrade): void {
    if (id !== undefined && this.#trades.checkAndAdd(id)) {
      this.target.counts.countDropped('repeated trade');
      return;
    }
    if (isBlock) {
      this.target.counts.trades.read += 1;
      this.target.counts.trades.shares.add(size);
      this.target.counts.countDropped('trade agreed away from the book', size);
      return;
    }
    const [market, marketImport] = this.market(ticker);
    market.ticks.addPrice(price);
    marketImport?.trade(side === undefined ? SIDE.unknown : side === 'BUY' ? SIDE.bid : SIDE.ask, price, size);
  }

  #applyLifecycle({ market: ticker, event, payout }: KalshiLifecycle): void {
    // The stream covers all markets of the venue, including unrecorded markets.
    if (!this.markets.has(ticker)) return;
    const [market, marketImport] = this.market(ticker);
    market.pendingPayout = payout ?? market.pendingPayout;
    if (event === 'activated') marketImport?.status('OPEN');
    else if (event === 'deactivated') marketImport?.status('HALTED');
    else if (event === 'determined') marketImport?.status('PENDING_RESOLUTION');
    else if (event === 'settled' && market.pendingPayout !== undefined) marketImport?.resolution(market.pendingPayout);
    else if (event === 'settled') this.target.counts.countDropped('settlement without a result');
  }

  protected newMarket(ticker: string): KalshiMarket {
    return new KalshiMarket(ticker, this.target.records.get(ticker));
  }
}

const SAVED_MARKET = z.object({ ticker: z.string(), steps: SAVED_TICKS, pendingPayout: z.number().optional() });

const SAVED = z.object({
  markets: z.array(SAVED_MARKET),
  subscriptions: SAVED_SUBSCRIPTIONS,
  trades: SAVED_KEYS,
  kinds: z.record(z.string(), z.number()),
  lastAt: z.number(),
});

class KalshiMarket {
  readonly ticker: string;
  readonly record: KalshiMarketRecord | undefined;
  readonly ticks: TickInference = new TickInference();
  /** YES payout of a result that is not final, bps. */
  pendingPayout: number | undefined;

  constructor(ticker: string, record: KalshiMarketRecord | undefined) {
    this.ticker = ticker;
    this.record = record;
  }

  save(): z.output<typeof SAVED_MARKET> {
    return { ticker: this.ticker, steps: this.ticks.save(), pendingPayout: this.pendingPayout };
  }

  restore({ steps, pendingPayout }: z.output<typeof SAVED_MARKET>): void {
    this.ticks.restore(steps);
    this.pendingPayout = pendingPayout;
  }
}
