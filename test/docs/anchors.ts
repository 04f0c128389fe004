/** Returns the anchors that GitHub generates for the headings of a Markdown page. */
export function anchors(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
