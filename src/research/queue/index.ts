export { parseRedisUrl, REDIS_PASSWORD } from './redis.ts';
export { RedisWorkers } from './redis-workers.ts';
export { makeQueueName } from './remote-job.ts';
export { TrialWorker } from './trial-worker.ts';
export { isConnected } from './worker-tally.ts';
