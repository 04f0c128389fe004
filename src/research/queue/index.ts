export { REDIS_PASSWORD, redisOptions } from './redis.ts';
export { RedisWorkers } from './redis-workers.ts';
export { TrialWorker } from './trial-worker.ts';
export type { PresentWorker } from './worker-list.ts';
