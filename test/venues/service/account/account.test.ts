import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type Clock, nextEventLoopTurn, seededRandom, wallClock } from '../../../../src/clock/index.ts';
import { epochMs } from '../../../../src/domain/index.ts';
import type { SigningKey } from '../../../../src/signing/index.ts';
import { Account, type AccountOptions } from '../../../../src/venues/service/account/account.ts';
import { login, transportChannel } from '../../../../src/venues/service/account/login.ts';
import {
  createTransport,
  OperationTexts,
  parseEndpoint,
  type Transport,
} from '../../../../src/venues/service/transport/index.ts';
import { keyOf, pinsOf } from '../../../server/trader.ts';
import { Bot } from '../bot.ts';
import { FaultyProxy } from '../faulty-proxy.ts';
import { Harness, SILENT } from '../harness.ts';
import { differences } from '../holdings.ts';
import { FIRST, quotes } from '../quoting.ts';
import { type BotKeyOptions, createBotKey } from './bot-key.ts';

const transports: Transport[] = [];
const closing: { close(): unknown }[] = [];

const harness = await Harness.open({ config: {}, access: { accessTokenMs: 1_500 } });
afterAll(() => harness.close());
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
  for (const transport of transports.splice(0)) await transport.close();
});

function transportTo(url: string, clock: Clock = wallClock()): Transport {
  const transport = createTransport({
    endpoint: parseEndpoint({ url }),
    operations: new OperationTexts(),
    clock,
    log: SILENT,
    random: seededRandom(1),
    settings: { timeoutMs: 2_000, retries: 0 },
  });
  transports.push(transport);
  return transport;
}

function createAccount(key: SigningKey, more: Partial<AccountOptions> = {}): Account {
  const account = new Account({
    transport: transportTo(harness.url),
    key,
    address: key.address,
    credential: { type: 'login' },
    pins: pinsOf(harness.tools, harness.url),
    onFault: (error) => {
      throw error;
    },
    ...more,
  });
  closing.push(account);
  return account;
}

/** Logs in with the account's own key and creates an API key. @returns its secret */
async function createApiKey(
  account: SigningKey,
  options: Pick<BotKeyOptions, 'label' | 'scopes' | 'delegate'>,
): Promise<string> {
  const transport = transportTo(harness.url);
  const session = await login(transportChannel(transport), account, pinsOf(harness.tools, harness.url));
  transport.setCredentials(session.accessToken);
  const terms = { ...options, nonce: 1n, expiresAt: Date.now() + 60_000 };
  return createBotKey(transport, account, harness.tools.messages.delegate, terms);
}

