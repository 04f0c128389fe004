export type { OperatorCommand, OperatorPorts } from './command.ts';
export { OperatorFault } from './operator-fault.ts';
export { type OperatorAnswer, operatorRoute } from './operator-route.ts';
export { OperatorToken } from './operator-token.ts';
export { OPERATOR_COMMANDS, Operators } from './operators.ts';
