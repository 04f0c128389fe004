import type { Mapping } from './mapping.ts';

/** Describes the conversions of a mapping for the manifest, one sentence each. */
export function conversionsOf(mapping: Mapping): string[] {
  const text = JSON.stringify(mapping.rows);
  const odds = text.includes('"decimal_odds"') ? 'price = 10000 / decimal odds bps. ' : '';
  const assumed = [...text.matchAll(/"unit":"(\w+)","constant":([\d.e+]+)/g)].map(
    ([, unit, size]) => `rows without a size count as ${size} (${unit})`,
  );
  const off = mapping.off_grid === 'round' ? 'round outward: bids down, asks up' : 'are dropped';
  const { market, time } = mapping;
  return [
    `${odds}prices off the grid ${off}; sizes round down to 0.01 share`,
    ...assumed,
    ...(market.outcome === undefined &&
    mapping.markets.every(({ outcome }) => outcome === 'yes') &&
    mapping.metadata === undefined
      ? []
      : [
          market.no_rows === 'mirror' ? 'rows of NO are the other side of YES at 1 - price' : 'rows of NO are left out',
        ]),
    ...(mapping.prints === 'inferred' ? ['trades: inferred from the falls of the best levels of repeated books'] : []),
    ...(mapping.pair_window_ms > 0
      ? [`a trade up to ${mapping.pair_window_ms} ms after the level that it explains comes before it`]
      : []),
    ...(mapping.rows.some(({ means }) => means === 'candle')
      ? ['candles: one print of unknown side at the close, at the end of the candle']
      : []),
    ...(time.received === undefined ? ['receive times are missing: rx = tx'] : []),
  ];
}
