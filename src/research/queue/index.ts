export { REDIS_PASSWORD, redisOptions } from './redis.ts';
export { RedisWorkers } from './redis-workers.ts';
export { queueName } from './remote-job.ts';
export { TrialWorker } from './trial-worker.ts';
export { isConnected } from './worker-tally.ts';
