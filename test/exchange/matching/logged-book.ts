import { CheckedBook, OrderSlots } from '../../../src/exchange/index.ts';
import { EventLog } from './event-log.ts';

/** A book on its own that logs what it tells. */
export class LoggedBook extends CheckedBook {
  readonly log: EventLog;

  constructor({ tickBps = 10, slots = new OrderSlots(), number = 0 } = {}) {
    const log = new EventLog(slots);
    super({ slots, sink: log.sink, number, tickBps });
    this.log = log;
  }

  override place(...terms: Parameters<CheckedBook['place']>): number {
    this.log.incoming = terms[0];
    return super.place(...terms);
  }
}
