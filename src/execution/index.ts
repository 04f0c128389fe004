export { executionShape } from './execution-shape.ts';
export { createPlanner, type Planner } from './planner.ts';
export { quoteError, tooAggressiveOrders } from './quote-error.ts';
export { type RateBucketState, RateBudget, type RateCost, type RateLimit, rateCost } from './rate-budget.ts';
