/** Headings of a Markdown page as GitHub names them in links. */
export function anchors(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
