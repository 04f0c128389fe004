/** Formats tapes, their quality, and the data that an import read, changed and dropped. */
import {
  epochMs,
  formatCount,
  formatMicros,
  formatShares,
  formatTime,
  LOT,
  microShares,
  unchecked,
} from '../../domain/index.ts';
import {
  type BetfairCounts,
  computeRoundingLoss,
  type ImportCounts,
  type MarketQuality,
  type TapeQuality,
} from '../../history/index.ts';
import { CANCELLED_PAYOUT, type TapeManifest } from '../../tape/index.ts';

export function manifestText(manifest: TapeManifest, path: string, bytes: number): string {
  const { source, markets, receiveTime } = manifest;
  return lines([
    ['tape', `${path} (${formatCount(bytes)} bytes)`],
    ['name', manifest.name],
    ['source', source.description],
    ['licence', source.licence],
    ...source.files.map(({ name, sha256 }) => ['from', `${name}, sha256 ${sha256}`] as const),
    ['rows', formatCount(manifest.rows)],
    ['time', `${formatTime(manifest.from)} to ${formatTime(manifest.to)}`],
    ['receive times', receiveTime === 'recorded' ? 'recorded' : 'missing: a replay adds its own feed latency'],
    ['content hash', manifest.contentHash],
    ...manifest.units.map((unit) => ['converted', unit] as const),
    ...markets.flatMap((market): readonly Line[] => [
      ['market', market.question],
      ['  slug', market.slug],
      ['  id', market.id],
      ['  outcomes', `${outcomeText('YES', market.outcomes[0])}, ${outcomeText('NO', market.outcomes[1])}`],
      ['  prices', gridText(market.grid)],
      [
        '  resolution',
        market.scheduledResolution === undefined ? 'not scheduled' : formatTime(market.scheduledResolution),
      ],
      ['  commission', `${market.commissionBps / 100} % of net winnings`],
    ]),
  ]);
}

/** Returns an outcome, and its name in the recording if the name is different. */
function outcomeText(outcome: 'YES' | 'NO', name: string): string {
  return name.toUpperCase() === outcome ? outcome : `${outcome} ${name}`;
}

export function qualityText(quality: TapeQuality, manifest: TapeManifest): string {
  const { messages, rows } = quality;
  const text = `${formatCount(messages)} with ${formatCount(rows)} rows, in time order, with the content hash of the manifest`;
  return (
    lines([['messages', text]]) +
    quality.markets.map((market, index) => marketText(market, manifest.markets[index]?.slug ?? '')).join('')
  );
}

/** Returns the quality with the keys of `--json`: `lost` has the gaps, and `gaps` the quiet periods (docs/json.md). */
export function qualityJson({ markets, ...tape }: TapeQuality): object {
  const named = markets.map(({ gaps, quietPeriods, ...market }) => ({ ...market, lost: gaps, gaps: quietPeriods }));
  return { ...tape, markets: named };
}

export function betfairText(counts: BetfairCounts): string {
  const { prints, revaluations, resets, openStates } = counts;
  const read = `${formatCount(counts.messages)} messages, ${formatCount(counts.withoutRows)} of them without a change of the book`;
  const images = `${counts.images}; conflated ${counts.conflated}; in the same millisecond as the one before ${counts.sameMillisecond}`;
  const trades = `${formatCount(prints.count)} from ${formatCount(counts.increments)} increments (${formatCount(prints.buy)} buys, ${formatCount(prints.sell)} sells, ${prints.unknown} unknown)`;
  const shares = `${exactShares(counts.grownMicroShares)} in increments = ${exactShares(prints.lots * LOT)} in trades + ${exactShares(prints.otherSideMicroShares)} of other sides + ${exactShares(prints.belowOneLotMicroShares)} below one lot + ${exactShares(computeRoundingLoss(counts))} rounded off`;
  const totals = `${formatCount(counts.afterEnd)} totals after the market's end; ${formatCount(counts.repeated)} came again unchanged`;
  const falling = `${revaluations.messages.length} messages with falling totals (${revaluations.entries} entries): revaluations are no trades`;
  return lines([
    ['read', read],
    ['images', images],
    ['trades', trades],
    ['no prints', `${formatCount(prints.otherSide)} increments that are the other side of another runner's prints`],
    ['dropped', `${formatCount(prints.belowOneLot)} trades below one lot`],
    ['shares', shares],
    ['dropped', totals],
    ['dropped', falling],
    ['dropped', `${resets.entries} totals set back to 0`],
    ['off the ladder', `${counts.offLadder} odds, kept`],
    ['crossed', `${openStates.crossed} of ${formatCount(openStates.count)} open states`],
  ]);
}

