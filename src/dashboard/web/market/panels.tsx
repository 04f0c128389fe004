/** Panels for wanted and resting quotes, markouts, and profit and loss by cause. */
import { memo } from 'react';
import type { Market, QuoteComparison } from '../../generated/schema-types.ts';
import { bpsChange, cents, change, gainClass, MISSING, percent, priceDecimals, shares } from '../format.ts';
import { cssVars, Empty, Icon, numeric, Panel, Table } from '../parts.tsx';
import { computeWaterfall } from './calculations.ts';

/** Texts of the known differences. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  same: 'same',
  sending: 'sending',
  replacing: 'replacing',
  cancelling: 'cancelling',
  unknown: 'querying the venue',
  waits: 'waiting to be sent',
  filled: 'partly filled',
};

export function QuotesPanel({ market }: { readonly market: Market }) {
  const { quotes, tickBps } = market;
  const decimals = priceDecimals(tickBps);
  const differ = quotes.filter(({ difference }) => difference !== 'same').length;
  return (
    <Panel title="Wanted and resting quotes" meta={`${differ} of ${quotes.length} differ`}>
      {quotes.length === 0 ? (
        <Empty>The strategy wants no quotes in this market now.</Empty>
      ) : (
        <Table hasBodies label="Quotes that the strategy wants, and resting orders" className="quotes-table plain">
          <thead>
            <tr>
              <th>Level</th>
              <th className="num" colSpan={2}>
                Wanted ¢ × sh
              </th>
              <th className="num" colSpan={2}>
                Resting ¢ × sh
              </th>
              <th>Difference</th>
            </tr>
          </thead>
          <tbody>
            {quotes.map((quote) => (
              <QuoteRow key={`${quote.side}/${quote.level}`} quote={quote} decimals={decimals} />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function QuoteRow({ quote, decimals }: { readonly quote: QuoteComparison; readonly decimals: number }) {
  const { side, level, wantedPrice, wantedShares, restingPrice, restingShares, difference } = quote;
  const known = DIFFERENCES[difference];
  const tone = difference === 'same' ? 'faint' : known === undefined ? 'warn' : 'own';
  return (
    <tr>
      <th scope="row" className={side === 'BID' ? 'bid' : 'ask'}>
        {side === 'BID' ? 'Bid' : 'Ask'} {level}
      </th>
      <td className="num bold">{cents(wantedPrice, decimals)}</td>
      <td className="num">{shares(wantedShares)}</td>
      <td className="num bold resting">{cents(restingPrice, decimals)}</td>
      <td className="num resting">{shares(restingShares)}</td>
      <td className={`difference nowrap ${tone}`}>
        <span>
          <Icon name={difference === 'same' ? 'ok' : known === undefined ? 'warn' : 'arrow'} /> {known ?? difference}
        </span>
      </td>
    </tr>
  );
}

export const MarkoutsPanel = memo(function MarkoutsPanel({ markouts }: Pick<Market, 'markouts'>) {
  const bounds = markouts.flatMap(({ bps, low, high }) => [bps ?? 0, low ?? 0, high ?? 0]);
  const [min, max] = [Math.min(-1, ...bounds), Math.max(1, ...bounds)];
  const toPercent = (value: number): number => ((value - min) / (max - min)) * 92 + 4;
  return (
    <Panel title="Markouts" meta="bps of $1 · maker fills since the bot started · weighted by shares">
      {markouts.every(({ fills }) => fills === 0) ? (
        <Empty>No maker fill yet.</Empty>
      ) : (
        <Table
          label="Value of fills against the mid, at the fill and later"
          className="markout-table plain"
          heads={['After', ...numeric('Mean', '95%'), { className: 'interval-cell' }, ...numeric('Fills')]}
        >
          {markouts.map(({ after, bps, low, high, fills }) => (
            <tr key={after}>
              <th scope="row">{after}</th>
              <td className="num bold">{bpsChange(bps)}</td>
              <td className="num dim">
                {low === null || high === null ? MISSING : `±${((high - low) / 2).toFixed(1)}`}
              </td>
              <td className="interval-cell">
                {bps !== null && (
                  <div
                    className="interval"
                    style={cssVars({
                      '--zero': `${toPercent(0)}%`,
                      '--mean': `${toPercent(bps)}%`,
                      '--left': `${toPercent(low ?? bps)}%`,
                      '--right': `${100 - toPercent(high ?? bps)}%`,
                    })}
                  >
                    {low !== null && <i />}
                    <b />
                  </div>
                )}
              </td>
              <td className="num">{fills}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
});

const CAUSES = [
  ['Spread', 'spread'],
  ['Inventory', 'inventory'],
  ['Settlement', 'settlement'],
  ['Fees', 'fees'],
  ['Rewards', 'rewards'],
  ['Rounding', 'rounding'],
] as const;

type CausesPanelProps = Pick<Market, 'today' | 'run'> & { readonly isReal: boolean };

export const CausesPanel = memo(function CausesPanel({ today, run, isReal }: CausesPanelProps) {
  const bars = computeWaterfall(CAUSES.map(([, cause]) => today[cause]));
  const isExact = CAUSES.reduce((sum, [, cause]) => sum + today[cause], 0) === today.total;
  const meta = isExact ? (
    <>
      parts sum to the total <Icon name="ok" label="checked" />
    </>
  ) : (
    <span className="danger">the parts do not sum to the total</span>
  );
  return (
    <Panel title="P&L by cause" meta={meta}>
      <Table
        label="Profit and loss by cause"
        className="pnl-table plain"
        heads={['Cause', ...numeric('Today $'), { className: 'waterfall-cell' }, ...numeric('This run')]}
      >
        {CAUSES.map(([name, cause], index) => (
          <tr key={cause}>
            <th scope="row">{name}</th>
            <td className="num">{change(today[cause])}</td>
            <td className="waterfall-cell">
              <div className="waterfall">
                <i style={{ left: `${bars[index]?.left ?? 0}%`, width: `${bars[index]?.width ?? 0}%` }} />
              </div>
            </td>
            <td className="num">{change(run[cause])}</td>
          </tr>
        ))}
        <tr className="sum">
          <th scope="row">Total</th>
          <td className={`num ${gainClass(today.total, isReal)}`}>{change(today.total)}</td>
          <td />
          <td className={`num ${gainClass(run.total, isReal)}`}>{change(run.total)}</td>
        </tr>
      </Table>
    </Panel>
  );
});

const QUOTED_SIDES = [
  ['both', 'Both'],
  ['bidOnly', 'Bid only'],
  ['askOnly', 'Ask only'],
  ['none', 'None'],
] as const;

export const UptimeLegend = memo(function UptimeLegend({ uptime }: Pick<Market, 'uptime'>) {
  return (
    <div className="legend">
      <span className="bold">Quote uptime</span>
      {QUOTED_SIDES.map(([sides, name]) => (
        <span key={sides}>
          <i className={sides} />
          {name} <b>{percent(uptime?.[sides])}%</b>
        </span>
      ))}
      <span style={{ marginLeft: 'auto' }}>
        At touch: bid <b>{percent(uptime?.bidAtBest, 0)}%</b>, ask <b>{percent(uptime?.askAtBest, 0)}%</b>
      </span>
    </div>
  );
});
