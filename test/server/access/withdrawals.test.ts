import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecuteWithdrawalInput } from '../../../src/protocol/generated/schema-types.ts';
import { wrapRaw } from '../../../src/protocol/index.ts';
import type { PayoutStatusChange } from '../../../src/server/access/ports.ts';
import type { TypedData } from '../../../src/signing/struct-hasher.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { etherTypes } from '../../signing/harness.ts';
import {
  ALICE,
  BOB,
  type Caller,
  logIn,
  MINUTE,
  openVenue,
  signerOf,
  unwrap,
  type Venue,
  type VenueOptions,
} from './harness.ts';
import { cashOf, executeWithdrawal, type Signed, signedWithdrawal, walletFor } from './withdrawing.ts';

const alice = unwrap(ALICE);
const bob = unwrap(BOB);
const CREDIT_MICRO_USD = 10_000_000_000;
let venue: Venue;
let caller: Caller;
let walletId: string;

async function open(options: VenueOptions = {}) {
  venue = await openVenue(options);
  ({ caller } = await logIn(venue));
  walletId = await walletFor(venue, caller);
}
beforeEach(() => open());
afterEach(() => venue.close());

const sign = (changes: Partial<Signed> = {}) =>
  signedWithdrawal(venue, { walletId, key: alice.privateKey, ...changes });
const execute = (input: ExecuteWithdrawalInput, client = caller) => executeWithdrawal(venue, client, input);
const list = async (variables: { first?: number; after?: string } = {}) =>
  unwrap((await venue.request(ALL_OPERATIONS.withdrawals, variables, caller)).data?.withdrawals);
const ledger = () => venue.store.archive.ledger(1, {}, { maxRows: 99, direction: 'forward', from: undefined }).rows;

describe('a wallet', () => {
  it('is PROVISIONING until the chain reports it ready', async () => {
    const { caller: other } = await logIn(venue, bob);
    const { data } = await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, other);
    const wallet = unwrap(data?.provisionWallet).wallet;
    expect(wallet).toMatchObject({ status: 'PROVISIONING', chainId: 31_337, isDefault: true, depositAddress: null });
    await venue.pass(500);
    const { data: later } = await venue.request(ALL_OPERATIONS.wallets, {}, other);
    expect(later?.wallets).toEqual([
      { ...wallet, status: 'ACTIVE', depositAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
    ]);
  });

  it('is created once for each chain, also when two requests arrive at once', async () => {
    const { caller: other } = await logIn(venue, bob);
    const provision = () => venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, other);
    const answers = [...(await Promise.all([provision(), provision()])), await provision()];
    expect(new Set(answers.map(({ data }) => data?.provisionWallet?.wallet.id)).size).toBe(1);
  });

  it('is created only on known chains', async () => {
    const { data, errors } = await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 1 }, caller);
    expect(data).toEqual({ provisionWallet: null });
    expect(errors).toEqual([
      { message: 'invalid argument: chainId: expected one of 31337, got 1', path: ['provisionWallet'] },
    ]);
  });

  it('is visible only to its account', async () => {
    const { caller: other } = await logIn(venue, bob);
    expect((await venue.request(ALL_OPERATIONS.wallets, {}, other)).data?.wallets).toEqual([]);
  });
});

