/** The required form of an operation's answer: its fields with their kinds, by the contract and the selection. */

/** What one value has to be. Ranges are in `answer-check.ts`; names with a capital are enums whose values are all known. */
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
