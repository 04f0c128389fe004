/** Is a limit breached or close, and would the kill switch work? */
import { auditQuery } from '../generated/documents.ts';
import type { Bot, LimitUse, MarketLine } from '../generated/schema-types.ts';
import { useAnswer } from './client.ts';
import type { Dialog } from './dialogs.tsx';
import { marketLink, venueName } from './fleet.tsx';
import { age, change, dayTime, MISSING, money, position } from './format.ts';
import { Empty, Figure, healthWord, Icon, keyed, Panel, Use, vars } from './parts.tsx';

const MOST_ROWS = 200;

interface BotLimit extends LimitUse {
  readonly bot: string;
  /** 0 to 1 and above; null without a limit. */
  readonly part: number | null;
}

export function RiskView({ bots, open }: { readonly bots: readonly Bot[]; readonly open: (dialog: Dialog) => void }) {
  const limits = bots
    .flatMap(
      ({ id, state }) => state?.limits.map((limit): BotLimit => ({ ...limit, bot: id, part: partOf(limit) })) ?? [],
    )
    .toSorted((a, b) => (b.part ?? -1) - (a.part ?? -1));
  return (
    <>
      <RiskStrip bots={bots} limits={limits} />
      <main>
        <div className="r1">
          <LimitsPanel limits={limits.slice(0, MOST_ROWS)} />
          <WorstPanel bots={bots} />
        </div>
        <div className="r2">
          <div className="stack">
            <KillPanel bots={bots} open={open} />
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
}

function partOf({ used, limit }: LimitUse): number | null {
  if (limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

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
  const ages = states.flatMap(({ markets }) =>
    markets.flatMap(({ bookAgeMs, acceptingOrders }) => (acceptingOrders && bookAgeMs !== null ? [bookAgeMs] : [])),
  );
  const skew = states.map(({ clockSkewMs }) => clockSkewMs).toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
  const tone = breached > 0 ? 'danger' : close > 0 ? 'warn' : 'ok';
  return (
    <dl className="strip">
      <Figure
        label="Limits"
        hero
        className={tone}
        context={tightest === undefined ? 'no limit is set' : `tightest: ${tightest.name}, ${tightest.scope}`}
      >
        <Icon name={breached > 0 ? 'kill' : close > 0 ? 'warn' : 'ok'} />{' '}
        {breached === 0 && close === 0 ? 'All below 80%' : `${breached} breached, ${close} close`}
      </Figure>
      <Figure label="Worst case, all bots">${money(worst)}</Figure>
      <Figure
        label="Kill switch"
        className={killed.length > 0 ? 'danger' : ''}
        context={killed.length > 0 ? `${killed.join(', ')}: killed until resumed` : 'armed on every bot'}
      >
        {killed.length > 0 ? `${killed.length} killed` : 'Armed'}
      </Figure>
      <Figure label="Oldest open book" context={`${ages.length} books`}>
        {age(ages.length === 0 ? null : Math.max(...ages))}
      </Figure>
      <Figure label="Largest clock skew">{skew === undefined ? MISSING : `${skew.toFixed(0)} ms`}</Figure>
    </dl>
  );
}

const UNITS = { USD: 2, SHARES: 0, COUNT: 0, MS: 0, BPS: 0 } as const;

function inUnit(value: number | null, unit: LimitUse['unit']): string {
  if (value === null) return MISSING;
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: UNITS[unit],
    maximumFractionDigits: UNITS[unit],
  });
  return `${value < 0 ? '−' : ''}${text}`;
}

const UNIT_WORDS = { USD: '$', SHARES: 'shares', COUNT: '', MS: 'ms', BPS: 'bps' } as const;

