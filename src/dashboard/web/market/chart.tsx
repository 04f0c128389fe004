/** Shows price with own quotes and fills, position and quoting, on one time axis with one cursor. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { historyQuery } from '../../generated/documents.ts';
import type { Market, MarketHistory } from '../../generated/schema-types.ts';
import { useApiQuery } from '../client.ts';
import { cents, clockTime, dayTime, position, priceDecimals } from '../format.ts';
import { Panel } from '../parts.tsx';
import { pointsToRead, type Range, rangeToRead, timeTicks } from './chart-range.ts';
import { PositionAxis, PositionDrawing, PriceAxis, PriceDrawing, Ribbon } from './drawing.tsx';
import { KEY_ZOOM, useGestures } from './gestures.ts';
import { computeScale, indexAt, type Series, toX, VIEW_BOX_SIZE, visiblePart } from './series.ts';

const RANGES = [
  { label: '1h', ms: 3_600_000 },
  { label: '6h', ms: 6 * 3_600_000 },
  { label: '1d', ms: 86_400_000 },
  { label: '1w', ms: 7 * 86_400_000 },
] as const;

const POINTS = 600;
/** Largest distance of a time's label from the middle of the axis, so that the label fits. */
const MAX_LABEL_DISTANCE = 460;
const REFRESH_MS = 1_000;
/** A range follows the current time if it ends closer to now than both this time and this part of its length. */
const NEAR_MS = 3_000;
const NEAR_PART = 0.05;

interface View {
  readonly lengthMs: number;
  /** End of the range, epoch ms; undefined if it follows the current time. */
  readonly until: number | undefined;
}

/** The range that a button or a key chose. Each choice is a new object: a repeated choice undoes a drag or a zoom. */
export interface ChosenRange {
  /** Index in `RANGES`. */
  readonly index: number;
}

const chosenView = ({ index }: ChosenRange): View => ({ lengthMs: (RANGES[index] ?? RANGES[0]).ms, until: undefined });

interface ChartPanelProps {
  readonly bot: string;
  readonly market: Market;
  readonly now: number;
  readonly chosenRange: ChosenRange;
  readonly onChooseRange: (range: ChosenRange) => void;
}

