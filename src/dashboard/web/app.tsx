/** The shell: top bar, view, status bar, keys, dialogs. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { botsSubscription, viewerQuery } from '../generated/documents.ts';
import type { Bot, BotAction } from '../generated/schema-types.ts';
import { type StreamState, signOut, useAnswer, useLive, useStream } from './client.ts';
import { type Dialog, DialogBox } from './dialogs.tsx';
import { FleetView, marketLink } from './fleet.tsx';
import { age, clockTime, dollarChange, gainClass, money } from './format.ts';
import { HistoryView } from './history.tsx';
import { KEY_LIST, useKeys } from './keys.ts';
import { LogView } from './log.tsx';
import { MarketView } from './market/market.tsx';
import { OrdersView } from './orders.tsx';
import { Empty, healthWord, Icon } from './parts.tsx';
import { RiskView } from './risk.tsx';
import { SearchBox } from './search.tsx';

const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;
type ViewName = (typeof VIEWS)[number];

/** Milliseconds after which a bot that says nothing counts as silent on the page. */
const SILENT_MS = 2_500;

interface Route {
  readonly view: ViewName;
  readonly bot: string | undefined;
  readonly market: string | undefined;
}

function routeOf(hash: string): Route {
  const [, name, bot, market] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name) ?? 'fleet';
  const decoded = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : decodeURIComponent(text);
  return { view, bot: decoded(bot), market: decoded(market) };
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return useMemo(() => routeOf(hash), [hash]);
}

