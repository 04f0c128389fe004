export { compareSchema, type SchemaProblem, type SchemaReport } from './check-schema.ts';
export { NEEDED_OPERATIONS } from './needed-operations.ts';
