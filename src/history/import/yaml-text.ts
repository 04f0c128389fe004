/** Writes plain values as YAML: one line per section member, with nested values in flow style. */

export type Value = string | number | readonly Value[] | { readonly [key: string]: Value | undefined };

export function yamlOf(mapping: { readonly [key: string]: Value | undefined }): string {
  return Object.entries(mapping)
    .flatMap(([key, value]) => {
      if (value === undefined) return [];
      if (Array.isArray(value)) return [`${key}:`, ...value.map((entry) => `  - ${flow(entry)}`)];
      if (typeof value !== 'object') return [`${key}: ${flow(value)}`];
      return [`${key}:`, ...Object.entries(value).map(([name, inner]) => `  ${name}: ${flow(inner)}`)];
    })
    .join('\n')
    .concat('\n');
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => `${key}: ${flow(inner)}`)
      .join(', ')} }`;
  }
  if (typeof value === 'number') return String(value);
  const text = String(value);
  return /^[A-Za-z_][\w.-]*$/.test(text) && !/^(yes|no|true|false|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
