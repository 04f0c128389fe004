/** Text about the data that an import read, changed and dropped. */
import { formatCount } from '../../domain/index.ts';
import type { ImportCounts } from '../../history/index.ts';

/** One line for each reason, with its first places. */
export function importText(counts: ImportCounts): string {
  const { trades, inferred, dropped, changed, zones } = counts;
  let lost = 0n;
  for (const { shares } of dropped.values()) lost += shares.micros;
  const lines: (readonly [string, string])[] = [
    ['read', `${formatCount(counts.records)} rows`],
    ['written', `${formatCount(counts.rows)} rows in ${formatCount(counts.messages)} messages`],
    [
      'trades',
      `${formatCount(trades.prints)} of ${formatCount(trades.read)} (${formatCount(trades.buys)} buys, ${formatCount(trades.sells)} sells, ${formatCount(trades.unknown)} unknown)`,
    ],
    [
      'shares',
      `${trades.shares} in trades = ${trades.printed} printed + ${micro(lost)} dropped + ${trades.rounded} rounded off`,
    ],
  ];
  if (trades.paired > 0)
    lines.push(['moved', `${formatCount(trades.paired)} trades before the level that they explain`]);
  if (inferred.prints + inferred.unexplained > 0) {
    lines.push([
      'inferred',
      `${formatCount(inferred.prints)} trades of ${inferred.shares} shares; ${formatCount(inferred.unexplained)} falls of a best level unexplained`,
    ]);
  }
  if (zones.size > 0) lines.push([zones.size > 1 ? 'mixed zones' : 'zone', [...zones].join(', ')]);
  for (const [name, tallies] of [
    ['changed', changed],
    ['dropped', dropped],
  ] as const) {
    for (const [reason, { count, places }] of tallies) {
      lines.push([
        name,
        `${formatCount(count)} x ${reason} (${places.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`,
      ]);
    }
  }
  return lines.map(([name, value]) => `${name.padEnd(16)}${value}\n`).join('');
}

function micro(shares: bigint): string {
  return `${shares / 1_000_000n}.${String(shares % 1_000_000n).padStart(6, '0')}`;
}
