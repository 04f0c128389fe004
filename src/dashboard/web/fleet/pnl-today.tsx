import { useState } from 'react';
import { equityQuery } from '../../generated/documents.ts';
import type { Bot } from '../../generated/schema-types.ts';
import { useApiQuery } from '../client.ts';
import { change, clockTime, dollarChange, gainClass } from '../format.ts';
import { Empty, Panel } from '../parts.tsx';

const REFRESH_MS = 5_000;

/** Shows a chosen bot's P&L today, split into spread, inventory and other causes. */
export function PnlTodayPanel({ bots }: { readonly bots: readonly Bot[] }) {
  const [id, setId] = useState('');
  const bot = bots.find((each) => each.id === id) ?? bots[0];
  const { data } = useApiQuery(equityQuery, { bot: bot?.id ?? '', points: 300 }, REFRESH_MS);
  const today = data?.equity;
  const hasState = bot?.state !== null && bot !== undefined;
  const meta = '$ since 00:00 UTC, or since the bot started';
  const title = (
    <>
      <h2>P&amp;L today by cause</h2>
      <select aria-label="Bot of the chart" value={bot?.id} onChange={(event) => setId(event.target.value)}>
        {bots.map((each) => (
          <option key={each.id}>{each.id}</option>
        ))}
      </select>
    </>
  );
  if (today === undefined || today.time.length < 2 || !hasState) {
    return (
      <Panel title={title} meta={meta}>
        <Empty>The line begins when the dashboard has watched for some seconds.</Empty>
      </Panel>
    );
  }
  const other = today.total.map((total, index) => total - (today.spread[index] ?? 0) - (today.inventory[index] ?? 0));
  const lines = [
    { name: 'Spread', values: today.spread, className: 'spread-line' },
    { name: 'Inventory', values: today.inventory, className: 'inventory-line' },
    { name: 'Other', values: other, className: 'other-line' },
    { name: 'Total', values: today.total, className: 'total-line' },
  ];
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = high - low || 1;
  const y = (value: number): number => 920 - ((value - low) / span) * 840;
  const x = (index: number): number => (index / (today.time.length - 1)) * 1_000;
  const last = (values: readonly number[]): number => values.at(-1) ?? 0;
  const summary = lines.map((line) => `${line.name} ${dollarChange(last(line.values))}`).join(', ');
  return (
    <Panel title={title} meta={meta}>
      <div className="pnl-chart">
        <div className="value-axis">
          {[...new Set([high, 0, low])].map((value) => (
            <span key={value} style={{ top: `${y(value) / 10}%` }}>
              {change(value)}
            </span>
          ))}
        </div>
        <svg
          className="chart"
          viewBox="0 0 1000 1000"
          preserveAspectRatio="none"
          role="img"
          aria-label={`P&L today of ${bot?.id ?? ''}: ${summary}`}
        >
          <line className="zero" x1="0" x2="1000" y1={y(0)} y2={y(0)} />
          {lines.map(({ name, values, className }) => (
            <path
              key={name}
              className={`line ${className}`}
              d={`M${values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`}
            />
          ))}
        </svg>
        <div className="line-labels">
          {separateLabels(lines.map((line) => ({ ...line, top: y(last(line.values)) / 10 }))).map(
            ({ name, values, top }) => (
              <span
                key={name}
                style={{ top: `${top}%` }}
                className={name === 'Total' ? gainClass(last(values), bot?.state?.kind === 'LIVE') : ''}
              >
                {name}
                <b>{change(last(values))}</b>
              </span>
            ),
          )}
        </div>
        <i />
        <div className="time-axis">
          <span style={{ left: '4%' }}>{clockTime(today.time[0])}</span>
          <span style={{ left: '94%' }}>{clockTime(today.time.at(-1))}</span>
        </div>
      </div>
    </Panel>
  );
}

/** Moves labels apart, so that no label covers another. */
function separateLabels<Label extends { readonly top: number }>(labels: readonly Label[]): readonly Label[] {
  let before = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.top - b.top)
    .map((label) => {
      const top = Math.max(label.top, before + 9);
      before = top;
      return { ...label, top };
    });
}
