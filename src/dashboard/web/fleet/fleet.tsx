/** All bots at a glance: are we making money, and does a bot need me? */
import { memo } from 'react';
import { equityQuery } from '../../generated/documents.ts';
import type { Bot, BotState } from '../../generated/schema-types.ts';
import { useAnswer } from '../client.ts';
import { ACTION_WORDS } from '../dialogs.tsx';
import { actionFor } from '../effects.ts';
import { age, change, counted, gainClass, MISSING, money, percent } from '../format.ts';
import { HEALTH_LABELS, Icon, LimitMeter, limitPart, Mode, Spark, Table, type ViewProps } from '../parts.tsx';
import { marketLink, venueName } from '../route.ts';
import { AlertsPanel } from './alerts.tsx';
import { CausesPanel } from './causes.tsx';
import { FleetStrip, sumOver } from './strip.tsx';

const SPARK_INTERVAL_MS = 5_000;
const CAUSES = [
  ['spread', 'Spread'],
  ['inventory', 'Inventory'],
  ['settlement', 'Settled'],
  ['fees', 'Fees'],
  ['rewards', 'Rewards'],
] as const;

export function FleetView({ bots, now, open }: ViewProps) {
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
              <th colSpan={6} className="grp">
                P&amp;L today, $
              </th>
              <th className="gl" />
              <th colSpan={3} className="grp">
                Limit in use
              </th>
              <th colSpan={3} />
            </tr>
            <tr>
              <th>Bot</th>
              <th>Mode</th>
              <th>Health</th>
              <th className="sp">Equity today</th>
              <th className="num eqv">Equity $</th>
              <th className="num tt">Total</th>
              {CAUSES.map(([cause, name], at) => (
                <th key={cause} className={`num c${at}`}>
                  {name}
                </th>
              ))}
              <th className="num gl">Orders</th>
              <th>Worst case</th>
              <th className="ls">Loss</th>
              <th className="rt">Rate budget</th>
              <th className="num up">2-sided %</th>
              <th className="al">Alerts</th>
              <th className="ra">
                <span className="vh">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {real.map((bot) => (
              <BotRow key={bot.id} bot={bot} now={now} open={open} />
            ))}
            <SumRow bots={real} isReal />
          </tbody>
          <tbody className="sim">
            {simulated.map((bot) => (
              <BotRow key={bot.id} bot={bot} now={now} open={open} />
            ))}
            <SumRow bots={simulated} isReal={false} />
          </tbody>
        </Table>
      </section>
      <div className="low">
        <AlertsPanel bots={bots} now={now} />
        <CausesPanel bots={[...real, ...simulated]} />
      </div>
    </main>
  );
}

function findLimitPart({ limits }: BotState, wanted: string): number | null {
  return limitPart(limits.find(({ name }) => name === wanted));
}

type RowProps = Pick<ViewProps, 'now' | 'open'> & { readonly bot: Bot };

const BotRow = memo(function BotRow({ bot, now, open }: RowProps) {
  const { id, state, health } = bot;
  const word = HEALTH_LABELS[health];
  const { data } = useAnswer(equityQuery, { bot: id, points: 100 }, SPARK_INTERVAL_MS);
  const equity = data?.equity.equity ?? [];
  const shown = state?.alerts.filter(({ acknowledged, level }) => !acknowledged && level !== 'INFO') ?? [];
  const isCritical = shown.some(({ level }) => level === 'CRITICAL');
  const edge = word.tone === 'danger' ? 'x0' : word.tone === 'warn' || shown.length > 0 ? 'w0' : '';
  const first = state?.markets[0];
  const action = actionFor('PAUSE', bot);
  return (
    <tr className={edge}>
      <th scope="row">
        <a href={first === undefined ? '#/fleet' : marketLink(id, first.slug)} className="b">
          {id}
        </a>
        <small>{state === null ? 'not seen yet' : `${state.strategies.join(', ')} · ${venueName(state.venue)}`}</small>
      </th>
      <td>{state === null ? MISSING : <Mode kind={state.kind} />}</td>
      <td className="nw he">
        <span className={`${word.tone} b`}>
          <Icon name={word.icon} /> {word.text}
        </span>
        <small className="faint" title={bot.healthReason ?? undefined}>
          {bot.healthReason ?? counted(state?.markets.length ?? 0, 'market')}
          {health === 'UNREACHABLE' && bot.seenAt !== null && `, seen ${age(now - bot.seenAt)} ago`}
        </small>
      </td>
      <td className="sp">
        <Spark values={equity} label={`Equity of ${id} today`} />
      </td>
      <td className="num eqv">{money(state?.equity)}</td>
      <td className={`num b tt ${gainClass(state?.today.total, state?.kind === 'LIVE')}`}>
        {change(state?.today.total)}
      </td>
      {CAUSES.map(([cause], at) => (
        <td key={cause} className={`num c${at}`}>
          {state?.today[cause] === 0 ? <span className="faint">0.00</span> : change(state?.today[cause])}
        </td>
      ))}
      <td className="num gl">{state?.openOrders ?? MISSING}</td>
      <td>{state !== null && <LimitMeter part={findLimitPart(state, 'max_total_notional_usd')} />}</td>
      <td className="ls">{state !== null && <LimitMeter part={findLimitPart(state, 'daily_loss_usd')} />}</td>
      <td className="rt">{state !== null && <LimitMeter part={rateUse(state)} />}</td>
      <td className="num up">{percent(state?.twoSided)}</td>
      <td className="al">
        {shown.length > 0 && (
          <span className={`tag ${isCritical ? 'danger' : 'warn'}`}>
            <Icon name={isCritical ? 'kill' : 'warn'} label={isCritical ? 'critical' : 'warning'} />
            {shown.length}
          </span>
        )}
      </td>
      <td className="num ra">
        {state !== null && health !== 'UNREACHABLE' && (
          <button type="button" className="btn sm act still" onClick={() => open({ type: 'action', bot, action })}>
            {ACTION_WORDS[action]}
          </button>
        )}
      </td>
    </tr>
  );
});

/** Returns the used part of the most used rate budget, 0 to 1; null if the venue has no limit. */
function rateUse({ rates }: BotState): number | null {
  return rates.length === 0 ? null : Math.max(...rates.map(({ left, capacity }) => 1 - left / capacity));
}

function SumRow({ bots, isReal }: { readonly bots: readonly Bot[]; readonly isReal: boolean }) {
  if (bots.length === 0) return null;
  const total = sumOver(bots, ({ today }) => today.total);
  const markets = sumOver(bots, (state) => state.markets.length);
  const counts = `${counted(bots.length, 'bot')}, ${counted(markets, 'market')}`;
  return (
    <tr className={isReal ? 'sum' : 'sim-t'}>
      <th scope="row" colSpan={3}>
        {isReal ? 'Live total' : 'Simulated'}{' '}
        <span className="dim">{`${counts}, ${isReal ? 'real money' : 'never added to live'}`}</span>
      </th>
      <td className="sp" />
      <td className="num eqv">{money(sumOver(bots, ({ equity }) => equity))}</td>
      <td className={`num tt ${gainClass(total, isReal)}`}>{change(total)}</td>
      {CAUSES.map(([cause], at) => (
        <td key={cause} className={`num c${at}`}>
          {change(sumOver(bots, ({ today }) => today[cause]))}
        </td>
      ))}
      <td className="num gl">{sumOver(bots, ({ openOrders }) => openOrders)}</td>
      {['', 'ls', 'rt', 'up', 'al', 'ra'].map((column) => (
        <td key={column} className={column} />
      ))}
    </tr>
  );
}
