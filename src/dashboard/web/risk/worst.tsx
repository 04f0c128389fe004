import type { Bot } from '../../generated/schema-types.ts';
import { change, money, position } from '../format.ts';
import { numeric, Panel, Table } from '../parts.tsx';
import { marketLink } from '../route.ts';

const MAX_EVENTS = 200;
const MAX_MARKETS = 50;

/** Groups the markets at risk by event. A market without an event is its own group. */
function groupByEvent(bots: readonly Bot[]) {
  return bots
    .flatMap(({ id, state }) => {
      const atRisk =
        state?.markets.filter(({ position: held, openOrders, worst }) => held !== 0 || openOrders > 0 || worst !== 0) ??
        [];
      const byEvent = Map.groupBy(atRisk, ({ event, slug }) => event ?? slug);
      return [...byEvent].map(([name, markets]) => {
        const limit = state?.limits.find((each) => each.name === 'max_event_notional_usd' && each.scope === name);
        const total = markets.reduce((sum, { worst }) => sum + worst, 0);
        const sorted = markets.toSorted((a, b) => b.worst - a.worst);
        return { name, bot: id, markets: sorted, worst: limit === undefined ? total : limit.used * 1_000_000 };
      });
    })
    .toSorted((a, b) => b.worst - a.worst)
    .slice(0, MAX_EVENTS);
}

export function WorstPanel({ bots }: { readonly bots: readonly Bot[] }) {
  const groups = groupByEvent(bots);
  const largest = Math.max(
    1,
    ...groups.flatMap(({ markets }) => markets.flatMap(({ ifYes, ifNo }) => [Math.abs(ifYes), Math.abs(ifNo)])),
  );
  const meta = (
    <>
      <span className="bid">■</span> if YES <span className="ask">■</span> if NO · open orders filled
    </>
  );
  return (
    <Panel title="Worst case by event" meta={meta}>
      <Table
        hasBodies
        label="Profit or loss of each market by outcome"
        empty="Nothing is at stake: no bot has an order or a position."
        className="worst-table plain"
        heads={[
          'Event, market',
          ...numeric('Position sh', 'If YES $', 'If NO $'),
          { className: 'outcome-bars' },
          ...numeric('Worst $'),
        ]}
      >
        {groups.map(({ name, bot, markets, worst }) => (
          <tbody key={`${bot}/${name}`}>
            <tr className="event-row">
              <th scope="row" className="bold">
                {markets[0]?.event === null ? markets[0].question : name} <span className="dim">{bot}</span>
              </th>
              <td colSpan={4} />
              <td className="num bold">{money(worst)}</td>
            </tr>
            {markets.slice(0, MAX_MARKETS).map(({ slug, question, position: held, ifYes, ifNo, worst: loss }) => (
              <tr key={slug}>
                <th scope="row" className="indented">
                  <a href={marketLink(bot, slug)}>{question}</a>
                </th>
                <td className={`num ${held > 0 ? 'bid' : held < 0 ? 'ask' : ''}`}>{position(held)}</td>
                <td className="num">{change(ifYes)}</td>
                <td className="num">{change(ifNo)}</td>
                <td className="outcome-bars">
                  <div className="pair">
                    <i style={barStyle(ifYes, largest)} />
                    <i className="if-no" style={barStyle(ifNo, largest)} />
                  </div>
                </td>
                <td className="num">{money(loss)}</td>
              </tr>
            ))}
            {markets.length > MAX_MARKETS && (
              <tr>
                <td className="indented dim" colSpan={6}>
                  {markets.length - MAX_MARKETS} more markets with less at stake
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </Table>
    </Panel>
  );
}

function barStyle(value: number, largest: number) {
  const width = (Math.abs(value) / largest) * 50;
  return { width: `${width}%`, left: `${value < 0 ? 50 - width : 50}%` };
}
