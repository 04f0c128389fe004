/** The price ladder: own quotes and their queue on the left, the market on the right. */
import { memo } from 'react';
import type { Market } from '../../generated/schema-types.ts';
import { bookAge, cents, clockTime, priceDecimals, shares } from '../format.ts';
import { cssVars, Empty, numeric, Panel, Table, withKeys } from '../parts.tsx';
import { type BookRow, bookRows, LEVELS } from './calculations.ts';

export function BookPanel({ market, levels = LEVELS }: { readonly market: Market; readonly levels?: number }) {
  const { line, tickBps } = market;
  const asks = bookRows(market.asks, levels);
  const bids = bookRows(market.bids, levels);
  const largest = Math.max(1, asks.at(-1)?.cumulative ?? 0, bids.at(-1)?.cumulative ?? 0);
  const decimals = priceDecimals(tickBps);
  const spread = line.bid === null || line.ask === null ? null : line.ask - line.bid;
  const tick = tickBps > 0 ? `tick ${cents(tickBps, decimals)}¢ · ` : '';
  const renderLevel = (row: BookRow, side: 'bid' | 'ask') => (
    <LevelRow key={row.price} {...row} part={toPercent(row.cumulative, largest)} side={side} decimals={decimals} />
  );
  return (
    <Panel className="market-data" title="Book" meta={`YES terms · ${tick}${bookAge(line.bookAgeMs)}`}>
      {asks.length === 0 && bids.length === 0 ? (
        <Empty>{line.bookAgeMs === null ? 'No book yet.' : 'The book is empty.'}</Empty>
      ) : (
        <table className="book plain">
          <caption className="visually-hidden">Order book in YES cents with own quotes</caption>
          <thead>
            <tr>
              <th className="num">Own</th>
              <th className="num">Ahead</th>
              <th className="num">Price ¢</th>
              <th className="num">Shares</th>
              <th className="num">Cumulative</th>
            </tr>
          </thead>
          <tbody className="asks" aria-label="Asks">
            {asks.toReversed().map((row) => renderLevel(row, 'ask'))}
          </tbody>
          <tbody className="spread-row">
            <tr>
              <td colSpan={5}>
                <div>
                  <span>
                    Spread <b>{cents(spread, decimals)}</b>
                  </span>
                  <span>
                    Mid <b>{cents(line.doubleMid === null ? null : line.doubleMid / 2, decimals + 1)}</b>
                  </span>
                  <span className="own">
                    Own{' '}
                    <b>
                      {cents(line.ownBid, decimals)} / {cents(line.ownAsk, decimals)}
                    </b>
                  </span>
                </div>
              </td>
            </tr>
          </tbody>
          <tbody className="bids" aria-label="Bids">
            {bids.map((row) => renderLevel(row, 'bid'))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

const LevelRow = memo(function LevelRow({
  price,
  shares: outside,
  own,
  ahead,
  cumulative,
  part,
  side,
  decimals,
}: BookRow & {
  /** Width of the bar, percent. */
  readonly part: number;
  readonly side: 'bid' | 'ask';
  readonly decimals: number;
}) {
  // The bar below the queue shows the queue ahead in grey, and own orders and the queue behind in violet.
  const levelShares = outside + own;
  return (
    <tr className={own > 0 ? 'own-level' : ''} style={cssVars({ '--width': `${part}%` })}>
      <td className="num">{own > 0 && <span className="own-shares">{shares(own)}</span>}</td>
      <td className="num">
        {own > 0 && ahead !== null && (
          <span className="queue" style={cssVars({ '--value': `${toPercent(ahead, levelShares)}%` })}>
            {shares(ahead)}
          </span>
        )}
      </td>
      <th scope="row" className={`num ${side}`}>
        {cents(price, decimals)}
      </th>
      <td className="num">{outside === 0 ? '' : shares(outside)}</td>
      <td className="num cumulative">{shares(cumulative)}</td>
    </tr>
  );
});

export const TradesPanel = memo(function TradesPanel({ trades, tickBps }: Pick<Market, 'trades' | 'tickBps'>) {
  const decimals = priceDecimals(tickBps);
  return (
    <Panel className="market-data" title="Trades" meta="since the dashboard watches this market">
      <Table
        label="Latest trades, taker side"
        empty="No trade yet."
        className="trade-table plain"
        heads={['UTC', 'Taker', ...numeric('Price ¢', 'Shares'), '']}
      >
        {withKeys(trades, ({ time, price }) => `${time}/${price}`).map(
          ([key, { time, taker, price, shares: size, own }]) => {
            const tone = taker === 'BID' ? 'bid' : taker === 'ASK' ? 'ask' : '';
            return (
              <tr key={key}>
                <td className="dim">{clockTime(time)}</td>
                <td className={tone}>{taker === 'BID' ? 'Buy' : taker === 'ASK' ? 'Sell' : '–'}</td>
                <td className={`num bold ${tone}`}>{cents(price, decimals)}</td>
                <td className="num">{shares(size)}</td>
                <td className="num">{own && <span className="tag own">own</span>}</td>
              </tr>
            );
          },
        )}
      </Table>
    </Panel>
  );
});
