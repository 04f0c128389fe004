import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { namesIn } from '../../docs/generator/example-blocks.ts';
import { ENVIRONMENT, EXAMPLES } from '../../docs/generator/examples.ts';
import { ACCESS, isRootField } from '../../src/protocol/index.ts';
import type { Hex } from '../../src/signing/index.ts';
import { newFolder } from '../cli/halfspread.ts';
import { type Serving, serving } from '../cli/serving.ts';
import { hashTypedData } from '../signing/eip712.ts';
import { openMessages, vectors } from '../signing/harness.ts';
import {
  bareEnvironment,
  curlRequest,
  type Environment,
  fetchRequest,
  firstEvent,
  loginLines,
  SECTIONS,
} from './api-examples.ts';

const VENUE = [
  'chain: { model: manual }',
  'resolver: { model: manual }',
  'house: { enabled: false }',
  'exchange: { quorum: 2, panel_size: 3, dispute_window: 86400000 }',
].join('\n');

const MARKET = {
  question: 'Will the rate of inflation fall?',
  rules: 'As measured.',
  category: 'economy',
  topics: ['inflation'],
  resolution_date: '2099-01-01T00:00:00Z',
};

it('every example of the pages succeeds, and its TypeScript and curl forms send the same request', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'venue.yaml'), VENUE);
  const venue = await serving(['--seed', '--config', 'venue.yaml'], folder);
  const [own, other] = vectors.keys;
  const maker = await openParty(venue, own);
  const { env } = maker;
  const done = new Set<string>();

  /** Sends the request of an example. @returns the answer's field of that name */
  const run = async (name: string) => {
    await maker.sign(name);
    const request = curlRequest(name, env);
    expect(await fetchRequest(name, env), name).toEqual(request);
    const answer = await maker.post(request.body, request.headers);
    expect(answer.errors, `${name}: ${JSON.stringify(answer)}`).toBeUndefined();
    expect(JSON.stringify(answer), name).not.toContain('"rejection":{');
    expect(answer.data, name).toHaveProperty(name);
    done.add(name);
    return answer.data[name];
  };
  const runAll = async (names: string) => {
    for (const name of names.split(' ')) await run(name);
  };
  const expectEvent = async (name: string, trigger: () => Promise<unknown> = async () => {}) => {
    const event = await firstEvent(name, env, new URL(venue.url).host, trigger);
    expect(event.errors, name).toBeUndefined();
    expect(event.data?.[name], name).toBeTypeOf('object');
    expect(event.data?.[name], name).not.toBeNull();
    done.add(name);
  };
  const operate = async (command: string, args: object) => {
    const answer = await venue.operate(command, args);
    expect(answer, command).toMatchObject({ ok: true });
    return answer;
  };

  const market = await operate('create-market', MARKET);
  expect(market).toMatchObject({ result: { id: expect.any(String) } });
  env.MARKET = JSON.parse(JSON.stringify(market)).result.id;
  await operate('open-market', { market: env.MARKET });
  await runAll('categories category topics topic markets market orderBook trades priceHistory betLimits betQuote');
  await runAll('bettingConfig marketConfig geoCheck health');

  await maker.signChallenge(await run('authChallenge'));
  env.REFRESH_TOKEN = (await run('createSession')).refreshToken;
  env.TOKEN = (await run('refreshSession')).accessToken;
  env.EPOCH = (await run('me')).orderEpoch;
  await run('requestEmailVerification');
  env.CODE = await vi.waitFor(() => {
    const mail = venue.logged().find(({ msg }) => msg === 'e-mail with a code, not sent');
    return z.object({ code: z.string() }).parse(mail).code;
  });
  expect(await run('verifyEmail')).toMatchObject({ verified: true });
  env.KEY = (await run('createApiKey')).apiKey.id;

  const taker = await openParty(venue, other);
  taker.env.MARKET = env.MARKET ?? '';
  await taker.logIn();
  const trade = () => taker.place({ outcome: 'NO', priceBps: 6_000, shares: '10000000', postOnly: false });

  env.GROUP = (await run('createOrderGroup')).group.id;
  await runAll('updateOrderGroup signingParams');
  env.ORDER = (await run('placeOrder')).order.id;
  await trade();
  await expectEvent('tradeExecuted', trade);
  for (const name of ['orderBookUpdated', 'priceUpdated', 'venueStatusChanged', 'orderEvents']) await expectEvent(name);
  for (const name of ['positionUpdated', 'balanceUpdated']) await expectEvent(name);
  expect(await run('trades')).toMatchObject({ edges: { length: 2 } });
  expect(await run('fills')).toMatchObject({ edges: { length: 2 } });
  expect(await run('orders')).toMatchObject({ edges: { length: 1 } });
  expect(await run('order')).toMatchObject({ found: true });
  await runAll('balance ledger positions portfolio betQuote priceHistory');

  await run('reduceOrder');
  env.ORDER = (await run('replaceOrder')).placed[0].order.id;
  env.ORDER = (await run('replaceOrders')).placed[0].order.id;
  env.ORDER_2 = (await run('placeOrders')).results[0].order.id;
  await run('cancelOrder');
  env.ORDER = (await maker.place({ priceBps: 3_800 })).order.id;
  expect((await run('cancelOrders')).results).toMatchObject([{ cancelled: true }, { cancelled: true }]);
  await maker.place({ priceBps: 3_700 });
  expect(await run('cancelMarketOrders')).toMatchObject({ results: { length: 1 } });
  await runAll('splitPosition mergePosition heartbeat tradingSafety disarmHeartbeat cancelAllOrders');

  env.NEW_MARKET = '7f3b1c52-0f0e-4c5e-9a52-0c3fca1b5f11';
  await run('createMarket');
  await operate('open-market', { market: env.NEW_MARKET });
  await runAll('createdMarkets cancelMarket');

  env.WALLET = (await run('provisionWallet')).wallet.id;
  await vi.waitFor(async () => expect(await run('wallets')).toMatchObject([{ status: 'ACTIVE' }]), 10_000);
  await run('executeWithdrawal');
  expect(await run('withdrawals')).toMatchObject({ edges: { length: 1 } });

  await expectEvent('marketStatusChanged', () => operate('close-early', { market: env.MARKET }));
  const vote = (model: string) => operate('vote', { market: env.MARKET, model, vote: 'YES', confidence_bps: 9_000 });
  await expectEvent('resolutionUpdated', () => vote('first'));
  await vote('second');
  await runAll('disputeResolution resolutionOutcome transparencyRecord');
  expect(await run('modelVotes')).toMatchObject([{ model: 'first' }, { model: 'second' }]);
  await operate('uphold-dispute', { market: env.MARKET });
  const voidVote = { market: env.MARKET, vote: 'CANCELLED', confidence_bps: 9_000 };
  for (const model of ['first', 'second']) await operate('vote', { ...voidVote, model });
  expect(await run('claimablePositions')).toHaveLength(1);
  expect(await run('claimPosition')).toMatchObject({ claims: { length: 1 } });
  await runAll('claimAllPositions deleteOrderGroup revokeApiKey revokeSession');

  expect([...done].sort()).toEqual(Object.keys(ACCESS).sort());
  expect([...SECTIONS.keys()].sort()).toEqual(Object.keys(ACCESS).sort());
  await venue.stop('SIGTERM');
}, 120_000);

