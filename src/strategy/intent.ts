/** Intents as a strategy returns them: each names its market by slug, id, or what the view gives. */
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
