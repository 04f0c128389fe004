/**
 * Simulates users' actions on a chain: approvals of exchange contracts, splits, merges and redemptions. On the real venue,
 * clients do these through a wallet or relayer instead of the order book API. Here, only operators' commands do them.
 */
import { type AccountNo, column, counted } from '../../domain/index.ts';
import type { ExchangeCommand } from '../../exchange/index.ts';
import { POLYMARKET_EXCHANGES, type PolymarketExchange } from '../../protocol/polymarket/index.ts';
import type { CommandQueue } from '../command-queue.ts';

/** Dollars or outcome tokens. */
export type PolymarketAsset = 'COLLATERAL' | 'CONDITIONAL';

/** A call that changes holdings. `shares` counts pairs, micro-shares. */
export type ChainCall =
  | { readonly type: 'split' | 'merge'; readonly market: number; readonly shares: number }
  | { readonly type: 'redeem'; readonly market: number };

/** Calls of accounts to the chain. */
export interface PolymarketChain {
  /** Returns whether an exchange contract may move an asset of an address. */
  isApproved(address: string, asset: PolymarketAsset, exchange: PolymarketExchange): boolean;
  /** @param exchange undefined for all of them */
  approve(address: string, asset: PolymarketAsset, isApproved: boolean, exchange?: PolymarketExchange): void;
  /** @returns the exchange command of a call; call it in the command's turn */
  command(account: AccountNo, call: ChainCall): ExchangeCommand;
}

/** All approvals exist until they are revoked. A restart restores revoked ones. */
export class SimulatedChain implements PolymarketChain {
  readonly #queue: Pick<CommandQueue, 'now'>;
  readonly #revoked = new Set<string>();

  constructor(queue: Pick<CommandQueue, 'now'>) {
    this.#queue = queue;
  }

  isApproved(address: string, asset: PolymarketAsset, exchange: PolymarketExchange): boolean {
    return !this.#revoked.has(`${exchange} ${asset} ${address}`);
  }

  approve(address: string, asset: PolymarketAsset, isApproved: boolean, exchange?: PolymarketExchange): void {
    for (const each of exchange === undefined ? POLYMARKET_EXCHANGES : [exchange]) {
      const key = `${each} ${asset} ${address}`;
      if (isApproved) this.#revoked.delete(key);
      else this.#revoked.add(key);
    }
  }

  command(account: AccountNo, call: ChainCall): ExchangeCommand {
    const fields = { time: this.#queue.now, account, credential: counted.credential(0) };
    const market = counted.market(call.market);
    if (call.type === 'redeem') return { type: 'claim', ...fields, market };
    return { type: call.type, ...fields, market, shares: column.shares(call.shares) };
  }
}
