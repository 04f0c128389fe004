export { createPlanner, type PlannerOptions } from './create-planner.ts';
export { executionShape } from './execution-schema.ts';
export type { Plan, Planner } from './planner.ts';
export { exposedOrders, quoteError } from './quote-error.ts';
export { RateBudget, type RateCost, type RateLimit, rateCost } from './rate-budget.ts';
