/** Input and findings of the preflight checks (`halfspread doctor`). */
import type { Clock } from '../../clock/index.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { ExposedFile } from '../../store/index.ts';
import type { LoginPins, OperationTexts } from '../../venues/service/index.ts';
import type { Credentials } from '../venue/sessions.ts';
import type { VenueHttp } from '../venue/venue-http.ts';

export interface PreflightInput {
  readonly clock: Clock;
  readonly http: VenueHttp;
  readonly wsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of the GraphQL operations that the bot sends. */
  readonly operations: OperationTexts;
  readonly signer: Signer;
  readonly messages: SignedMessages;
  readonly login: LoginPins;
  readonly key: SigningKey | undefined;
  /** The account's address, lower case. */
  readonly address: Hex | undefined;
  readonly credentials: Credentials;
  /** Why key or credentials could not be read; undefined if they were read. */
  readonly credentialsProblem: string | undefined;
  /** Paper trading needs no account. */
  readonly isPaper: boolean;
  readonly settings: CheckedSettings;
  readonly strategy: CheckedStrategy;
  readonly machine: Machine;
}

/** Result of creating the strategies with their parameters. */
export interface CheckedStrategy {
  /** Distinct names; empty if there is a problem. */
  readonly names: readonly string[];
  /** Why `run` would not start. */
  readonly problem?: string;
  /** Error of `create` with an example market in place of the venue's markets. */
  readonly exampleProblem?: string;
  /** A warning for each signal that no strategy reads; undefined when the configuration has no sources of signals. */
  readonly unreadSignals?: readonly string[];
  /** Largest `order_amount`, shares; undefined when no strategy has this parameter. */
  readonly orderAmount?: number | undefined;
}

/** Settings that are compared with the venue. */
interface CheckedSettings {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  /** A `MarketFilter` of the protocol; undefined when the configuration has no filter. */
  readonly filter: Readonly<Record<string, string>> | undefined;
  /** Maximum number of markets of the filter. Markets with the most volume come first. */
  readonly maxMarkets: number;
  /** Whether `markets.select` can choose markets that were not checked. */
  readonly hasSelection: boolean;
  readonly risk: RiskLimits;
  /** Undefined when the heartbeat is off. */
  readonly heartbeatMs: number | undefined;
  /** Infinity when the limit is off. */
  readonly clockSkewMs: number;
  /** Returns a valid bid price in YES bps; undefined without a price grid in the configuration. */
  priceIn(market: { readonly id: string; readonly slug: string }): number | undefined;
}

export interface Machine {
  /** Version of Node, such as `v24.1.0`. */
  readonly node: string;
  readonly folder: string;
  /** Why `folder` is not writable; undefined if it is. */
  readonly diskProblem: string | undefined;
  readonly freeBytes: number;
  readonly exposedFiles: readonly ExposedFile[];
  /** The bot's database, if a later version of this program wrote it. */
  readonly laterDatabase: { readonly path: string; readonly version: number } | undefined;
}

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy?: string;
}

interface CheckedMarkets {
  readonly count: number;
  /** Slugs of markets that accept no orders. */
  readonly closed: readonly string[];
  /** Markets whose fee exceeds `risk.max_fee_bps`. */
  readonly tooExpensive: readonly string[];
  /** Whether the bot trades only these markets. */
  readonly isComplete: boolean;
}

export function marketFindings(
  { count, closed, tooExpensive, isComplete }: CheckedMarkets,
  maxFeeBps: number,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (closed.length > 0) {
    const remedy = 'Wait, or leave them out: nothing is quoted there';
    findings.push(warn('market', `no orders are accepted in ${closed.join(', ')}`, remedy));
  }
  if (tooExpensive.length > 0) {
    const text = `above risk.max_fee_bps of ${maxFeeBps}: ${tooExpensive.join(', ')}`;
    findings.push(fail('market', text, 'Leave them out, or raise risk.max_fee_bps: nothing is signed there'));
  }
  const open = count - closed.length;
  if (open > 0) {
    const rest = isComplete ? '' : '; only those with the most volume were checked, the bot may trade others';
    findings.push(ok('market', `${open} ${open === 1 ? 'market accepts' : 'markets accept'} orders${rest}`));
  }
  return findings;
}

/** Returns the finding about this machine's clock. @param skewMs minimum difference to the venue's clock */
export function clockFinding(text: string, skewMs: number, maxMs: number, signed: 'orders' | 'requests'): Finding {
  const remedy = `Set this clock (\`timedatectl set-ntp true\`, or chrony); ${signed} are signed with its time`;
  if (skewMs > maxMs) return fail('clock', text, remedy);
  return skewMs > maxMs / 4 ? warn('clock', text, remedy) : ok('clock', text);
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string, remedy: string): Finding {
  return { name, status: 'warn', message, remedy };
}

export function fail(name: string, message: string, remedy: string): Finding {
  return { name, status: 'fail', message, remedy };
}
