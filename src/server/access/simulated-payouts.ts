/** A simulated chain for local venues. Ids determine addresses and hashes. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { BYTE_LENGTHS, type HexText, toHex } from '../../protocol/index.ts';
import type { NewWallet, Payout, PayoutChain, PayoutStatusChange } from './ports.ts';

export const PAYOUT_DEFAULTS = {
  provisionMs: 500,
  /** Time from a request until the payout is broadcast. */
  broadcastMs: 500,
  /** Time from the broadcast until the payout is confirmed or fails. */
  confirmMs: 2_000,
  /** Share of payouts that fail, 0 to 1. */
  failure: 0,
};
export type PayoutSettings = Readonly<typeof PAYOUT_DEFAULTS>;

const UINT32_COUNT = 4_294_967_296;

/** Makes payouts fail with a probability from 0 to 1. The payout's id alone determines the result. */
export function createRandomFailures(chance: number): (payout: Pick<Payout, 'id'>) => string | undefined {
  return ({ id }) => {
    const drawn = createHash('sha256').update(`halfspread failing payout: ${id}`, 'utf8').digest().readUInt32BE();
    return drawn < chance * UINT32_COUNT ? 'simulated failure' : undefined;
  };
}

export class SimulatedPayouts implements PayoutChain {
  readonly #clock: Clock;
  readonly #settings: PayoutSettings;
  readonly #getFailureReason: (payout: Payout) => string | undefined;
  readonly #timers = new Set<() => void>();

  /** @param getFailureReason returns the reason of a failure; undefined for success */
  constructor(
    clock: Clock,
    settings: PayoutSettings,
    getFailureReason: (payout: Payout) => string | undefined = createRandomFailures(settings.failure),
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.#getFailureReason = getFailureReason;
  }

  computeWalletAddress({ id, chainId }: NewWallet): HexText {
    return computeAddress(`wallet ${chainId} ${id}`);
  }

  provision({ id, chainId }: NewWallet, ready: (depositAddress: HexText) => void): void {
    this.#after(this.#settings.provisionMs, () => ready(computeAddress(`deposit ${chainId} ${id}`)));
  }

  pay(payout: Payout, report: (change: PayoutStatusChange) => void): void {
    const { broadcastMs, confirmMs } = this.#settings;
    const transactionHash = computeHash(`payout ${payout.chainId} ${payout.id}`);
    this.#after(broadcastMs, () => {
      report({ status: 'BROADCAST', transactionHash });
      this.#after(confirmMs, () => {
        const reason = this.#getFailureReason(payout);
        report(reason === undefined ? { status: 'CONFIRMED', transactionHash } : { status: 'FAILED', reason });
      });
    });
  }

  /** Cancels all timers. The server's next start repeats unfinished requests. */
  close(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #after(ms: number, then: () => void): void {
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), ms), () => {
      this.#timers.delete(cancel);
      then();
    });
    this.#timers.add(cancel);
  }
}

function computeHash(text: string): HexText {
  return toHex(createHash('sha256').update(`halfspread simulated chain: ${text}`, 'utf8').digest());
}

function computeAddress(text: string): HexText {
  return `0x${computeHash(text).slice(-2 * BYTE_LENGTHS.address)}`;
}
