import type { ExchangeSink } from './exchange-types.ts';
import type { Call } from './world.ts';

/** A sink that stores all calls as values. */
export class CallList implements ExchangeSink {
  calls: Call[] = [];

  accepted(...values: Parameters<ExchangeSink['accepted']>): void {
    this.calls.push(['accepted', ...values]);
  }
  traded(...values: Parameters<ExchangeSink['traded']>): void {
    this.calls.push(['traded', ...values]);
  }
  reduced(...values: Parameters<ExchangeSink['reduced']>): void {
    this.calls.push(['reduced', ...values]);
  }
  closed(...values: Parameters<ExchangeSink['closed']>): void {
    this.calls.push(['closed', ...values]);
  }
  rareEvent(...values: Parameters<ExchangeSink['rareEvent']>): void {
    this.calls.push(['rareEvent', ...values]);
  }
  refused(...values: Parameters<ExchangeSink['refused']>): void {
    this.calls.push(['refused', ...values]);
  }
  duplicate(...values: Parameters<ExchangeSink['duplicate']>): void {
    this.calls.push(['duplicate', ...values]);
  }
}