describe('a login', () => {
  it('opens an account and reports its epoch and rate limits', async () => {
    const details = await createAccount(keyOf(harness.tools, 1)).open();
    expect(details.epoch).toBe(0);
    expect(details.buckets.map(({ name }) => name).sort()).toEqual(['cancel', 'order', 'read']);
  });

  it('is renewed before its token expires', async () => {
    const account = createAccount(keyOf(harness.tools, 2));
    await account.open();
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    expect((await account.read()).epoch).toBe(0);
  });

  it('that is repeated waits longer each time, until a session has lasted a minute', async () => {
    const start = Date.now();
    let ahead = 0;
    let pauses: number[] = [];
    // Time limits of requests and renewals are longer, and never expire here.
    const LONGEST_PAUSE_MS = 999;
    const clock: Clock = {
      now: () => epochMs(start + ahead),
      schedule: (when, fire) => {
        const wait = when - clock.now();
        if (wait > LONGEST_PAUSE_MS) return () => {};
        pauses.push(wait);
        const immediate = setImmediate(fire);
        return () => clearImmediate(immediate);
      },
    };
    const account = createAccount(keyOf(harness.tools, 9), { transport: transportTo(harness.url, clock) });
    await account.open();
    const loginAgain = async (): Promise<readonly number[]> => {
      pauses = [];
      await account.loginAgain('the venue does not take the session');
      return pauses;
    };
    expect([await loginAgain(), await loginAgain(), await loginAgain(), await loginAgain()]).toEqual([
      [],
      [100],
      [200],
      [400],
    ]);
    ahead += 61_000;
    expect([await loginAgain(), await loginAgain()]).toEqual([[], [100]]);
  });

  describe('after the venue has rejected the session', () => {
    const open = async (number: number) => {
      const due = new Set<() => void>();
      const { now } = wallClock();
      const clock: Clock = {
        now,
        schedule: (when, fire) => {
          // Time limits of requests are longer, and never expire here.
          if (when - now() <= 1_000) due.add(fire);
          return () => void due.delete(fire);
        },
      };
      const transport = transportTo(harness.url, clock);
      const account = createAccount(keyOf(harness.tools, number), { transport });
      await account.open();
      return { account, due, mutate: vi.spyOn(transport, 'mutate'), setToken: vi.spyOn(transport, 'setCredentials') };
    };

    it('has one renewal, that of the new session', async () => {
      const { account, due, mutate } = await open(12);
      await account.loginAgain('the venue does not take the session');
      mutate.mockClear();
      for (const renew of due) renew();
      expect(mutate).toHaveBeenCalledOnce();
    });

    it('ignores a late answer to the renewal of the session before', async () => {
      const { account, due, mutate, setToken } = await open(13);
      const release = Promise.withResolvers<void>();
      const data = { refreshSession: { accessToken: 'a', refreshToken: 'b', expiresAt: '2100-01-01T00:00:00.000Z' } };
      const answer = release.promise.then(() => ({ type: 'data' as const, data, errors: [] }));
      mutate.mockReturnValueOnce(answer);
      for (const renew of due) renew();
      await account.loginAgain('the venue does not take the session');
      release.resolve();
      await answer;
      await nextEventLoopTurn();
      expect(setToken).toHaveBeenCalledOnce();
    });
  });

  it('survives a long outage during its renewal', async () => {
    const proxy = await FaultyProxy.open(harness.url);
    closing.push(proxy);
    const faults: unknown[] = [];
    const transport = transportTo(proxy.url);
    const account = createAccount(keyOf(harness.tools, 3), { transport, onFault: (error) => void faults.push(error) });
    await account.open();
    proxy.rule({
      direction: 'up',
      match: /refreshSession|authChallenge/,
      fault: 'drop',
      times: Number.POSITIVE_INFINITY,
    });
    // Longer than four logins with their pauses.
    await new Promise((resolve) => setTimeout(resolve, 8_500));
    expect([faults, proxy.applied.length > 4]).toEqual([[], true]);
    proxy.heal();
    await expect.poll(async () => (await account.read().catch(() => undefined))?.epoch, { timeout: 10_000 }).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('an account', () => {
  it('that differs from the owner of the credentials is refused', async () => {
    const key = keyOf(harness.tools, 3);
    const secret = await createApiKey(key, { label: 'bot' });
    const other = keyOf(harness.tools, 4);
    const open = createAccount(other, { credential: { type: 'apiKey', key: secret } }).open();
    await expect(open).rejects.toThrow(
      `the credentials are of account ${key.address}, but ${other.address} is configured`,
    );
  });

  it('whose API key may not trade is refused', async () => {
    const key = keyOf(harness.tools, 5);
    const secret = await createApiKey(key, { label: 'reader', scopes: ['READ'] });
    const open = createAccount(key, { credential: { type: 'apiKey', key: secret } }).open();
    await expect(open).rejects.toThrow('no scope TRADE');
  });

  it('is refused when a delegate logs in instead of using an API key', async () => {
    const open = createAccount(keyOf(harness.tools, 6), { address: keyOf(harness.tools, 7).address }).open();
    await expect(open).rejects.toThrow('give an API key that was made for this delegate');
  });

  it('is refused for a delegate that the API key does not name, and for an invalid API key', async () => {
    const account = keyOf(harness.tools, 8);
    const secret = await createApiKey(account, { label: 'bot' });
    const key = keyOf(harness.tools, 9);
    const open = createAccount(key, { address: account.address, credential: { type: 'apiKey', key: secret } }).open();
    await expect(open).rejects.toThrow(`names ${key.address} as its delegate`);
    const none = createAccount(key, { credential: { type: 'apiKey', key: 'pmk_1_none' } }).open();
    await expect(none).rejects.toThrow('UNAUTHORIZED');
  });

  it('trades through a delegate without funds', async () => {
    const account = keyOf(harness.tools, 10);
    const delegate = keyOf(harness.tools, 11);
    const secret = await createApiKey(account, { label: 'bot', delegate: delegate.address });
    const id = await harness.market(1);
    const bot = await Bot.start(harness, {
      markets: [id],
      key: delegate,
      options: { address: account.address, credential: { type: 'apiKey', key: secret } },
    });
    closing.push(bot);
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    expect(bot.state.market(FIRST).orders).toHaveLength(1);
    expect(JSON.parse(bot.records.rows[0]?.wire ?? '')).toMatchObject({
      maker: account.address,
      signer: delegate.address,
    });
    expect(await differences(harness, bot, account)).toEqual([]);
  });
});
