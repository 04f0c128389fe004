/** Risk limits with their use, worst cases, kill switches and links. */
import { memo } from 'react';
import type { Bot, LimitUse } from '../../generated/schema-types.ts';
import { age, grouped, MISSING, money } from '../format.ts';
import { openBooks } from '../market/calculations.ts';
import { Icon, LimitMeter, limitPart, Metric, numeric, Panel, Table, type ViewProps } from '../parts.tsx';
import { AgesPanel, AuditPanel, KillPanel, LinksPanel, RatesPanel } from './operations.tsx';
import { WorstPanel } from './worst.tsx';

const MAX_ROWS = 200;

interface BotLimit extends LimitUse {
  readonly bot: string;
  /** 0 to 1 and above; null without a limit. */
  readonly part: number | null;
}

export const RiskView = memo(function RiskView({ bots, onOpen }: Pick<ViewProps, 'bots' | 'onOpen'>) {
  const limits = bots
    .flatMap(
      ({ id, state }) => state?.limits.map((limit): BotLimit => ({ ...limit, bot: id, part: limitPart(limit) })) ?? [],
    )
    .toSorted((a, b) => (b.part ?? -1) - (a.part ?? -1));
  return (
    <>
      <RiskStrip bots={bots} limits={limits} />
      <main>
        <div className="risk-upper">
          <LimitsPanel limits={limits.slice(0, MAX_ROWS)} />
          <WorstPanel bots={bots} />
        </div>
        <div className="risk-lower">
          <div className="stack">
            <KillPanel bots={bots} onOpen={onOpen} />
            <LinksPanel bots={bots} />
          </div>
          <div className="stack">
            <RatesPanel bots={bots} />
            <AgesPanel bots={bots} />
          </div>
          <AuditPanel />
        </div>
      </main>
    </>
  );
});

function isClose({ part }: BotLimit): boolean {
  return part !== null && part >= 0.8;
}

function isBreached({ part }: BotLimit): boolean {
  return part !== null && part > 1;
}

function RiskStrip({ bots, limits }: { readonly bots: readonly Bot[]; readonly limits: readonly BotLimit[] }) {
  const breached = limits.filter(isBreached).length;
  const close = limits.filter((limit) => isClose(limit) && !isBreached(limit)).length;
  const tightest = limits.find(({ part }) => part !== null);
  const states = bots.flatMap(({ state }) => state ?? []);
  const killed = bots.filter(({ health }) => health === 'KILLED').map(({ id }) => id);
  const worst = states.reduce((sum, { worstCase }) => sum + worstCase, 0);
  const { ages, missing } = openBooks(states.flatMap(({ markets }) => markets));
  const skew = states.map(({ clockSkewMs }) => clockSkewMs).toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
  const tone = breached > 0 ? 'danger' : close > 0 ? 'warn' : 'ok';
  return (
    <dl className="strip">
      <Metric
        label="Limits"
        isHero
        className={tone}
        context={tightest === undefined ? 'no limit is set' : `tightest: ${tightest.name}, ${tightest.scope}`}
      >
        <Icon name={breached > 0 ? 'kill' : close > 0 ? 'warn' : 'ok'} />{' '}
        {breached === 0 && close === 0 ? 'All below 80%' : `${breached} breached, ${close} close`}
      </Metric>
      <Metric label="Worst case, all bots">${money(worst)}</Metric>
      <Metric
        label="Kill switch"
        className={killed.length > 0 ? 'danger' : ''}
        context={killed.length > 0 ? `${killed.join(', ')}: killed until resumed` : 'armed on every bot'}
      >
        {killed.length > 0 ? `${killed.length} killed` : 'Armed'}
      </Metric>
      <Metric
        label="Oldest open book"
        className={missing > 0 ? 'warn' : ''}
        context={`${ages.length} books${missing > 0 ? `, ${missing} not received yet` : ''}`}
      >
        {age(ages[0])}
      </Metric>
      <Metric label="Largest clock skew">{skew === undefined ? MISSING : `${skew.toFixed(0)} ms`}</Metric>
    </dl>
  );
}

const UNIT_DECIMALS = { USD: 2, SHARES: 0, COUNT: 0, MS: 0, BPS: 0 } as const;

function inUnit(value: number | null, unit: LimitUse['unit']): string {
  if (value === null) return MISSING;
  return `${value < 0 ? '−' : ''}${grouped(Math.abs(value), UNIT_DECIMALS[unit])}`;
}

const UNIT_WORDS = { USD: '$', SHARES: 'shares', COUNT: '', MS: 'ms', BPS: 'bps' } as const;

function LimitsPanel({ limits }: { readonly limits: readonly BotLimit[] }) {
  return (
    <Panel title="Limits" meta={`${limits.length} limits, closest first · tick at 80%`}>
      <Table
        label="Risk limits with use and headroom"
        className="limit-table"
        heads={[
          'Limit',
          'Scope',
          'Bot',
          ...numeric('In use', 'Limit', 'Headroom'),
          { className: 'used', text: 'Use' },
          'At breach',
        ]}
      >
        {limits.map((limit) => {
          const { bot, name, scope, used, limit: max, unit, part, atBreach } = limit;
          const key = `${bot}/${name}/${scope}`;
          return (
            <tr key={key} className={isBreached(limit) ? 'row-danger' : isClose(limit) ? 'row-warn' : ''}>
              <th scope="row" className="bold" title={UNIT_WORDS[unit]}>
                {name}
              </th>
              <td className="dim" title={scope}>
                {scope}
              </td>
              <td className="dim">{bot}</td>
              <td className="num bold">{inUnit(used, unit)}</td>
              <td className="num">{inUnit(max, unit)}</td>
              <td className="num">{max === null ? MISSING : inUnit(max - used, unit)}</td>
              <td className="used">
                <LimitMeter part={part} />
              </td>
              <td className={isBreached(limit) ? 'danger bold' : 'dim'}>
                {atBreach === 'kill' ? 'kills the bot' : 'refuses orders'}
              </td>
            </tr>
          );
        })}
      </Table>
    </Panel>
  );
}
