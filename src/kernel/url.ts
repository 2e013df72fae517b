/** Undefined if `text` is no absolute URL. URL.canParse can't be used: once optimised, Node 20 refuses `https://münchen.de`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
