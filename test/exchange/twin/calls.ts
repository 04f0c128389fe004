/** Calls of a sink as values. */

import type { ExchangeSink } from './words.ts';
import type { Call } from './world.ts';

/** Keeps all calls. */
export class CallList implements ExchangeSink {
  calls: Call[] = [];

  accepted(...received: Parameters<ExchangeSink['accepted']>): void {
    this.calls.push(['accepted', ...received]);
  }
  traded(...received: Parameters<ExchangeSink['traded']>): void {
    this.calls.push(['traded', ...received]);
  }
  reduced(...received: Parameters<ExchangeSink['reduced']>): void {
    this.calls.push(['reduced', ...received]);
  }
  closed(...received: Parameters<ExchangeSink['closed']>): void {
    this.calls.push(['closed', ...received]);
  }
  happened(...received: Parameters<ExchangeSink['happened']>): void {
    this.calls.push(['happened', ...received]);
  }
  refused(...received: Parameters<ExchangeSink['refused']>): void {
    this.calls.push(['refused', ...received]);
  }
  duplicate(...received: Parameters<ExchangeSink['duplicate']>): void {
    this.calls.push(['duplicate', ...received]);
  }
}
