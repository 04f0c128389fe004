/**
 * Sends splits, merges and claims. Conversions have no ids at the venue, so a split or merge with a lost answer is
 * never repeated. The venue's ledger shows whether the conversion happened. The ledger is read before each conversion,
 * and only one conversion is in flight.
 *
 * A claim pays only once (docs/spec/venue.md#claims), so a repeat is safe. The ledger shows the payment.
 */
import {
  type Conversion,
  type EpochMs,
  Fault,
  type MarketNo,
  type MicroUsd,
  negUsd,
  parseTime,
  type RejectReason,
  unchecked,
  ZERO_USD,
} from '../../../domain/index.ts';
import { OPERATIONS, parseInteger } from '../../../protocol/index.ts';
import { Backoff } from '../../base/index.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { queryOutcome, type RequestOutcome, sendRequest } from './requests.ts';

const RETRY_MS = 250;
const MAX_RETRY_MS = 2_000;
const MAX_ENTRIES = 100;
const LEDGER_KINDS = { split: ['SPLIT'], merge: ['MERGE'], claim: ['CLAIM', 'REFUND'] } as const;

interface LedgerEntry {
  readonly id: string;
  readonly amount: MicroUsd;
  readonly at: EpochMs;
}

/** A reported conversion, in terms of the venue's ledger. */
export interface ReportedConversion {
  readonly kinds: readonly string[];
  readonly market: MarketNo;
  readonly amount: MicroUsd;
}

type Rejectable = { readonly rejection: { readonly reason: RejectReason } | null };

/** Cash that a conversion moved, and when. */
type Effect = Pick<LedgerEntry, 'amount' | 'at'>;

