import { expect, it, vi } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import { epochMs } from '../../../../src/domain/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { OperationTexts } from '../../../../src/venues/service/index.ts';
import { ClientFrame } from '../../../../src/venues/service/transport/client-frame.ts';
import { warmupTransport } from '../../../../src/venues/service/warmup/warmup-venue.ts';

it('requests of a warm-up without a connection are finished one by one and do not pile up', () => {
  const take = vi.spyOn(ClientFrame.prototype, 'take');
  const transport = warmupTransport(new SimClock(epochMs(0)), new OperationTexts(), undefined);
  for (let count = 0; count < 100; count += 1) transport.send(OPERATIONS.replaceOrders, '{"input":{}}', () => {});
  const sizes = take.mock.results.map(({ value }) => value.length);
  take.mockRestore();
  expect(sizes).toHaveLength(100);
  // Numbers grow from one digit to three.
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
});
