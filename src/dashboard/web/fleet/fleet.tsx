/** All bots at a glance: are we making money, and does a bot need me? */
import { memo } from 'react';
import { equityQuery } from '../../generated/documents.ts';
import type { Bot, BotState } from '../../generated/schema-types.ts';
import { useAnswer } from '../client.ts';
import { ACTION_WORDS, type Dialog } from '../dialogs.tsx';
import { meantBy } from '../effects.ts';
import { age, change, gainClass, MISSING, money, percent } from '../format.ts';
import { healthWord, Icon, Mode, Spark, Table, Use } from '../parts.tsx';
import { marketLink, venueName } from '../route.ts';
import { AlertsPanel } from './alerts.tsx';
import { CausesPanel } from './causes.tsx';
import { FleetStrip, sumOf } from './strip.tsx';

interface FleetProps {
  readonly bots: readonly Bot[];
  readonly now: number;
  readonly open: (dialog: Dialog) => void;
}

const SPARK_MS = 5_000;

export function FleetView({ bots, now, open }: FleetProps) {
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
              <th className="num c0">Spread</th>
              <th className="num c1">Inventory</th>
              <th className="num c2">Settled</th>
              <th className="num c3">Fees</th>
              <th className="num c4">Rewards</th>
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
            {real.length > 0 && (
              <SumRow bots={real} className="sum" title="Live total" note={`${counted(real)}, real money`} />
            )}
          </tbody>
          <tbody className="sim">
            {simulated.map((bot) => (
              <BotRow key={bot.id} bot={bot} now={now} open={open} />
            ))}
            {simulated.length > 0 && (
              <SumRow
                bots={simulated}
                className="sim-t"
                title="Simulated"
                note={`${counted(simulated)}, never added to live`}
              />
            )}
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

function counted(bots: readonly Bot[]): string {
  const markets = bots.reduce((sum, { state }) => sum + (state?.markets.length ?? 0), 0);
  return `${bots.length} ${bots.length === 1 ? 'bot' : 'bots'}, ${markets} ${markets === 1 ? 'market' : 'markets'}`;
}

/** Part of a limit that is used, 0 to 1; null without the limit. */
function partOf(state: BotState, name: string): number | null {
  const found = state.limits.find((limit) => limit.name === name);
  if (found?.limit === null || found?.limit === undefined) return null;
  return found.limit === 0 ? 1 : found.used / found.limit;
}

const BotRow = memo(function BotRow({
  bot,
  now,
  open,
}: {
  readonly bot: Bot;
  readonly now: number;
  readonly open: FleetProps['open'];
}) {
  const { id, state, health } = bot;
  const word = healthWord(health);
  const { data } = useAnswer(equityQuery, { bot: id, points: 100 }, SPARK_MS);
  const equity = data?.equity.equity ?? [];
  const shown = state?.alerts.filter(({ acknowledged, level }) => !acknowledged && level !== 'INFO') ?? [];
  const isCritical = shown.some(({ level }) => level === 'CRITICAL');
  const edge = word.tone === 'danger' ? 'x0' : word.tone === 'warn' || shown.length > 0 ? 'w0' : '';
  const first = state?.markets[0];
  const meant = meantBy('PAUSE', bot);
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
          {bot.healthReason ?? `${state?.markets.length ?? 0} ${state?.markets.length === 1 ? 'market' : 'markets'}`}
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
      <Part state={state} cause="spread" column="c0" />
      <Part state={state} cause="inventory" column="c1" />
      <Part state={state} cause="settlement" column="c2" />
      <Part state={state} cause="fees" column="c3" />
      <Part state={state} cause="rewards" column="c4" />
      <td className="num gl">{state?.openOrders ?? MISSING}</td>
      <td>{state !== null && <Use part={partOf(state, 'max_total_notional_usd')} />}</td>
      <td className="ls">{state !== null && <Use part={partOf(state, 'daily_loss_usd')} />}</td>
      <td className="rt">{state !== null && <Use part={rateUse(state)} />}</td>
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
          <button
            type="button"
            className="btn sm act still"
            onClick={() => open({ type: 'action', bot, action: meant })}
          >
            {ACTION_WORDS[meant]}
          </button>
        )}
      </td>
    </tr>
  );
});

function Part({
  state,
  cause,
  column,
}: {
  readonly state: BotState | null;
  readonly cause: 'spread' | 'inventory' | 'settlement' | 'fees' | 'rewards';
  readonly column: string;
}) {
  const value = state?.today[cause];
  return <td className={`num ${column}`}>{value === 0 ? <span className="faint">0.00</span> : change(value)}</td>;
}

/** The fuller of the rate budgets, 0 to 1; null when the venue has no limit. */
function rateUse({ rates }: BotState): number | null {
  return rates.length === 0 ? null : Math.max(...rates.map(({ left, capacity }) => 1 - left / capacity));
}

function SumRow({
  bots,
  className,
  title,
  note,
}: {
  readonly bots: readonly Bot[];
  readonly className: string;
  readonly title: string;
  readonly note: string;
}) {
  const isReal = className === 'sum';
  const total = sumOf(bots, ({ today }) => today.total);
  const cell = (cause: 'spread' | 'inventory' | 'settlement' | 'fees' | 'rewards') =>
    change(sumOf(bots, ({ today }) => today[cause]));
  return (
    <tr className={className}>
      <th scope="row" colSpan={3}>
        {title} <span className="dim">{note}</span>
      </th>
      <td className="sp" />
      <td className="num eqv">{money(sumOf(bots, ({ equity }) => equity))}</td>
      <td className={`num tt ${gainClass(total, isReal)}`}>{change(total)}</td>
      <td className="num c0">{cell('spread')}</td>
      <td className="num c1">{cell('inventory')}</td>
      <td className="num c2">{cell('settlement')}</td>
      <td className="num c3">{cell('fees')}</td>
      <td className="num c4">{cell('rewards')}</td>
      <td className="num gl">{sumOf(bots, ({ openOrders }) => openOrders)}</td>
      <td />
      <td className="ls" />
      <td className="rt" />
      <td className="up" />
      <td className="al" />
      <td className="ra" />
    </tr>
  );
}
