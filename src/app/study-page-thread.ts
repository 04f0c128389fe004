/** The thread that makes pages of studies; see `study-pages.ts`. */
import { basename, extname } from 'node:path';
import { Fault } from '../domain/index.ts';
import { readStudyFile, renderStudy } from '../research/index.ts';

/** The page, or what is wrong with the file. */
export type StudyPageAnswer = { readonly page: string } | { readonly problem: string };

export default async function studyPage(file: string): Promise<StudyPageAnswer> {
  try {
    return { page: await renderStudy(readStudyFile(file), basename(file, extname(file))) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    // A browser needs no folder of this machine.
    return { problem: fault.message.replaceAll(file, basename(file)) };
  }
}
