export { HeldBytes } from './held-bytes.ts';
export { registerTraffic, type TrafficSource } from './http-metrics.ts';
export { type HttpServer, startHttp, type Traffic } from './http-server.ts';
export {
  type HealthReport,
  type HttpOptions,
  type Metrics,
  type Presented,
  TIMEOUTS,
  type Timeouts,
} from './options.ts';
export { type Caller, RequestContext } from './request-context.ts';
export { type Arrived, Turn } from './turn.ts';
