/** The venue applies the rates and payouts of its configuration file; operator commands need POST and a token. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openServer } from '../../src/app/serve/open-server.ts';
import { venueSchema } from '../../src/config/venue-schema.ts';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { ACCESS_DEFAULTS } from '../../src/server/access/settings.ts';
import { createRandomFailures, PAYOUT_DEFAULTS } from '../../src/server/access/simulated-payouts.ts';
import { keyOf, login, openSigningTools, queryVenue, type SigningTools } from './trader.ts';

const HOUR = 3_600_000;
const BETTING = {
  minBetCents: 10,
  maxInitialBetCents: 100_000,
  betPresets: [100, 500, 1_000, 5_000],
  spreadBps: 2_000,
  maxBatchOrders: 20,
  maxBatchCancels: 200,
  minHeartbeatMs: 1_000,
  maxHeartbeatMs: 300_000,
  maxClockSkewMs: 30_000,
  feeRateBps: 0,
};
const MARKET = {
  maxQuestionLength: 300,
  maxBetPerMarketCents: 10_000_000,
  maxExposurePerMarketCents: 100_000_000,
  tickSizeBps: 10,
  minOrderShares: 1,
  lotShares: 0.01,
  disputeWindowSeconds: 7_200,
};
/** Settings that only operators can read. */
const RESOLUTION = { panel_size: 3, quorum: 2, quorum_timeout: 24 * HOUR, safety_period: 24 * HOUR };
const QUERY = `{ bettingConfig { ${Object.keys(BETTING).join(' ')} } marketConfig { ${Object.keys(MARKET).join(' ')} } }`;

let folder: string;
let venue: VenueServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-configured-'));
});
afterEach(async () => {
  await venue?.close(0);
  venue = undefined;
  rmSync(folder, { recursive: true });
});

async function serve(config: object): Promise<VenueServer> {
  const ignore = (): void => undefined;
  venue = await openServer({
    overrides: {
      db: join(folder, 'venue.db'),
      host: '127.0.0.1',
      port: 0,
      creditCents: undefined,
      seed: false,
      acceptLoss: false,
      dialects: undefined,
      renewOperatorToken: false,
      replays: [],
    },
    file: venueSchema.parse(config),
    folder,
    chaos: undefined,
    log: { info: ignore, warn: ignore, error: ignore },
    onStop: ignore,
  });
  return venue;
}

async function expectDefaults(server: VenueServer): Promise<void> {
  expect(await queryVenue(server.url, undefined, QUERY, {})).toEqual({ bettingConfig: BETTING, marketConfig: MARKET });
  expect(await server.operate('status')).toMatchObject({ config: RESOLUTION });
}

describe('the default limits (docs/spec/venue.md#limits)', () => {
  it('apply to a venue embedded in another program', async () => {
    venue = await startVenue();
    await expectDefaults(venue);
  });

  it('apply to `halfspread serve` without a configuration', async () => {
    await expectDefaults(await serve({}));
  });
});

describe('rate limits', () => {
  it('are the defaults when the file does not set them', () => {
    const { rates, payouts } = venueSchema.parse({});
    for (const name of ['read', 'order', 'cancel', 'parse'] as const) {
      const { capacity, perSecond } = ACCESS_DEFAULTS.buckets[name];
      expect(rates[name]).toEqual({ capacity, per_second: perSecond });
    }
    const { provisionMs, broadcastMs, confirmMs, failure } = PAYOUT_DEFAULTS;
    expect(payouts).toEqual({
      provision_ms: provisionMs,
      broadcast_ms: broadcastMs,
      confirm_ms: confirmMs,
      failure,
    });
  });

  it('are the values of the file for each bucket', async () => {
    const { url } = await serve({ rates: { order: { capacity: 7 }, cancel: { capacity: 9, per_second: 3 } } });
    const tools = await openSigningTools();
    const token = await login(url, tools, keyOf(tools, 1));
    const { me } = await queryVenue(url, token, '{ me { rateBuckets { name capacity refillPerSecond } } }', {});
    expect(me.rateBuckets).toEqual([
      { name: 'read', capacity: 500, refillPerSecond: 250 },
      { name: 'order', capacity: 7, refillPerSecond: 500 },
      { name: 'cancel', capacity: 9, refillPerSecond: 3 },
    ]);
  });
});

