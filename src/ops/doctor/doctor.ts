/** Everything that can be known before a bot runs. Places nothing; signs a login, and an order that it keeps to itself. */
import { signOut } from '../venue/sign-in.ts';
import { checkAccount, checkKey } from './account-check.ts';
import type { Finding } from './finding.ts';
import { checkMachine } from './machine-check.ts';
import { checkLimits, checkMarkets, checkSigning } from './market-check.ts';
import type { PreflightInput } from './preflight-input.ts';
import { checkReach } from './reach-check.ts';
import { checkSchema } from './schema-check.ts';
import { checkStrategy } from './strategy-check.ts';

/** Findings, each after those it depends on; what an earlier one makes impossible is left out. */
export async function examine(
  input: PreflightInput,
  told: (finding: Finding) => void = () => {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (...more: readonly Finding[]): void => {
    for (const finding of more) {
      findings.push(finding);
      told(finding);
    }
  };
  add(...checkMachine(input));
  add(...checkStrategy(input));
  if (!input.isPaper) add(checkKey(input));
  const reached = await checkReach(input);
  add(...reached.findings);
  if (!reached.isThere) return findings;
  add(...(await checkSchema(input.line, input.operations)));
  add(...(await checkLimits(input)));
  const { findings: found, markets } = await checkMarkets(input);
  add(...found);
  if (input.isPaper) return findings;
  const account = await checkAccount(input);
  add(...account.findings);
  const { risk, priceIn } = input.wishes;
  const isOpen = ({ acceptingOrders, feeRateBps }: (typeof markets)[number]): boolean =>
    acceptingOrders && feeRateBps <= risk.maxFeeBps;
  const market = markets.find(isOpen) ?? markets[0];
  if (account.isIn && market !== undefined) {
    add(await checkSigning(input, { ...market, priceBps: priceIn(market) }, risk));
  }
  if (account.token !== undefined) await signOut(input.line, input.credentials, account.token);
  return findings;
}
