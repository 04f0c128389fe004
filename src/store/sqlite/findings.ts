/** Most findings of one kind that are listed. */
const MOST = 20;

/** What was found wrong, a sentence each: of many the first ones, and how many more there are. */
export function shortened(findings: Iterable<string>): readonly string[] {
  const listed: string[] = [];
  let more = 0;
  for (const finding of findings) {
    if (listed.length < MOST) listed.push(finding);
    else more += 1;
  }
  return more === 0 ? listed : [...listed, `and ${more} more of this kind`];
}