export function importText(counts: ImportCounts): string {
  const { trades, inferred, dropped, changed, zones } = counts;
  let droppedMicros = 0n;
  for (const { shares } of dropped.values()) droppedMicros += shares.micros;
  const droppedText = `${droppedMicros / 1_000_000n}.${String(droppedMicros % 1_000_000n).padStart(6, '0')}`;
  const sides = `${formatCount(trades.buys)} buys, ${formatCount(trades.sells)} sells, ${formatCount(trades.unknown)} unknown`;
  const shares = `${trades.shares} in trades = ${trades.printed} printed + ${droppedText} dropped + ${trades.rounded} rounded off`;
  const rows: Line[] = [
    ['read', `${formatCount(counts.records)} rows`],
    ['written', `${formatCount(counts.rows)} rows in ${formatCount(counts.messages)} messages`],
    ['trades', `${formatCount(trades.prints)} of ${formatCount(trades.read)} (${sides})`],
    ['shares', shares],
  ];
  if (trades.paired > 0)
    rows.push(['moved', `${formatCount(trades.paired)} trades to before the decrease that they explain`]);
  const unexplained = `${formatCount(inferred.unexplained)} unexplained decreases of a best level`;
  if (inferred.prints + inferred.unexplained > 0)
    rows.push(['inferred', `${formatCount(inferred.prints)} trades of ${inferred.shares} shares; ${unexplained}`]);
  if (zones.size > 0) rows.push([zones.size > 1 ? 'mixed zones' : 'zone', [...zones].join(', ')]);
  for (const [name, tallies] of Object.entries({ changed, dropped })) {
    for (const [reason, { count, places }] of tallies) {
      const placesText = `${places.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''}`;
      rows.push([name, `${formatCount(count)} x ${reason} (${placesText})`]);
    }
  }
  return lines(rows);
}

function exactShares(shares: number): string {
  return formatMicros(unchecked.shares(shares));
}

function marketText(market: MarketQuality, slug: string): string {
  const { rows, prints, spreadBps, gaps, quietPeriods, takerFlow, variation } = market;
  const present = Object.entries(rows).filter(([, count]) => count > 0);
  const kinds = present.map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const trades = `${formatShares(microShares(prints.microShares))} shares in ${formatCount(prints.count)}, largest ${formatShares(microShares(prints.largestMicroShares))}; ${formatCount(prints.inferred)} inferred`;
  const open = `${duration(market.openMs)}, one-sided ${duration(market.oneSidedMs)} of it; halted ${duration(market.haltedMs)} in ${formatCount(market.halts)} halts`;
  const [longest] = quietPeriods.longest;
  const silence = longest && `, longest ${duration(longest.ms)} from ${formatTime(epochMs(longest.from))}`;
  const { sumSquares, steps, everyMs } = variation;
  const sigmaBps = Math.sqrt(sumSquares / 4 / ((steps * everyMs) / 1_000));
  const sigma = `${sigmaBps.toFixed(3)} bps per root second on a grid of ${everyMs / 1_000} s`;
  const earned = [
    bps('effective', takerFlow.effectiveBps),
    ...takerFlow.horizons.map(({ horizonMs, realisedBps, reason }) =>
      reason === 'no resolution' ? reason : bps(horizonText(horizonMs), realisedBps ?? undefined),
    ),
  ].filter((text) => text !== '');
  return lines([
    ['market', slug],
    ['  rows', kinds.join(', ')],
    ['  trades', trades],
    ['  open', open],
    ['  crossed', `${formatCount(market.crossed)} messages; off the grid ${formatCount(market.offGrid)} rows`],
    ...(2 * market.crossed > market.messages
      ? [['  warning', 'crossed more often than not: are two outcomes or two captures in one book?'] as const]
      : []),
    ['  repeated', `${formatCount(market.duplicates)} messages the same as the one before, at the same time`],
    ['  lost', `${formatCount(gaps.count)} gaps in the recording, ${duration(gaps.ms)} without a book`],
    [
      '  spread',
      spreadBps === undefined
        ? 'none'
        : `${spreadBps.p10} / ${spreadBps.p50} / ${spreadBps.p90} bps (10, 50, 90 % of the time)`,
    ],
    ['  silences', `${formatCount(quietPeriods.count)} of a minute or more${silence ?? ''}`],
    ['  sigma', steps === 0 ? 'unknown' : sigma],
    ['  makers earned', earned.join(', ') || 'unknown'],
    ['  pays', payoutText(market.payout)],
  ]);
}

function bps(label: string, value: number | undefined): string {
  return value === undefined ? '' : `${value.toFixed(1)} bps ${label}`;
}

function horizonText(ms: number): string {
  return Number.isFinite(ms) ? `after ${duration(ms)}` : 'at resolution';
}

function payoutText(payout: number | undefined): string {
  if (payout === undefined) return 'unknown: the tape has no resolution';
  return payout === CANCELLED_PAYOUT ? 'cancelled' : `${payout} bps a YES share`;
}

function gridText(grid: TapeManifest['markets'][number]['grid']): string {
  return grid.type === 'tick'
    ? `every ${grid.tickBps} bps`
    : `${grid.bids.length} for bids, ${grid.asks.length} for asks`;
}

function duration(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

type Line = readonly [name: string, value: string];

function lines(rows: readonly Line[]): string {
  return rows.map(([name, value]) => `${name.padEnd(16)}${value}\n`).join('');
}
