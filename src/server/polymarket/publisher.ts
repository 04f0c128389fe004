/** Publishes events of the exchange to the two channels. */
import { type EpochMs, FULL_BPS } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { type PolymarketTradeStatus, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import type { Watcher } from '../command-queue-types.ts';
import { fillsOfTrade } from '../presenters/order-presenter.ts';
import type { ChannelClient, Channels } from './channels.ts';
import { winnerOf } from './market-presenter.ts';
import { changesOf, inTermsOf, type Levels, type PolymarketMarket, type PolymarketToken, sha1 } from './markets.ts';
import type { PolymarketRecords } from './records.ts';
import type { PolymarketShared } from './shared.ts';

export interface PublisherDeps extends PolymarketShared {
  readonly records: PolymarketRecords;
  readonly channels: Channels;
}

/** A trade from the taker's side. */
interface Print {
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly yesPrice: number;
  readonly shares: number;
}

type Traded = Extract<ExchangeEvent, { readonly type: 'traded' }>;
type OrderEvent = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';

/** The last published state of a market, in YES terms. */
interface Sent {
  readonly levels: Levels;
  readonly tickBps: number;
  readonly seq: number;
}

export class Publisher implements Watcher {
  readonly #deps: PublisherDeps;
  /** Markets with at least one subscriber. */
  readonly #sent = new Map<number, Sent>();
  #orders: { readonly order: number; readonly change: OrderEvent }[] = [];
  /** Trades of the turn. The taker of a `Traded` is looked up only if there are subscribers. */
  #prints: (Print | Traded)[] = [];
  #changed: number[] = [];

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
          const token = markets.ofToken(id);
          if (token === undefined) return [];
          if (!this.#sent.has(token.market.no)) this.#storeSent(token.market);
          return [this.#bookEvent(token, now)];
        }),
      );
    });
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'accepted') this.#orders.push({ order: event.order, change: 'PLACEMENT' });
      else if (event.type === 'traded') {
        this.#orders.push({ order: event.maker, change: 'UPDATE' }, { order: event.taker, change: 'UPDATE' });
        this.#prints.push(event);
      } else if (event.type === 'reduced') this.#orders.push({ order: event.order, change: 'UPDATE' });
      else if (event.type === 'closed' && event.reason !== 'FILLED')
        this.#orders.push({ order: event.order, change: 'CANCELLATION' });
      else if (event.type === 'happened' && event.event.type === 'marketChanged')
        this.#changed.push(event.event.market);
      else if (event.type === 'happened' && event.event.type === 'tradeReversed') {
        const { maker, taker } = event.event;
        this.#orders.push({ order: maker, change: 'UPDATE' }, { order: taker, change: 'UPDATE' });
      } else if (event.type === 'happened' && event.event.type === 'printed') {
        const { buysYes, ...print } = event.event;
        this.#prints.push({ ...print, outcome: buysYes ? 'YES' : 'NO', side: 'BUY' });
      }
    }
  }

  /** The taker's side. A trader on a tape has no order, but is opposite to the maker. */
  #takerOf({ taker, maker }: Traded): Pick<Print, 'outcome' | 'side'> {
    const { archive } = this.#deps;
    const order = archive.order(taker);
    if (order !== undefined) return { outcome: order.outcome, side: order.side };
    const { outcome = 'YES', side } = archive.order(maker) ?? {};
    return { outcome, side: side === 'BUY' ? 'SELL' : 'BUY' };
  }

  onTurnEnd(): void {
    const [orders, prints, changed] = [this.#orders, this.#prints, this.#changed];
    this.#orders = [];
    this.#prints = [];
    this.#changed = [];
    const { channels, queue } = this.#deps;
    const { now } = queue;
    if (channels.hasUsers) for (const { order, change } of orders) this.#sendOrder(order, change, now);
    if (!channels.hasMarkets) {
      this.#sent.clear();
      return;
    }
    for (const print of prints) this.#sendPrint('taker' in print ? { ...print, ...this.#takerOf(print) } : print, now);
    for (const market of new Set(changed)) this.#sendMarket(market, now);
    for (const [market, sent] of this.#sent) this.#sendChanges(market, sent, now);
  }

  onTradeStatus(seq: number, status: PolymarketTradeStatus): void {
    const { archive, records, channels, queue } = this.#deps;
    if (!channels.hasUsers) return;
    for (const fill of fillsOfTrade(seq, archive)) {
      const trade = fill && records.trade(fill);
      if (fill === undefined || trade === undefined) continue;
      const event = {
        event_type: 'trade',
        type: 'TRADE',
        ...trade,
        status,
        timestamp: String(queue.now),
        trade_owner: trade['owner'],
      };
      this.#sendToAccount(fill.account, String(trade['market']), event);
    }
  }

  #sendOrder(order: number, type: OrderEvent, now: EpochMs): void {
    const { archive, records } = this.#deps;
    const row = archive.order(order);
    if (row === undefined) return;
    const record = records.order(row);
    const event = { event_type: 'order', type, ...record, order_owner: record['owner'], timestamp: String(now) };
    this.#sendToAccount(row.account, String(record['market']), event);
  }

  #sendToAccount(account: number, condition: string, event: object): void {
    for (const client of this.#deps.channels.clientsOf(account))
      if (client.markets.size === 0 || client.markets.has(condition)) client.send([event]);
  }

  #sendPrint({ market, outcome, side, yesPrice, shares }: Print, now: EpochMs): void {
    const { markets } = this.#deps;
    const found = markets.ofNo(market);
    const id = markets.tokenId(found, outcome);
    const event = {
      event_type: 'last_trade_price',
      market: found.condition,
      asset_id: id,
      price: priceText(inTermsOf(outcome, yesPrice)),
      side,
      size: sharesText(shares),
      fee_rate_bps: String(markets.record(found).feeRateBps),
      timestamp: String(now),
    };
    this.#sendToMarketClients([id], [event]);
  }

  #sendMarket(no: number, now: EpochMs): void {
    const { markets, channels } = this.#deps;
    const market = markets.ofNo(no);
    const record = markets.record(market);
    const frame = { market: market.condition, timestamp: String(now) };
    if (record.finalAt !== undefined) {
      const winner = winnerOf(record);
      const won =
        winner === undefined
          ? {}
          : { winning_asset_id: markets.tokenId(market, winner), winning_outcome: winner === 'YES' ? 'Yes' : 'No' };
      const event = { event_type: 'market_resolved', id: String(no), ...frame, assets_ids: market.tokens, ...won };
      for (const client of channels.marketClients)
        if (client.hasCustomFeatures && market.tokens.some((token) => client.tokens.has(token))) client.send([event]);
    } else if (record.status === 'OPEN' && record.bookEpoch === 1 && record.updatedAt === now) {
      const event = {
        event_type: 'new_market',
        id: String(no),
        ...frame,
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

  /** Publishes changed levels for both tokens. A new tick is published with both books. */
  #sendChanges(no: number, sent: Sent, now: EpochMs): void {
    const { markets } = this.#deps;
    const market = markets.ofNo(no);
    const record = markets.record(market);
    if (record.tickBps !== sent.tickBps) {
      for (const token of markets.tokensOf(market)) this.#sendTick(token, sent.tickBps, record.tickBps, now);
      this.#storeSent(market);
      return;
    }
    if (record.bookSeq === sent.seq && record.status === 'OPEN') return;
    const next = this.#storeSent(market);
    const yes = changesOf(sent.levels, next.levels);
    if (yes.length === 0) return;
    const tokens = markets.tokensOf(market);
    const changes = tokens.flatMap((token) => {
      const { bid, ask } = markets.touch(token);
      const touch = { best_bid: priceText(bid ?? 0), best_ask: priceText(ask ?? FULL_BPS) };
      const hash = sha1(`${token.id} ${next.seq}`);
      return yes.map(({ isBid, price, size }) => ({
        asset_id: token.id,
        price: priceText(inTermsOf(token.outcome, price)),
        size: sharesText(size),
        side: isBid === (token.outcome === 'YES') ? 'BUY' : 'SELL',
        hash,
        ...touch,
      }));
    });
    const event = {
      event_type: 'price_change',
      market: market.condition,
      timestamp: String(now),
      price_changes: changes,
    };
    const touches = tokens.map((token) => this.#touchEvent(token, now));
    this.#sendToMarketClients(market.tokens, [event], touches);
  }

  #sendTick(token: PolymarketToken, from: number, to: number, now: EpochMs): void {
    const event = {
      event_type: 'tick_size_change',
      market: token.market.condition,
      asset_id: token.id,
      old_tick_size: priceText(from),
      new_tick_size: priceText(to),
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
    return { event_type: 'book', ...this.#deps.markets.book(token, now) };
  }

  #sendToMarketClients(tokens: readonly string[], events: readonly object[], custom: readonly object[] = []): void {
    for (const client of this.#deps.channels.marketClients) {
      if (!tokens.some((token) => client.tokens.has(token))) continue;
      client.send(client.hasCustomFeatures ? [...events, ...custom] : events);
    }
  }

  #storeSent(market: PolymarketMarket): Sent {
    const { markets } = this.#deps;
    const record = markets.record(market);
    const sent = {
      levels: markets.levels({ market, outcome: 'YES' }),
      tickBps: record.tickBps,
      seq: record.bookSeq,
    };
    this.#sent.set(market.no, sent);
    return sent;
  }
}
