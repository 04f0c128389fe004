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
export type { Json, Piece } from './client-frame.ts';
export { ClockOffset } from './clock-offset.ts';
export { type Endpoint, type EndpointSettings, endpointOf } from './endpoint.ts';
export { expectData } from './expect.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock } from './transport.ts';
export type {
  AskOptions,
  LinkState,
  Log,
  OwnDocument,
  StreamHandle,
  StreamSink,
  SubscribeOptions,
  Transport,
  TransportOptions,
  TransportSettings,
} from './transport-port.ts';
