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
  /** The account, lower case. */
  readonly address: Hex | undefined;
  readonly credentials: Credentials;
  /** Why key or credentials could not be read; else undefined. */
  readonly ownerProblem: string | undefined;
  /** Paper trading needs no account. */
  readonly isPaper: boolean;
  readonly settings: CheckedSettings;
  readonly strategy: StrategyFound;
  readonly machine: Machine;
}

/** Result of creating the strategies with their parameters. */
export interface StrategyFound {
  /** Distinct names; empty if there is a problem. */
  readonly names: readonly string[];
  /** Why `run` would not start; else undefined. */
  readonly problem: string | undefined;
  /** Error of `create` with an example market in place of the venue's markets; else undefined. */
  readonly doubt: string | undefined;
  /** Warnings about sources of signals; undefined when the configuration has none. */
  readonly unreadSignals: readonly string[] | undefined;
  /** Largest `order_amount`, shares; undefined when no strategy has one. */
  readonly orderAmount: number | undefined;
}

/** Settings that are compared with the venue. */
interface CheckedSettings {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  /** A `MarketFilter` of the protocol; undefined when the configuration has no filter. */
  readonly filter: Readonly<Record<string, string>> | undefined;
  /** Most markets of the filter; those with the most volume come first. */
  readonly most: number;
  /** Whether `markets.select` chooses among more markets than the checked ones. */
  readonly hasSelection: boolean;
  readonly risk: RiskLimits;
  /** Undefined when it is off. */
  readonly heartbeatMs: number | undefined;
  /** Infinity when it is off. */
  readonly clockSkewMs: number;
  /** A valid bid price if the configuration has a price grid; YES bps. */
  priceIn(market: { readonly id: string; readonly slug: string }): number | undefined;
}

export interface Machine {
  /** `v24.1.0`. */
  readonly node: string;
  readonly folder: string;
  /** Why `folder` is not writable; else undefined. */
  readonly diskProblem: string | undefined;
  readonly freeBytes: number;
  readonly exposedFiles: readonly ExposedFile[];
  /** Path and version of the bot's database if this program is too old for it; else undefined. */
  readonly laterDatabase: { readonly path: string; readonly version: number } | undefined;
}

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy?: string;
}

/** The number of checked markets that accept orders. @param areAll whether the bot trades no other market */
export function openMarketsText(open: number, areAll: boolean): string {
  const text = `${open} ${open === 1 ? 'market takes' : 'markets take'} orders`;
  return areAll ? text : `${text}; only those with the most volume were checked, the bot may trade others`;
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
