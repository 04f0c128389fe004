/** Preflight checks of a bot on a service venue. They place no order. They sign a login and one unsent order. */
import { z } from 'zod';
import { OPERATIONS } from '../../protocol/index.ts';
import { logIn, logOut } from '../venue/sessions.ts';
import { checkLocally } from './local-check.ts';
import { checkLimits, checkMarkets, checkSigning, type FoundMarket } from './market-check.ts';
import { type Finding, fail, ok, type PreflightInput, warn } from './preflight.ts';
import { checkReachability, checkSchema, problemText } from './reach-check.ts';

const meSchema = z.object({
  address: z.string(),
  scopes: z.array(z.string()).nullable().optional(),
  rateBuckets: z.array(
    z.object({ name: z.string(), capacity: z.number(), refillPerSecond: z.number(), remaining: z.number() }),
  ),
});
const balanceSchema = z.object({ availableMicros: z.string() });
const NEEDED_SCOPES = ['READ', 'TRADE'] as const;

/** Runs the checks in the order of their dependencies. A failed check skips the checks that depend on it. */
export async function* runPreflight(input: PreflightInput): AsyncGenerator<Finding, void> {
  yield* checkLocally(input);
  const isReachable = yield* checkReachability(input);
  if (!isReachable) return;
  yield* await checkSchema(input.http, input.operations);
  yield* await checkLimits(input);
  const markets = yield* checkMarkets(input);
  if (!input.isPaper && input.credentialsProblem === undefined) yield* checkAccount(input, markets);
}

async function* checkAccount(input: PreflightInput, markets: readonly FoundMarket[]): AsyncGenerator<Finding, void> {
  const { http, credentials, settings } = input;
  let token: string;
  try {
    token = await logIn(http, credentials, input.login);
  } catch (error) {
    const remedy = 'Correct what the message names. Nothing was signed for another chain or contract';
    yield fail('login', problemText(error), remedy);
    return;
  }
  let logoutProblem: string | undefined;
  try {
    const isReadable = yield* readAccount(input);
    const { risk, priceIn } = settings;
    const market =
      markets.find(({ acceptingOrders, feeRateBps }) => acceptingOrders && feeRateBps <= risk.maxFeeBps) ?? markets[0];
    if (isReadable && market !== undefined)
      yield await checkSigning(input, { ...market, priceBps: priceIn(market) }, risk);
  } finally {
    logoutProblem = await logOut(http, credentials, token);
  }
  if (logoutProblem !== undefined)
    yield warn('logout', `the session could not be ended: ${logoutProblem}`, 'Nothing to do: the session will expire');
}

/** Checks login, scopes, rate limits and cash. @returns whether the account's data could be read */
async function* readAccount({ http, address, credentials }: PreflightInput): AsyncGenerator<Finding, boolean> {
  try {
    const account = meSchema.parse(await http.request(OPERATIONS.me));
    yield addressFinding(account.address, address, credentials.apiKey !== undefined);
    yield scopeFinding(account.scopes ?? []);
    yield bucketFinding(account.rateBuckets);
    const cash = Number(balanceSchema.parse(await http.request(OPERATIONS.balance)).availableMicros) / 1_000_000;
    const remedy = 'Deposit cash: without it, the bot can only sell its holdings';
    yield cash > 0 ? ok('cash', `$${cash.toFixed(2)} available`) : warn('cash', 'no cash', remedy);
    return true;
  } catch (error) {
    const remedy = 'Check the API key: it may be revoked, expired, or bound to other addresses';
    yield fail('login', problemText(error), remedy);
    return false;
  }
}

function addressFinding(found: string, expected: string | undefined, hasApiKey: boolean): Finding {
  if (expected === undefined || found.toLowerCase() === expected)
    return ok('login', `logged in as ${found} by ${hasApiKey ? 'API key' : 'signed login'}`);
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
  const text = buckets
    .map(({ name, capacity, refillPerSecond }) => `${name} ${capacity} (+${refillPerSecond}/s)`)
    .join(', ');
  const nearlyEmpty = buckets.filter(({ capacity, remaining }) => remaining < capacity / 10).map(({ name }) => name);
  if (nearlyEmpty.length === 0) return ok('rate limits', text);
  const problem = `${text}; nearly used up: ${nearlyEmpty.join(', ')}`;
  return warn('rate limits', problem, 'Another process may use these credentials: end it');
}
