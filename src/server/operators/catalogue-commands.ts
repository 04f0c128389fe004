/** Commands about categories and topics. */
import { z } from 'zod';
import { type OperatorCommand, OperatorFault, operatorCommand, slugField } from './command.ts';

const name = z.string().trim().min(1).max(200).describe('Displayed name.');

const putCategory = operatorCommand(
  'Creates a category, renames it or hides it.',
  z.strictObject({
    slug: slugField.describe('Slug of the category.'),
    name,
    active: z.boolean().default(true).describe('Whether it is listed and accepts new markets. Default true.'),
  }),
  async ({ active, ...fields }, { catalogue, record }) => {
    const category = { ...fields, isActive: active };
    record();
    await catalogue.putCategory(category);
    return category;
  },
);

const putTopic = operatorCommand(
  'Creates a topic or renames it. A topic keeps its category.',
  z.strictObject({
    slug: slugField.describe('Slug of the topic.'),
    name,
    category: slugField.describe('Slug of its category.'),
  }),
  async ({ category, ...fields }, { catalogue, record, newId }) => {
    if (catalogue.category(category) === undefined) {
      throw new OperatorFault(404, 'NOT_FOUND', `category: there is no "${category}". Create it with put-category`);
    }
    const before = catalogue.topic(fields.slug);
    if (before !== undefined && before.categorySlug !== category) {
      throw new OperatorFault(409, 'CONFLICT', `category: "${fields.slug}" is a topic of "${before.categorySlug}"`);
    }
    const topic = { ...fields, id: before?.id ?? newId(), categorySlug: category };
    record();
    await catalogue.putTopic(topic);
    return topic;
  },
);

export const CATALOGUE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'put-category': putCategory,
  'put-topic': putTopic,
};
