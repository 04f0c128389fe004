import { signOut } from '../venue/sessions.ts';
import { checkAccount, checkKey } from './account-check.ts';
import { checkMachine, checkStrategy } from './local-check.ts';
import { checkLimits, checkMarkets, checkSigning } from './market-check.ts';
import type { Finding, PreflightInput } from './preflight.ts';
import { checkReachability, checkSchema } from './reach-check.ts';

/**
 * Runs all preflight checks in the order of their dependencies. A failed check skips those that depend on it. Places no
 * order; signs a login, and one order that is not sent.
 */
export async function* examine(input: PreflightInput): AsyncGenerator<Finding, void> {
  yield* checkMachine(input);
  yield* checkStrategy(input);
  if (!input.isPaper) yield checkKey(input);
  const isReachable = yield* checkReachability(input);
  if (!isReachable) return;
  yield* await checkSchema(input.http, input.operations);
  yield* await checkLimits(input);
  const markets = yield* checkMarkets(input);
  if (input.isPaper) return;
  const account = yield* checkAccount(input);
  const { risk, priceIn } = input.settings;
  const isOpen = ({ acceptingOrders, feeRateBps }: (typeof markets)[number]): boolean =>
    acceptingOrders && feeRateBps <= risk.maxFeeBps;
  const market = markets.find(isOpen) ?? markets[0];
  if (account.isReadable && market !== undefined)
    yield await checkSigning(input, { ...market, priceBps: priceIn(market) }, risk);
  if (account.token !== undefined) await signOut(input.http, input.credentials, account.token);
}
