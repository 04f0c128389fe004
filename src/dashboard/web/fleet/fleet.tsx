/** All bots: health, profit and loss today, limits in use, alerts. */
import { memo } from 'react';
import { equityQuery } from '../../generated/documents.ts';
import type { Bot, BotState } from '../../generated/schema-types.ts';
import { useApiQuery } from '../client.ts';
import { ACTION_WORDS } from '../dialogs.tsx';
import { actionFor } from '../effects.ts';
import { age, change, counted, gainClass, MISSING, money, percent } from '../format.ts';
import { HEALTH_LABELS, Icon, KindTag, LimitMeter, limitPart, Sparkline, Table, type ViewProps } from '../parts.tsx';
import { marketLink, venueName } from '../route.ts';
import { AlertsPanel } from './alerts.tsx';
import { PnlTodayPanel } from './pnl-today.tsx';
import { FleetStrip, sumOver } from './strip.tsx';

const SPARKLINE_REFRESH_MS = 5_000;
const CAUSES = [
  ['spread', 'Spread'],
  ['inventory', 'Inventory'],
  ['settlement', 'Settled'],
  ['fees', 'Fees'],
  ['rewards', 'Rewards'],
] as const;

export function FleetView({ bots, now, onOpen }: ViewProps) {
  const real = bots.filter(({ state }) => state?.kind === 'LIVE');
  const simulated = bots.filter(({ state }) => state?.kind !== 'LIVE');
  return (
    <main>
      <FleetStrip bots={bots} />
      <section className="panel">
        <Table hasBodies label="Bots: mode, health, profit and loss today, limits in use" className="bots">
          <thead>
            <tr>
              <th colSpan={5} />
              <th colSpan={6} className="group">
                P&amp;L today, $
              </th>
              <th className="group-start" />
              <th colSpan={3} className="group">
                Limit in use
              </th>
              <th colSpan={3} />
            </tr>
            <tr>
              <th>Bot</th>
              <th>Mode</th>
              <th>Health</th>
              <th className="sparkline-cell">Equity today</th>
              <th className="num equity">Equity $</th>
              <th className="num total">Total</th>
              {CAUSES.map(([cause, name], index) => (
                <th key={cause} className={`num cause-${index}`}>
                  {name}
                </th>
              ))}
              <th className="num group-start">Orders</th>
              <th>Worst case</th>
              <th className="loss-limit">Loss</th>
              <th className="rate-limit">Rate budget</th>
              <th className="num two-sided">2-sided %</th>
              <th className="alert-count">Alerts</th>
              <th className="row-action">
                <span className="visually-hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {real.map((bot) => (
              <BotRow key={bot.id} bot={bot} now={now} onOpen={onOpen} />
            ))}
            <SumRow bots={real} isReal />
          </tbody>
          <tbody className="simulated">
            {simulated.map((bot) => (
              <BotRow key={bot.id} bot={bot} now={now} onOpen={onOpen} />
            ))}
            <SumRow bots={simulated} isReal={false} />
          </tbody>
        </Table>
      </section>
      <div className="low">
        <AlertsPanel bots={bots} now={now} />
        <PnlTodayPanel bots={[...real, ...simulated]} />
      </div>
    </main>
  );
}

function findLimitPart({ limits }: BotState, wanted: string): number | null {
  return limitPart(limits.find(({ name }) => name === wanted));
}

type RowProps = Pick<ViewProps, 'now' | 'onOpen'> & { readonly bot: Bot };

