/** Symbols of own fills. Shape and filling differ by side and liquidity, so that they are distinct without colour. */
import type { FillPoint } from '../../analytics/index.ts';
import { type Html, html, trusted } from './html.ts';

interface FillClass {
  readonly label: string;
  readonly up: boolean;
  readonly style: Readonly<Record<string, string>>;
  matches(fill: FillPoint): boolean;
}

function fillClass(sign: 1 | -1, liquidity: 'maker' | 'taker'): FillClass {
  const colour = sign === 1 ? 'var(--bid)' : 'var(--ask)';
  const trade = sign === 1 ? 'bought YES' : 'sold YES';
  return {
    label: `${trade}, ${liquidity}${liquidity === 'maker' ? ` (own ${sign === 1 ? 'bid' : 'ask'})` : ''}`,
    up: sign === 1,
    style: {
      fill: liquidity === 'maker' ? colour : 'var(--paper)',
      stroke: liquidity === 'maker' ? 'var(--paper)' : colour,
      'stroke-width': liquidity === 'maker' ? '0.4' : '1.3',
    },
    matches: (fill) => fill.sign === sign && fill.liquidity === liquidity,
  };
}

const FILL_CLASSES = (['maker', 'taker'] as const).flatMap((kind) => [fillClass(1, kind), fillClass(-1, kind)]);

export function symbolPath(x: number, y: number, size: number, up: boolean): string {
  const tip = up ? -size : size;
  return `M${tenth(x)} ${tenth(y + tip)}l${tenth(size)} ${tenth(up ? 2 * size : -2 * size)}h${tenth(-2 * size)}z`;
}

/** Returns the legend of a price chart. It omits kinds without a fill. */
export function fillLegend(fills: readonly FillPoint[]): Html {
  const shown = FILL_CLASSES.filter(({ matches }) => fills.some(matches));
  return html`<ul class="legend">${shown.map((kind) => html`<li>${symbol(kind)}${kind.label}</li>`)}</ul>`;
}

function symbol({ up, style }: FillClass): Html {
  const attributes = Object.entries(style).map(([name, value]) => html` ${trusted(name)}="${value}"`);
  return html`<svg width="14" height="14" aria-hidden="true"><path d="${symbolPath(7, 7, 5, up)}"${attributes}/></svg>`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
