import { type EpochMs, formatTime, formatUsd } from '../../domain/index.ts';
import type { ExchangeView, Json, MarketRecord } from '../../exchange/index.ts';

/** A market as an entry of a list. */
export function marketSummaryJson(market: Readonly<MarketRecord>): Json {
  const { id, slug, question, status, step = null, halted, categorySlug, resolutionDate, volume } = market;
  const facts = { id, slug, question, status, step, halted, category: categorySlug };
  return { ...facts, resolutionDate: formatTime(resolutionDate), volumeUsd: formatUsd(volume) };
}

/** A market with all details for operators. */
export function marketJson(market: Readonly<MarketRecord>, view: ExchangeView): Json {
  const { topicSlugs, rules, createdAt, tickBps, feeRateBps, minOrderShares, round, quorum, panelSize } = market;
  const quotes = view.quotes(market.no);
  const summary = marketSummaryJson(market);
  return {
    ...(typeof summary === 'object' && !Array.isArray(summary) ? summary : {}),
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
