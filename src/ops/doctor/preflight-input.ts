/** What a doctor is given: a configuration's venue, account and wishes, and the machine it is to run on. */
import type { Clock } from '../../clock/index.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { LooseFile } from '../../store/index.ts';
import type { LoginPins, OperationTexts } from '../../venues/service/index.ts';
import type { VenueLine } from '../venue/line.ts';
import type { Credentials } from '../venue/sign-in.ts';

export interface PreflightInput {
  readonly clock: Clock;
  readonly line: VenueLine;
  readonly wsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is sent. */
  readonly operations: OperationTexts;
  readonly signer: Signer;
  readonly messages: SignedMessages;
  readonly login: LoginPins;
  readonly key: SigningKey | undefined;
  /** The account, lower case. */
  readonly address: Hex | undefined;
  readonly credentials: Credentials;
  /** Why key or credentials could not be read; undefined when they could. */
  readonly ownerProblem: string | undefined;
  /** Paper trading needs no account. */
  readonly isPaper: boolean;
  readonly wishes: MarketSelection;
  readonly strategy: StrategyFound;
  readonly machine: Machine;
}

/** Whether the strategies can be loaded and take their parameters. */
export interface StrategyFound {
  /** Names, each once; none where there is a problem. */
  readonly names: readonly string[];
  /** Why `run` would not begin; undefined where it would. */
  readonly problem: string | undefined;
  /** Largest `order_amount` of them, shares; undefined where none has one. */
  readonly orderAmount: number | undefined;
}

interface MarketSelection {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  /** As `MarketFilter` of the protocol takes it; undefined where markets are named only. */
  readonly filter: Readonly<Record<string, string>> | undefined;
  /** Of those that the filter finds, those with the most volume. */
  readonly most: number;
  readonly risk: RiskLimits;
  /** `undefined` where it is switched off. */
  readonly heartbeatMs: number | undefined;
  /** Infinity where it is switched off. */
  readonly clockSkewMs: number;
  /** A price at which a bid may stand, where the configuration knows it better than the tick; YES bps. */
  priceIn(market: { readonly id: string; readonly slug: string }): number | undefined;
}

export interface Machine {
  /** `v24.1.0`. */
  readonly node: string;
  readonly folder: string;
  /** Why nothing can be written there; undefined when it can. */
  readonly diskProblem: string | undefined;
  readonly freeBytes: number;
  readonly looseFiles: readonly LooseFile[];
}
