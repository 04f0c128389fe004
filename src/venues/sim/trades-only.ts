/**
 * Which prints fill us on a tape that has trades but no book (models 6): `through` those strictly through our price, up to
 * their size; `touch` also `share` (0..1) of those at it, rounded **down** to lots.
 */
export type TradesOnly = { readonly fill: 'through' } | { readonly fill: 'touch'; readonly share: number };
