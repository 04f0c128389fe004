/** All preflight checks. Places no order. Signs a login, and one order that is not sent. */
import { signOut } from '../venue/sign-in.ts';
import { checkAccount, checkKey } from './account-check.ts';
import { checkMachine, checkStrategy } from './local-check.ts';
import { checkLimits, checkMarkets, checkSigning } from './market-check.ts';
import type { Finding, PreflightInput } from './preflight.ts';
import { checkReach } from './reach-check.ts';
import { checkSchema } from './schema-check.ts';

/** Runs the checks in the order of their dependencies. A failed check skips those that depend on it. */
export async function examine(
  input: PreflightInput,
  onFinding: (finding: Finding) => void = () => {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (...more: readonly Finding[]): void => {
    for (const finding of more) {
      findings.push(finding);
      onFinding(finding);
    }
  };
  add(...checkMachine(input));
  add(...checkStrategy(input));
  if (!input.isPaper) add(checkKey(input));
  const reached = await checkReach(input);
  add(...reached.findings);
  if (!reached.isThere) return findings;
  add(...(await checkSchema(input.http, input.operations)));
  add(...(await checkLimits(input)));
  const { findings: found, markets } = await checkMarkets(input);
  add(...found);
  if (input.isPaper) return findings;
  const account = await checkAccount(input);
  add(...account.findings);
  const { risk, priceIn } = input.settings;
  const isOpen = ({ acceptingOrders, feeRateBps }: (typeof markets)[number]): boolean =>
    acceptingOrders && feeRateBps <= risk.maxFeeBps;
  const market = markets.find(isOpen) ?? markets[0];
  if (account.isIn && market !== undefined) {
    add(await checkSigning(input, { ...market, priceBps: priceIn(market) }, risk));
  }
  if (account.token !== undefined) await signOut(input.http, input.credentials, account.token);
  return findings;
}
