/** Fixes the seeds, so that a mutant meets the same sequences in each run, and stops at the first failure. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_120, endOnFailure: true });
