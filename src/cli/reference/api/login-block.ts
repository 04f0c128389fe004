/** A login from end to end, as the first page shows it: it prints the first variables of the other examples. */
import { EXAMPLE_HOST } from './example-blocks.ts';

/** A whole module; `PRIVATE_KEY` has 64 hex digits. */
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
