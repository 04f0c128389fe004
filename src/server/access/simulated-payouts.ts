/** A chain that only takes time: for venues on one's own machine. The same id always gives the same addresses and hashes. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { BYTES, type HexText, hexOf } from '../../protocol/index.ts';
import type { NewWallet, Payout, PayoutChain, PayoutNews } from './ports.ts';

/** How long it takes, ms, and what fails. */
export interface SimulatedPayoutsOptions {
  readonly clock: Clock;
  /** Until a wallet is ready; default 500. */
  readonly provisionMs?: number;
  /** Until a payout is broadcast; default 500. */
  readonly broadcastMs?: number;
  /** From there until it is confirmed, or fails; default 2,000. */
  readonly confirmMs?: number;
  /** Why a payout fails; undefined for one that does not. Default: none fails. */
  readonly failure?: (payout: Payout) => string | undefined;
}

/** Waits and says yes. */
export class SimulatedPayouts implements PayoutChain {
  readonly #options: SimulatedPayoutsOptions;
  readonly #waiting = new Set<() => void>();

  constructor(options: SimulatedPayoutsOptions) {
    this.#options = options;
  }

  addressOf({ id, chainId }: NewWallet): HexText {
    return addressFor(`wallet ${chainId} ${id}`);
  }

  provision({ id, chainId }: NewWallet, ready: (depositAddress: HexText) => void): void {
    this.#after(this.#options.provisionMs ?? 500, () => ready(addressFor(`deposit ${chainId} ${id}`)));
  }

  pay(payout: Payout, tell: (news: PayoutNews) => void): void {
    const { broadcastMs = 500, confirmMs = 2_000, failure } = this.#options;
    const transactionHash = hashOf(`payout ${payout.chainId} ${payout.id}`);
    this.#after(broadcastMs, () => {
      tell({ status: 'BROADCAST', transactionHash });
      this.#after(confirmMs, () => {
        const reason = failure?.(payout);
        tell(reason === undefined ? { status: 'CONFIRMED', transactionHash } : { status: 'FAILED', reason });
      });
    });
  }

  /** No timer stays; what was under way is asked for again after the next start. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #after(ms: number, then: () => void): void {
    const { clock } = this.#options;
    const cancel = clock.schedule(timeAfter(clock.now(), ms), () => {
      this.#waiting.delete(cancel);
      then();
    });
    this.#waiting.add(cancel);
  }
}

function hashOf(text: string): HexText {
  return hexOf(createHash('sha256').update(`halfspread simulated chain: ${text}`, 'utf8').digest());
}

function addressFor(text: string): HexText {
  return `0x${hashOf(text).slice(-2 * BYTES.address)}`;
}
