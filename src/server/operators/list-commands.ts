/** Commands that list data, and the JSON form in which they show markets. */
import { z } from 'zod';
import { type EpochMs, formatTime, formatUsd, MARKET_STATUSES } from '../../domain/index.ts';
import type { ExchangeView, Json, MarketRecord } from '../../exchange/index.ts';
import { whole } from '../../strategy/index.ts';
import { findMarket, marketField, type OperatorCommand, operatorQuery } from './command.ts';

const most = whole(1, 10_000, 100, 'Largest number of results, newest first.');

const markets = operatorQuery(
  'Lists markets, newest first.',
  z.strictObject({ status: z.enum(MARKET_STATUSES).optional().describe('Lists only markets with this status.'), most }),
  (args, { queue }) =>
    queue.read((view) => {
      const selected = view.markets.filter(({ status }) => args.status === undefined || status === args.status);
      return selected.toReversed().slice(0, args.most).map(marketSummaryJson);
    }),
);

const market = operatorQuery('Shows a market.', z.strictObject({ market: marketField }), (args, context) =>
  context.queue.read((view) => marketJson(findMarket(context, args.market), view)),
);

const catalogue = operatorQuery('Lists categories and topics.', z.strictObject({}), (_args, context) => ({
  categories: context.catalogue.categories.map((category) => ({ ...category })),
  topics: context.catalogue.topics.map((topic) => ({ ...topic })),
}));

const actions = operatorQuery(
  'Lists the commands of operators, newest first.',
  z.strictObject({ most }),
  (args, { registry }) =>
    registry
      .load('operatorAction')
      .map(({ value }) => value)
      .toReversed()
      .slice(0, args.most),
);

export const LIST_COMMANDS: Readonly<Record<string, OperatorCommand>> = { markets, market, catalogue, actions };

function marketSummaryJson(market: Readonly<MarketRecord>) {
  const { id, slug, question, status, chainStep: step = null, halted, categorySlug, resolutionDate, volume } = market;
  const fields = { id, slug, question, status, step, halted, category: categorySlug };
  return { ...fields, resolutionDate: formatTime(resolutionDate), volumeUsd: formatUsd(volume) };
}

export function marketJson(market: Readonly<MarketRecord>, view: ExchangeView): Json {
  const { topicSlugs, rules, createdAt, tickBps, feeRateBps, minOrderShares, round, quorum, panelSize } = market;
  const quotes = view.quotes(market.number);
  return {
    ...marketSummaryJson(market),
    rules,
    topics: [...topicSlugs],
    createdAt: formatTime(createdAt),
    tickBps,
    feeRateBps,
    minOrderMicroShares: minOrderShares,
    quotes: quotes === undefined ? null : { yes: quotes.yes, no: quotes.no, reference: quotes.reference },
    resolution: {
      round,
      quorum,
      panelSize,
      votes: market.votes.map((cast) => ({ round: cast.round, model: cast.model, vote: cast.vote ?? 'UNCERTAIN' })),
      disputes: market.disputes.length,
      disputeWindowEndsAt: timeOrNull(market.disputeWindowEndsAt),
      manualFrom: timeOrNull(market.manualFrom),
      yesPayoutBps: market.yesPayoutBps ?? null,
    },
  };
}

function timeOrNull(time: EpochMs | undefined): string | null {
  return time === undefined ? null : formatTime(time);
}
