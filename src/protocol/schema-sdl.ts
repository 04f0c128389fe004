/**
 * The contract of the venue as GraphQL SDL: 33 queries, 30 mutations, 9 subscriptions. Names contain units
 * (docs/protocol.md). It is text in modules instead of a file, so that bundles contain it.
 */
import { ACCOUNTS_SDL } from './sdl/accounts.ts';
import { MARKETS_SDL } from './sdl/markets.ts';
import { OPERATIONS_SDL } from './sdl/operations.ts';
import { TRADING_SDL } from './sdl/trading.ts';

export const SCHEMA_SDL = MARKETS_SDL + ACCOUNTS_SDL + TRADING_SDL + OPERATIONS_SDL;
