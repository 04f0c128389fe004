/** How a tape that has trades but no book is replayed (docs/spec/models.md#thin-tapes); the mark is the last trade. */
export type TradesOnly = PrintFills & {
  /**
   * Takers trade any size this far from the last trade, in bps, rounded away from it to the grid. Undefined: takers are
   * refused, as nothing on the tape says what they would have got.
   */
  readonly assumedHalfSpreadBps: number | undefined;
};

/**
 * Which prints fill us: `through` those strictly through our price, up to their size; `touch` also `share` (0..1) of those
 * at it, rounded **down** to lots.
 */
export type PrintFills = { readonly fill: 'through' } | { readonly fill: 'touch'; readonly share: number };
