export {
  type Answer,
  type Answered,
  type Blocked,
  isUnauthorized,
  type Lost,
  type Malformed,
  problemOf,
  type Refused,
} from './answer.ts';
export type { Piece } from './client-frame.ts';
export { ClockOffset } from './clock-offset.ts';
export { type Endpoint, type EndpointSettings, endpointOf } from './endpoint.ts';
export { expectData } from './expect.ts';
export type { LinkState } from './link-state.ts';
export { measureClock } from './measure-clock.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export type { Json } from './request-text.ts';
export type { StreamHandle, StreamSink } from './subscription.ts';
export { createTransport } from './transport.ts';
export type {
  AskOptions,
  Log,
  OwnDocument,
  SubscribeOptions,
  Transport,
  TransportOptions,
  TransportSettings,
} from './transport-port.ts';
