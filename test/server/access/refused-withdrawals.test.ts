import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecuteWithdrawalInput } from '../../../src/protocol/generated/schema-types.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import {
  ALICE,
  BOB,
  bearer,
  type Caller,
  logIn,
  MINUTE,
  openVenue,
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

describe('a withdrawal is refused', () => {
  it.each<[string, (good: ExecuteWithdrawalInput) => Partial<ExecuteWithdrawalInput>]>([
    ['an amount other than the signed one', () => ({ amountCents: 701 })],
    ['a destination other than the signed one', () => ({ toAddress: alice.address })],
    ['a nonce other than the signed one', () => ({ nonce: '8' })],
    ['a deadline other than the signed one', ({ deadline }) => ({ deadline: String(Number(deadline) + 1) })],
    ['a wallet other than the signed one', () => ({ walletId: '00000000-0000-4000-8000-000000000000' })],
    ['no signature', () => ({ signature: '0x' })],
  ])('with %s, as BAD_SIGNATURE', async (_, change) => {
    const good = sign({ amountCents: 700 });
    const { withdrawal, rejection } = await execute({ ...good, ...change(good) });
    expect(withdrawal).toBeNull();
    expect(rejection).toMatchObject({ reason: 'BAD_SIGNATURE', field: 'signature' });
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD);
    expect((await execute(good)).rejection).toBeNull();
  });

  it('when another account signed', async () => {
    const { rejection } = await execute(sign({ key: bob.privateKey }));
    expect(rejection?.reason).toBe('BAD_SIGNATURE');
  });

  it('when another account sends it', async () => {
    const { caller: otherCaller } = await logIn(venue, bob);
    const { rejection } = await execute(sign(), otherCaller);
    expect(rejection?.reason).toBe('BAD_SIGNATURE');
  });

  it('from a wallet that the account does not have, as NOT_FOUND', async () => {
    const { caller: other } = await logIn(venue, bob);
    const input = sign({ key: bob.privateKey, toAddress: alice.address });
    expect((await execute(input, other)).rejection).toMatchObject({ reason: 'NOT_FOUND', field: 'walletId' });
  });

  it('from a wallet that is not ready, as CONFLICT', async () => {
    const { caller: other } = await logIn(venue, bob);
    const { data } = await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, other);
    const early = unwrap(data?.provisionWallet).wallet.id;
    const { rejection } = await execute(sign({ key: bob.privateKey, walletId: early }), other);
    expect(rejection).toMatchObject({
      reason: 'CONFLICT',
      field: 'walletId',
      message: 'walletId: the wallet is PROVISIONING',
    });
  });

  it('with the client id of another withdrawal, as CONFLICT', async () => {
    await execute(sign({ nonce: 1 }));
    const { rejection } = await execute(sign({ nonce: 2 }));
    expect(rejection).toMatchObject({ reason: 'CONFLICT', field: 'clientWithdrawalId' });
  });

  it('when its message was used with another client id, as CONFLICT', async () => {
    const input = sign();
    await execute(input);
    const { rejection } = await execute({ ...input, clientWithdrawalId: 'another' });
    expect(rejection).toMatchObject({ reason: 'CONFLICT', field: 'nonce' });
  });

  it('from its deadline on, but not before, with EXPIRED_PARAMS and both times', async () => {
    const deadline = venue.clock.now() + MINUTE;
    const [early, late] = [sign({ deadline, nonce: 1 }), sign({ deadline, nonce: 2, clientWithdrawalId: 'late' })];
    await venue.pass(MINUTE - 1);
    expect((await execute(early)).rejection).toBeNull();
    await venue.pass(2);
    expect((await execute(late)).rejection).toEqual({
      reason: 'EXPIRED_PARAMS',
      message: `deadline: the signed deadline has passed (limit ${deadline + 1} ms, got ${deadline} ms)`,
      field: 'deadline',
      // The venue's time and the signed deadline, as for an order.
      limit: String(deadline + 1),
      value: String(deadline),
      unit: 'MILLISECONDS',
      retryAfterMs: null,
    });
  });

  it('below the minimum, with BELOW_MIN and both amounts', async () => {
    expect((await execute(sign({ amountCents: 99 }))).rejection).toMatchObject({
      reason: 'BELOW_MIN',
      field: 'amountCents',
      limit: '1000000',
      value: '990000',
      unit: 'MICRO_USD',
    });
  });

  it('above the available balance, with INSUFFICIENT_BALANCE and both amounts', async () => {
    expect((await execute(sign({ amountCents: 1_000_001 }))).rejection).toMatchObject({
      reason: 'INSUFFICIENT_BALANCE',
      field: 'amountCents',
      limit: String(CREDIT_MICRO_USD),
      value: '10000010000',
      unit: 'MICRO_USD',
    });
    expect((await execute(sign({ amountCents: 1_000_000 }))).rejection).toBeNull();
    expect(cashOf(venue)).toBe(0);
  });

  it('while the venue is HALTED, as VENUE_MODE', async () => {
    await venue.queue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'HALTED' });
    expect((await execute(sign())).rejection).toMatchObject({ reason: 'VENUE_MODE', retryAfterMs: 1_000 });
  });

  it('without a required verified email address, as EMAIL_NOT_VERIFIED', async () => {
    await venue.close();
    await open({ settings: { emailNeededFor: ['WITHDRAWAL'] } });
    expect((await execute(sign())).rejection?.reason).toBe('EMAIL_NOT_VERIFIED');
  });

  it('from a blocked country, as GEO_BLOCKED', async () => {
    await venue.close();
    await open({ settings: { geo: { countryHeader: 'country', rules: {}, unknown: 'BLOCKED' } } });
    expect((await execute(sign())).rejection?.reason).toBe('GEO_BLOCKED');
  });

  it.each<[string, Partial<ExecuteWithdrawalInput>, string]>([
    ['walletId', { walletId: 'x' }, 'invalid wallet ID: expected a UUID (8-4-4-4-12 hex digits), got "x"'],
    ['amountCents', { amountCents: 0 }, 'invalid argument: amountCents: expected at least one cent, got 0'],
    [
      'toAddress',
      { toAddress: `0x${'00'.repeat(20)}` },
      'invalid argument: toAddress: expected an address other than zero',
    ],
    [
      'clientWithdrawalId',
      { clientWithdrawalId: '' },
      'invalid argument: clientWithdrawalId: expected 1 to 64 characters, got ""',
    ],
    ['nonce', { nonce: '-1' }, 'invalid argument: nonce: expected an unsigned decimal integer'],
  ])('as a request error with an invalid %s', async (_, change, message) => {
    const { data, errors } = await venue.request(
      ALL_OPERATIONS.executeWithdrawal,
      { input: { ...sign(), ...change } },
      caller,
    );
    expect(data).toEqual({ executeWithdrawal: null });
    expect(errors[0]?.message).toContain(message);
    expect(errors[0]?.path).toEqual(['executeWithdrawal']);
  });
});

it('a key without WITHDRAW cannot withdraw', async () => {
  const { data } = await venue.request(
    ALL_OPERATIONS.createApiKey,
    { input: { label: 'r', scopes: ['READ', 'TRADE'] } },
    caller,
  );
  const key = bearer(unwrap(data?.createApiKey).secret);
  const { errors } = await venue.request(ALL_OPERATIONS.executeWithdrawal, { input: sign() }, key);
  expect(errors).toEqual([{ message: 'forbidden: needs scope WITHDRAW', path: ['executeWithdrawal'] }]);
  expect(cashOf(venue)).toBe(CREDIT_MICRO_USD);
});
