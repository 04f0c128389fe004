/** Entry of the thread that decodes tapes ahead (`decode-ahead.ts`). */
import { workerData } from 'node:worker_threads';
import { type AheadJob, decodeAhead } from './decode-ahead.ts';

const jobs: readonly AheadJob[] = workerData;
decodeAhead(jobs);
