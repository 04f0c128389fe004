/** Creates Prometheus metrics that read their values at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';

export type MetricSample = readonly [value: number, labels?: Readonly<Record<string, string>>];

type AddMetric = (name: string, help: string, read: () => number) => void;

export interface Metrics {
  add(
    type: 'gauge' | 'counter',
    name: string,
    help: string,
    labelNames: string[],
    read: () => Iterable<MetricSample>,
  ): void;
  readonly gauge: AddMetric;
  readonly counter: AddMetric;
}

/** Returns functions that add metrics to a registry. @param prefix start of all metric names */
export function createMetrics(registry: Registry, prefix: string): Metrics {
  const add: Metrics['add'] = (type, name, help, labelNames, read) => {
    const Metric = type === 'gauge' ? Gauge : Counter;
    const metric = new Metric({
      name: `${prefix}_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        metric.reset();
        for (const [value, labels = {}] of read()) metric.inc(labels, value);
      },
    });
  };
  return {
    add,
    gauge: (name, help, read) => add('gauge', name, help, [], () => [[read()]]),
    counter: (name, help, read) => add('counter', name, help, [], () => [[read()]]),
  };
}
