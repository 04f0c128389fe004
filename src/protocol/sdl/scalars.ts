/** Scalars of the wire; how values become numbers: `codec/`. */
export const SCALARS_SDL = `# The venue's contract: 33 queries, 30 mutations, 9 subscriptions.
# ...Bps: integer basis points of the $1 payout. ...Cents: integer USD cents; what the reader has or gets is rounded down, what
# he pays or risks up. Shares: Float in answers, round(shares * 1e6) is exact. ...Micros: exact micro-USD. See
# docs/spec/venue.md#units. Nullable root fields: queries and subscriptions with arguments; all mutations but
# createSession and refreshSession.

# ======== Scalars ========

"ISO 8601 in UTC, ending in Z. The fraction of a second may be missing: parse it, never match a pattern."
scalar Time
"Opaque position in a list, for \`after\` and \`before\`. Hand it back unchanged, under the same sort."
scalar Cursor
"Unsigned decimal integer of at most 256 bits as a string, without sign or leading zeros."
scalar UintString
"Signed decimal integer as a string."
scalar IntString
"0x and hex digits; lower case in answers, either case in arguments."
scalar Hex
"EIP-712 message as JSON {domain, types, primaryType, message}. \`types\` includes EIP712Domain; integers in \`message\` are decimal strings."
scalar TypedData

`;
