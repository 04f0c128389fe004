/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A value as RFC 8785 writes it: keys sorted by UTF-16 code units, no white space, strings and numbers as ECMAScript
 * writes them. One text for one value, so that it can be hashed. A number that is not finite becomes null.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
