import type { MarketPnl } from '../judge/mean-error.ts';
import type { RunFigures } from './figures.ts';
import type { StudyTape } from './study-tapes.ts';

const MICROS = 1_000_000;
const MS_PER_DAY = 86_400_000;

/** P&L by market over the runs of a trial, sorted by the tapes' ends. @param runs in the order of `tapes` */
export function marketPnls(tapes: readonly StudyTape[], runs: readonly RunFigures[]): readonly MarketPnl[] {
  return tapes
    .flatMap(({ markets }, at) =>
      markets.map(({ slug, event, end }) => ({
        market: slug,
        event,
        end,
        pnl: (runs[at]?.markets.find((market) => market.slug === slug)?.pnl ?? 0) / MICROS,
      })),
    )
    .toSorted((a, b) => a.end - b.end)
    .map(({ end, ...market }) => ({ ...market, day: Math.floor(end / MS_PER_DAY) }));
}
