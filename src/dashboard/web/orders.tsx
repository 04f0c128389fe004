import { useState } from 'react';
import { fillsQuery, ordersQuery } from '../generated/documents.ts';
import type { Fill, Order } from '../generated/schema-types.ts';
import { useApiQuery } from './client.ts';
import { fillsCsv, ordersCsv } from './csv.ts';
import { age, cents, dayTime, money, shares } from './format.ts';
import { BotChoice, Empty, numeric, Table, type ViewProps, withKeys } from './parts.tsx';
import { marketLink } from './route.ts';

const MAX_ROWS = 500;
const MAX_FILLS = 1_000;
const SIDES = ['BID', 'ASK'] as const;

export function OrdersView({ bots, now, onOpen }: ViewProps) {
  const [bot, setBot] = useState('');
  const [market, setMarket] = useState('');
  const [side, setSide] = useState('');
  const chosen = { bot: bot === '' ? null : bot };
  const orders = useApiQuery(ordersQuery, chosen, 1_000);
  const text = market.trim();
  const isSlug = bots.some(({ state }) => state?.markets.some(({ slug }) => slug === text));
  const filter = {
    ...chosen,
    // The API finds these fills among all that a bot keeps.
    market: isSlug ? text : null,
    marketContains: isSlug || text === '' ? null : text,
    from: null,
    until: null,
    side: SIDES.find((each) => each === side) ?? null,
  };
  const fills = useApiQuery(fillsQuery, { filter, first: MAX_FILLS }, 2_000);
  const problem = orders.problem ?? fills.problem;
  const isShown = (each: { readonly market: string; readonly side: string }): boolean =>
    (isSlug ? each.market === text : each.market.includes(text)) && (side === '' || each.side === side);
  const openOrders = (orders.data?.orders ?? []).filter(isShown);
  const shownFills = (fills.data?.fills ?? []).filter(isShown);
  return (
    <main className="list-page">
      <section className="panel">
        <div className="filters">
          <BotChoice bots={bots} value={bot} onChange={setBot} hasAllOption />
          <input
            aria-label="Market"
            placeholder="Market"
            value={market}
            onChange={(event) => setMarket(event.target.value)}
          />
          <select aria-label="Side" value={side} onChange={(event) => setSide(event.target.value)}>
            <option value="">Both sides</option>
            <option value="BID">Bids and purchases</option>
            <option value="ASK">Asks and sales</option>
          </select>
          <button
            type="button"
            className="btn"
            disabled={shownFills.length === 0}
            onClick={() => download('fills.csv', fillsCsv(shownFills))}
          >
            Export fills as CSV
          </button>
          <button
            type="button"
            className="btn"
            disabled={openOrders.length === 0}
            onClick={() => download('orders.csv', ordersCsv(openOrders))}
          >
            Export orders as CSV
          </button>
          {problem !== undefined && <span className="danger">{problem}</span>}
        </div>
        <header>
          <h2>Open orders</h2>
          <span className="meta">{openOrders.length} orders · prices in YES cents</span>
        </header>
        <OrdersTable orders={openOrders} now={now} onOpen={onOpen} />
        <header>
          <h2>Fills</h2>
          <span className="meta">the newest first, at most {MAX_FILLS}</span>
        </header>
        <FillsTable fills={shownFills} />
      </section>
    </main>
  );
}

function hiddenRows(count: number, noun: string) {
  return count > MAX_ROWS && <Empty>{`${count - MAX_ROWS} more ${noun}: narrow the filter, or export them.`}</Empty>;
}

function OrdersTable({ orders, now, onOpen }: Omit<ViewProps, 'bots'> & { readonly orders: readonly Order[] }) {
  if (orders.length === 0) return <Empty>No open order.</Empty>;
  return (
    <Table
      label="Open orders"
      more={hiddenRows(orders.length, 'orders')}
      heads={[
        'Market',
        'Bot',
        'Side',
        ...numeric('Price ¢', 'Remaining'),
        'Outcome',
        'State',
        ...numeric('Age'),
        'Tag',
        { text: <span className="visually-hidden">Cancel</span> },
      ]}
    >
      {orders.slice(0, MAX_ROWS).map((each) => {
        const { bot, order, market, side, price, remaining, outcome, phase, since, tag } = each;
        return (
          <tr key={`${bot}/${order}`}>
            <th scope="row">
              <a href={marketLink(bot, market)}>{market}</a>
            </th>
            <td className="dim">{bot}</td>
            <td className={side === 'BID' ? 'bid' : 'ask'}>{side === 'BID' ? 'Bid' : 'Ask'}</td>
            <td className="num bold">{cents(price, 2)}</td>
            <td className="num">{shares(remaining)}</td>
            <td className="dim">{outcome}</td>
            <td className={phase === 'unknown' ? 'warn' : 'dim'}>{phase}</td>
            <td className="num">{age(now - since)}</td>
            <td className="dim">{tag}</td>
            <td>
              <button
                type="button"
                className="btn"
                aria-label={`Cancel order ${order} of ${bot}`}
                onClick={() => onOpen({ type: 'cancel order', order: each })}
              >
                Cancel
              </button>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function FillsTable({ fills }: { readonly fills: readonly Fill[] }) {
  if (fills.length === 0) return <Empty>No fill found.</Empty>;
  return (
    <Table
      label="Fills, the newest first"
      more={hiddenRows(fills.length, 'fills')}
      heads={['UTC', 'Market', 'Bot', 'Side', ...numeric('Price ¢', 'Shares', 'Fee $'), 'Liquidity', 'Tag']}
    >
      {withKeys(fills.slice(0, MAX_ROWS), (fill) => `${fill.bot}/${fill.time}/${fill.trade ?? ''}`).map(
        ([key, { bot, time, market, side, price, shares: size, fee, maker, tag }]) => (
          <tr key={key}>
            <td className="dim nowrap">{dayTime(time)}</td>
            <th scope="row">
              <a href={marketLink(bot, market)}>{market}</a>
            </th>
            <td className="dim">{bot}</td>
            <td className={side === 'BID' ? 'bid' : 'ask'}>{side === 'BID' ? 'Bought' : 'Sold'}</td>
            <td className="num bold">{cents(price, 2)}</td>
            <td className="num">{shares(size)}</td>
            <td className="num">{money(fee)}</td>
            <td className="dim">{maker ? 'maker' : 'taker'}</td>
            <td className="dim">{tag}</td>
          </tr>
        ),
      )}
    </Table>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
