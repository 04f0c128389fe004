/**
 * The contract of the venue as GraphQL SDL: 33 queries, 30 mutations, 9 subscriptions. Names contain units
 * (docs/protocol.md). It is text in modules instead of a file, so that bundles contain it.
 */
import { ACCOUNT_SDL } from './sdl/account.ts';
import { BASICS_SDL } from './sdl/basics.ts';
import { EVENTS_SDL } from './sdl/events.ts';
import { MARKET_CREATION_SDL } from './sdl/market-creation.ts';
import { MARKETS_SDL } from './sdl/markets.ts';
import { MONEY_SDL } from './sdl/money.ts';
import { OPERATIONS_SDL } from './sdl/operations.ts';
import { ORDERS_SDL } from './sdl/orders.ts';
import { PRICES_SDL } from './sdl/prices.ts';
import { RESOLUTION_SDL } from './sdl/resolution.ts';
import { SAFETY_SDL } from './sdl/safety.ts';
import { VENUE_SDL } from './sdl/venue.ts';
import { WALLETS_SDL } from './sdl/wallets.ts';

export const SCHEMA_SDL = [
  BASICS_SDL,
  MARKETS_SDL,
  PRICES_SDL,
  RESOLUTION_SDL,
  VENUE_SDL,
  ACCOUNT_SDL,
  MONEY_SDL,
  ORDERS_SDL,
  SAFETY_SDL,
  MARKET_CREATION_SDL,
  WALLETS_SDL,
  EVENTS_SDL,
  OPERATIONS_SDL,
].join('');
