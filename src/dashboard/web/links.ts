/** Addresses of views, and names in them. */

export function marketLink(bot: string, market: string): string {
  return `#/market/${encodeURIComponent(bot)}/${encodeURIComponent(market)}`;
}

/** Host of a venue's URL. */
export function venueName(url: string): string {
  return URL.parse(url)?.host ?? url;
}
