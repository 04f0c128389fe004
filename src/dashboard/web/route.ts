/** Addresses of views, and the current view. */
import { useMemo, useSyncExternalStore } from 'react';

/** Their first letters differ, as keys open them. */
export const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;
type ViewName = (typeof VIEWS)[number];

export interface Route {
  readonly view: ViewName;
  readonly bot: string | undefined;
  readonly market: string | undefined;
}

function routeOf(hash: string): Route {
  const [, name, bot, market] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name) ?? 'fleet';
  return { view, bot: decoded(bot), market: decoded(market) };
}

/** Undefined for an address of no view, including an invalid one such as `%`. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(listenToHash, () => location.hash);
  return useMemo(() => routeOf(hash), [hash]);
}

function listenToHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

export function marketLink(bot: string, market: string): string {
  return `#/market/${encodeURIComponent(bot)}/${encodeURIComponent(market)}`;
}

/** Host of a venue's URL. */
export function venueName(url: string): string {
  return URL.parse(url)?.host ?? url;
}
