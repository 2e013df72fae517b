/** Undefined when `text` is no absolute URL. Not by URL.canParse, which Node 20 gets wrong for `https://münchen.de` once it is hot. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
