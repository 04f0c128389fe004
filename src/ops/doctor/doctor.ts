/** Everything that can be known before a bot runs. Places nothing; signs a login, and an order that it keeps to itself. */
import { signOut } from '../venue/sign-in.ts';
import { checkAccount, checkKey } from './account-check.ts';
import type { Finding } from './finding.ts';
import { checkMachine } from './machine-check.ts';
import { checkLimits, checkMarkets, checkSigning } from './market-check.ts';
import type { Patient } from './patient.ts';
import { checkReach } from './reach-check.ts';
import { checkSchema } from './schema-check.ts';
import { checkStrategy } from './strategy-check.ts';

/**
 * Findings in the order of what depends on what; what cannot be looked at because of an earlier one is left out.
 * @param told hears each finding as it is made
 */
export async function examine(
  patient: Patient,
  told: (finding: Finding) => void = () => {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (...more: readonly Finding[]): void => {
    for (const finding of more) {
      findings.push(finding);
      told(finding);
    }
  };
  add(...checkMachine(patient));
  add(...checkStrategy(patient));
  if (!patient.isPaper) add(checkKey(patient));
  const reached = await checkReach(patient);
  add(...reached.findings);
  if (!reached.isThere) return findings;
  add(...(await checkSchema(patient.line, patient.operations)));
  add(...(await checkLimits(patient)));
  const { findings: found, markets } = await checkMarkets(patient);
  add(...found);
  if (patient.isPaper) return findings;
  const account = await checkAccount(patient);
  add(...account.findings);
  const { risk, priceIn } = patient.wishes;
  const isOpen = ({ acceptingOrders, feeRateBps }: (typeof markets)[number]): boolean =>
    acceptingOrders && feeRateBps <= risk.maxFeeBps;
  const market = markets.find(isOpen) ?? markets[0];
  if (account.isIn && market !== undefined) {
    add(await checkSigning(patient, { ...market, priceBps: priceIn(market) }, risk));
  }
  if (account.token !== undefined) await signOut(patient.line, patient.credentials, account.token);
  return findings;
}
