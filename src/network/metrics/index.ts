export { type MetricSample, metricsIn } from './metrics.ts';
