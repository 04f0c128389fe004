/** Entry of the worker thread that decodes tapes ahead of their readers (`decode-ahead.ts`). */
import { workerData } from 'node:worker_threads';
import { decodeAhead, type ReadAheadJob } from './decode-ahead.ts';

const jobs: readonly ReadAheadJob[] = workerData;
decodeAhead(jobs);
