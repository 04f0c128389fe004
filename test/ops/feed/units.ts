/** Numbers with their units. */
import { column, counted } from '../../../src/domain/index.ts';

export const bps = (value: number) => column.price(value);
export const shares = (value: number) => column.shares(value * 1_000_000);
export const epoch = (value: number) => column.time(value);
export const orderNumber = (value: number) => counted.order(value);
