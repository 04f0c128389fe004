import { useState } from 'react';
import type { Bot, Health } from '../generated/schema-types.ts';
import type { StreamState } from './client.ts';
import type { Dialog } from './dialogs.tsx';
import { sumOver } from './fleet/strip.tsx';
import { age, clockTime, dollarChange, gainClass, money } from './format.ts';
import { areSingleKeysOn, KEY_LIST, setSingleKeys } from './keys.ts';
import { HEALTH_LABELS, Icon } from './parts.tsx';
import { type Route, VIEWS } from './route.ts';

/** A larger difference of a bot's clock from the dashboard's clock shows a banner. */
const MAX_CLOCK_ERROR_MS = 5_000;
const MAX_BANNERS = 3;
/** Titles of banners, after the name of the bot. */
const PROBLEMS: Readonly<Partial<Record<Health, string>>> = {
  UNREACHABLE: 'does not answer',
  KILLED: 'is killed',
  LINK_DOWN: 'has no connection to its venue',
  STALE: 'is stale',
};

const THEMES = ['', 'light', 'dark'] as const;

export function nextTheme(): void {
  const { dataset } = document.documentElement;
  const index = THEMES.findIndex((theme) => theme === (dataset['theme'] ?? ''));
  const next = THEMES[(index + 1) % THEMES.length] ?? '';
  dataset['theme'] = next;
  localStorage.setItem('theme', next);
}

interface TopProps {
  readonly route: Route;
  readonly bots: readonly Bot[];
  readonly now: number;
  readonly chosenLink: string;
  readonly onSearch: () => void;
  readonly onKillAll: () => void;
  readonly isUp: boolean;
}

export function Top({ route, bots, now, chosenLink, onSearch, onKillAll, isUp }: TopProps) {
  const live = bots.filter(({ state }) => state?.kind === 'LIVE');
  const shown = live.length > 0 ? live : bots;
  const today = sumOver(shown, (state) => state.today.total);
  return (
    <header className="top">
      <a className="brand" href="#/fleet">
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
          <path d="M2 3.5h14M2 14.5h14" stroke="currentColor" strokeWidth="2" />
          <path d="M9 6v6" stroke="var(--accent)" strokeWidth="2.4" />
        </svg>
        halfspread
      </a>
      <nav aria-label="Views">
        {VIEWS.map((view) => (
          <a
            key={view}
            href={view === 'market' ? chosenLink : `#/${view}`}
            aria-current={route.view === view ? 'page' : undefined}
          >
            {view[0]?.toUpperCase()}
            {view.slice(1)}
          </a>
        ))}
      </nav>
      <button type="button" className="find" onClick={onSearch}>
        <i className="visually-hidden">Find</i>
        <span>Market, bot or command</span>
        <kbd>⌘K</kbd>
      </button>
      <dl className="glance">
        <div>
          <dt>{live.length > 0 ? 'Live' : 'Simulated'} P&amp;L today</dt>
          <dd className={gainClass(today, live.length > 0)}>{dollarChange(today)}</dd>
        </div>
        <div>
          <dt>Worst case</dt>
          <dd>${money(sumOver(shown, ({ worstCase }) => worstCase))}</dd>
        </div>
        <div>
          <dt className="visually-hidden">Time</dt>
          <dd className="dim">{clockTime(now)} UTC</dd>
        </div>
      </dl>
      <button type="button" className="btn kill" disabled={!isUp} onClick={onKillAll}>
        Kill all <kbd>⇧⌥K</kbd>
      </button>
    </header>
  );
}

interface BannersProps {
  readonly stream: StreamState;
  readonly bots: readonly Bot[];
  readonly onOpen: (dialog: Dialog) => void;
  readonly isLoaded: boolean;
}

export function Banners({ stream, bots, onOpen, isLoaded }: BannersProps) {
  if (!stream.isUp && isLoaded) {
    return (
      <div className="banner danger" role="alert">
        <Icon name="off" />
        <b>The dashboard has not answered since {clockTime(stream.since)}</b>
        <span className="detail">
          These numbers are frozen. Bots run without a dashboard, but a dashboard of `run --dashboard` ends with its
          bot. On the bot’s machine use npx halfspread status &lt;configuration&gt;, or kill &lt;configuration&gt;
        </span>
      </div>
    );
  }
  const unhealthy = bots.filter(({ health }) => PROBLEMS[health] !== undefined);
  const wrongClocks = bots.filter(({ clockAheadMs }) => Math.abs(clockAheadMs ?? 0) > MAX_CLOCK_ERROR_MS);
  return (
    <>
      {unhealthy.slice(0, MAX_BANNERS).map((bot) => {
        const { id, health, healthReason, seenAt, state } = bot;
        const { tone, icon } = HEALTH_LABELS[health];
        return (
          <div
            key={id}
            className={`banner ${tone === 'warn' ? 'warn' : 'danger'}`}
            role={tone === 'warn' ? 'status' : 'alert'}
          >
            <Icon name={icon} />
            <b>
              {id} {PROBLEMS[health]}
            </b>
            <span className="detail">
              {healthReason}
              {health === 'UNREACHABLE' && seenAt !== null && `. Its numbers are from ${clockTime(seenAt)}.`}
              {health === 'KILLED' && killedText(state)}
            </span>
            {health === 'KILLED' && (
              <button
                type="button"
                className="btn mini"
                onClick={() => onOpen({ type: 'action', bot, action: 'RESUME' })}
              >
                Resume…
              </button>
            )}
          </div>
        );
      })}
      {unhealthy.length > MAX_BANNERS && (
        <div className="banner danger" role="alert">
          <Icon name="warn" />
          <b>{unhealthy.length - MAX_BANNERS} more</b>
          <span className="detail">
            {unhealthy
              .slice(MAX_BANNERS)
              .map(({ id, health }) => `${id}: ${HEALTH_LABELS[health].text.toLowerCase()}`)
              .join(', ')}
          </span>
        </div>
      )}
      {wrongClocks.slice(0, MAX_BANNERS).map(({ id, clockAheadMs }) => (
        <div key={`${id} clock`} className="banner warn" role="status">
          <Icon name="warn" />
          <b>
            The clock of {id} is {age(Math.abs(clockAheadMs ?? 0))} {(clockAheadMs ?? 0) > 0 ? 'ahead' : 'behind'}
          </b>
          <span className="detail">
            The clock of the dashboard’s machine differs by this much. Times and ages of this bot are wrong until you
            set the wrong clock.
          </span>
        </div>
      ))}
    </>
  );
}

function killedText(state: Bot['state']): string {
  if (state?.killVerified === true) return '. No order is left at the venue, verified. Positions stay open.';
  return '. The venue has not confirmed yet that no order is left.';
}

export function KeyTable() {
  const [isOn, setIsOn] = useState(areSingleKeysOn());
  const toggle = (next: boolean): void => {
    setSingleKeys(next);
    setIsOn(next);
  };
  return (
    <>
      <label className="switch">
        <input type="checkbox" checked={isOn} onChange={(event) => toggle(event.target.checked)} />
        Shortcuts of a single key. Those with ⌘ or Ctrl, and Esc, always work.
      </label>
      <dl className="keys">
        {KEY_LIST.map(([keys, meaning]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
