/** Price with own quotes and fills, position and quoting over time, on one time axis with one crosshair. */
import { type PointerEvent, useMemo, useState } from 'react';
import { historyQuery } from '../../generated/documents.ts';
import type { Market } from '../../generated/schema-types.ts';
import { useAnswer } from '../client.ts';
import { cents, clockTime, position, priceDecimals } from '../format.ts';
import { Panel } from '../parts.tsx';
import {
  nearest,
  PositionAxis,
  PositionDrawing,
  PriceAxis,
  PriceDrawing,
  Ribbon,
  type Series,
  scaleOf,
  x,
} from './drawing.tsx';

const RANGES = [
  { label: '1h', ms: 3_600_000 },
  { label: '6h', ms: 6 * 3_600_000 },
  { label: '1d', ms: 86_400_000 },
  { label: '1w', ms: 7 * 86_400_000 },
] as const;

const POINTS = 600;
const AGAIN_MS = 1_000;
export function ChartPanel({
  bot,
  market,
  range,
  onRange,
}: {
  readonly bot: string;
  readonly market: Market;
  readonly range: number;
  readonly onRange: (range: number) => void;
}) {
  const { line, tickBps } = market;
  const rangeMs = RANGES[range]?.ms ?? RANGES[0].ms;
  const { data } = useAnswer(historyQuery, { bot, market: line.slug, rangeMs, points: POINTS }, AGAIN_MS);
  const [at, setAt] = useState<number>();
  const history = data?.history;
  const series = useMemo(
    (): Series => ({
      time: history?.time ?? [],
      mid: history?.doubleMid.map((mid) => (mid === null ? null : mid / 2)) ?? [],
      bid: history?.ownBid ?? [],
      ask: history?.ownAsk ?? [],
      held: history?.position ?? [],
    }),
    [history],
  );
  const scale = useMemo(() => scaleOf(series), [series]);
  const decimals = priceDecimals(tickBps);
  const shown =
    at === undefined ? series.time.length - 1 : nearest(series.time, scale.from + at * (scale.until - scale.from));
  const fills = useMemo(
    () => history?.fills.filter(({ time }) => time >= scale.from && time <= scale.until) ?? [],
    [history, scale],
  );
  const onMove = (event: PointerEvent<Element>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(1, Math.max(0, (event.clientX - left) / width)));
  };
  const cross = at === undefined || series.time[shown] === undefined ? undefined : x(scale, series.time[shown]);
  const title = (
    <>
      <h2>Price and position</h2>
      <fieldset className="tabs">
        <legend className="vh">Range</legend>
        {RANGES.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            aria-current={index === range ? 'true' : undefined}
            onClick={() => onRange(index)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className="read">
        <span>{clockTime(series.time[shown])}</span>
        <span>
          mid <b>{cents(series.mid[shown], decimals + 1)}</b>
        </span>
        <span>
          ours <b className="bid">{cents(series.bid[shown], decimals)}</b> /{' '}
          <b className="ask">{cents(series.ask[shown], decimals)}</b>
        </span>
        <span>
          position <b>{position(series.held[shown])}</b>
        </span>
        <span className="x">{fills.length} fills</span>
      </div>
    </>
  );
  const limit = market.limits.find(({ name }) => name === 'max_position')?.limit ?? null;
  return (
    <Panel className="md" title={title}>
      <div className="cg" onPointerMove={onMove} onPointerLeave={() => setAt(undefined)}>
        <PriceDrawing series={series} scale={scale} fills={fills} cross={cross} decimals={decimals} />
        <PriceAxis series={series} scale={scale} decimals={decimals} />
        <PositionDrawing series={series} scale={scale} cross={cross} limit={limit} />
        <PositionAxis series={series} limit={limit} />
        <Ribbon series={series} scale={scale} />
        <i />
        <div className="tx">
          {[0.1, 0.3, 0.5, 0.7, 0.9].map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>
              {series.time.length === 0
                ? ''
                : clockTime(scale.from + part * (scale.until - scale.from)).slice(0, rangeMs > 3_600_000 ? 5 : 8)}
            </span>
          ))}
          {cross !== undefined && (
            <span className="at" style={{ left: `${cross / 10}%` }}>
              {clockTime(series.time[shown])}
            </span>
          )}
        </div>
      </div>
    </Panel>
  );
}