export function ChartPanel({ bot, market, now, chosenRange, onChooseRange }: ChartPanelProps) {
  const { line, tickBps } = market;
  const [view, setView] = useState(() => chosenView(chosenRange));
  useEffect(() => setView(chosenView(chosenRange)), [chosenRange]);
  const pastRange = useMemo(
    (): Range | undefined =>
      view.until === undefined ? undefined : { from: view.until - view.lengthMs, until: view.until },
    [view],
  );
  const { history, readRange } = useHistory(bot, line.slug, view, pastRange, now);
  const series = useMemo(() => toSeries(history), [history]);
  const scale = useMemo(() => computeScale(series, pastRange), [series, pastRange]);
  const part = useMemo(() => visiblePart(series, scale), [series, scale]);
  const fills = useMemo(
    () => history?.fills.filter(({ time }) => time >= scale.from && time <= scale.until) ?? [],
    [history, scale],
  );
  const [pointerPart, setPointerPart] = useState<number>();
  const decimals = priceDecimals(tickBps);
  const shownIndex = indexAt(part.time, scale.from + (pointerPart ?? 1) * (scale.until - scale.from));
  const showRange = (next: Range): void => {
    const lengthMs = next.until - next.from;
    const isLive =
      pastRange === undefined ? next.until >= scale.until : next.until > now - Math.min(NEAR_MS, NEAR_PART * lengthMs);
    setView({ lengthMs, until: isLive ? undefined : next.until });
  };
  const gestures = useGestures({
    range: series.time.length === 0 ? { from: now - view.lengthMs, until: now } : scale,
    now,
    onRange: showRange,
    onPoint: setPointerPart,
  });
  const shownTime = part.time[shownIndex];
  const cursor = pointerPart === undefined || shownTime === undefined ? undefined : toX(scale, shownTime);
  const title = (
    <>
      <h2>Price and position</h2>
      <fieldset className="tabs">
        <legend className="visually-hidden">Range</legend>
        {RANGES.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            aria-current={view.until === undefined && view.lengthMs === RANGES[index]?.ms ? 'true' : undefined}
            onClick={() => onChooseRange({ index })}
          >
            {label}
          </button>
        ))}
        <button type="button" aria-label="Zoom out" onClick={() => gestures.zoom(KEY_ZOOM)}>
          −
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => gestures.zoom(1 / KEY_ZOOM)}>
          +
        </button>
        {pastRange !== undefined && (
          <button type="button" onClick={() => setView({ ...view, until: undefined })}>
            Now
          </button>
        )}
      </fieldset>
      <div className="readout">
        <span>{clockTime(shownTime)}</span>
        <span>
          mid <b>{cents(part.mid[shownIndex], decimals + 1)}</b>
        </span>
        <span>
          own <b className="bid">{cents(part.bid[shownIndex], decimals)}</b> /{' '}
          <b className="ask">{cents(part.ask[shownIndex], decimals)}</b>
        </span>
        <span>
          held <b>{position(part.held[shownIndex])}</b>
        </span>
        <span className="fill-count">{countText(fills.length, history, readRange)}</span>
      </div>
    </>
  );
  const limit = market.limits.find(({ name }) => name === 'max_position')?.limit ?? null;
  return (
    <Panel className="market-data" title={title}>
      <div className="chart-grid" {...gestures.props}>
        <PriceDrawing series={part} scale={scale} fills={fills} cursor={cursor} decimals={decimals} tickBps={tickBps} />
        <PriceAxis series={part} scale={scale} decimals={decimals} tickBps={tickBps} />
        <PositionDrawing series={part} scale={scale} cursor={cursor} limit={limit} />
        <PositionAxis series={part} limit={limit} />
        <Ribbon series={part} scale={scale} />
        <i />
        <div className="time-axis">
          {timeTicks(scale)
            .filter(
              (time) => part.time.length > 0 && Math.abs(toX(scale, time) - VIEW_BOX_SIZE / 2) < MAX_LABEL_DISTANCE,
            )
            .map((time) => (
              <span key={time} style={{ left: `${toX(scale, time) / 10}%` }}>
                {timeText(time, scale)}
              </span>
            ))}
          {cursor !== undefined && (
            <span className="cursor-time" style={{ left: `${cursor / 10}%` }}>
              {clockTime(shownTime)}
            </span>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** Returns the history of the shown range. A past range has a margin, so that it can move while more is read. */
function useHistory(bot: string, market: string, { lengthMs }: View, pastRange: Range | undefined, now: number) {
  const readRange = pastRange === undefined ? undefined : rangeToRead(pastRange);
  const { data } = useApiQuery(
    historyQuery,
    {
      bot,
      market,
      rangeMs: readRange === undefined ? lengthMs : readRange.until - readRange.from,
      until: readRange?.until ?? null,
      points: readRange === undefined || pastRange === undefined ? POINTS : pointsToRead(readRange, pastRange, POINTS),
    },
    readRange !== undefined && readRange.until < now ? undefined : REFRESH_MS,
  );
  // The last history stays while the next history is read.
  const last = useRef<MarketHistory>(undefined);
  if (data !== undefined) last.current = data.history;
  return { history: last.current, readRange };
}

function toSeries(history: MarketHistory | undefined): Series {
  return {
    time: history?.time ?? [],
    mid: history?.doubleMid.map((mid) => (mid === null ? null : mid / 2)) ?? [],
    bid: history?.ownBid ?? [],
    ask: history?.ownAsk ?? [],
    held: history?.position ?? [],
  };
}

/** Formats the number of fills. The number of all fills is known only if exactly the shown range was read. */
function countText(shown: number, history: MarketHistory | undefined, readRange: Range | undefined): string {
  if (history === undefined || history.fills.length === history.fillCount) return `${shown} fills`;
  return readRange === undefined ? `${history.fillCount} fills, ${shown} shown` : `${shown} of more fills shown`;
}

function timeText(time: number, { from, until }: Range): string {
  const length = until - from;
  if (length > 2 * 86_400_000) return dayTime(time).slice(5, 16);
  return clockTime(time).slice(0, length > 3_600_000 ? 5 : 8);
}
