/**
 * What the venue's users do on a chain, simulated: approvals of the exchange contracts, splits, merges and redemptions. There
 * is no chain here. A client of the venue reaches these through a wallet or a relayer, not through the order book; so only
 * operators' commands reach them.
 */
import { type AccountNo, column, counted } from '../../domain/index.ts';
import type { ExchangeCommand } from '../../exchange/index.ts';
import { POLYMARKET_EXCHANGES, type PolymarketExchange } from '../../protocol/polymarket/index.ts';
import type { CommandQueue } from '../command-queue.ts';

/** What is approved: dollars or outcome tokens. */
export type PolymarketAsset = 'COLLATERAL' | 'CONDITIONAL';

/** A call that changes holdings. `shares` counts pairs, micro-shares. */
export type ChainCall =
  | { readonly type: 'split' | 'merge'; readonly market: number; readonly shares: number }
  | { readonly type: 'redeem'; readonly market: number };

/** Calls of accounts to the chain. */
export interface PolymarketChain {
  /** Whether an exchange contract may move an asset of an address. */
  isApproved(address: string, asset: PolymarketAsset, exchange: PolymarketExchange): boolean;
  /** @param exchange undefined for all of them */
  approve(address: string, asset: PolymarketAsset, isApproved: boolean, exchange?: PolymarketExchange): void;
  /** @returns the command of a call, to be run in its turn */
  command(account: AccountNo, call: ChainCall): ExchangeCommand;
}

/** Addresses have approved everything until they revoke it; a restart forgets what was revoked. */
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
    const by = { time: this.#queue.now, account, credential: counted.credential(0) };
    const market = counted.market(call.market);
    if (call.type === 'redeem') return { type: 'claim', ...by, market };
    return { type: call.type, ...by, market, shares: column.shares(call.shares) };
  }
}
