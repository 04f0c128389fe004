/** The page of a market: quotes, queue positions, position and P&L. */
import { useState } from 'react';
import { marketSubscription } from '../../generated/documents.ts';
import type { Bot, BotAction, Market, MarketLine } from '../../generated/schema-types.ts';
import { useApiSubscription } from '../client.ts';
import { ACTION_WORDS, type Dialog } from '../dialogs.tsx';
import { actionFor, describeEffects } from '../effects.ts';
import {
  age,
  bookAge,
  cents,
  dayTime,
  dollarChange,
  gainClass,
  MISSING,
  money,
  percent,
  position,
  priceDecimals,
  shares,
} from '../format.ts';
import { Empty, HealthTag, KindTag, limitPart, Metric, Panel } from '../parts.tsx';
import { venueName } from '../route.ts';
import { BookPanel, TradesPanel } from './book.tsx';
import { ChartPanel, type ChosenRange } from './chart.tsx';
import { CausesPanel, MarkoutsPanel, QuotesPanel, UptimeLegend } from './panels.tsx';
import { ParametersPanel } from './parameters.tsx';

interface MarketProps {
  readonly bot: Bot;
  readonly slug: string;
  readonly now: number;
  readonly chosenRange: ChosenRange;
  readonly onChooseRange: (range: ChosenRange) => void;
  readonly onOpen: (dialog: Dialog) => void;
  readonly isPhone: boolean;
}

const ACTIONS: readonly (readonly [BotAction, string])[] = [
  ['PAUSE', 'P'],
  ['REDUCE', 'D'],
  ['FLATTEN', 'X'],
  ['KILL', '⇧K'],
];

export function MarketView(props: MarketProps) {
  const { bot, slug, isPhone } = props;
  const update = useApiSubscription(marketSubscription, { bot: bot.id, market: slug });
  if (update === undefined) return <Empty>Waiting for {slug}…</Empty>;
  if (update.market === null) {
    const why = bot.health === 'UNREACHABLE' ? (bot.healthReason ?? 'no answer') : 'the bot does not trade this market';
    return (
      <Empty>
        No data of {slug} from {bot.id}: {why}.
      </Empty>
    );
  }
  return isPhone ? <PhoneMarket {...props} market={update.market} /> : <WideMarket {...props} market={update.market} />;
}

type ShownMarketProps = MarketProps & { readonly market: Market };

function WideMarket(props: ShownMarketProps) {
  const { bot, market, now, chosenRange, onChooseRange, onOpen } = props;
  const isReal = bot.state?.kind === 'LIVE';
  return (
    <>
      <MarketHeader {...props} />
      <MarketStrip {...props} />
      <main>
        <div className="column book-column">
          <BookPanel market={market} />
          <TradesPanel trades={market.trades} tickBps={market.tickBps} />
        </div>
        <div className="column chart-column">
          <div className="column">
            <ChartPanel
              bot={bot.id}
              market={market}
              now={now}
              chosenRange={chosenRange}
              onChooseRange={onChooseRange}
            />
            <UptimeLegend uptime={market.uptime} />
          </div>
          <div className="lower">
            <MarkoutsPanel markouts={market.markouts} />
            <CausesPanel today={market.today} run={market.run} isReal={isReal} />
          </div>
        </div>
        <div className="column action-column">
          <Panel title="Actions" meta="of the whole bot · each asks for confirmation">
            <ul className="action-list">
              {ACTIONS.map(([action, key]) => (
                <li key={action}>
                  <ActionButton bot={bot} action={action} shortcut={key} onOpen={onOpen} />
                  <p className="dim">{describeEffects(actionFor(action, bot), bot.state)[0]}</p>
                </li>
              ))}
            </ul>
          </Panel>
          <div className="column">
            <QuotesPanel market={market} />
            <MarketTerms market={market} />
          </div>
          <ParametersPanel bot={bot.id} market={market.line.slug} parameters={market.parameters} />
        </div>
      </main>
    </>
  );
}

interface ActionButtonProps {
  readonly bot: Bot;
  readonly action: BotAction;
  readonly shortcut?: string;
  readonly onOpen: MarketProps['onOpen'];
}

