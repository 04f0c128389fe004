/** A mutant has to be caught by the same sequences as the last time, and the first failure is enough. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_120, endOnFailure: true });
