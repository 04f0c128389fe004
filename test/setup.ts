/** Runs before each test file. */
import { afterAll, afterEach } from 'vitest';
import { afterThisFile, afterThisTest } from './cleanup.ts';

afterEach(() => afterThisTest.run());
afterAll(() => afterThisFile.run());
