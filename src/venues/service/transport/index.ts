export { type Answer, expectData, isUnauthorized, describeProblem } from './answer.ts';
export type { Piece } from './client-frame.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock, type Transport } from './transport.ts';
export {
  parseEndpoint,
  type LinkState,
  type StreamHandle,
  type StreamSink,
  type TransportOptions,
} from './transport-options.ts';
