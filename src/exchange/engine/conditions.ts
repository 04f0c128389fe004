import { column, type EpochMs } from '../../domain/index.ts';
import type { ExchangeConfig, VenueMode } from '../config.ts';
import type { QuotePolicyName } from '../quotes/quote-policy.ts';
import { DEFAULT_CONFIG } from './defaults.ts';

/** What holds at present for everything that is tested. */
export class Conditions {
  /** Time of the command or deadline at work; between commands that of the last event. */
  now: EpochMs = column.time(0);
  mode: VenueMode = 'NORMAL';
  config: ExchangeConfig;
  quotePolicy: QuotePolicyName;

  constructor(config: ExchangeConfig = DEFAULT_CONFIG, quotePolicy: QuotePolicyName = 'additive') {
    this.config = Object.freeze({ ...config });
    this.quotePolicy = quotePolicy;
  }
}