describe('a withdrawal', () => {
  it('debits the money at once and goes from PENDING through BROADCAST to CONFIRMED', async () => {
    const { withdrawal, duplicate, rejection } = await execute(sign({ amountCents: 12_345 }));
    expect([duplicate, rejection]).toEqual([false, null]);
    expect(withdrawal).toMatchObject({
      walletId,
      amountCents: 12_345,
      feeCents: 0,
      status: 'PENDING',
      transactionHash: null,
    });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 123_450_000);
    expect(ledger()[0]).toMatchObject({ kind: 'WITHDRAWAL', amount: -123_450_000 });
    await venue.pass(500);
    const [broadcast] = (await list()).edges;
    expect(broadcast?.node).toMatchObject({
      status: 'BROADCAST',
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    await venue.pass(2_000);
    const [confirmed] = (await list()).edges;
    expect(confirmed?.node).toEqual({ ...broadcast?.node, status: 'CONFIRMED', updatedAt: confirmed?.node.updatedAt });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 123_450_000);
  });

  it('accepts signatures of viem and ethers', async () => {
    const typedData = (nonce: bigint): TypedData =>
      venue.messages.withdrawal.typedData({
        account: alice.address,
        walletId,
        toAddress: bob.address,
        amountCents: 100,
        nonce,
        deadline: venue.clock.now() + MINUTE,
      });
    const inputFor = (nonce: bigint, signature: string): ExecuteWithdrawalInput => ({
      walletId,
      toAddress: bob.address,
      amountCents: 100,
      nonce: String(nonce),
      signature,
      deadline: String(venue.clock.now() + MINUTE),
      clientWithdrawalId: `w${nonce}`,
    });
    const { types, domain, primaryType, message } = typedData(1n);
    const byViem = await privateKeyToAccount(alice.privateKey).signTypedData({ types, domain, primaryType, message });
    expect((await execute(inputFor(1n, byViem))).withdrawal?.status).toBe('PENDING');
    const typed = typedData(2n);
    const byEthers = await new Wallet(alice.privateKey).signTypedData({ ...typed.domain }, etherTypes(typed), {
      ...typed.message,
    });
    expect((await execute(inputFor(2n, byEthers))).withdrawal?.status).toBe('PENDING');
  });

  it('accepts the unchanged, signed message of signingParams', async () => {
    const viewer = unwrap(venue.context(caller).viewer);
    const intent = { walletId: wrapRaw<'ID'>(walletId), toAddress: wrapRaw<'Hex'>(bob.address), amountCents: 500 };
    const offer = venue.access.prepareWithdrawal(viewer, intent);
    expect(offer).toMatchObject({
      kind: 'WITHDRAWAL',
      costCents: 500,
      worstCaseCents: 500,
      expiresAt: venue.clock.now() + 10 * MINUTE,
    });
    const typedData: TypedData = JSON.parse(JSON.stringify(offer.typedData));
    const signature = await signerOf(venue, alice.privateKey)(typedData);
    const { nonce, deadline } = typedData.message;
    const result = await execute({
      walletId,
      toAddress: bob.address,
      amountCents: 500,
      nonce: `${nonce}`,
      deadline: `${deadline}`,
      signature,
      clientWithdrawalId: 'offered',
    });
    expect(result.rejection).toBeNull();
    const again = venue.access.prepareWithdrawal(viewer, intent);
    expect(again.digest).not.toBe(offer.digest);
  });

  it('is returned without another debit when it is sent again, also after its deadline', async () => {
    const input = sign({ amountCents: 700 });
    const { withdrawal } = await execute(input);
    await venue.pass(14 * MINUTE);
    const again = await execute(input);
    expect(again).toMatchObject({
      duplicate: true,
      rejection: null,
      withdrawal: { id: withdrawal?.id, status: 'CONFIRMED' },
    });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 7_000_000);
  });

  it('is executed once when it is sent several times at once', async () => {
    const input = sign({ amountCents: 700 });
    const answers = await Promise.all([execute(input), execute(input), execute(input)]);
    expect(answers.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
    expect(new Set(answers.map(({ withdrawal }) => withdrawal?.id)).size).toBe(1);
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 7_000_000);
  });

  it('never exceeds the balance when many arrive at once', async () => {
    const inputs = [1, 2, 3].map((nonce) => sign({ amountCents: 600_000, nonce, clientWithdrawalId: `w${nonce}` }));
    const answers = await Promise.all(inputs.map((input) => execute(input)));
    expect(answers.map(({ rejection }) => rejection?.reason)).toEqual([
      undefined,
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_BALANCE',
    ]);
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 6_000_000_000);
    expect(venue.stops).toEqual([]);
  });
});

