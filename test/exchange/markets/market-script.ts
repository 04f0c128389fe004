import { expect } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { type EpochMs, marketNo } from '../../../src/domain/index.ts';
import type { Decision, MarketCommand } from '../../../src/exchange/market-command.ts';
import { creation, Harness, INITIAL, START } from './harness.ts';

export const market = marketNo(0);

/** A market on a harness with short methods for commands. */
export class MarketScript {
  readonly harness = new Harness();
  #votes = 0;

  constructor() {
    this.harness.holders.add(accountNo(2)).add(accountNo(3));
  }

  get at(): { readonly time: EpochMs; readonly market: typeof market; readonly note: string } {
    return { time: this.harness.now, market, note: '' };
  }

  create(): this {
    expect(this.harness.send(creation(this.harness.now, { initialOrder: INITIAL }))).toBeUndefined();
    return this;
  }

  open(): this {
    return this.create().answerChain(true);
  }

  pending(): this {
    return this.open().apply({ type: 'closeEarly', ...this.at });
  }

  resolved(decision: Decision = 'YES'): this {
    return this.pending().vote('a', decision).vote('b', decision);
  }

  failed(): this {
    return this.pending().wait(1000);
  }

  apply(command: MarketCommand): this {
    expect([command.type, this.harness.send(command)]).toEqual([command.type, undefined]);
    return this;
  }

  /** Confirms or fails the pending chain request. */
  answerChain(isConfirmed: boolean, isPermanent = true): this {
    const { chainStep: step = 'DEPLOY', attempts: attempt } = this.harness.market();
    const fields = { ...this.at, step, attempt };
    if (isConfirmed) return this.apply({ type: 'chainConfirmed', transactionHash: `0x0${attempt}`, ...fields });
    return this.apply({ type: 'chainFailed', permanent: isPermanent, ...fields });
  }

  vote(model: string, vote: Decision, confidenceBps: number | undefined = undefined): this {
    this.#votes += 1;
    const ballot = { id: `v${this.#votes}`, model, vote, confidenceBps, rationale: `says ${model}`, sources: ['s'] };
    return this.apply({ type: 'castVote', round: this.harness.market().round, vote: ballot, ...this.at });
  }

  wait(ms: number): this {
    this.harness.pass(this.harness.now + ms);
    return this;
  }

  refusalOf(command: MarketCommand): unknown {
    return this.harness.send(command);
  }

  /** The transparency record as text: time, actor, statuses, note and data. */
  record(): string {
    return this.harness
      .market()
      .steps.map(({ at, actor, fromStatus, toStatus, note, data }) => {
        const seconds = (Date.parse(at) - START) / 1000;
        const states = fromStatus === toStatus ? toStatus : `${fromStatus} > ${toStatus}`;
        return `${seconds.toFixed(1)} ${actor}: ${states}, ${note}${data === '{}' ? '' : ` ${data}`}`;
      })
      .join('\n');
  }
}
