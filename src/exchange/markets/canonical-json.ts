export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Returns a value as canonical JSON (RFC 8785), which can be hashed. A number that is not finite becomes null. */
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
