/** A chain that only simulates delays: for local venues. The same id always gives the same addresses and hashes. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { BYTES, type HexText, hexOf } from '../../protocol/index.ts';
import type { NewWallet, Payout, PayoutChain, PayoutStatusChange } from './ports.ts';

/** The simulated course of payouts: times in ms. None fails. */
export const PAYOUT_DEFAULTS = {
  /** Until a wallet is ready. */
  provisionMs: 500,
  /** Until a payout is broadcast. */
  broadcastMs: 500,
  /** From there until it is confirmed, or fails. */
  confirmMs: 2_000,
  /** Share of payouts that fail, 0 to 1. */
  failure: 0,
};
export type PayoutSettings = Readonly<typeof PAYOUT_DEFAULTS>;

/** Duration, ms, and failures. */
export interface SimulatedPayoutsOptions {
  readonly clock: Clock;
  readonly provisionMs?: number;
  readonly broadcastMs?: number;
  readonly confirmMs?: number;
  /** Reason why a payout fails; undefined if it succeeds. Default: all succeed. */
  readonly failure?: (payout: Payout) => string | undefined;
}

const DRAWS = 4_294_967_296;

/**
 * Fails payouts with a probability. A given payout always fails or never does, also after a restart.
 * @param chance 0 to 1
 */
export function failing(chance: number): (payout: Pick<Payout, 'id'>) => string | undefined {
  return ({ id }) => {
    const drawn = createHash('sha256').update(`halfspread failing payout: ${id}`, 'utf8').digest().readUInt32BE();
    return drawn < chance * DRAWS ? 'the simulated chain has it fail' : undefined;
  };
}

/** Waits, then confirms. */
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
    this.#after(this.#options.provisionMs ?? PAYOUT_DEFAULTS.provisionMs, () =>
      ready(addressFor(`deposit ${chainId} ${id}`)),
    );
  }

  pay(payout: Payout, report: (change: PayoutStatusChange) => void): void {
    const { broadcastMs = PAYOUT_DEFAULTS.broadcastMs, confirmMs = PAYOUT_DEFAULTS.confirmMs, failure } = this.#options;
    const transactionHash = hashOf(`payout ${payout.chainId} ${payout.id}`);
    this.#after(broadcastMs, () => {
      report({ status: 'BROADCAST', transactionHash });
      this.#after(confirmMs, () => {
        const reason = failure?.(payout);
        report(reason === undefined ? { status: 'CONFIRMED', transactionHash } : { status: 'FAILED', reason });
      });
    });
  }

  /** No timer stays; the next start repeats each unfinished request. */
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