describe('a withdrawal that fails', () => {
  beforeEach(async () => {
    await venue.close();
    await open({ getFailureReason: () => 'out of gas' });
  });

  it('refunds the money once', async () => {
    await execute(sign({ amountCents: 700 }));
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 7_000_000);
    await venue.pass(10 * MINUTE);
    const [edge] = (await list()).edges;
    expect(edge?.node).toMatchObject({ status: 'FAILED', amountCents: 700 });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD);
    expect(ledger().map(({ kind, amount }) => [kind, amount])).toEqual([
      ['REFUND', 7_000_000],
      ['WITHDRAWAL', -7_000_000],
      ['DEPOSIT', CREDIT_MICRO_USD],
    ]);
    expect(JSON.stringify(venue.logged)).toContain('out of gas');
  });

  it('cannot be sent again with the same message', async () => {
    const input = sign({ amountCents: 700 });
    await execute(input);
    await venue.pass(5_000);
    expect(await execute(input)).toMatchObject({ duplicate: true, withdrawal: { status: 'FAILED' } });
    const { rejection } = await execute({ ...input, clientWithdrawalId: 'another' });
    expect(rejection).toMatchObject({ reason: 'CONFLICT', field: 'nonce' });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD);
  });
});

describe('a chain with repeated or contradictory status reports', () => {
  const FAILED: PayoutStatusChange = { status: 'FAILED', reason: 'no gas' };
  const CONFIRMED: PayoutStatusChange = { status: 'CONFIRMED', transactionHash: `0x${'ab'.repeat(32)}` };
  const BROADCAST: PayoutStatusChange = { status: 'BROADCAST', transactionHash: `0x${'cd'.repeat(32)}` };

  it.each<[string, readonly PayoutStatusChange[], string, number]>([
    ['fails twice', [BROADCAST, FAILED, FAILED], 'FAILED', 0],
    ['fails at once, and then is confirmed', [FAILED, BROADCAST, CONFIRMED], 'FAILED', 0],
    ['is confirmed, and then fails', [BROADCAST, CONFIRMED, FAILED, BROADCAST], 'CONFIRMED', 7_000_000],
    ['is confirmed without a broadcast', [CONFIRMED], 'CONFIRMED', 7_000_000],
  ])('pays or refunds once for a payout that %s', async (_, changes, status, paid) => {
    let report: ((change: PayoutStatusChange) => void) | undefined;
    venue.access.deps.chain.pay = (_payout, receive) => {
      report = receive;
    };
    await execute(sign({ amountCents: 700 }));
    for (const change of changes) unwrap(report)(change);
    await venue.pass(0);
    const [edge] = (await list()).edges;
    expect(edge?.node.status).toBe(status);
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - paid);
  });

  it('makes a wallet ready once', async () => {
    let reportReady: ((address: `0x${string}`) => void) | undefined;
    venue.access.deps.chain.provision = (_wallet, receive) => {
      reportReady = receive;
    };
    const { caller: other } = await logIn(venue, bob);
    await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, other);
    unwrap(reportReady)(`0x${'01'.repeat(20)}`);
    unwrap(reportReady)(`0x${'02'.repeat(20)}`);
    const { data } = await venue.request(ALL_OPERATIONS.wallets, {}, other);
    expect(data?.wallets[0]).toMatchObject({ status: 'ACTIVE', depositAddress: `0x${'01'.repeat(20)}` });
  });
});

describe('the list of withdrawals', () => {
  it('is paged from newest to oldest', async () => {
    for (let nonce = 1; nonce <= 5; nonce += 1)
      await execute(sign({ nonce, amountCents: 100 + nonce, clientWithdrawalId: `w${nonce}` }));
    const first = await list({ first: 2 });
    expect(first.edges.map(({ node }) => node.amountCents)).toEqual([105, 104]);
    expect([first.totalCount, first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([5, true, false]);
    await execute(sign({ nonce: 6, amountCents: 106, clientWithdrawalId: 'w6' }));
    const next = await list({ first: 9, after: unwrap(first.pageInfo.endCursor) });
    expect(next.edges.map(({ node }) => node.amountCents)).toEqual([103, 102, 101]);
  });

  it('contains only the account’s withdrawals, and its cursors work only there', async () => {
    await execute(sign());
    const { pageInfo } = await list();
    const { caller: other } = await logIn(venue, bob);
    expect((await venue.request(ALL_OPERATIONS.withdrawals, {}, other)).data?.withdrawals?.totalCount).toBe(0);
    const { errors } = await venue.request(ALL_OPERATIONS.withdrawals, { after: unwrap(pageInfo.endCursor) }, other);
    expect(errors[0]?.message).toBe('invalid cursor: it belongs to another list');
  });
});
