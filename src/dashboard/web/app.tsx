/** The shell: top bar, view, status bar, keys, dialogs. */
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { botsSubscription, viewerQuery } from '../generated/documents.ts';
import type { Bot } from '../generated/schema-types.ts';
import { type StreamState, signOut, useApiQuery, useApiSubscription, useStream } from './client.ts';
import { type Dialog, DialogBox } from './dialogs.tsx';
import { actionFor } from './effects.ts';
import { FleetView } from './fleet/fleet.tsx';
import { age, counted } from './format.ts';
import { HistoryView } from './history.tsx';
import { useKeys } from './keys.ts';
import { LogView } from './log.tsx';
import type { ChosenRange } from './market/chart.tsx';
import { MarketView } from './market/market.tsx';
import { OrdersView } from './orders.tsx';
import { Empty, Icon } from './parts.tsx';
import { RiskView } from './risk/risk.tsx';
import { marketLink, type Route, useRoute } from './route.ts';
import { SearchBox } from './search.tsx';
import { Banners, KeyTable, nextTheme, Top } from './top.tsx';

/** Returns the time of the dashboard's machine, updated once a second, because this browser's clock may be wrong. */
function useNow(serverTime: number | undefined): number {
  const [now, setNow] = useState(Date.now());
  const aheadMs = useMemo(() => (serverTime === undefined ? 0 : serverTime - Date.now()), [serverTime]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}

const PHONE = matchMedia('(max-width: 700px)');

function listenToPhone(onChange: () => void): () => void {
  PHONE.addEventListener('change', onChange);
  return () => PHONE.removeEventListener('change', onChange);
}

export function App() {
  const route = useRoute();
  const { data } = useApiQuery(viewerQuery, {});
  const now = useNow(data?.viewer.now);
  const stream = useStream();
  const isPhone = useSyncExternalStore(listenToPhone, () => PHONE.matches);
  const update = useApiSubscription(botsSubscription, {});
  const [dialog, setDialog] = useState<Dialog>();
  const [isSearching, setIsSearching] = useState(false);
  const [chosenRange, setChosenRange] = useState<ChosenRange>({ index: 0 });
  const bots = update?.bots ?? [];
  const { bot, market } = chosenMarket(bots, route);
  const chosenLink = bot !== undefined && market !== undefined ? marketLink(bot.id, market) : '#/market';
  const killAll = (): void => setDialog(killAllDialog(bots));
  const showHelp = (): void => setDialog({ type: 'text', title: 'Keyboard', children: <KeyTable /> });
  useKeys({
    isBusy: dialog !== undefined || isSearching,
    go: (view) => {
      location.hash = view === 'market' ? chosenLink : `#/${view}`;
    },
    act: (action) => bot !== undefined && setDialog({ type: 'action', bot, action: actionFor(action, bot) }),
    killAll,
    step: (by) => {
      const slugs = bot?.state?.markets.map(({ slug }) => slug) ?? [];
      const next = slugs[slugs.indexOf(market ?? '') + by];
      if (bot !== undefined && next !== undefined) location.hash = marketLink(bot.id, next);
    },
    setRange: (index) => setChosenRange({ index }),
    search: () => setIsSearching(true),
    help: showHelp,
  });
  const isMarket = route.view === 'market';
  return (
    <div className={`view-${isMarket && isPhone ? 'phone' : route.view}`}>
      <div className={`app ${stateClass(update !== undefined, stream, isMarket ? bot : undefined)}`}>
        {!(isPhone && isMarket) && (
          <Top
            route={route}
            bots={bots}
            now={now}
            chosenLink={chosenLink}
            onSearch={() => setIsSearching(true)}
            onKillAll={killAll}
            isUp={stream.isUp}
          />
        )}
        <Banners
          stream={stream}
          bots={isMarket ? bots.filter((each) => each === bot) : bots}
          onOpen={setDialog}
          isLoaded={update !== undefined}
        />
        {update === undefined ? (
          <main>
            <Empty>Connecting…</Empty>
          </main>
        ) : (
          renderView()
        )}
        <footer className="foot">
          <span className={stream.isUp ? '' : 'danger bold'}>
            <span className={stream.isUp ? 'ok' : ''}>
              <Icon name={stream.isUp ? 'on' : 'off'} />
            </span>{' '}
            {stream.isUp ? 'Stream connected' : `Stream lost ${age(Date.now() - stream.since)} ago`}
          </span>
          <span>{counted(bots.length, 'bot')}</span>
          <span className="right">
            <span>
              {data === undefined
                ? ''
                : data.viewer.role === 'OPERATOR'
                  ? 'operator · may control bots'
                  : 'viewer · read only'}
            </span>
            <button type="button" className="btn quiet mini" onClick={nextTheme}>
              Theme
            </button>
            <button type="button" className="btn quiet mini" onClick={() => void signOut()}>
              Sign out
            </button>
            <span>halfspread {data?.viewer.version ?? ''}</span>
            <button type="button" className="btn quiet mini" onClick={showHelp}>
              Shortcuts <kbd>?</kbd>
            </button>
          </span>
        </footer>
      </div>
      {dialog !== undefined && <DialogBox dialog={dialog} onClose={() => setDialog(undefined)} />}
      {isSearching && <SearchBox bots={bots} onClose={() => setIsSearching(false)} onOpen={setDialog} />}
    </div>
  );

  function renderView(): ReactNode {
    switch (route.view) {
      case 'fleet':
        return <FleetView bots={bots} now={now} onOpen={setDialog} />;
      case 'market':
        if (bot === undefined || market === undefined) return <Empty>No bot has a market yet.</Empty>;
        return (
          <MarketView
            key={`${bot.id}/${market}`}
            bot={bot}
            slug={market}
            now={now}
            chosenRange={chosenRange}
            onChooseRange={setChosenRange}
            onOpen={setDialog}
            isPhone={isPhone}
          />
        );
      case 'risk':
        return <RiskView bots={bots} onOpen={setDialog} />;
      case 'orders':
        return <OrdersView bots={bots} now={now} onOpen={setDialog} />;
      case 'log':
        return <LogView key={bots.length === 0 ? 'none' : 'some'} bots={bots} />;
      case 'history':
        return <HistoryView />;
    }
  }
}

/** Returns the URL's bot and market. Defaults to the first bot that has markets, and to the bot's first market. */
function chosenMarket(bots: readonly Bot[], { bot: id, market }: Route) {
  const named = bots.find((each) => each.id === id);
  const bot = named ?? bots.find(({ state }) => (state?.markets.length ?? 0) > 0) ?? bots[0];
  return { bot, market: (named && market) ?? bot?.state?.markets[0]?.slug };
}

function killAllDialog(bots: readonly Bot[]): Dialog {
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
