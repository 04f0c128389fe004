import { auditQuery } from '../../generated/documents.ts';
import type { Bot } from '../../generated/schema-types.ts';
import { useApiQuery } from '../client.ts';
import { age, dayTime, MISSING } from '../format.ts';
import { ageBar, openBooks } from '../market/calculations.ts';
import { cssVars, Icon, LimitMeter, numeric, Panel, Table, type ViewProps, withKeys } from '../parts.tsx';
import { venueName } from '../route.ts';

export function KillPanel({ bots, onOpen }: Pick<ViewProps, 'bots' | 'onOpen'>) {
  return (
    <Panel title="Kill switch" meta="one per bot">
      <Table label="Kill switch of each bot" className="kill-table plain">
        {bots.map((bot) => {
          const { id, state, health } = bot;
          const isKilled = state?.mode === 'KILLED';
          return (
            <tr key={id}>
              <th scope="row" className="bold">
                {id}
              </th>
              <td className={isKilled ? 'danger' : 'dim'}>
                {isKilled
                  ? `killed: ${state.killReason ?? ''}${state.killVerified === true ? ' · 0 orders left, verified' : ''}`
                  : health === 'UNREACHABLE'
                    ? 'no answer'
                    : 'armed'}
              </td>
              <td className="num">
                {state !== null && health !== 'UNREACHABLE' && (
                  <button
                    type="button"
                    className={`btn mini act ${isKilled ? 'still' : 'kill'}`}
                    onClick={() => onOpen({ type: 'action', bot, action: isKilled ? 'RESUME' : 'KILL' })}
                  >
                    {isKilled ? 'Resume' : 'Kill'}
                  </button>
                )}
              </td>
            </tr>
          );
        })}
      </Table>
      <p className="note">
        It trips on loss, drawdown, position, errors, stale books, clock skew, or by hand. It cancels all orders and
        verifies with the venue that none is open.
      </p>
    </Panel>
  );
}

export function LinksPanel({ bots }: { readonly bots: readonly Bot[] }) {
  return (
    <Panel title="Venue link and clock" meta="from order to response">
      <Table
        label="Link to the venue, answer times and clock skew"
        className="link-table plain"
        heads={['Bot, venue', 'Link', ...numeric('p50 ms', 'p99', 'Skew ms')]}
      >
        {bots.map(({ id, state, health }) => {
          const isUp = state?.link === 'UP' && health !== 'UNREACHABLE';
          const problem = health === 'UNREACHABLE' ? 'No answer' : 'Down';
          return (
            <tr key={id}>
              <th scope="row">
                {id} <span className="dim">{state === null ? '' : venueName(state.venue)}</span>
              </th>
              <td className={isUp ? 'ok' : 'danger'}>
                <Icon name={isUp ? 'on' : 'off'} /> {isUp ? 'Up' : problem}
              </td>
              <td className="num bold">{state?.answerTimes?.p50Ms.toFixed(0) ?? MISSING}</td>
              <td className="num">{state?.answerTimes?.p99Ms.toFixed(0) ?? MISSING}</td>
              <td className="num">{state?.clockSkewMs.toFixed(0) ?? MISSING}</td>
            </tr>
          );
        })}
      </Table>
    </Panel>
  );
}

export function RatesPanel({ bots }: { readonly bots: readonly Bot[] }) {
  const rows = bots.flatMap(({ id, state }) => state?.rates.map((rate) => ({ ...rate, bot: id })) ?? []);
  return (
    <Panel title="Rate budgets" meta="20% reserved for cancels">
      <Table
        label="Rate limits of the venues in use"
        empty="No venue has reported a rate limit yet."
        className="rate-table plain"
        heads={['Bot', 'Bucket', { className: 'used', text: 'In use' }, ...numeric('Left')]}
      >
        {rows.map(({ bot, bucket, left, capacity }) => (
          <tr key={`${bot}/${bucket}`}>
            <th scope="row">{bot}</th>
            <td>{bucket}s</td>
            <td className="used">
              <LimitMeter part={1 - left / capacity} />
            </td>
            <td className="num">
              {left.toFixed(0)} of {capacity}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

const MAX_BARS = 14;

export function AgesPanel({ bots }: { readonly bots: readonly Bot[] }) {
  return (
    <Panel title="Book ages" meta="share of age limit, oldest first">
      <Table label={"Age of each bot's books"} className="age-table plain">
        {bots.map(({ id, state }) => {
          const limit = state?.maxBookAgeMs ?? null;
          const { ages, missing } = openBooks(state?.markets ?? []);
          const bars = limit === null ? [] : ages.map((ms) => ageBar(ms, limit));
          return (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>
                {limit !== null && (
                  <div className="age" role="img" aria-label={`${ages.length} books`}>
                    {withKeys(bars.slice(0, MAX_BARS), () => '').map(([key, { height, isBreached }]) => (
                      <i
                        key={key}
                        className={isBreached ? 'breached' : ''}
                        style={cssVars({ '--height': `${height}%` })}
                      />
                    ))}
                  </div>
                )}
              </td>
              <td className={`num ${missing > 0 || bars[0]?.isBreached === true ? 'warn bold' : ''}`}>
                {age(ages[0])}
                {missing > 0 && <small> {missing} not received yet</small>}
              </td>
            </tr>
          );
        })}
      </Table>
    </Panel>
  );
}

export function AuditPanel() {
  const { data } = useApiQuery(auditQuery, { first: 100 }, 2_000);
  const entries = data?.audit ?? [];
  return (
    <Panel title="Audit log" meta="actions on this dashboard">
      <Table
        label="Actions, newest first"
        empty="No action yet. The audit file stores each action with its result."
        className="audit-table"
        heads={['UTC', 'User, address', 'Action', 'Confirmed']}
      >
        {withKeys(entries, (entry) => String(entry.time)).map(
          ([key, { time, who, from, bot, action, details, done, text }]) => (
            <tr key={key}>
              <td className="dim nowrap">{dayTime(time)}</td>
              <td>
                <b>{who.toLowerCase()}</b>
                <small>{from}</small>
              </td>
              <td>
                <b>{action}</b> {bot}
                <small>{details === '{}' ? '' : details}</small>
              </td>
              <td className={`confirmation ${done ? 'ok' : 'warn'}`} title={text}>
                <Icon name={done ? 'ok' : 'warn'} /> {done ? 'Done' : 'Not done'}
                <small>{text}</small>
              </td>
            </tr>
          ),
        )}
      </Table>
    </Panel>
  );
}