export class ConversionSender {
  readonly #deps: ExecutionDeps;
  readonly #queue: Conversion[] = [];
  readonly #reported: ReportedConversion[] = [];
  #isBusy = false;

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
  }

  /** Number of conversions without a reported end. */
  get pendingCount(): number {
    return this.#queue.length + (this.#isBusy ? 1 : 0);
  }

  /** The latest reported conversions, oldest first. */
  get reported(): readonly ReportedConversion[] {
    return this.#reported;
  }

  send(conversion: Conversion): void {
    this.#queue.push(conversion);
    void this.#runQueue();
  }

  async #runQueue(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) await this.#execute(next);
      this.#isBusy = false;
    } catch (error) {
      // An interrupted conversion stays pending and unreported. The next start resolves it.
      if (!(error instanceof Fault && error.code === 'STOPPED')) throw error;
    }
  }

  async #execute(conversion: Conversion): Promise<void> {
    const knownIds = new Set((await this.#readEntries(conversion)).map(({ id }) => id));
    const outcome = conversion.type === 'claim' ? await this.#claim(conversion) : await this.#convert(conversion);
    if (this.#deps.timers.isClosed) return;
    if (outcome.type === 'refused') {
      this.#reportRejected(conversion, outcome.reason);
      return;
    }
    let effect: Effect | undefined;
    if (outcome.type === 'done') effect = outcome.payload;
    else if (outcome.isSent) effect = await this.#findInLedger(conversion, knownIds);
    if (this.#deps.timers.isClosed) return;
    if (effect === undefined) this.#reportRejected(conversion, 'NOT_FOUND');
    else this.#reportConverted(conversion, effect);
  }

  async #convert(conversion: Conversion): Promise<RequestOutcome<Effect>> {
    const { type, market, shares } = conversion;
    const variables = `{"marketId":"${this.#marketId(market)}","sets":"${shares}"}`;
    const now = this.#deps.clock.now();
    const outcome = await new Promise<RequestOutcome<Rejectable>>((resolve) => {
      if (type === 'split') sendRequest(this.#deps, OPERATIONS.splitPosition, variables, resolve);
      else sendRequest(this.#deps, OPERATIONS.mergePosition, variables, resolve);
    });
    if (outcome.type !== 'done') return outcome;
    if (outcome.payload.rejection !== null) return refusedOutcome(outcome.payload.rejection.reason);
    // A pair is worth one dollar.
    return { type: 'done', payload: { amount: unchecked.usd(shares), at: now } };
  }

  /** Repeats a claim until the venue answers. The ledger shows the payment, whichever attempt caused it. */
  async #claim(conversion: Conversion): Promise<RequestOutcome<Effect>> {
    const variables = `{"marketId":"${this.#marketId(conversion.market)}"}`;
    for (const backoff = new Backoff(); ; ) {
      const outcome = await new Promise<RequestOutcome<Rejectable>>((resolve) =>
        sendRequest(this.#deps, OPERATIONS.claimPosition, variables, resolve),
      );
      if (outcome.type === 'refused') return outcome;
      if (outcome.type === 'done') {
        if (outcome.payload.rejection !== null) return refusedOutcome(outcome.payload.rejection.reason);
        const entries = await this.#readEntries(conversion);
        const amount = entries.reduce((sum, each) => sum + each.amount, 0);
        const at = entries[0]?.at ?? this.#deps.clock.now();
        return { type: 'done', payload: { amount: unchecked.usd(amount), at } };
      }
      const { problem } = outcome;
      const failed = { command: 'claimPosition', problem, markets: [conversion.market] };
      await this.#deps.timers.wait(backoff.onFailure(failed, this.#deps.onProblem));
    }
  }

  /** Searches the ledger until the conversion appears or can no longer happen. */
  async #findInLedger(conversion: Conversion, knownIds: ReadonlySet<string>): Promise<Effect | undefined> {
    const end = this.#deps.clock.now() + this.#deps.settleMs;
    for (let wait = RETRY_MS; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      const isLast = this.#deps.clock.now() >= end;
      const found = (await this.#readEntries(conversion)).find(
        ({ id, amount }) => !knownIds.has(id) && Math.abs(amount) === conversion.shares,
      );
      if (found !== undefined) return { amount: unchecked.usd(Math.abs(found.amount)), at: found.at };
      if (isLast) return undefined;
      await this.#deps.timers.wait(wait);
    }
  }

  /** Reads the latest ledger entries of the same kind and market, newest first. Repeats a failed read. */
  async #readEntries({ type, market }: Conversion): Promise<readonly LedgerEntry[]> {
    const input = { kinds: LEDGER_KINDS[type], marketId: this.#marketId(market), first: MAX_ENTRIES };
    for (let wait = RETRY_MS; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      const outcome = await queryOutcome(this.#deps, OPERATIONS.ledger, { input });
      if (outcome.type === 'done') {
        return outcome.payload.edges.map(({ node }) => ({
          id: node.id,
          amount: unchecked.usd(Number(parseInteger('ledger.amountMicros', node.amountMicros))),
          at: parseTime('ledger.at', node.at),
        }));
      }
      const { problem } = outcome;
      this.#deps.log.warn({ problem }, 'the ledger could not be read; a conversion waits until a read succeeds');
      await this.#deps.timers.wait(wait);
    }
  }

  #marketId(market: MarketNo): string {
    return this.#deps.view.market(market).info.id;
  }

  #reportConverted({ type: conversion, bot, market, shares }: Conversion, { amount, at }: Effect): void {
    const paid = conversion === 'split' ? negUsd(amount) : amount;
    const time = this.#deps.clock.now();
    this.#reported.push({ kinds: LEDGER_KINDS[conversion], market, amount: paid });
    if (this.#reported.length > MAX_ENTRIES) this.#reported.shift();
    this.#deps.report({ type: 'converted', time, venueTime: at, conversion, bot, market, shares, paid, fee: ZERO_USD });
  }

  #reportRejected({ type: conversion, bot, market }: Conversion, reason: RejectReason): void {
    const time = this.#deps.clock.now();
    this.#deps.report({ type: 'conversionRejected', time, venueTime: time, conversion, bot, market, reason });
  }
}

function refusedOutcome(reason: RejectReason): RequestOutcome<never> {
  return { type: 'refused', reason, problem: reason, retryAfterMs: 0 };
}