/** The time now, once a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function useIsPhone(): boolean {
  const query = '(max-width: 700px)';
  const [isPhone, setIsPhone] = useState(matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = (): void => setIsPhone(list.matches);
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, []);
  return isPhone;
}

export function App() {
  const route = useRoute();
  const now = useNow();
  const stream = useStream();
  const isPhone = useIsPhone();
  const live = useLive(botsSubscription, {});
  const { data } = useAnswer(viewerQuery, {});
  const [dialog, setDialog] = useState<Dialog>();
  const [isSearching, setIsSearching] = useState(false);
  const [range, setRange] = useState(0);
  const bots = live?.bots ?? [];
  const { bot, market } = chosenMarket(bots, route);
  const act = (action: BotAction): void => {
    if (bot !== undefined) setDialog({ type: 'action', bot, action });
  };
  useKeys({
    isBusy: dialog !== undefined || isSearching,
    go: (view) => {
      location.hash =
        view === 'market' && bot !== undefined && market !== undefined ? marketLink(bot.id, market) : `#/${view}`;
    },
    act,
    killAll: () => setDialog(killAll(bots)),
    step: (by) => {
      const slugs = bot?.state?.markets.map(({ slug }) => slug) ?? [];
      const next = slugs[slugs.indexOf(market ?? '') + by];
      if (bot !== undefined && next !== undefined) location.hash = marketLink(bot.id, next);
    },
    setRange,
    search: () => setIsSearching(true),
    help: () => setDialog({ type: 'text', title: 'Keyboard', children: <KeyTable /> }),
  });
  const shownBot = route.view === 'market' ? bot : undefined;
  const state = stateClass(live !== undefined, stream, shownBot);
  return (
    <div className={`view-${route.view === 'market' && isPhone ? 'phone' : route.view}`}>
      <div className={`app ${state}`}>
        {!(isPhone && route.view === 'market') && (
          <Top
            route={route}
            bots={bots}
            now={now}
            chosen={bot !== undefined && market !== undefined ? marketLink(bot.id, market) : '#/market'}
            onSearch={() => setIsSearching(true)}
            onKillAll={() => setDialog(killAll(bots))}
          />
        )}
        <Banners
          stream={stream}
          bots={route.view === 'market' ? (bot === undefined ? [] : [bot]) : bots}
          now={now}
          open={setDialog}
          isLoaded={live !== undefined}
        />
        {live === undefined ? (
          <main>
            <Empty>Connecting…</Empty>
          </main>
        ) : (
          viewOf()
        )}
        <footer className="foot">
          <span className={stream.isUp ? '' : 'danger b'}>
            <Icon name={stream.isUp ? 'on' : 'off'} />{' '}
            {stream.isUp ? 'Stream connected' : `Stream lost ${age(now - stream.since)} ago`}
          </span>
          <span>
            {bots.length} {bots.length === 1 ? 'bot' : 'bots'}
          </span>
          <span className="r">
            <span>
              {data === undefined ? '' : data.viewer.role === 'OPERATOR' ? 'operator · may act' : 'viewer · may look'}
            </span>
            <button type="button" className="btn quiet sm" onClick={nextTheme}>
              Theme
            </button>
            <button type="button" className="btn quiet sm" onClick={() => void signOut()}>
              Sign out
            </button>
            <span>halfspread {data?.viewer.version ?? ''}</span>
            <span>
              <kbd>?</kbd> shortcuts
            </span>
          </span>
        </footer>
      </div>
      {dialog !== undefined && <DialogBox dialog={dialog} onClose={() => setDialog(undefined)} />}
      {isSearching && <SearchBox bots={bots} onClose={() => setIsSearching(false)} onAct={setDialog} />}
    </div>
  );

  function viewOf(): ReactNode {
    switch (route.view) {
      case 'fleet':
        return <FleetView bots={bots} now={now} open={setDialog} />;
      case 'market':
        if (bot === undefined || market === undefined) return <Empty>No bot has a market yet.</Empty>;
        return (
          <MarketView
            key={`${bot.id}/${market}`}
            bot={bot}
            slug={market}
            now={now}
            range={range}
            onRange={setRange}
            open={setDialog}
            isPhone={isPhone}
          />
        );
      case 'risk':
        return <RiskView bots={bots} open={setDialog} />;
      case 'orders':
        return <OrdersView bots={bots} now={now} />;
      case 'log':
        return <LogView key={bots.length === 0 ? 'none' : 'some'} bots={bots} />;
      case 'history':
        return <HistoryView />;
    }
  }
}

/** The market of the address, else the first of the first bot that has one. */
function chosenMarket(
  bots: readonly Bot[],
  { bot: id, market }: Route,
): { readonly bot: Bot | undefined; readonly market: string | undefined } {
  const named = bots.find((each) => each.id === id);
  const bot = named ?? bots.find(({ state }) => (state?.markets.length ?? 0) > 0) ?? bots[0];
  return { bot, market: named === undefined ? bot?.state?.markets[0]?.slug : (market ?? bot?.state?.markets[0]?.slug) };
}

function killAll(bots: readonly Bot[]): Dialog {
  const live = bots.filter(({ state }) => state?.kind === 'LIVE');
  const kind = live.length > 0 ? 'LIVE' : (bots[0]?.state?.kind ?? 'LIVE');
  return { type: 'kill all', kind, bots: bots.filter(({ state }) => state?.kind === kind) };
}

function stateClass(isLoaded: boolean, stream: StreamState, bot: Bot | undefined): string {
  if (!isLoaded) return 'is-loading';
  if (!stream.isUp || bot?.health === 'UNREACHABLE') return 'is-disconnected';
  if (bot?.health === 'KILLED') return 'is-killed';
  if (bot?.health === 'STALE' || bot?.health === 'LINK_DOWN') return 'is-stale';
  return '';
}

const THEMES = ['', 'light', 'dark'] as const;

function nextTheme(): void {
  const { documentElement } = document;
  const at = THEMES.findIndex((theme) => theme === (documentElement.getAttribute('data-theme') ?? ''));
  const next = THEMES[(at + 1) % THEMES.length] ?? '';
  if (next === '') documentElement.removeAttribute('data-theme');
  else documentElement.setAttribute('data-theme', next);
  localStorage.setItem('theme', next);
}

