/** Texts as they stand in the database, which knows Unicode alone. */

const MARK = '\u0000';

/** A text that is no Unicode (half a pair) as JSON behind a mark; so two of them stay two. */
export function textValue(text: string): string {
  return text.isWellFormed() && !text.startsWith(MARK) ? text : `${MARK}${JSON.stringify(text)}`;
}

/** What `textValue` made. */
export function textOf(value: string): string {
  return value.startsWith(MARK) ? String(JSON.parse(value.slice(MARK.length))) : value;
}
