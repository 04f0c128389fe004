/** All bots at a glance: are we making money, and does a bot need me? */
import { useMemo } from 'react';
import { acknowledgeMutation, equityQuery } from '../generated/documents.ts';
import type { Alert, Bot, BotState } from '../generated/schema-types.ts';
import { act, useAnswer } from './client.ts';
import type { Dialog } from './dialogs.tsx';
import { age, change, clockTime, dollarChange, gainClass, MISSING, money, percent } from './format.ts';
import { Empty, Figure, healthWord, Icon, Mode, Panel, Spark, Use, vars } from './parts.tsx';

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
        <div className="scroll">
          <table className="bots">
            <caption className="vh">Bots: mode, health, profit and loss today, limits in use</caption>
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
          </table>
        </div>
      </section>
      <div className="low">
        <AlertsPanel bots={bots} now={now} />
        <CausesPanel bot={real[0] ?? simulated[0]} />
      </div>
    </main>
  );
}

function counted(bots: readonly Bot[]): string {
  const markets = bots.reduce((sum, { state }) => sum + (state?.markets.length ?? 0), 0);
  return `${bots.length} ${bots.length === 1 ? 'bot' : 'bots'}, ${markets} ${markets === 1 ? 'market' : 'markets'}`;
}

/** Sum of a figure over the bots that said it. */
function sumOf(bots: readonly Bot[], figure: (state: BotState) => number): number {
  return bots.reduce((sum, { state }) => sum + (state === null ? 0 : figure(state)), 0);
}

function FleetStrip({ bots }: { readonly bots: readonly Bot[] }) {
  const live = bots.filter(({ state }) => state?.kind === 'LIVE');
  const isReal = live.length > 0;
  const shown = isReal ? live : bots;
  const what = isReal ? 'Live' : 'Simulated';
  const today = sumOf(shown, ({ today: { total } }) => total);
  const spread = sumOf(shown, (state) => state.today.spread);
  const inventory = sumOf(shown, (state) => state.today.inventory);
  const worst = sumOf(shown, ({ worstCase }) => worstCase);
  const limit = worstLimit(shown);
  const quoting = shown.filter(({ health }) => health === 'QUOTING' || health === 'ONE_SIDED').length;
  const needy = neediest(bots);
  return (
    <dl className="strip">
      <Figure
        label={`${what} P&L today`}
        hero
        className={gainClass(today, isReal)}
        context={`spread ${change(spread)} · inventory ${change(inventory)} · other ${change(today - spread - inventory)}`}
      >
        {dollarChange(today)}
      </Figure>
      <Figure label={`${what} equity`} context={`cash ${money(sumOf(shown, ({ cash }) => cash))}`}>
        ${money(sumOf(shown, ({ equity }) => equity))}
      </Figure>
      <Figure label="Worst case if every market goes against the bots">
        ${money(worst)} <small>{limit === null ? 'no limit' : `of $${money(limit)}`}</small>
        {limit !== null && (
          <div className="meter" style={vars({ '--v': `${Math.min(100, (worst / limit) * 100)}%` })}>
            <i />
          </div>
        )}
      </Figure>
      <Figure label={`${what} bots quoting`} context={`${sumOf(shown, ({ openOrders }) => openOrders)} orders open`}>
        {quoting} <small>of {shown.length}</small>
      </Figure>
      <Figure
        label="Needs you"
        className={needy === undefined ? 'ok' : healthWord(needy.health).tone}
        context={needy?.healthReason ?? 'every bot quotes'}
      >
        {needy === undefined ? 'Nothing' : `${needy.id}: ${healthWord(needy.health).text.toLowerCase()}`}
      </Figure>
    </dl>
  );
}

/** Sum of the bots' limits of their worst case, micro-USD; null when one has none. */
function worstLimit(bots: readonly Bot[]): number | null {
  let sum = 0;
  for (const { state } of bots) {
    const limit = state?.limits.find(({ name }) => name === 'max_total_notional_usd')?.limit;
    if (limit === null || limit === undefined) return null;
    sum += limit * 1_000_000;
  }
  return sum === 0 ? null : sum;
}

