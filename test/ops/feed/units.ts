/** Numbers with their units. */
import { unchecked } from '../../../src/domain/index.ts';

export const bps = (value: number) => unchecked.price(value);
export const shares = (value: number) => unchecked.shares(value * 1_000_000);
export const epoch = (value: number) => unchecked.time(value);
export const orderNumber = (value: number) => unchecked.order(value);