it('the documented environment variables are exactly those that the examples use', () => {
  expect([...new Set(['TOKEN', ...namesIn(Object.values(EXAMPLES))])].sort()).toEqual(Object.keys(ENVIRONMENT).sort());
});

it('the login example prints a valid token', async () => {
  const venue = await serving([], newFolder());
  const [own] = vectors.keys;
  const lines = await loginLines(own?.privateKey.slice(2) ?? '', new URL(venue.url).host);
  const env: Environment = Object.fromEntries(lines.map((line) => line.replace('export ', '').split('=')));
  const { headers, body } = curlRequest('me', { ...bareEnvironment(), ...env });
  const answer = await fetch(`${venue.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(await answer.json()).toMatchObject({ data: { me: { address: own?.address, orderEpoch: env.EPOCH } } });
  await venue.stop('SIGTERM');
});

/** Creates a client with a key and with the environment that examples take their values from. */
async function openParty({ url }: Serving, key: { readonly privateKey: Hex; readonly address: Hex } | undefined) {
  const messages = await openMessages();
  const signing = messages.signer.key(key?.privateKey ?? '');
  const env: Environment = { ...bareEnvironment(), ADDRESS: signing.address };
  let salt = 0;

  const post = async (body: object, headers: Readonly<Record<string, string>>) => {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return JSON.parse(await (await fetch(`${url}/graphql`, sent)).text());
  };
  const variablesOf = (name: string) => {
    const text = isRootField(name) ? JSON.stringify(EXAMPLES[name]) : '{}';
    const values = new Map(Object.entries(env));
    return JSON.parse(text.replace(/"\$([A-Z_\d]+)"/g, (_, key: string) => JSON.stringify(values.get(key) ?? '')));
  };
  const signOrder = (wire: Record<string, never>): string => {
    const { salt: random, shares, expiration, timestampMs, epoch, signature: _none, ...rest } = wire;
    const numbers = { shares: Number(shares), expiration: Number(expiration), timestampMs: Number(timestampMs) };
    const message = JSON.parse(JSON.stringify({ ...rest, ...numbers, epoch: Number(epoch) }));
    return messages.order.sign({ ...message, salt: BigInt(random ?? 0) }, signing).signature;
  };
  /** Writes the signature and the other values that an example needs into the environment. */
  const sign = async (name: string) => {
    salt += 1;
    Object.assign(env, { SALT: String(salt), NOW: String(Date.now()) });
    const { input } = variablesOf(name);
    const order = [input?.order, input?.orders?.[0]?.order, input?.place?.[0]?.order].find(
      (candidate) => candidate?.salt,
    );
    if (order !== undefined) env.SIGNATURE = signOrder(order);
    if (name !== 'executeWithdrawal') return;
    Object.assign(env, { NONCE: '7', DEADLINE: String(Date.now() + 60_000) });
    const { walletId, toAddress, amountCents, nonce, deadline } = variablesOf(name).input;
    const message = {
      account: signing.address,
      walletId,
      toAddress,
      amountCents,
      nonce: 7,
      deadline: Number(deadline),
    };
    expect(nonce).toBe('7');
    env.SIGNATURE = messages.withdrawal.sign(message, signing).signature;
  };
  const signChallenge = async ({ nonce, typedData }: { nonce: string; typedData: never }) => {
    const { message }: { message: { issuedAt: string; expiresAt: string } } = JSON.parse(JSON.stringify(typedData));
    const signature = messages.signer.sign(hashTypedData(messages.signer.keccak256, typedData), signing);
    Object.assign(env, { NONCE: nonce, ISSUED_AT: `${message.issuedAt}`, EXPIRES_AT: `${message.expiresAt}` });
    env.SIGNATURE = signature;
  };
  const request = async (name: string) => {
    const { headers, body } = curlRequest(name, env);
    return (await post(body, headers)).data[name];
  };
  return {
    env,
    post,
    sign,
    signChallenge,
    async logIn() {
      await signChallenge(await request('authChallenge'));
      env.TOKEN = (await request('createSession')).accessToken;
      env.EPOCH = (await request('me')).orderEpoch;
    },
    /** Places the order of the example with changed terms. */
    async place(terms: object) {
      await sign('placeOrder');
      const wire = { ...variablesOf('placeOrder').input.order, ...terms };
      const { headers, body } = curlRequest('placeOrder', env);
      const variables = { input: { order: { ...wire, signature: signOrder(wire) } } };
      const { data } = await post({ ...body, variables }, headers);
      expect(data.placeOrder).toMatchObject({ accepted: true, rejection: null });
      return data.placeOrder;
    },
  };
}
