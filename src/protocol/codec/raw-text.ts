/**
 * Text of an argument as it came: a JSON string, and nothing more is known (docs/spec/venue.md#errors-and-transport).
 *
 * A bad value in Time, Cursor, UintString, IntString, Hex or ID is an error of the field and leaves the rest of the
 * request alone. So the scalars let every string pass, and the type is no string: only the readers of this folder open it.
 */
declare const unread: unique symbol;

/** A scalar of the contract whose text is read late. */
export type RawScalar = 'Time' | 'Cursor' | 'UintString' | 'IntString' | 'Hex' | 'ID';

/** Unread text; at run time a plain string. */
export interface Raw<Scalar extends RawScalar> {
  readonly [unread]: Scalar;
}

/** Text as unread: for whoever calls resolvers without GraphQL, and for tests. */
export function rawText<Scalar extends RawScalar>(text: string): Raw<Scalar> {
  return text as unknown as Raw<Scalar>;
}

/** The text itself, for readers of other folders (cursors are unsealed by whoever sealed them). */
export function textOf(raw: Raw<RawScalar>): string {
  return raw as unknown as string;
}
