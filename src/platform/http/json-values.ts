const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d];

/** A place in the text of a JSON object. */
export interface Excess {
  /** The text of the object's field that it is in, quotes included; undefined outside of fields. */
  readonly field: Buffer | undefined;
}

/**
 * Where JSON text comes to hold more values than `max`, by its commas, brackets and braces. Parsing a quarter of a megabyte of
 * empty lists takes ten times as long as this, and the memory for each of them.
 */
export function excessOfValues(json: Buffer, max: number): Excess | undefined {
  let marks = 0;
  let depth = 0;
  let isNameNext = false;
  let isObject: boolean | undefined;
  let field: Buffer | undefined;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === QUOTE) {
      const start = index;
      index = endOfText(json, start);
      if (isNameNext) field = json.subarray(start, index + 1);
      isNameNext = false;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      if (byte !== COMMA) depth++;
      isObject ??= byte === BRACE;
      isNameNext = isObject && depth === 1;
      // An empty list or object has two marks: its own and the comma before it.
      if (++marks > 2 * max) return { field };
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth--;
  }
  return undefined;
}

/** Where the text ends that begins at a quote. */
function endOfText(json: Buffer, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const byte = json[index];
    if (byte === BACKSLASH) index++;
    else if (byte === QUOTE) return index;
  }
  return json.length;
}