function LimitsPanel({ limits }: { readonly limits: readonly BotLimit[] }) {
  return (
    <Panel title="Limits" meta={`${limits.length} limits, closest first · tick at 80%`}>
      <div className="scroll">
        <table className="lt">
          <caption className="vh">Risk limits with use and headroom</caption>
          <thead>
            <tr>
              <th>Limit</th>
              <th>Scope</th>
              <th>Bot</th>
              <th className="num">In use</th>
              <th className="num">Limit</th>
              <th className="num">Headroom</th>
              <th className="u">Use</th>
              <th>At breach</th>
            </tr>
          </thead>
          <tbody>
            {limits.map((limit) => {
              const { bot, name, scope, used, limit: most, unit, part, atBreach } = limit;
              return (
                <tr key={`${bot}/${name}/${scope}`} className={isBreached(limit) ? 'x0' : isClose(limit) ? 'w0' : ''}>
                  <th scope="row" className="b" title={UNIT_WORDS[unit]}>
                    {name}
                  </th>
                  <td className="dim">{scope}</td>
                  <td className="dim">{bot}</td>
                  <td className="num b">{inUnit(used, unit)}</td>
                  <td className="num">{inUnit(most, unit)}</td>
                  <td className="num">{most === null ? MISSING : inUnit(most - used, unit)}</td>
                  <td className="u">
                    <Use part={part} />
                  </td>
                  <td className={isBreached(limit) ? 'danger b' : 'dim'}>
                    {atBreach === 'kill' ? 'kills the bot' : 'refuses what adds'}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

interface EventGroup {
  readonly name: string;
  readonly bot: string;
  readonly markets: readonly MarketLine[];
  readonly worst: number;
}

/** Markets with something at stake, by event; a market without an event stands alone. */
function groupsOf(bots: readonly Bot[]): readonly EventGroup[] {
  return bots
    .flatMap(({ id, state }) => {
      const staked =
        state?.markets.filter(({ position: held, openOrders, worst }) => held !== 0 || openOrders > 0 || worst !== 0) ??
        [];
      const byEvent = Map.groupBy(staked, ({ event, slug }) => event ?? slug);
      return [...byEvent].map(([name, markets]): EventGroup => {
        const limit = state?.limits.find((each) => each.name === 'max_event_notional_usd' && each.scope === name);
        const sum = markets.reduce((all, { worst }) => all + worst, 0);
        return { name, bot: id, markets, worst: limit === undefined ? sum : limit.used * 1_000_000 };
      });
    })
    .toSorted((a, b) => b.worst - a.worst)
    .slice(0, MOST_ROWS);
}

function WorstPanel({ bots }: { readonly bots: readonly Bot[] }) {
  const groups = groupsOf(bots);
  const most = Math.max(
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
      {groups.length === 0 ? (
        <Empty>Nothing is at stake: no bot has an order or a position.</Empty>
      ) : (
        <div className="scroll">
          <table className="wc plain">
            <caption className="vh">Profit or loss of each market by outcome</caption>
            <thead>
              <tr>
                <th>Event, market</th>
                <th className="num">Position sh</th>
                <th className="num">If YES $</th>
                <th className="num">If NO $</th>
                <th className="dv2" />
                <th className="num">Worst $</th>
              </tr>
            </thead>
            {groups.map(({ name, bot, markets, worst }) => (
              <tbody key={`${bot}/${name}`}>
                <tr className="ev">
                  <th scope="row" className="b">
                    {markets[0]?.event === null ? markets[0].question : name} <span className="dim">{bot}</span>
                  </th>
                  <td colSpan={4} />
                  <td className="num b">{money(worst)}</td>
                </tr>
                {markets.map(({ slug, question, position: held, ifYes, ifNo, worst: loss }) => (
                  <tr key={slug}>
                    <th scope="row" className="in">
                      <a href={marketLink(bot, slug)}>{question}</a>
                    </th>
                    <td className={`num ${held > 0 ? 'bid' : held < 0 ? 'ask' : ''}`}>{position(held)}</td>
                    <td className="num">{change(ifYes)}</td>
                    <td className="num">{change(ifNo)}</td>
                    <td className="dv2">
                      <div className="pair">
                        <i style={bar(ifYes, most)} />
                        <i className="n" style={bar(ifNo, most)} />
                      </div>
                    </td>
                    <td className="num">{money(loss)}</td>
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </Panel>
  );
}

/** A bar from the middle. */
function bar(value: number, most: number) {
  const width = (Math.abs(value) / most) * 50;
  return { width: `${width}%`, left: `${value < 0 ? 50 - width : 50}%` };
}

function KillPanel({ bots, open }: { readonly bots: readonly Bot[]; readonly open: (dialog: Dialog) => void }) {
  return (
    <Panel title="Kill switch" meta="one a bot">
      <table className="tg plain">
        <caption className="vh">Kill switch of each bot</caption>
        <tbody>
          {bots.map((bot) => {
            const { id, state, health } = bot;
            const isKilled = state?.mode === 'KILLED';
            return (
              <tr key={id}>
                <th scope="row" className="b">
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
                      className={`btn sm act ${isKilled ? 'still' : 'kill'}`}
                      onClick={() => open({ type: 'action', bot, action: isKilled ? 'RESUME' : 'KILL' })}
                    >
                      {isKilled ? 'Resume' : 'Kill'}
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="note">
        Trips by loss, drawdown, position, errors, stale books, clock skew and by hand. It cancels everything and asks
        the venue.
      </p>
    </Panel>
  );
}

function LinksPanel({ bots }: { readonly bots: readonly Bot[] }) {
  return (
    <Panel title="Venue link and clock" meta="order to answer">
      <div className="scroll">
        <table className="lk plain">
          <caption className="vh">Link to the venue, answer times and clock skew</caption>
          <thead>
            <tr>
              <th>Bot, venue</th>
              <th>Link</th>
              <th className="num">p50 ms</th>
              <th className="num">p99</th>
              <th className="num">Skew ms</th>
            </tr>
          </thead>
          <tbody>
            {bots.map(({ id, state, health }) => {
              const isUp = state?.link === 'UP' && health !== 'UNREACHABLE';
              return (
                <tr key={id}>
                  <th scope="row">
                    {id} <span className="dim">{state === null ? '' : venueName(state.venue)}</span>
                  </th>
                  <td className={isUp ? 'ok' : 'danger'}>
                    <Icon name={isUp ? 'on' : 'off'} /> {isUp ? 'Linked' : healthWord(health).text}
                  </td>
                  <td className="num b">{state?.acknowledgement?.p50Ms.toFixed(0) ?? MISSING}</td>
                  <td className="num">{state?.acknowledgement?.p99Ms.toFixed(0) ?? MISSING}</td>
                  <td className="num">{state?.clockSkewMs.toFixed(0) ?? MISSING}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function RatesPanel({ bots }: { readonly bots: readonly Bot[] }) {
  const rows = bots.flatMap(({ id, state }) => state?.rates.map((rate) => ({ ...rate, bot: id })) ?? []);
  return (
    <Panel title="Rate budgets" meta="20% kept for cancels">
      {rows.length === 0 ? (
        <Empty>No venue has named a limit yet.</Empty>
      ) : (
        <table className="rb plain">
          <caption className="vh">Rate limits of the venues in use</caption>
          <thead>
            <tr>
              <th>Bot</th>
              <th>Bucket</th>
              <th className="u">In use</th>
              <th className="num">Left</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ bot, bucket, left, capacity, perSecond }) => (
              <tr key={`${bot}/${bucket}`}>
                <th scope="row">{bot}</th>
                <td>{bucket}s</td>
                <td className="u">
                  <Use part={1 - left / capacity} />
                </td>
                <td className="num">
                  {left.toFixed(0)} of {capacity} · {perSecond}/s
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const MOST_BARS = 14;

function AgesPanel({ bots }: { readonly bots: readonly Bot[] }) {
  return (
    <Panel title="Book ages" meta="one bar a book, the oldest first">
      <div className="scroll">
        <table className="ag plain">
          <caption className="vh">Age of each bot's books</caption>
          <tbody>
            {bots.map(({ id, state }) => {
              const limit = state?.limits.find(({ name }) => name === 'max_book_age_ms')?.limit ?? 30_000;
              const ages = (state?.markets ?? [])
                .flatMap(({ bookAgeMs, acceptingOrders }) => (acceptingOrders && bookAgeMs !== null ? [bookAgeMs] : []))
                .toSorted((a, b) => b - a);
              const oldest = ages[0];
              return (
                <tr key={id}>
                  <th scope="row">{id}</th>
                  <td>
                    <div className="age" role="img" aria-label={`${ages.length} books`}>
                      {keyed(ages.slice(0, MOST_BARS), () => '').map(([key, ms]) => (
                        <i
                          key={key}
                          className={ms > limit ? 'x' : ''}
                          style={vars({ '--h': `${Math.min(100, (ms / limit) * 100)}%` })}
                        />
                      ))}
                    </div>
                  </td>
                  <td className={`num ${oldest !== undefined && oldest > limit ? 'warn b' : ''}`}>{age(oldest)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function AuditPanel() {
  const { data } = useAnswer(auditQuery, { first: 100 }, 2_000);
  const entries = data?.audit ?? [];
  return (
    <Panel title="Audit log" meta="actions on this dashboard">
      {entries.length === 0 ? (
        <Empty>No action yet. Each one is written to the audit file, with what came of it.</Empty>
      ) : (
        <div className="scroll">
          <table className="au">
            <caption className="vh">Actions, the newest first</caption>
            <thead>
              <tr>
                <th>UTC</th>
                <th>Who, from</th>
                <th>Action</th>
                <th>Confirmed</th>
              </tr>
            </thead>
            <tbody>
              {keyed(entries, (entry) => String(entry.time)).map(
                ([key, { time, who, from, bot, action, details, done, text }]) => (
                  <tr key={key}>
                    <td className="dim nw">{dayTime(time)}</td>
                    <td>
                      <b>{who.toLowerCase()}</b>
                      <small>{from}</small>
                    </td>
                    <td className="ch">
                      <b>{action}</b> {bot}
                      <small>{details === '{}' ? '' : details}</small>
                    </td>
                    <td className={done ? 'ok' : 'warn'} title={text}>
                      <Icon name={done ? 'ok' : 'warn'} /> {done ? 'Done' : 'Not done'}
                      <small>{text}</small>
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
