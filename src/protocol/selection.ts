/** The fields of an operation's answer with their kinds, by contract and selection. */

/** Kind of a value. `answer-check.ts` has the ranges. Capitalised names are enums with known values. */
export type LeafKind =
  | 'boolean'
  | 'text'
  | 'word'
  | 'token'
  | 'id'
  | 'uuid'
  | 'cursor'
  | 'hash'
  | 'hex'
  | 'time'
  | 'price'
  | 'bps'
  | 'fee'
  | 'tick'
  | 'cents'
  | 'count'
  | 'positive'
  | 'ms'
  | 'positiveMs'
  | 'int'
  | 'shares'
  | 'amount'
  | 'rate'
  | 'micros'
  | 'signedMicros'
  | 'seq'
  | 'integer'
  | 'object'
  | 'BetOutcome'
  | 'BookEventKind'
  | 'LiquidityRole'
  | 'MarketStatus'
  | 'OrderEventKind'
  | 'OrderSide'
  | 'OrderStatus'
  | 'RejectReason'
  | 'VenueMode';

/** `?` may be null, `[]` is a list without nulls. */
export type Wrap = '' | '?' | '[]' | '[]?';

export type FieldShape = `${LeafKind}${Wrap}` | { readonly fields: Selection; readonly wrap: Wrap };

export interface Selection {
  readonly [field: string]: FieldShape;
}
