/** A simulated chain for local venues. The same id always gives the same addresses and hashes. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { BYTES, type HexText, hexOf } from '../../protocol/index.ts';
import type { NewWallet, Payout, PayoutChain, PayoutStatusChange } from './ports.ts';

/** Default delays in ms, and no failures. */
export const PAYOUT_DEFAULTS = {
  /** From a request until the wallet is ready. */
  provisionMs: 500,
  /** From a request until the payout is broadcast. */
  broadcastMs: 500,
  /** From the broadcast until the payout is confirmed or fails. */
  confirmMs: 2_000,
  /** Share of payouts that fail, 0 to 1. */
  failure: 0,
};
export type PayoutSettings = Readonly<typeof PAYOUT_DEFAULTS>;

/** Delays in ms, and failures. */
export interface SimulatedPayoutsOptions {
  readonly clock: Clock;
  readonly provisionMs?: number;
  readonly broadcastMs?: number;
  readonly confirmMs?: number;
  /** Returns the reason of a failure; undefined for success. Default: all succeed. */
  readonly failure?: (payout: Payout) => string | undefined;
}

const DRAWS = 4_294_967_296;

/**
 * Fails payouts with a probability. The result for a payout is always the same, also after a restart.
 * @param chance 0 to 1
 */
export function randomFailures(chance: number): (payout: Pick<Payout, 'id'>) => string | undefined {
  return ({ id }) => {
    const drawn = createHash('sha256').update(`halfspread failing payout: ${id}`, 'utf8').digest().readUInt32BE();
    return drawn < chance * DRAWS ? 'simulated failure' : undefined;
  };
}

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

  /** Cancels all timers. The next start repeats unfinished requests. */
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
