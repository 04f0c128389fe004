/** Logs in to a venue and places one signed order, with viem and fetch alone: node examples/signed-order.ts [url] */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const url = process.argv[2] ?? 'http://127.0.0.1:4000';
// A key for play money: the first login opens its account.
const account = privateKeyToAccount(generatePrivateKey());

const { markets } = await ask('{ markets(input: { first: 1, filter: { status: OPEN } }) { edges { node { id } } } }');

const { authChallenge } = await ask('query ($address: Hex!) { authChallenge(address: $address) { typedData } }', {
  address: account.address,
});
const { nonce, issuedAt, expiresAt } = authChallenge.typedData.message;
const login = { address: account.address, nonce, issuedAt, expiresAt };
const { createSession } = await ask(
  'mutation ($input: CreateSessionInput!) { createSession(input: $input) { accessToken } }',
  {
    input: { ...login, signature: await account.signTypedData(authChallenge.typedData) },
  },
);
const token = createSession.accessToken;

const marketId = markets.edges[0].node.id;
const order = { marketId, outcome: 'YES', side: 'BUY', priceBps: 1_000, shares: '10000000', timeInForce: 'GTC' };
const { signingParams } = await ask(
  'query ($input: SigningParamsInput!) { signingParams(input: $input) { typedData } }',
  { input: { kind: 'ORDER', order } },
  token,
);
const { typedData } = signingParams;
// Check `typedData.message` here against what you want: you sign what it says.
const signed = {
  ...typedData.message,
  // These four are numbers or bytes in the message, and names or an id in `placeOrder`. Take them from your order.
  ...{ marketId, outcome: order.outcome, side: order.side, timeInForce: order.timeInForce },
  // These two are text in the message, and numbers in `placeOrder`.
  priceBps: Number(typedData.message.priceBps),
  maxFeeBps: Number(typedData.message.maxFeeBps),
  signature: await account.signTypedData(typedData),
};
const { placeOrder } = await ask(
  'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { accepted order { id status } rejection { reason message } } }',
  { input: { order: signed } },
  token,
);
process.stdout.write(`${JSON.stringify(placeOrder)}\n`);

async function ask(query: string, variables: object = {}, bearer = '') {
  const headers = {
    'content-type': 'application/json',
    ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
  };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await answer.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}
