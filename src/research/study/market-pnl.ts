/** P&L by market over the runs of a trial, as the statistics of a study take it. */
import type { RunFigures } from './figures.ts';
import type { StudyTape } from './study-tapes.ts';

const MICROS = 1_000_000;
const MS_PER_DAY = 86_400_000;

export interface MarketPnl {
  readonly market: string;
  readonly event: string;
  /** Days since 1970 of the end of its tape. */
  readonly day: number;
  /** USD. */
  readonly pnl: number;
}

/** @param runs on `tapes`, in their order */
export function marketPnls(tapes: readonly StudyTape[], runs: readonly RunFigures[]): readonly MarketPnl[] {
  return tapes.flatMap(({ markets }, at) =>
    markets.map(({ slug, event, end }) => ({
      market: slug,
      event,
      day: Math.floor(end / MS_PER_DAY),
      pnl: (runs[at]?.markets.find((market) => market.slug === slug)?.pnl ?? 0) / MICROS,
    })),
  );
}

/** Standard error of the mean P&L of a market, USD; 0 for a single market. */
export function meanError(tapes: readonly StudyTape[], runs: readonly RunFigures[]): number {
  const pnls = marketPnls(tapes, runs).map(({ pnl }) => pnl);
  const mean = pnls.reduce((sum, pnl) => sum + pnl, 0) / pnls.length;
  const squares = pnls.reduce((sum, pnl) => sum + (pnl - mean) * (pnl - mean), 0);
  return pnls.length < 2 ? 0 : Math.sqrt(squares / (pnls.length - 1) / pnls.length);
}
