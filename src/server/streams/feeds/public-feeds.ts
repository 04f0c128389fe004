/** The public streams except books. */
import type { MarketId } from '../../../domain/index.ts';
import type { ExchangeEvent, MarketChanged, ResolutionStepped } from '../../../exchange/index.ts';
import { badArgument } from '../../../protocol/index.ts';
import {
  presentBettingConfig,
  presentMarketConfig,
  presentPriceUpdate,
  presentTrade,
  requireRecord,
} from '../../presenters/market-presenter.ts';
import { getTakerFill } from '../../presenters/order-presenter.ts';
import { presentResolution, presentStep, presentVote } from '../../presenters/resolution-presenter.ts';
import type { BatchChanges } from '../batch-changes.ts';
import { type Feed, readMarketList, readMarketScope } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topic, Topics, ValueTopics } from '../topic.ts';

/** `tradeExecuted` sends every trade of a market, without loss. */
export function tradeFeed({ queue, archive, ids, clock }: FeedDeps): Feed {
  const topics = new Topics<number>(clock);
  const trades: { readonly seq: number; readonly market: number }[] = [];
  return {
    open(subscription) {
      const market = readMarketScope(subscription, queue.view)?.market;
      if (market !== undefined) subscription.leave = topics.join([market], subscription);
    },
    onCommitted(events) {
      for (const event of events) {
        const trade = toTrade(event);
        if (trade !== undefined && topics.get(trade.market) !== undefined) trades.push(trade);
      }
    },
    onBatchEnd() {
      for (const { seq, market } of trades.splice(0)) {
        const row = getTakerFill(seq, archive);
        if (row === undefined) throw new Error(`Invariant: trade ${seq} is durable but has no row`);
        topics.get(market)?.publish(presentTrade(row, ids.marketId(market)));
      }
    },
  };
}

/** Reads a trade, even between two traders on a tape. Returns undefined for other events. */
function toTrade(event: ExchangeEvent): { readonly seq: number; readonly market: number } | undefined {
  if (event.type === 'traded') return event;
  const isPrint = event.type === 'rareEvent' && event.event.type === 'printed';
  return isPrint ? { seq: event.seq, market: event.event.market } : undefined;
}

const MAX_MARKETS = 200;

/** `priceUpdated` sends the current prices, then changed prices at the end of each batch. */
export function priceFeed({ queue, clock }: FeedDeps, changes: BatchChanges): Feed {
  const { view } = queue;
  const topics = new ValueTopics(clock, (market) => presentPriceUpdate(requireRecord(market, view), view));
  return {
    open(subscription) {
      const ids = readMarketList(subscription.plan.args) ?? [];
      if (ids.length > MAX_MARKETS) throw badArgument('marketIds', ids.length, `at most ${MAX_MARKETS} markets`);
      subscription.slowPolicy = { kind: 'newest' };
      const markets = ids.flatMap((id) => view.marketById(id)?.number ?? []);
      if (markets.length === 0) return;
      subscription.leave = topics.join(markets, subscription);
      for (const market of markets) topics.sendTo(market, subscription);
    },
    onBatchEnd() {
      for (const market of changes.hasVenueChanged ? topics.keys() : changes.markets) topics.publishChanged(market);
    },
  };
}

/** `marketStatusChanged` sends status changes, halts and new markets, for given markets or for all markets. */
export function marketFeed({ queue, marketViews, clock }: FeedDeps): Feed {
  /** By id, because clients may subscribe to a market before it exists. */
  const topics = new Topics<MarketId | 'all'>(clock);
  const changes: { readonly event: MarketChanged; readonly at: number }[] = [];
  return {
    open(subscription) {
      subscription.slowPolicy = { kind: 'newest' };
      const ids = readMarketList(subscription.plan.args) ?? ['all' as const];
      subscription.leave = topics.join(ids, subscription);
    },
    onCommitted(events, at) {
      for (const event of events) {
        if (event.type === 'rareEvent' && event.event.type === 'marketChanged')
          changes.push({ event: event.event, at });
      }
    },
    onBatchEnd() {
      for (const { event, at } of changes.splice(0)) {
        const { market, previous, status, step, reason } = event;
        const { id } = requireRecord(market, queue.view);
        const subscribed = [topics.get(id), topics.get('all')];
        if (subscribed.every((topic) => topic === undefined)) continue;
        const states = { previousStatus: previous ?? null, status, blockchainStep: step ?? null };
        const presented = marketViews.getMarket(market);
        const change = { market: presented, ...states, reason, created: previous === undefined, at };
        for (const topic of subscribed) topic?.publish(change, id);
      }
    },
  };
}

/** `resolutionUpdated` sends votes and steps of a market's resolution. Slow subscribers get only the newest message. */
export function resolutionFeed({ queue, clock }: FeedDeps): Feed {
  const topics = new Topics<number>(clock);
  const steps: ResolutionStepped[] = [];
  return {
    open(subscription) {
      const market = readMarketScope(subscription, queue.view)?.market;
      if (market === undefined) return;
      subscription.slowPolicy = { kind: 'newest' };
      subscription.leave = topics.join([market], subscription);
    },
    onCommitted(events) {
      for (const event of events) {
        if (event.type === 'rareEvent' && event.event.type === 'resolutionStepped') steps.push(event.event);
      }
    },
    onBatchEnd() {
      for (const { market, record, vote } of steps.splice(0)) {
        const topic = topics.get(market);
        const marketRecord = queue.view.market(market);
        if (topic === undefined || marketRecord === undefined) continue;
        topic.publish({
          resolution: presentResolution(marketRecord),
          vote: vote === undefined ? null : presentVote(vote),
          step: presentStep(record),
        });
      }
    },
  };
}

/** `venueStatusChanged` sends mode, configuration and announcement: the current values, then each change. */
export function venueFeed({ queue, betPresets, announcement, clock }: FeedDeps, changes: BatchChanges) {
  const topic = new Topic(clock);
  const status = () => {
    const { config, mode } = queue.view;
    const { message = null, nextRestartAt = null } = announcement() ?? {};
    const configs = {
      bettingConfig: presentBettingConfig(config, betPresets),
      marketConfig: presentMarketConfig(config),
    };
    return { mode, ...configs, message, nextRestartAt, at: clock.now() };
  };
  const publish = (): void => {
    if (!topic.isEmpty) topic.publish(status());
  };
  return {
    open(subscription: Subscription) {
      subscription.slowPolicy = { kind: 'newest' };
      topic.join(subscription);
      subscription.leave = () => topic.leave(subscription);
      topic.sendTo(subscription, status());
    },
    onBatchEnd() {
      if (changes.hasVenueChanged) publish();
    },
    publish,
  };
}
