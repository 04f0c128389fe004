/** Publishes events of the exchange to the market channel and the user channel. */
import { type EpochMs, FULL_BPS, isFinal } from '../../domain/index.ts';
import type { ExchangeEvent, MarketChanged } from '../../exchange/index.ts';
import { type PolymarketTradeStatus, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import type { Watcher } from '../command-queue-types.ts';
import { fillsOfTrade } from '../presenters/order-presenter.ts';
import type { ChannelClient, Channels } from './channels.ts';
import { getWinner } from './market-presenter.ts';
import {
  findChanges,
  type Levels,
  type PolymarketMarket,
  type PolymarketToken,
  sha1,
  toOutcomePrice,
} from './markets.ts';
import type { PolymarketRecords } from './records.ts';
import type { PolymarketShared } from './shared.ts';

export interface PublisherDeps extends PolymarketShared {
  readonly records: PolymarketRecords;
  readonly channels: Channels;
}

/** A trade as the taker sees it. */
interface Print {
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly yesPrice: number;
  readonly shares: number;
}

type Traded = Extract<ExchangeEvent, { readonly type: 'traded' }>;
type OrderChange = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';

/** The published state of a market, in YES prices. */
interface PublishedState {
  readonly levels: Levels;
  readonly tickBps: number;
  readonly seq: number;
}

export class Publisher implements Watcher {
  readonly #deps: PublisherDeps;
  /** Markets with subscribers. A market that lost its last subscriber stays until its book changes. */
  readonly #published = new Map<number, PublishedState>();
  #orderChanges: { readonly order: number; readonly change: OrderChange }[] = [];
  /** Trades of this batch of commands. `#findTakerSide` adds the taker's side, which `Traded` events lack. */
  #prints: (Print | Traded)[] = [];
  #changedMarkets: MarketChanged[] = [];

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Sends the books of newly subscribed tokens. */
  async subscribe(client: ChannelClient, tokens: readonly string[]): Promise<void> {
    const { queue, markets } = this.#deps;
    await queue.read(() => {
      const { now } = queue;
      client.send(
        tokens.flatMap((id) => {
          const token = markets.findToken(id);
          if (token === undefined) return [];
          if (!this.#published.has(token.market.number)) this.#updatePublished(token.market);
          return [this.#bookEvent(token, now)];
        }),
      );
    });
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'accepted') this.#orderChanges.push({ order: event.order, change: 'PLACEMENT' });
      else if (event.type === 'traded') {
        this.#orderChanges.push({ order: event.maker, change: 'UPDATE' }, { order: event.taker, change: 'UPDATE' });
        this.#prints.push(event);
      } else if (event.type === 'reduced') this.#orderChanges.push({ order: event.order, change: 'UPDATE' });
      else if (event.type === 'closed' && event.reason !== 'FILLED')
        this.#orderChanges.push({ order: event.order, change: 'CANCELLATION' });
      else if (event.type === 'rareEvent' && event.event.type === 'marketChanged')
        this.#changedMarkets.push(event.event);
      else if (event.type === 'rareEvent' && event.event.type === 'tradeReversed') {
        const { maker, taker } = event.event;
        this.#orderChanges.push({ order: maker, change: 'UPDATE' }, { order: taker, change: 'UPDATE' });
      } else if (event.type === 'rareEvent' && event.event.type === 'printed') {
        const { buysYes, ...print } = event.event;
        this.#prints.push({ ...print, outcome: buysYes ? 'YES' : 'NO', side: 'BUY' });
      }
    }
  }

  /** Reads the taker's order. A trader on a tape has no order, so the maker's order gives the opposite side. */
  #findTakerSide({ taker, maker }: Traded): Pick<Print, 'outcome' | 'side'> {
    const { archive } = this.#deps;
    const order = archive.order(taker);
    if (order !== undefined) return { outcome: order.outcome, side: order.side };
    const { outcome = 'YES', side } = archive.order(maker) ?? {};
    return { outcome, side: side === 'BUY' ? 'SELL' : 'BUY' };
  }

  onBatchEnd(): void {
    const [orders, prints, changedMarkets] = [this.#orderChanges, this.#prints, this.#changedMarkets];
    this.#orderChanges = [];
    this.#prints = [];
    this.#changedMarkets = [];
    const { channels, queue } = this.#deps;
    const { now } = queue;
    if (channels.hasUserClients) for (const { order, change } of orders) this.#sendOrder(order, change, now);
    if (!channels.hasMarketClients) {
      this.#published.clear();
      return;
    }
    for (const print of prints)
      this.#sendPrint('taker' in print ? { ...print, ...this.#findTakerSide(print) } : print, now);
    for (const change of changedMarkets) this.#sendMarketStatus(change, now);
    for (const [market, published] of this.#published) this.#sendChanges(market, published, now);
  }

  onTradeStatus(seq: number, status: PolymarketTradeStatus): void {
    const { archive, records, channels, queue } = this.#deps;
    if (!channels.hasUserClients) return;
    for (const fill of fillsOfTrade(seq, archive)) {
      const trade = fill && records.trade(fill);
      if (fill === undefined || trade === undefined) continue;
      const extra = { status, timestamp: String(queue.now), trade_owner: trade['owner'] };
      const event = { event_type: 'trade', type: 'TRADE', ...trade, ...extra };
      this.#sendToAccount(fill.account, String(trade['market']), event);
    }
  }

  #sendOrder(order: number, type: OrderChange, now: EpochMs): void {
    const { archive, records } = this.#deps;
    const row = archive.order(order);
    if (row === undefined) return;
    const record = records.order(row);
    const event = { event_type: 'order', type, ...record, order_owner: record['owner'], timestamp: String(now) };
    this.#sendToAccount(row.account, String(record['market']), event);
  }

  #sendToAccount(account: number, condition: string, event: object): void {
    for (const client of this.#deps.channels.userClients(account))
      if (client.markets?.has(condition) ?? true) client.send([event]);
  }

  #sendPrint({ market, outcome, side, yesPrice, shares }: Print, now: EpochMs): void {
    const { markets } = this.#deps;
    const marketIds = markets.getMarket(market);
    const id = markets.tokenId(marketIds, outcome);
    const event = {
      event_type: 'last_trade_price',
      market: marketIds.condition,
      asset_id: id,
      price: priceText(toOutcomePrice(outcome, yesPrice)),
      side,
      size: sharesText(shares),
      fee_rate_bps: String(markets.record(marketIds).feeRateBps),
      timestamp: String(now),
    };
    this.#sendToMarketClients([id], [event]);
  }

  /** Sends `new_market` when a market opens, and `market_resolved` when it gets a final status. */
  #sendMarketStatus({ market: number, previous, status }: MarketChanged, now: EpochMs): void {
    if (status === previous) return;
    const { markets, channels } = this.#deps;
    const market = markets.getMarket(number);
    const record = markets.record(market);
    const id = String(number);
    const fields = { market: market.condition, timestamp: String(now) };
    if (isFinal(status)) {
      const winner = getWinner(record);
      const winning_outcome = winner === 'YES' ? 'Yes' : 'No';
      const result = winner && { winning_asset_id: markets.tokenId(market, winner), winning_outcome };
      const event = { event_type: 'market_resolved', id, ...fields, assets_ids: market.tokens, ...result };
      for (const client of channels.marketClients)
        if (client.hasCustomFeatures && isSubscribed(client, market.tokens)) client.send([event]);
    } else if (status === 'OPEN') {
      const event = {
        event_type: 'new_market',
        id,
        ...fields,
        condition_id: market.condition,
        question: record.question,
        slug: record.slug,
        assets_ids: market.tokens,
        outcomes: ['Yes', 'No'],
        order_price_min_tick_size: priceText(record.tickBps),
      };
      for (const client of channels.marketClients) if (client.hasCustomFeatures) client.send([event]);
    }
  }

  /** Publishes the changed levels of both tokens. After a tick change, publishes both books instead. */
  #sendChanges(number: number, published: PublishedState, now: EpochMs): void {
    const { markets } = this.#deps;
    const market = markets.getMarket(number);
    const record = markets.record(market);
    if (record.tickBps === published.tickBps && record.bookSeq === published.seq && record.status === 'OPEN') return;
    if (!this.#hasSubscriber(market)) {
      this.#published.delete(number);
      return;
    }
    if (record.tickBps !== published.tickBps) {
      for (const token of markets.getTokens(market)) this.#sendNewTick(token, published.tickBps, record.tickBps, now);
      this.#updatePublished(market);
      return;
    }
    const next = this.#updatePublished(market);
    const yesChanges = findChanges(published.levels, next.levels);
    if (yesChanges.length === 0) return;
    const tokens = markets.getTokens(market);
    const changes = tokens.flatMap((token) => {
      const { bid, ask } = markets.touch(token);
      const touch = { best_bid: priceText(bid ?? 0), best_ask: priceText(ask ?? FULL_BPS) };
      const hash = sha1(`${token.id} ${next.seq}`);
      return yesChanges.map(({ isBid, price, size }) => ({
        asset_id: token.id,
        price: priceText(toOutcomePrice(token.outcome, price)),
        size: sharesText(size),
        side: isBid === (token.outcome === 'YES') ? 'BUY' : 'SELL',
        hash,
        ...touch,
      }));
    });
    const fields = { event_type: 'price_change', market: market.condition, timestamp: String(now) };
    const touches = tokens.map((token) => this.#touchEvent(token, now));
    this.#sendToMarketClients(market.tokens, [{ ...fields, price_changes: changes }], touches);
  }

  #hasSubscriber({ tokens }: PolymarketMarket): boolean {
    for (const client of this.#deps.channels.marketClients) if (isSubscribed(client, tokens)) return true;
    return false;
  }

  #sendNewTick(token: PolymarketToken, oldBps: number, newBps: number, now: EpochMs): void {
    const event = {
      event_type: 'tick_size_change',
      market: token.market.condition,
      asset_id: token.id,
      old_tick_size: priceText(oldBps),
      new_tick_size: priceText(newBps),
      timestamp: String(now),
    };
    this.#sendToMarketClients([token.id], [event, this.#bookEvent(token, now)]);
  }

  #touchEvent(token: PolymarketToken, now: EpochMs): object {
    const { bid = 0, ask = FULL_BPS } = this.#deps.markets.touch(token);
    return {
      event_type: 'best_bid_ask',
      market: token.market.condition,
      asset_id: token.id,
      best_bid: priceText(bid),
      best_ask: priceText(ask),
      spread: priceText(ask - bid),
      timestamp: String(now),
    };
  }

  #bookEvent(token: PolymarketToken, now: EpochMs): object {
    return { event_type: 'book', ...this.#deps.markets.presentBook(token, now) };
  }

  /** @param extra events only for clients with custom features */
  #sendToMarketClients(tokens: readonly string[], events: readonly object[], extra: readonly object[] = []): void {
    for (const client of this.#deps.channels.marketClients) {
      if (!isSubscribed(client, tokens)) continue;
      client.send(client.hasCustomFeatures ? [...events, ...extra] : events);
    }
  }

  #updatePublished(market: PolymarketMarket): PublishedState {
    const { markets } = this.#deps;
    const record = markets.record(market);
    const levels = markets.levels({ market, outcome: 'YES' });
    const published = { levels, tickBps: record.tickBps, seq: record.bookSeq };
    this.#published.set(market.number, published);
    return published;
  }
}

function isSubscribed({ tokens: subscribed }: ChannelClient, tokens: readonly string[]): boolean {
  return tokens.some((token) => subscribed.has(token));
}