function ActionButton({ bot, action, shortcut, onOpen }: ActionButtonProps) {
  const shown = actionFor(action, bot);
  const tone = action === 'KILL' ? 'kill' : shown === 'RESUME' || action === 'FLATTEN' ? 'still' : '';
  return (
    <button type="button" className={`btn act ${tone}`} onClick={() => onOpen({ type: 'action', bot, action: shown })}>
      {ACTION_WORDS[shown]} {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </button>
  );
}

function MarketHeader({ bot, market }: ShownMarketProps) {
  const { line, tickBps } = market;
  const decimals = priceDecimals(tickBps);
  const mid = line.doubleMid === null ? null : line.doubleMid / 2;
  return (
    <section className="market-header">
      <div className="crumb">
        {bot.state !== null && <KindTag kind={bot.state.kind} />}
        <span className="bold">{bot.id}</span>
        <span>{bot.state === null ? '' : venueName(bot.state.venue)}</span>
        <span className="faint">/</span>
        <span>{line.strategy ?? 'not traded'}</span>
        <HealthTag bot={bot} />
      </div>
      <div className="price">
        <span className="dim">YES</span>
        <b>{cents(mid, decimals + 1)}¢</b>
      </div>
      <h1>{line.question}</h1>
      <p className="price-note">
        {line.slug} · NO at {cents(mid === null ? null : 10_000 - mid, decimals + 1)}¢
      </p>
    </section>
  );
}

function MarketStrip({ bot, market, now, isPhone }: ShownMarketProps) {
  const { line, averagePrice, today, run, endsAt } = market;
  const held = line.position;
  const used = limitPart(market.limits.find(({ name }) => name === 'max_position'));
  const worstSide = line.worst === 0 ? '' : line.ifYes < line.ifNo ? 'if YES' : 'if NO';
  return (
    <dl className="strip">
      <Metric label={`Position, ${held < 0 ? 'NO' : 'YES'}`} className={held > 0 ? 'bid' : held < 0 ? 'ask' : ''}>
        {position(held)}{' '}
        <small>
          {averagePrice === null ? 'flat' : `at ${cents(averagePrice, 2)}¢`}
          {used !== null && ` · ${percent(used, 0)}% of limit`}
        </small>
      </Metric>
      <Metric label="P&L today" className={gainClass(today.total, bot.state?.kind === 'LIVE')}>
        {dollarChange(today.total)}{' '}
        <small>{isPhone ? `spread ${dollarChange(today.spread)}` : `${dollarChange(run.total)} in this run`}</small>
      </Metric>
      <Metric label="Worst case of this market">
        ${money(line.worst)} <small>{worstSide}</small>
      </Metric>
      <Metric label="Two-sided today">
        {percent(line.twoSided)}% {isPhone && <small>{bookAge(line.bookAgeMs)}</small>}
      </Metric>
      {!isPhone && (
        <>
          <Metric label="Status">
            {statusText(line)}{' '}
            <small>{line.stopped ?? (line.acceptingOrders ? bookAge(line.bookAgeMs) : 'accepts no orders')}</small>
          </Metric>
          <Metric label="Resolves in">
            {endsAt === null ? MISSING : age(endsAt - now)}{' '}
            <small>{endsAt === null ? '' : dayTime(endsAt).slice(0, 16)}</small>
          </Metric>
        </>
      )}
    </dl>
  );
}

function statusText({ status }: MarketLine): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

function MarketTerms({ market }: { readonly market: Market }) {
  const { minShares, feeBps, limits, line, tickBps } = market;
  const spread = line.bid === null || line.ask === null ? null : line.ask - line.bid;
  return (
    <p className="terms">
      <span>
        venue: min order <b>{shares(minShares)}</b> shares
      </span>
      <span>
        taker fee <b>{feeBps === null ? MISSING : `${feeBps} bps`}</b>
      </span>
      <span>
        spread <b>{cents(spread, priceDecimals(tickBps))}¢</b>
      </span>
      {limits.map(({ name, used, limit }) => (
        <span key={name}>
          {name}{' '}
          <b>
            {used.toFixed(0)}
            {limit === null ? '' : ` of ${limit}`}
          </b>
        </span>
      ))}
    </p>
  );
}

const TABS = ['Book', 'Chart', 'Quotes', 'Markouts', 'P&L', 'Params'] as const;

function PhoneMarket(props: ShownMarketProps) {
  const { bot, market, now, chosenRange, onChooseRange, onOpen } = props;
  const [tab, setTab] = useState<(typeof TABS)[number]>('Book');
  const { line, tickBps, today } = market;
  const decimals = priceDecimals(tickBps);
  const isReal = bot.state?.kind === 'LIVE';
  return (
    <>
      <div className="phone-header">
        <div className="phone-row">
          <a href="#/fleet" aria-label="Back to the fleet">
            ‹
          </a>
          {bot.state !== null && <KindTag kind={bot.state.kind} />}
          <span className="bold">{bot.id}</span>
          <HealthTag bot={bot} />
        </div>
        <h1>{line.question}</h1>
        <div className="price-row">
          <b>{cents(line.doubleMid === null ? null : line.doubleMid / 2, decimals + 1)}¢</b>
          <span className="dim">{statusText(line)}</span>
        </div>
        <MarketStrip {...props} />
        <div className="tab-list" role="tablist" aria-label="Parts of the market">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === tab}
              aria-current={name === tab ? 'true' : undefined}
              onClick={() => setTab(name)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <main>
        {tab === 'Book' && <BookPanel market={market} levels={7} />}
        {tab === 'Book' && <TradesPanel trades={market.trades} tickBps={tickBps} />}
        {tab === 'Chart' && (
          <ChartPanel bot={bot.id} market={market} now={now} chosenRange={chosenRange} onChooseRange={onChooseRange} />
        )}
        {tab === 'Chart' && <UptimeLegend uptime={market.uptime} />}
        {tab === 'Quotes' && <QuotesPanel market={market} />}
        {tab === 'Quotes' && <MarketTerms market={market} />}
        {tab === 'Markouts' && <MarkoutsPanel markouts={market.markouts} />}
        {tab === 'P&L' && <CausesPanel today={today} run={market.run} isReal={isReal} />}
        {tab === 'Params' && <ParametersPanel bot={bot.id} market={line.slug} parameters={market.parameters} />}
      </main>
      <div className="phone-actions">
        {ACTIONS.map(([action]) => (
          <ActionButton key={action} bot={bot} action={action} onOpen={onOpen} />
        ))}
      </div>
    </>
  );
}
