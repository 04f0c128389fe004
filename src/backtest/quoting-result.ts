import type { QuotingResult, RunDetail } from './run-result.ts';

/** Returns the `quoting` field of `--json`. */
export function quotingResult({ placed, queueAhead, markets, events, capital }: RunDetail): QuotingResult {
  return {
    levels: placed,
    queueAhead: queueAhead === undefined ? null : { ...queueAhead, atFill: queueAhead.atFill ?? null },
    markets: markets.map(({ slug, uptime, atBest, halfLifeMs, worstCaseMicros, mergeableShares }) => ({
      slug,
      twoSided: uptime ?? null,
      atBestBid: atBest?.bid ?? null,
      atBestAsk: atBest?.ask ?? null,
      halfLifeMs: halfLifeMs ?? null,
      worstCaseMicros,
      mergeableShares,
    })),
    events,
    sharpe: capital.sharpe ?? null,
  };
}
