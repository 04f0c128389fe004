import { memo } from 'react';
import type { Fill } from '../../generated/schema-types.ts';
import { cents, position } from '../format.ts';
import { withKeys } from '../parts.tsx';
import { priceTicks, timeTicks } from './chart-range.ts';
import { bandPath, type Scale, type Series, stepPath, toX, toY, VIEW_BOX_SIZE } from './series.ts';

const LABEL_HEIGHT = 60;

interface PriceProps {
  readonly series: Series;
  readonly scale: Scale;
  readonly decimals: number;
  readonly tickBps: number;
}

export const PriceDrawing = memo(function PriceDrawing({
  fills,
  cursor,
  ...price
}: PriceProps & { readonly fills: readonly Fill[]; readonly cursor: number | undefined }) {
  const { series, scale, decimals, tickBps } = price;
  const last = series.time.length - 1;
  const label = `Mid ${cents(series.mid[last], decimals + 1)} cents, own bid ${cents(series.bid[last], decimals)}, own ask ${cents(series.ask[last], decimals)}, ${fills.length} fills in this range`;
  return (
    <svg className="chart" role="img" aria-label={label}>
      {priceTicks(scale.low, scale.high, tickBps).map((price) => {
        const top = `${toY(scale, price) / 10}%`;
        return <line key={price} className="grid" x1="0" x2="100%" y1={top} y2={top} />;
      })}
      {timeTicks(scale).map((time) => {
        const left = `${toX(scale, time) / 10}%`;
        return <line key={time} className="grid" x1={left} x2={left} y1="0" y2="100%" />;
      })}
      <svg
        aria-hidden="true"
        width="100%"
        height="100%"
        viewBox={`0 0 ${VIEW_BOX_SIZE} ${VIEW_BOX_SIZE}`}
        preserveAspectRatio="none"
      >
        <path className="band" d={bandPath(series, scale)} />
        <path className="own-bid-line" d={stepPath(series.time, series.bid, scale)} />
        <path className="own-ask-line" d={stepPath(series.time, series.ask, scale)} />
        <path className="line" d={stepPath(series.time, series.mid, scale)} />
      </svg>
      {withKeys(fills, (fill) => String(fill.time)).map(([key, fill]) => (
        <svg
          key={key}
          aria-hidden="true"
          x={`${toX(scale, fill.time) / 10}%`}
          y={`${toY(scale, fill.price) / 10}%`}
          overflow="visible"
        >
          <path
            className={fill.side === 'BID' ? 'buy-mark' : 'sell-mark'}
            d={fill.side === 'BID' ? 'M0 0l5 8.5h-10z' : 'M0 0l5-8.5h-10z'}
          />
        </svg>
      ))}
      {cursor !== undefined && <line className="cursor" x1={`${cursor / 10}%`} x2={`${cursor / 10}%`} y2="100%" />}
    </svg>
  );
});

export const PriceAxis = memo(function PriceAxis({ series, scale, decimals, tickBps }: PriceProps) {
  const last = series.time.length - 1;
  const mid = series.mid[last] ?? null;
  const [bid, ask] = [series.bid[last] ?? null, series.ask[last] ?? null];
  const top = (price: number): string => `${toY(scale, price) / 10}%`;
  const isNear = (price: number, other: number | null): boolean =>
    other !== null && Math.abs(toY(scale, price) - toY(scale, other)) < LABEL_HEIGHT;
  const isAtEdge = (price: number): boolean =>
    toY(scale, price) < LABEL_HEIGHT / 2 || toY(scale, price) > VIEW_BOX_SIZE - LABEL_HEIGHT / 2;
  return (
    <div className="axis" aria-hidden="true">
      {priceTicks(scale.low, scale.high, tickBps)
        .filter((price) => !isNear(price, mid) && !isNear(price, bid) && !isNear(price, ask) && !isAtEdge(price))
        .map((price) => (
          <span key={price} style={{ top: top(price) }}>
            {cents(price, decimals)}
          </span>
        ))}
      {mid !== null && (
        <span className="last" style={{ top: top(mid) }}>
          {cents(mid, decimals + 1)}
        </span>
      )}
      {ask !== null && !isNear(ask, mid) && (
        <span className="own-ask" style={{ top: top(ask) }}>
          {cents(ask, decimals)}
        </span>
      )}
      {bid !== null && !isNear(bid, mid) && (
        <span className="own-bid" style={{ top: top(bid) }}>
          {cents(bid, decimals)}
        </span>
      )}
    </div>
  );
});

/** Returns the position at the upper edge: above the largest position, and above a limit below three times that. */
function topPosition({ held }: Series, limit: number | null): number {
  const largest = Math.max(1, ...held.map((value) => Math.abs(value ?? 0)));
  const bound = limit === null ? largest : limit * 1_000_000;
  return bound < 3 * largest ? Math.max(largest, bound) * 1.05 : largest * 1.15;
}

