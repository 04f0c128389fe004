import { type EpochMs, formatTime, formatUsd } from '../../domain/index.ts';
import type { ExchangeView, Json, MarketRecord } from '../../exchange/index.ts';

/** A market in a line: what a list shows. */
export function marketLineJson(market: Readonly<MarketRecord>): Json {
  const { id, slug, question, status, step = null, halted, categorySlug, resolutionDate, volume } = market;
  const facts = { id, slug, question, status, step, halted, category: categorySlug };
  return { ...facts, resolutionDate: formatTime(resolutionDate), volumeUsd: formatUsd(volume) };
}

/** All that operators need of a market. */
export function marketJson(market: Readonly<MarketRecord>, view: ExchangeView): Json {
  const { topicSlugs, rules, createdAt, tickBps, feeRateBps, minOrderShares, round, quorum, panelSize } = market;
  const quotes = view.quotes(market.no);
  const line = marketLineJson(market);
  return {
    ...(typeof line === 'object' && !Array.isArray(line) ? line : {}),
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
      votes: market.votes.map(({ model, vote, round: of }) => ({ round: of, model, vote: vote ?? 'UNCERTAIN' })),
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
