/** Dependencies that the parts of the Polymarket dialect share. */
import type { Clock } from '../../clock/index.ts';
import type { Archive, Registry } from '../../exchange/index.ts';
import {
  POLYMARKET_EXCHANGES,
  type PolymarketContracts,
  type PolymarketExchange,
  type PolymarketOrderVersion,
} from '../../protocol/polymarket/index.ts';
import type { Access } from '../access/access.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { WireIds } from '../wire-ids.ts';
import type { PolymarketAccounts } from './accounts.ts';
import type { PolymarketFaults } from './faults.ts';
import type { PolymarketMarkets } from './markets.ts';
import type { PolymarketSettings } from './settings.ts';

export interface PolymarketShared {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly ids: WireIds;
  readonly access: Access;
  readonly log: Log;
  readonly settings: PolymarketSettings;
  readonly contracts: PolymarketContracts;
  /** Prefix of every path, including `/polymarket`. */
  readonly prefix: string;
  readonly faults: PolymarketFaults;
  readonly approvals: ContractApprovals;
  readonly markets: PolymarketMarkets;
  readonly accounts: PolymarketAccounts;
  /** Operators may change the version. The venue refuses orders of other versions. */
  readonly orderFormat: { version: PolymarketOrderVersion };
}

/** COLLATERAL: dollars. CONDITIONAL: outcome tokens. */
type PolymarketAsset = 'COLLATERAL' | 'CONDITIONAL';

interface ApprovalChange {
  readonly address: string;
  readonly asset: PolymarketAsset;
  readonly isApproved: boolean;
  /** Undefined for all exchange contracts. */
  readonly exchange: PolymarketExchange | undefined;
}

/**
 * Stores whether exchange contracts may move assets of addresses. Every approval exists until an operator revokes it.
 * A restart restores all approvals. On the real venue, clients change approvals on the chain.
 */
export class ContractApprovals {
  readonly #revoked = new Set<string>();

  isApproved(address: string, asset: PolymarketAsset, exchange: PolymarketExchange): boolean {
    return !this.#revoked.has(`${exchange} ${asset} ${address}`);
  }

  set({ address, asset, isApproved, exchange }: ApprovalChange): void {
    for (const contract of exchange === undefined ? POLYMARKET_EXCHANGES : [exchange]) {
      const key = `${contract} ${asset} ${address}`;
      if (isApproved) this.#revoked.delete(key);
      else this.#revoked.add(key);
    }
  }
}