describe('withdrawals', () => {
  it.each([
    [1, 'FAILED', 1_000_000],
    [0, 'CONFIRMED', 995_000],
  ] as const)('with a failure probability of %d become %s', async (failure, status, availableCents) => {
    const { url } = await serve({ payouts: { provision_ms: 1, broadcast_ms: 1, confirm_ms: 1, failure } });
    const tools = await openSigningTools();
    const token = await login(url, tools, keyOf(tools, 1));
    const walletId = await provisionWallet(url, token);
    const { executeWithdrawal } = await queryVenue(
      url,
      token,
      'mutation ($i: ExecuteWithdrawalInput!) { executeWithdrawal(input: $i) { withdrawal { feeCents } rejection { reason } } }',
      { i: withdrawal(tools, walletId) },
    );
    expect(executeWithdrawal).toEqual({ withdrawal: { feeCents: 0 }, rejection: null });
    const state = '{ withdrawals { edges { node { status } } } balance { availableCents } }';
    const statusAndBalance = async () => {
      const { withdrawals, balance } = await queryVenue(url, token, state, {});
      return [withdrawals.edges[0].node.status, balance.availableCents];
    };
    await expect.poll(statusAndBalance, { timeout: 10_000 }).toEqual([status, availableCents]);
  });

  it('fail deterministically with the configured probability', () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => ({ id: `withdrawal ${at}` }));
    const failed = ids.filter((payout) => createRandomFailures(0.25)(payout) !== undefined);
    expect(failed.length).toBeGreaterThan(400);
    expect(failed.length).toBeLessThan(600);
    expect(ids.filter((payout) => createRandomFailures(0.25)(payout) !== undefined)).toEqual(failed);
    expect(ids.filter((payout) => createRandomFailures(0)(payout) !== undefined)).toEqual([]);
    expect(ids.filter((payout) => createRandomFailures(1)(payout) === undefined)).toEqual([]);
  });
});

it("operators' commands are accepted only by POST", async () => {
  const { url } = await serve({});
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await fetch(`${url}/operator`, { method });
    expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST, OPTIONS']);
    expect(await answer.json()).toEqual({ ok: false, error: { code: 'METHOD', message: 'use POST' } });
  }
  expect((await fetch(`${url}/operator`, { method: 'POST' })).status).toBe(401);
});

it("operators' commands without the token are refused before their body is read", async () => {
  const { url } = await serve({});
  for (const body of ['', '{"command":', 'x'.repeat(300_000)]) {
    for (const [method, status] of [
      ['POST', 401],
      ['PUT', 405],
    ] as const) {
      const answer = await fetch(`${url}/operator`, { method, body, headers: { 'content-type': 'application/json' } });
      expect([method, answer.status]).toEqual([method, status]);
    }
  }
});

async function provisionWallet(url: string, token: string): Promise<string> {
  const mutation = 'mutation { provisionWallet(chainId: 31337) { wallet { id } } }';
  const { provisionWallet } = await queryVenue(url, token, mutation, {});
  const statusNow = async () => (await queryVenue(url, token, '{ wallets { status } }', {})).wallets[0].status;
  await expect.poll(statusNow, { timeout: 10_000 }).toBe('ACTIVE');
  return provisionWallet.wallet.id;
}

/** The signed input of a withdrawal of $50. */
function withdrawal(tools: SigningTools, walletId: string): object {
  const key = keyOf(tools, 1);
  const toAddress = keyOf(tools, 2).address;
  const deadline = Date.now() + 60_000;
  const message = { account: key.address, walletId, toAddress, amountCents: 5_000, nonce: 7, deadline };
  const { signature } = tools.messages.withdrawal.sign(message, key);
  return {
    walletId,
    toAddress,
    amountCents: 5_000,
    nonce: '7',
    deadline: String(deadline),
    signature,
    clientWithdrawalId: 'one',
  };
}