const NEED: readonly Bot['health'][] = [
  'KILLED',
  'UNREACHABLE',
  'LINK_DOWN',
  'COMPARING',
  'STALE',
  'PAUSED',
  'REDUCING',
  'ONE_SIDED',
  'IDLE',
];

function neediest(bots: readonly Bot[]): Bot | undefined {
  return bots
    .filter(({ health }) => health !== 'QUOTING')
    .toSorted((a, b) => NEED.indexOf(a.health) - NEED.indexOf(b.health))[0];
}

/** Part of a limit that is used, 0 to 1; null without the limit. */
function partOf(state: BotState, name: string): number | null {
  const found = state.limits.find((limit) => limit.name === name);
  if (found?.limit === null || found?.limit === undefined) return null;
  return found.limit === 0 ? 1 : found.used / found.limit;
}

function BotRow({ bot, now, open }: { readonly bot: Bot; readonly now: number; readonly open: FleetProps['open'] }) {
  const { id, state, health } = bot;
  const word = healthWord(health);
  const { data } = useAnswer(equityQuery, { bot: id, points: 100 }, SPARK_MS);
  const equity = data?.equity.equity ?? [];
  const shown = state?.alerts.filter(({ acknowledged, level }) => !acknowledged && level !== 'INFO') ?? [];
  const isCritical = shown.some(({ level }) => level === 'CRITICAL');
  const edge = word.tone === 'danger' ? 'x0' : word.tone === 'warn' || shown.length > 0 ? 'w0' : '';
  const first = state?.markets[0];
  return (
    <tr className={edge}>
      <th scope="row">
        <a href={first === undefined ? '#/fleet' : marketLink(id, first.slug)} className="b">
          {id}
        </a>
        <small>{state === null ? 'not seen yet' : `${state.strategies.join(', ')} · ${venueName(state.venue)}`}</small>
      </th>
      <td>{state === null ? MISSING : <Mode kind={state.kind} />}</td>
      <td className="nw">
        <span className={`${word.tone} b`}>
          <Icon name={word.icon} /> {word.text}
        </span>
        <small className="faint">
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
            onClick={() => open({ type: 'action', bot, action: state.mode === 'ACTIVE' ? 'PAUSE' : 'RESUME' })}
          >
            {state.mode === 'ACTIVE' ? 'Pause' : 'Resume'}
          </button>
        )}
      </td>
    </tr>
  );
}

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
export function rateUse({ rates }: BotState): number | null {
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

interface BotAlert extends Alert {
  readonly bot: string;
}

const LEVELS = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const;
const ALERT_ICONS = { CRITICAL: ['kill', 'danger'], WARNING: ['warn', 'warn'], INFO: ['ok', 'ok'] } as const;
const MOST_ALERTS = 50;

function AlertsPanel({ bots, now }: { readonly bots: readonly Bot[]; readonly now: number }) {
  const alerts = useMemo(() => {
    const all = bots.flatMap(
      ({ id, state }): readonly BotAlert[] => state?.alerts.map((alert) => ({ ...alert, bot: id })) ?? [],
    );
    return all
      .toSorted(
        (a, b) =>
          Number(a.acknowledged) - Number(b.acknowledged) || LEVELS[a.level] - LEVELS[b.level] || b.time - a.time,
      )
      .slice(0, MOST_ALERTS);
  }, [bots]);
  const open = alerts.filter(({ acknowledged }) => !acknowledged);
  const critical = open.filter(({ level }) => level === 'CRITICAL').length;
  const warnings = open.filter(({ level }) => level === 'WARNING').length;
  const title = (
    <>
      <h2>Alerts</h2>
      {critical > 0 && <span className="tag danger">{critical} critical</span>}
      {warnings > 0 && (
        <span className="tag warn">
          {warnings} {warnings === 1 ? 'warning' : 'warnings'}
        </span>
      )}
    </>
  );
  return (
    <Panel title={title} meta="worst first">
      {alerts.length === 0 ? (
        <Empty>No alert since the bots started.</Empty>
      ) : (
        <div className="scroll">
          <table className="alr">
            <caption className="vh">Alerts, worst first</caption>
            <tbody>
              {alerts.map(({ bot, id, level, time, text, count, acknowledged }) => (
                <tr key={`${bot}/${id}`}>
                  <td className={ALERT_ICONS[level][1]}>
                    <Icon name={ALERT_ICONS[level][0]} label={level.toLowerCase()} />
                  </td>
                  <td className="dim nw">{clockTime(time)}</td>
                  <td className="b nw">{bot}</td>
                  <td className="msg">
                    {text}
                    {count > 1 && ` (${count} times)`}
                  </td>
                  <td className="num dim">{age(now - time)}</td>
                  <td className="num">
                    {acknowledged ? (
                      <span className="faint">seen</span>
                    ) : (
                      <button
                        type="button"
                        className="btn sm"
                        onClick={() => void act(acknowledgeMutation, { bot, alert: id })}
                      >
                        Ack
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** Total, spread and inventory over the day. */
function CausesPanel({ bot }: { readonly bot: Bot | undefined }) {
  const { data } = useAnswer(equityQuery, { bot: bot?.id ?? '', points: 300 }, SPARK_MS);
  const today = data?.equity;
  const isSum = bot?.state !== null && bot !== undefined;
  const meta = '$ since 00:00 UTC, or since the bot started';
  if (today === undefined || today.time.length < 2 || !isSum) {
    return (
      <Panel title="P&L today by cause" meta={meta}>
        <Empty>The line begins when the dashboard has watched for some seconds.</Empty>
      </Panel>
    );
  }
  const other = today.total.map((total, index) => total - (today.spread[index] ?? 0) - (today.inventory[index] ?? 0));
  const lines = [
    { name: 'Spread', values: today.spread, className: 's1' },
    { name: 'Inventory', values: today.inventory, className: 's2' },
    { name: 'Other', values: other, className: 's3' },
    { name: 'Total', values: today.total, className: 'tl' },
  ];
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = high - low || 1;
  const y = (value: number): number => 920 - ((value - low) / span) * 840;
  const x = (index: number): number => (index / (today.time.length - 1)) * 1_000;
  const last = (values: readonly number[]): number => values.at(-1) ?? 0;
  const name = lines.map((line) => `${line.name} ${dollarChange(last(line.values))}`).join(', ');
  return (
    <Panel title={`P&L today by cause, ${bot?.id ?? ''}`} meta={meta}>
      <div className="eq">
        <div className="ay">
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
          aria-label={`P&L today of ${bot?.id ?? ''}: ${name}`}
        >
          <line className="zero" x1="0" x2="1000" y1={y(0)} y2={y(0)} />
          {lines.map(({ name: key, values, className }) => (
            <path
              key={key}
              className={`ln ${className}`}
              d={`M${values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`}
            />
          ))}
        </svg>
        <div className="lb">
          {spreadOut(lines.map((line) => ({ ...line, top: y(last(line.values)) / 10 }))).map(
            ({ name: key, values, top }) => (
              <span
                key={key}
                style={{ top: `${top}%` }}
                className={key === 'Total' ? gainClass(last(values), bot?.state?.kind === 'LIVE') : ''}
              >
                {key}
                <b>{change(last(values))}</b>
              </span>
            ),
          )}
        </div>
        <i />
        <div className="tx">
          <span style={{ left: '4%' }}>{clockTime(today.time[0])}</span>
          <span style={{ left: '94%' }}>{clockTime(today.time.at(-1))}</span>
        </div>
      </div>
    </Panel>
  );
}

/** Moves labels apart so that none covers another. */
function spreadOut<Label extends { readonly top: number }>(labels: readonly Label[]): readonly Label[] {
  let before = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.top - b.top)
    .map((label) => {
      const top = Math.max(label.top, before + 9);
      before = top;
      return { ...label, top };
    });
}

export function marketLink(bot: string, market: string): string {
  return `#/market/${encodeURIComponent(bot)}/${encodeURIComponent(market)}`;
}

/** Host of a venue's URL. */
export function venueName(url: string): string {
  return URL.parse(url)?.host ?? url;
}
