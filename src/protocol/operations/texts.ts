/**
 * Every operation of the contract, written once for clients and tests, with all fields that it can answer. They become
 * typed documents, one by one, in `generated/operations.ts` (`npm run codegen`).
 */
import { ACCOUNT } from './account.ts';
import { MARKETS } from './markets.ts';
import { MONEY } from './money.ts';
import { ORDERS } from './orders.ts';
import { OWNERSHIP } from './ownership.ts';
import { PRICES } from './prices.ts';
import { RESOLUTION } from './resolution.ts';
import { SAFETY } from './safety.ts';
import { VENUE } from './venue.ts';

/** Fragments are shared by all of them: one document together. */
export const OPERATION_TEXTS = [MARKETS, PRICES, RESOLUTION, VENUE, ACCOUNT, MONEY, ORDERS, SAFETY, OWNERSHIP] as const;
