import type { InputEvent } from '../../../src/domain/index.ts';
import type { ChaosProxy } from './chaos-proxy.ts';
import type { BotParts } from './harness.ts';

/** Counts the events of a bot and records those that must not occur. */
export class EventCheck {
  readonly differences: string[] = [];
  /** Orders that were reported as refused. */
  readonly refused = new Set<number>();
  fills = 0;
  reversed = 0;
  uncertain = 0;

  check(event: InputEvent, { records }: BotParts, proxy: ChaosProxy, isTakenOver: boolean): void {
    const { type } = event;
    if (type === 'orderFilled') this.fills += 1;
    if (type === 'fillReversed') this.reversed += 1;
    if (type === 'orderUncertain') this.uncertain += 1;
    if (type === 'orderFilled' && this.refused.has(event.order))
      this.differences.push(`order ${event.order} traded after it was reported as refused`);
    if (type === 'orderRejected') {
      this.refused.add(event.order);
      const hash = records.findByNumber(event.order)?.hash ?? '';
      if (event.reason !== 'NOT_FOUND' && proxy.accepted.has(hash))
        this.differences.push(`order ${event.order} was reported as refused, but the venue has accepted it`);
      if (event.reason === 'NOT_FOUND' && !proxy.cancelAnswered.has(hash))
        this.differences.push(`order ${event.order} was reported as absent, but no cancel of it was answered`);
    }
    if (isTakenOver || !(type === 'holdingAdjusted' || (type === 'cashAdjusted' && event.trade === undefined))) return;
    this.differences.push(`${type} without a deposit or withdrawal`);
  }
}
