/** An example as code: curl and TypeScript, which send the same body, or a subscription of `graphql-ws`. */
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  parse,
  print,
} from 'graphql';
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

/** An operation's document, printed over several lines. @param given names of the variables that the example sets */
export function exampleDocument(
  kind: 'query' | 'mutation' | 'subscription',
  { name, args, type }: GraphQLField<unknown, unknown>,
  given: readonly string[],
): string {
  const used = args.filter((arg) => given.includes(arg.name));
  const declared = used.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const [head, call] = used.length === 0 ? [title, name] : [`${title}(${declared})`, `${name}(${passed})`];
  return print(parse(`${kind} ${head} { ${call} ${selection(type, 1)} }`));
}

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

/**
 * A login from end to end, as the first page shows it: it prints the first variables of the other examples. A whole module; `PRIVATE_KEY` has 64 hex digits.
 */
export const LOGIN_BLOCK = [
  "import { privateKeyToAccount } from 'viem/accounts';",
  '',
  'const account = privateKeyToAccount(`0x@{process.env["PRIVATE_KEY"]}`);',
  'const { address } = account;',
  'const { authChallenge } = await ask(',
  "  'query ($address: Hex!) { authChallenge(address: $address) { nonce typedData } }',",
  '  { address },',
  ');',
  'const { nonce, typedData } = authChallenge;',
  'const { issuedAt, expiresAt } = typedData.message;',
  'const signature = await account.signTypedData(typedData);',
  'const { createSession } = await ask(',
  "  'mutation ($input: CreateSessionInput!) { createSession(input: $input) { accessToken refreshToken account { orderEpoch } } }',",
  '  { input: { address, nonce, issuedAt, expiresAt, signature } },',
  ');',
  'console.log(`export ADDRESS=@{address}`);',
  'console.log(`export TOKEN=@{createSession.accessToken}`);',
  'console.log(`export REFRESH_TOKEN=@{createSession.refreshToken}`);',
  'console.log(`export EPOCH=@{createSession.account.orderEpoch}`);',
  '',
  'async function ask(query: string, variables: object) {',
  `  const answer = await fetch('http://${EXAMPLE_HOST}/graphql', {`,
  "    method: 'POST',",
  "    headers: { 'content-type': 'application/json' },",
  '    body: JSON.stringify({ query, variables }),',
  '  });',
  '  const { data, errors } = JSON.parse(await answer.text());',
  '  if (errors !== undefined) throw new Error(JSON.stringify(errors));',
  '  return data;',
  '}',
]
  .join('\n')
  .replaceAll('@{', '$' + '{');

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

/** Leaves, and the leaves of what is `depth` objects below; pages of lists and batches do not count as objects. */
function selection(output: GraphQLOutputType, depth: number): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [field.name];
    const below = /(Connection|Edge|OrdersPayload)$/.test(type.name) ? depth : depth - 1;
    return below < 0 ? [] : [`${field.name} ${selection(inner, below)}`];
  });
  return `{ ${fields.join(' ')} }`;
}
