/** Creates Prometheus metrics that read their values at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';

export type MetricSample = readonly [value: number, labels?: Readonly<Record<string, string>>];

type AddMetric = (name: string, help: string, read: () => number) => void;

export interface Metrics {
  /** @param labels names of the labels */
  add(
    type: 'gauge' | 'counter',
    name: string,
    help: string,
    labels: string[],
    read: () => Iterable<MetricSample>,
  ): void;
  readonly gauge: AddMetric;
  readonly counter: AddMetric;
}

/** Returns functions that add metrics to a registry. @param prefix start of all metric names */
export function createMetrics(registry: Registry, prefix: string): Metrics {
  const add: Metrics['add'] = (type, name, help, labelNames, read) => {
    const options = { name: `${prefix}_${name}`, help, labelNames, registers: [registry] };
    if (type === 'gauge') {
      new Gauge({
        ...options,
        collect() {
          this.reset();
          for (const [value, labels = {}] of read()) this.set(labels, value);
        },
      });
    } else {
      new Counter({
        ...options,
        collect() {
          this.reset();
          for (const [value, labels = {}] of read()) this.inc(labels, value);
        },
      });
    }
  };
  return {
    add,
    gauge: (name, help, read) => add('gauge', name, help, [], () => [[read()]]),
    counter: (name, help, read) => add('counter', name, help, [], () => [[read()]]),
  };
}
