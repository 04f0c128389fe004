/** Logs a warning and sends an alert for each fill that the venue reversed. */
import { formatShares, toCents } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { LiveBotParts } from './live-bot-parts.ts';

export function reportReversedFills(
  steps: readonly Step[],
  { state, log, alert }: Pick<LiveBotParts, 'state' | 'log' | 'alert'>,
): void {
  for (const { event } of steps) {
    if (event?.type !== 'fillReversed') continue;
    const { market, order, trade, outcome, side, price, shares } = event;
    const { slug } = state.market(market).info;
    const terms = { market: slug, order, trade, outcome, side, priceBps: price, shares };
    const what = `${side === 'BUY' ? 'purchase' : 'sale'} of ${formatShares(shares)} ${outcome} at ${toCents(price)} cents`;
    const text = `fill reversed: the venue took back the ${what} in ${slug} (order ${order}, trade ${trade})`;
    log.warn(terms, text);
    alert('fill_reversed', `halfspread: ${text}. Position, cash and P&L no longer include it`, terms);
  }
}
