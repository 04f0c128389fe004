export { Catalogue, type Category, type Topic } from './catalogue.ts';
