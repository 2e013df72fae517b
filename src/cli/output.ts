/** Prints a command's result as JSON, or as text for people. */
export function print(value: unknown, asJson: boolean | undefined, describe: () => string): void {
  process.stdout.write(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${describe()}\n`);
}

/** Escapes control and bidirectional characters, so that names set by API clients can't manipulate the terminal. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats rows as a table with aligned columns. Control characters in cells are escaped. */
export function table(head: string[], texts: string[][]): string {
  const rows = texts.map((row) => row.map(visible));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
