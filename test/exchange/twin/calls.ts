/** Calls of a sink as values. */

import type { ExchangeSink } from './words.ts';
import type { Call } from './world.ts';

/** Keeps all it is told. */
export class CallList implements ExchangeSink {
  calls: Call[] = [];

  accepted(...told: Parameters<ExchangeSink['accepted']>): void {
    this.calls.push(['accepted', ...told]);
  }
  traded(...told: Parameters<ExchangeSink['traded']>): void {
    this.calls.push(['traded', ...told]);
  }
  reduced(...told: Parameters<ExchangeSink['reduced']>): void {
    this.calls.push(['reduced', ...told]);
  }
  closed(...told: Parameters<ExchangeSink['closed']>): void {
    this.calls.push(['closed', ...told]);
  }
  happened(...told: Parameters<ExchangeSink['happened']>): void {
    this.calls.push(['happened', ...told]);
  }
  refused(...told: Parameters<ExchangeSink['refused']>): void {
    this.calls.push(['refused', ...told]);
  }
  duplicate(...told: Parameters<ExchangeSink['duplicate']>): void {
    this.calls.push(['duplicate', ...told]);
  }
}
