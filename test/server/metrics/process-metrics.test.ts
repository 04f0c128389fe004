import { Gauge } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { processMetrics } from '../../../src/server/metrics/process-metrics.ts';

describe('the metrics of the process', () => {
  it('are collected once and shared, and metrics that a server adds are visible only there', () => {
    const [one, other] = [processMetrics(), processMetrics()];
    new Gauge({ name: 'of_one', help: 'A metric of one server.', registers: [one] });
    expect(other.getSingleMetric('of_one')).toBeUndefined();
    const collected = 'nodejs_gc_duration_seconds';
    expect(one.getSingleMetric(collected)).toBeDefined();
    expect(one.getSingleMetric(collected)).toBe(other.getSingleMetric(collected));
  });
});
