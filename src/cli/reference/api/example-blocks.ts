/** An example as code: curl and TypeScript, which send the same body, or a subscription of `graphql-ws`. */
import type { ExampleValue, ExampleVariables } from './examples.ts';

/** What an example sends. */
export interface Example {
  /** Over several lines. */
  readonly document: string;
  readonly variables: ExampleVariables;
  /** Whether a token goes with it. */
  readonly isProtected: boolean;
}

/** Where the venue of the examples listens. */
export const EXAMPLE_HOST = '127.0.0.1:4000';

/** One line of a shell. Values come from exported variables. */
export function curlBlock({ document, variables, isProtected }: Example): string {
  const query = quoted({ query: document.replace(/\s+/g, ' ') }).slice(0, -1);
  const lines = [
    `curl -s http://${EXAMPLE_HOST}/graphql -H 'content-type: application/json' \\`,
    ...(isProtected ? ['  -H "authorization: Bearer $TOKEN" \\'] : []),
    `  -d '${query},`,
    `    "variables":${quoted(variables)}}'`,
  ];
  return lines.join('\n');
}

/** A whole module. Values come from the environment. */
export function fetchBlock({ document, variables, isProtected }: Example): string {
  const headers = ["'content-type': 'application/json'", ...(isProtected ? [`authorization: ${BEARER}`] : [])];
  return [
    ...environment(variables, isProtected),
    `const answer = await fetch('http://${EXAMPLE_HOST}/graphql', {`,
    "  method: 'POST',",
    `  headers: { ${headers.join(', ')} },`,
    '  body: JSON.stringify({',
    `    query: ${template(document, '    ')},`,
    `    variables: ${literal(variables, '    ')},`,
    '  }),',
    '});',
    'console.log(JSON.stringify(await answer.json(), null, 2));',
  ].join('\n');
}

/** A whole module that prints what comes, until it is stopped. */
export function streamBlock({ document, variables, isProtected }: Example): string {
  return [
    "import { createClient } from 'graphql-ws';",
    "import WebSocket from 'ws';",
    '',
    ...environment(variables, isProtected),
    'const client = createClient({',
    `  url: 'ws://${EXAMPLE_HOST}/graphql',`,
    '  webSocketImpl: WebSocket,',
    ...(isProtected ? [`  connectionParams: { authorization: ${BEARER} },`] : []),
    '});',
    'const events = client.iterate({',
    `  query: ${template(document, '  ')},`,
    `  variables: ${literal(variables, '  ')},`,
    '});',
    'for await (const event of events) console.log(JSON.stringify(event));',
  ].join('\n');
}

/** Names of the variables of the environment that an example takes, each once, sorted. */
export function namesIn(value: ExampleValue): readonly string[] {
  const names = [...JSON.stringify(value).matchAll(/"\$([A-Z_\d]+)"/g)].map(([, name = '']) => name);
  return [...new Set(names)].sort();
}

const BEARER = '`Bearer $' + '{TOKEN}`';

function environment(variables: ExampleVariables, isProtected: boolean): readonly string[] {
  const names = [...(isProtected ? ['TOKEN'] : []), ...namesIn(variables)];
  return names.length === 0 ? [] : [`const { ${names.join(', ')} } = process.env;`];
}

/** JSON inside of single quotes of a shell, with the shell's variables between them. */
function quoted(value: object): string {
  return JSON.stringify(value)
    .replaceAll("'", "'\\''")
    .replace(/"\$([A-Z_\d]+)"/g, `"'"$$$1"'"`);
}

function template(document: string, indent: string): string {
  return `\`${document.replaceAll('\n', `\n${indent}`)}\``;
}

function literal(value: ExampleValue, indent: string): string {
  if (typeof value === 'string') {
    return /^\$[A-Z_\d]+$/.test(value) ? value.slice(1) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  }
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`;
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([name, one]) => `${name}: ${literal(one, inner)}`);
  const short = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  return short.length < 90 && !short.includes('\n')
    ? short
    : `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}

function isList(value: object): value is readonly ExampleValue[] {
  return Array.isArray(value);
}
