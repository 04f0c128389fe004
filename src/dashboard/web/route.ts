/** Addresses of views, and the current view. */
import { useEffect, useMemo, useState } from 'react';

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
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return useMemo(() => routeOf(hash), [hash]);
}

export function marketLink(bot: string, market: string): string {
  return `#/market/${encodeURIComponent(bot)}/${encodeURIComponent(market)}`;
}

/** Host of a venue's URL. */
export function venueName(url: string): string {
  return URL.parse(url)?.host ?? url;
}
