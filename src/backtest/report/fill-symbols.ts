/** Symbols of own fills. Shape and filling differ by side and liquidity, so that symbols are distinct without colour. */
import type { FillPoint } from '../../analytics/index.ts';
import { type Html, html } from './html.ts';

function fillClass(sign: 1 | -1, liquidity: 'maker' | 'taker') {
  const colour = sign === 1 ? 'var(--bid)' : 'var(--ask)';
  const trade = sign === 1 ? 'bought YES' : 'sold YES';
  const path = sign === 1 ? 'M7 2l5 10h-10z' : 'M7 12l5 -10h-10z';
  const isMaker = liquidity === 'maker';
  return {
    label: `${trade}, ${liquidity}${isMaker ? ` (own ${sign === 1 ? 'bid' : 'ask'})` : ''}`,
    symbol: isMaker
      ? html`<path d="${path}" fill="${colour}" stroke="var(--paper)" stroke-width="0.4"/>`
      : html`<path d="${path}" fill="var(--paper)" stroke="${colour}" stroke-width="1.3"/>`,
    matches: (fill: FillPoint): boolean => fill.sign === sign && fill.liquidity === liquidity,
  };
}

const FILL_CLASSES = (['maker', 'taker'] as const).flatMap((kind) => [fillClass(1, kind), fillClass(-1, kind)]);

/** Returns the legend of a price chart, without kinds that have no fill. */
export function fillLegend(fills: readonly FillPoint[]): Html {
  const shown = FILL_CLASSES.filter(({ matches }) => fills.some(matches));
  return html`<ul class="legend">${shown.map(({ label, symbol }) => html`<li><svg width="14" height="14" aria-hidden="true">${symbol}</svg>${label}</li>`)}</ul>`;
}