interface PositionProps {
  readonly series: Series;
  readonly limit: number | null;
}

export const PositionDrawing = memo(function PositionDrawing({
  series,
  limit,
  scale,
  cursor,
}: PositionProps & { readonly scale: Scale; readonly cursor: number | undefined }) {
  const top = topPosition(series, limit);
  const axes: Scale = { ...scale, low: -top, high: top };
  const zero = toY(axes, 0);
  const held = series.held.map((value) => value ?? 0);
  const line = stepPath(series.time, held, axes);
  const [begin, end] = [series.time[0] ?? 0, series.time.at(-1) ?? 0].map((time) => toX(scale, time).toFixed(1));
  const area = line === '' ? '' : `${line}L${end} ${zero}L${begin} ${zero}Z`;
  const bound = limit === null || limit * 1_000_000 > top ? undefined : limit * 1_000_000;
  return (
    <svg className="chart" role="img" aria-label={`Position now ${position(series.held.at(-1))} shares`}>
      <svg
        aria-hidden="true"
        width="100%"
        height="100%"
        viewBox={`0 0 ${VIEW_BOX_SIZE} ${VIEW_BOX_SIZE}`}
        preserveAspectRatio="none"
      >
        <clipPath id="long">
          <rect x="0" y="0" width={VIEW_BOX_SIZE} height={zero} />
        </clipPath>
        <clipPath id="short">
          <rect x="0" y={zero} width={VIEW_BOX_SIZE} height={VIEW_BOX_SIZE - zero} />
        </clipPath>
        <path className="long-area" d={area} clipPath="url(#long)" />
        <path className="short-area" d={area} clipPath="url(#short)" />
        <path className="line" d={line} />
        <line className="zero" x1="0" x2={VIEW_BOX_SIZE} y1={zero} y2={zero} />
        {bound !== undefined &&
          [bound, -bound].map((value) => (
            <line
              key={value}
              className="limit-line"
              x1="0"
              x2={VIEW_BOX_SIZE}
              y1={toY(axes, value)}
              y2={toY(axes, value)}
            />
          ))}
      </svg>
      {cursor !== undefined && <line className="cursor" x1={`${cursor / 10}%`} x2={`${cursor / 10}%`} y2="100%" />}
    </svg>
  );
});

export const PositionAxis = memo(function PositionAxis({ series, limit }: PositionProps) {
  const top = topPosition(series, limit);
  const held = series.held.at(-1) ?? 0;
  return (
    <div className="axis" aria-hidden="true">
      <span style={{ top: '50%' }}>0</span>
      {held !== 0 && (
        <span className="last" style={{ top: `${Math.min(88, Math.max(12, 50 - (held / top) * 50))}%` }}>
          {position(held)}
        </span>
      )}
    </div>
  );
});

const HEIGHTS = {
  both: [0, VIEW_BOX_SIZE],
  bid: [VIEW_BOX_SIZE / 2, VIEW_BOX_SIZE],
  ask: [0, VIEW_BOX_SIZE / 2],
} as const;
const KINDS = ['both', 'bid', 'ask'] as const;

/** Shows which sides the bot quotes: full height for both, lower half for bid only, upper half for ask only. */
export const Ribbon = memo(function Ribbon({ series, scale }: { readonly series: Series; readonly scale: Scale }) {
  const paths = { both: '', bid: '', ask: '' };
  let firstIndex = 0;
  for (const [index, time] of series.time.entries()) {
    const kind = quotedAt(series, index);
    const isLast = index === series.time.length - 1;
    if (!isLast && quotedAt(series, index + 1) === kind) continue;
    const [from, until] = [series.time[firstIndex] ?? 0, series.time[index + 1] ?? time].map((at) =>
      toX(scale, at).toFixed(1),
    );
    firstIndex = index + 1;
    if (kind === undefined) continue;
    const [top, bottom] = HEIGHTS[kind];
    paths[kind] += `M${from} ${top}H${until}V${bottom}H${from}Z`;
  }
  return (
    <svg
      className="chart"
      aria-hidden="true"
      viewBox={`0 0 ${VIEW_BOX_SIZE} ${VIEW_BOX_SIZE}`}
      preserveAspectRatio="none"
    >
      {KINDS.map((kind) => (
        <path key={kind} className={`ribbon-${kind}`} d={paths[kind]} />
      ))}
    </svg>
  );
});

function quotedAt({ bid, ask }: Series, index: number): (typeof KINDS)[number] | undefined {
  const [hasBid, hasAsk] = [(bid[index] ?? null) !== null, (ask[index] ?? null) !== null];
  if (hasBid && hasAsk) return 'both';
  if (hasBid) return 'bid';
  return hasAsk ? 'ask' : undefined;
}