function Top({
  route,
  bots,
  now,
  chosen,
  onSearch,
  onKillAll,
}: {
  readonly route: Route;
  readonly bots: readonly Bot[];
  readonly now: number;
  readonly chosen: string;
  readonly onSearch: () => void;
  readonly onKillAll: () => void;
}) {
  const live = bots.filter(({ state }) => state?.kind === 'LIVE');
  const shown = live.length > 0 ? live : bots;
  const today = shown.reduce((sum, { state }) => sum + (state?.today.total ?? 0), 0);
  const worst = shown.reduce((sum, { state }) => sum + (state?.worstCase ?? 0), 0);
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
            href={view === 'market' ? chosen : `#/${view}`}
            aria-current={route.view === view ? 'page' : undefined}
          >
            {view[0]?.toUpperCase()}
            {view.slice(1)}
          </a>
        ))}
      </nav>
      <button type="button" className="find" aria-label="Go to a market, bot or command" onClick={onSearch}>
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
          <dd>${money(worst)}</dd>
        </div>
        <div>
          <dt className="vh">Time</dt>
          <dd className="dim">{clockTime(now)} UTC</dd>
        </div>
      </dl>
      <button type="button" className="btn kill act" onClick={onKillAll}>
        Kill all <kbd>⇧⌥K</kbd>
      </button>
    </header>
  );
}

function Banners({
  stream,
  bots,
  now,
  open,
  isLoaded,
}: {
  readonly stream: StreamState;
  readonly bots: readonly Bot[];
  readonly now: number;
  readonly open: (dialog: Dialog) => void;
  readonly isLoaded: boolean;
}) {
  if (!stream.isUp && isLoaded) {
    return (
      <div className="banner danger open" role="alert">
        <Icon name="off" />
        <b>The dashboard does not answer since {clockTime(stream.since)}</b>
        <span className="t">
          The bots go on by themselves; these numbers are frozen. On the bot’s machine this still works: npx halfspread
          kill &lt;its file&gt;
        </span>
      </div>
    );
  }
  const bad = bots.filter(
    ({ health, seenAt }) =>
      health === 'UNREACHABLE' ||
      health === 'KILLED' ||
      health === 'STALE' ||
      health === 'LINK_DOWN' ||
      (seenAt !== null && now - seenAt > SILENT_MS * 4),
  );
  return (
    <>
      {bad.slice(0, 3).map((bot) => {
        const { id, health, healthReason, seenAt, state } = bot;
        const { tone, icon } = healthWord(health);
        return (
          <div
            key={id}
            className={`banner open ${tone === 'warn' ? 'warn' : 'danger'}`}
            role={tone === 'warn' ? 'status' : 'alert'}
          >
            <Icon name={icon} />
            <b>{bannerTitle(bot)}</b>
            <span className="t">
              {healthReason}
              {health === 'UNREACHABLE' && seenAt !== null && `. Its numbers are those of ${clockTime(seenAt)}.`}
              {health === 'KILLED' && killedText(state)}
            </span>
            {health === 'KILLED' && (
              <button type="button" className="btn sm" onClick={() => open({ type: 'action', bot, action: 'RESUME' })}>
                Resume…
              </button>
            )}
          </div>
        );
      })}
    </>
  );
}

function bannerTitle({ id, health }: Bot): string {
  switch (health) {
    case 'UNREACHABLE':
      return `${id} does not answer`;
    case 'KILLED':
      return `${id} is killed`;
    case 'LINK_DOWN':
      return `${id} has no connection to its venue`;
    default:
      return `${id} is stale`;
  }
}

function killedText(state: Bot['state']): string {
  if (state?.killVerified === true) return '. No order is left at the venue, verified. Positions stay open.';
  return '. The venue has not confirmed yet that no order is left.';
}

function KeyTable() {
  return (
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
  );
}
