import { expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { OperationTexts } from '../../../../src/venues/service/index.ts';
import { ClientFrame } from '../../../../src/venues/service/transport/client-frame.ts';
import { warmupTransport } from '../../../../src/venues/service/warmup/warmup-venue.ts';

it('a warm-up without a connection finishes each request frame before the next, so frames do not grow', () => {
  const finishSpy = vi.spyOn(ClientFrame.prototype, 'finish');
  const transport = warmupTransport(new OperationTexts(), undefined);
  for (let count = 0; count < 100; count += 1) transport.send(OPERATIONS.replaceOrders, '{"input":{}}', () => {});
  const sizes = finishSpy.mock.results.map(({ value }) => value.length);
  finishSpy.mockRestore();
  expect(sizes).toHaveLength(100);
  // Request ids grow from one digit to three.
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
});
