export { type Answer, describeProblem, expectData, isUnauthorized } from './answer.ts';
export type { Piece } from './client-frame.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock, type Transport } from './transport.ts';
export {
  BLOCKED_REMEDY,
  type LinkState,
  parseEndpoint,
  type StreamHandle,
  type StreamSink,
  type TransportOptions,
} from './transport-options.ts';