const BotRow = memo(function BotRow({ bot, now, onOpen }: RowProps) {
  const { id, state, health } = bot;
  const { tone, icon, text } = HEALTH_LABELS[health];
  const { data } = useApiQuery(equityQuery, { bot: id, points: 100 }, SPARKLINE_REFRESH_MS);
  const equity = data?.equity.equity ?? [];
  const unacknowledged = state?.alerts.filter(({ acknowledged, level }) => !acknowledged && level !== 'INFO') ?? [];
  const isCritical = unacknowledged.some(({ level }) => level === 'CRITICAL');
  const rowClass = tone === 'danger' ? 'row-danger' : tone === 'warn' || unacknowledged.length > 0 ? 'row-warn' : '';
  const first = state?.markets[0];
  const action = actionFor('PAUSE', bot);
  return (
    <tr className={rowClass}>
      <th scope="row">
        <a href={first === undefined ? '#/fleet' : marketLink(id, first.slug)} className="bold">
          {id}
        </a>
        <small>{state === null ? 'not seen yet' : `${state.strategies.join(', ')} · ${venueName(state.venue)}`}</small>
      </th>
      <td>{state === null ? MISSING : <KindTag kind={state.kind} />}</td>
      <td className="nowrap health">
        <span className={`${tone} bold`}>
          <Icon name={icon} /> {text}
        </span>
        <small className="faint" title={bot.healthReason ?? undefined}>
          {bot.healthReason ?? counted(state?.markets.length ?? 0, 'market')}
          {health === 'UNREACHABLE' && bot.seenAt !== null && `, seen ${age(now - bot.seenAt)} ago`}
        </small>
      </td>
      <td className="sparkline-cell">
        <Sparkline values={equity} label={`Equity of ${id} today`} />
      </td>
      <td className="num equity">{money(state?.equity)}</td>
      <td className={`num bold total ${gainClass(state?.today.total, state?.kind === 'LIVE')}`}>
        {change(state?.today.total)}
      </td>
      {CAUSES.map(([cause], index) => (
        <td key={cause} className={`num cause-${index}`}>
          {state?.today[cause] === 0 ? <span className="faint">0.00</span> : change(state?.today[cause])}
        </td>
      ))}
      <td className="num group-start">{state?.openOrders ?? MISSING}</td>
      <td>{state !== null && <LimitMeter part={findLimitPart(state, 'max_total_notional_usd')} />}</td>
      <td className="loss-limit">{state !== null && <LimitMeter part={findLimitPart(state, 'daily_loss_usd')} />}</td>
      <td className="rate-limit">{state !== null && <LimitMeter part={usedRatePart(state)} />}</td>
      <td className="num two-sided">{percent(state?.twoSided)}</td>
      <td className="alert-count">
        {unacknowledged.length > 0 && (
          <span className={`tag ${isCritical ? 'danger' : 'warn'}`}>
            <Icon name={isCritical ? 'kill' : 'warn'} label={isCritical ? 'critical' : 'warning'} />
            {unacknowledged.length}
          </span>
        )}
      </td>
      <td className="num row-action">
        {state !== null && health !== 'UNREACHABLE' && (
          <button type="button" className="btn mini act still" onClick={() => onOpen({ type: 'action', bot, action })}>
            {ACTION_WORDS[action]}
          </button>
        )}
      </td>
    </tr>
  );
});

/** Returns the used part of the most used rate budget, 0 to 1; null if the venue has no limit. */
function usedRatePart({ rates }: BotState): number | null {
  return rates.length === 0 ? null : Math.max(...rates.map(({ left, capacity }) => 1 - left / capacity));
}

function SumRow({ bots, isReal }: { readonly bots: readonly Bot[]; readonly isReal: boolean }) {
  if (bots.length === 0) return null;
  const total = sumOver(bots, ({ today }) => today.total);
  const markets = sumOver(bots, (state) => state.markets.length);
  const counts = `${counted(bots.length, 'bot')}, ${counted(markets, 'market')}`;
  return (
    <tr className={isReal ? 'sum' : 'simulated-total'}>
      <th scope="row" colSpan={3}>
        {isReal ? 'Live total' : 'Simulated'}{' '}
        <span className="dim">{`${counts}, ${isReal ? 'real money' : 'never added to live'}`}</span>
      </th>
      <td className="sparkline-cell" />
      <td className="num equity">{money(sumOver(bots, ({ equity }) => equity))}</td>
      <td className={`num total ${gainClass(total, isReal)}`}>{change(total)}</td>
      {CAUSES.map(([cause], index) => (
        <td key={cause} className={`num cause-${index}`}>
          {change(sumOver(bots, ({ today }) => today[cause]))}
        </td>
      ))}
      <td className="num group-start">{sumOver(bots, ({ openOrders }) => openOrders)}</td>
      {['', 'loss-limit', 'rate-limit', 'two-sided', 'alert-count', 'row-action'].map((column) => (
        <td key={column} className={column} />
      ))}
    </tr>
  );
}
