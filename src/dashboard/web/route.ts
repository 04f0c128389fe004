import { useMemo, useSyncExternalStore } from 'react';

/** First letters differ, because the key `g` and the first letter open a view. */
export const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;
type ViewName = (typeof VIEWS)[number];

export interface Route {
  readonly view: ViewName;
  readonly bot: string | undefined;
  readonly market: string | undefined;
}

function parseRoute(hash: string): Route {
  const [, name, bot, market] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name) ?? 'fleet';
  return { view, bot: decode(bot), market: decode(market) };
}

/** Returns undefined for a missing text, or an invalid one such as `%`. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(listenToHash, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

function listenToHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

export function marketLink(bot: string, market: string): string {
  return `#/market/${encodeURIComponent(bot)}/${encodeURIComponent(market)}`;
}

export function venueName(url: string): string {
  return URL.parse(url)?.host ?? url;
}
