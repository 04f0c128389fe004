export { createPlanner, type PlannerOptions } from './create-planner.ts';
export type { Plan, Planner } from './planner.ts';
