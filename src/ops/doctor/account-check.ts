/** Checks whether the account can trade: key, login, scopes, cash, rate limits. */
import { z } from 'zod';
import { OPERATIONS } from '../../protocol/index.ts';
import { signIn } from '../venue/sessions.ts';
import { type Finding, fail, ok, type PreflightInput, warn } from './preflight.ts';
import { problemOf } from './reach-check.ts';

const meSchema = z.object({
  address: z.string(),
  scopes: z.array(z.string()).nullable().optional(),
  orderEpoch: z.string(),
  rateBuckets: z.array(
    z.object({ name: z.string(), capacity: z.number(), refillPerSecond: z.number(), remaining: z.number() }),
  ),
  apiKeys: z
    .array(z.object({ delegateAddress: z.string().nullable() }))
    .nullable()
    .optional(),
});
const balanceSchema = z.object({ availableMicros: z.string() });
const NEEDED_SCOPES = ['READ', 'TRADE'] as const;

export interface AccountCheck {
  /** Whether the account's data could be read. */
  readonly isReadable: boolean;
  /** Token of the session; undefined when the login failed. */
  readonly token: string | undefined;
}

const KEY_REMEDY = 'Set account.key: { env: HALFSPREAD_KEY }, a file or a keystore';

/** Checks the key without the venue. */
export function checkKey({
  ownerProblem,
  key,
  address,
  signer,
}: Pick<PreflightInput, 'ownerProblem' | 'key' | 'address' | 'signer'>): Finding {
  if (ownerProblem !== undefined) {
    return fail('key', ownerProblem, 'Put the secret where `account` says, or change `account`');
  }
  if (key === undefined) return fail('key', 'there is no key to sign orders with', KEY_REMEDY);
  const whose = address === undefined || address === key.address ? 'the account' : `a delegate of ${address}`;
  return ok('key', `signs as ${signer.checksum(key.address)}, ${whose}`);
}

/** Logs in and reads the account. Skipped when `checkKey` could not read key or credentials. */
export async function* checkAccount(input: PreflightInput): AsyncGenerator<Finding, AccountCheck> {
  const { http, address, credentials } = input;
  if (input.ownerProblem !== undefined) return { isReadable: false, token: undefined };
  let token: string;
  try {
    token = await signIn(http, credentials, input.login);
  } catch (error) {
    const remedy = 'Correct what the message names. Nothing was signed for another chain or contract';
    yield fail('login', problemOf(error), remedy);
    return { isReadable: false, token: undefined };
  }
  try {
    const me = meSchema.parse(await http.request(OPERATIONS.me));
    yield addressFinding(me.address, address, credentials.apiKey !== undefined);
    yield scopeFinding(me.scopes ?? []);
    yield bucketFinding(me.rateBuckets);
    const cash = Number(balanceSchema.parse(await http.request(OPERATIONS.balance)).availableMicros) / 1_000_000;
    yield cash > 0
      ? ok('cash', `$${cash.toFixed(2)} available`)
      : warn('cash', 'no cash', 'Deposit cash: without it, the bot can only sell its holdings');
    return { isReadable: true, token };
  } catch (error) {
    yield fail('login', problemOf(error), 'Check the API key: it may be revoked, expired, or bound to other addresses');
    return { isReadable: false, token };
  }
}

function addressFinding(found: string, expected: string | undefined, isKey: boolean): Finding {
  if (expected === undefined || found.toLowerCase() === expected) {
    return ok('login', `logged in as ${found} by ${isKey ? 'API key' : 'signed login'}`);
  }
  const text = `these credentials belong to ${found}, not to ${expected}`;
  return fail('login', text, 'Correct account.address, the key, or account.api_key');
}

function scopeFinding(scopes: readonly string[]): Finding {
  const missing = NEEDED_SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return ok('scopes', scopes.join(', '));
  const text = `${missing.join(' and ')} missing (there are ${scopes.join(', ') || 'none'})`;
  return fail('scopes', text, 'Make an API key with READ and TRADE');
}

function bucketFinding(buckets: z.output<typeof meSchema>['rateBuckets']): Finding {
  const each = buckets.map(({ name, capacity, refillPerSecond }) => `${name} ${capacity} (+${refillPerSecond}/s)`);
  const text = each.join(', ');
  const tight = buckets.filter(({ capacity, remaining }) => remaining < capacity / 10).map(({ name }) => name);
  if (tight.length === 0) return ok('rate limits', text);
  const problem = `${text}; nearly used up: ${tight.join(', ')}`;
  return warn('rate limits', problem, 'Another process may use these credentials: end it');
}
