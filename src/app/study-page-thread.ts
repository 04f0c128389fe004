/** Entry of the thread that renders pages of studies. */
import { basename, extname } from 'node:path';
import { Fault } from '../domain/index.ts';
import { readStudyFile, renderStudy } from '../research/index.ts';

/** The HTML of the page, or a problem with the file. */
export type StudyPageAnswer = { readonly page: string } | { readonly problem: string };

export default async function studyPage(file: string): Promise<StudyPageAnswer> {
  try {
    return { page: await renderStudy(readStudyFile(file), basename(file, extname(file))) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    // Browsers must not see paths of this machine.
    return { problem: fault.message.replaceAll(file, basename(file)) };
  }
}
