/** Commands about categories and topics. */
import { z } from 'zod';
import type { Category, Topic } from '../catalogue/index.ts';
import { type Operation, type OperatorCommand, operatorCommand, written } from './command.ts';
import { slugField } from './fields.ts';
import { OperatorFault } from './operator-fault.ts';

const name = z.string().min(1).max(100).describe('As people read it.');

const putCategory = operatorCommand(
  'Makes a category, or changes its name.',
  z.strictObject({ slug: slugField.describe('Of the category.'), name }),
  async (args, operation) => {
    await written(operation, () => operation.catalogue.putCategory(args));
    return { ...args };
  },
);

const removeCategory = operatorCommand(
  'Removes a category that no market and no topic is in.',
  z.strictObject({ slug: slugField.describe('Of the category.') }),
  async ({ slug }, operation) => {
    const { catalogue, desk } = operation;
    categoryCalled(operation, slug);
    const isUsed =
      desk.view.markets.some(({ categorySlug }) => categorySlug === slug) ||
      catalogue.topics.some(({ categorySlug }) => categorySlug === slug);
    if (isUsed) throw new OperatorFault(409, 'CONFLICT', `slug: markets or topics are in "${slug}"`);
    await written(operation, () => catalogue.removeCategory(slug));
    return { slug };
  },
);

const putTopic = operatorCommand(
  'Makes a topic, or changes its name.',
  z.strictObject({
    slug: slugField.describe('Of the topic.'),
    name,
    category: slugField.describe('Slug of its category.'),
  }),
  async (args, operation) => {
    const { catalogue, newId } = operation;
    categoryCalled(operation, args.category);
    const before = catalogue.topic(args.slug);
    if (before !== undefined && before.categorySlug !== args.category) {
      throw new OperatorFault(409, 'CONFLICT', `slug: "${args.slug}" is a topic of "${before.categorySlug}"`);
    }
    const topic: Topic = { id: before?.id ?? newId(), slug: args.slug, name: args.name, categorySlug: args.category };
    await written(operation, () => catalogue.putTopic(topic));
    return { ...topic };
  },
);

const removeTopic = operatorCommand(
  'Removes a topic that no market is on.',
  z.strictObject({ slug: slugField.describe('Of the topic.') }),
  async ({ slug }, operation) => {
    const { catalogue, desk } = operation;
    const topic = catalogue.topic(slug);
    if (topic === undefined) throw new OperatorFault(404, 'NOT_FOUND', `slug: there is no topic "${slug}"`);
    if (desk.view.markets.some(({ topicSlugs }) => topicSlugs.includes(slug))) {
      throw new OperatorFault(409, 'CONFLICT', `slug: markets are on "${slug}"`);
    }
    await written(operation, () => catalogue.removeTopic(topic.id));
    return { slug };
  },
);

/** By name. */
export const CATALOGUE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'put-category': putCategory,
  'remove-category': removeCategory,
  'put-topic': putTopic,
  'remove-topic': removeTopic,
};

function categoryCalled({ catalogue }: Operation, slug: string): Category {
  const category = catalogue.category(slug);
  if (category === undefined)
    throw new OperatorFault(404, 'NOT_FOUND', `category: there is no "${slug}". Make it with put-category`);
  return category;
}
