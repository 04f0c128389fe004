/** An intent as a strategy returns it. Its market is a slug, an id, or a number of the view. */
import type {
  ClaimIntent as DomainClaim,
  ConvertIntent as DomainConvert,
  QuoteIntent as DomainQuote,
  TakeIntent as DomainTake,
} from '../domain/index.ts';
import type { MarketRef } from '../state/index.ts';

export type QuoteIntent = DomainQuote<MarketRef>;
export type TakeIntent = DomainTake<MarketRef>;
export type ConvertIntent = DomainConvert<MarketRef>;
export type ClaimIntent = DomainClaim<MarketRef>;
export type Intent = QuoteIntent | TakeIntent | ConvertIntent | ClaimIntent;
