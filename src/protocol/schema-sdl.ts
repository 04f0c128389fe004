/** The venue's API as GraphQL SDL (docs/protocol.md). The SDL is text in modules, so that bundles contain it. */
import { ACCOUNTS_SDL } from './sdl/accounts.ts';
import { MARKETS_SDL } from './sdl/markets.ts';
import { OPERATIONS_SDL } from './sdl/operations.ts';
import { TRADING_SDL } from './sdl/trading.ts';

export const SCHEMA_SDL = MARKETS_SDL + ACCOUNTS_SDL + TRADING_SDL + OPERATIONS_SDL;
