/**
 * Text that a spreadsheet may run as a formula (OWASP, "CSV injection"), with any apostrophes before it. The full-width
 * signs count where Excel is set to an East Asian language.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/;
/** Also the groups of digits that people write. With dashes it would be a calculation. */
const PLAIN_PHONE = /^\+\d+(?: \d+)*$/;

/**
 * The cell of a CSV file for a text. An apostrophe before a formula makes it text for spreadsheets; phones and numbers keep
 * their form. An apostrophe also goes before a formula that already has one, so that `unguardCell` returns every text unchanged.
 */
export function guardCell(text: string): string {
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) && !PLAIN_PHONE.test(text) ? `'${text}` : text;
}

/** The text of a cell: the inverse of `guardCell`. It also takes the apostrophe off phones and numbers that other programs guard. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

const NEEDS_QUOTES_IN_LIST = /^$|^\s|\s$|[;,"]/;
const LIST_ITEM = /\s*(?:"([^"]*(?:""[^"]*)*)"\s*(?=[;,]|$)|([^;,]*))(?:[;,]|$)/y;

/** A list in one cell: `vip; garden`. Items that contain a separator or a quotation mark are quoted as CSV cells are. */
export function joinList(items: readonly string[]): string {
  return items.map((item) => (NEEDS_QUOTES_IN_LIST.test(item) ? quoted(item) : item)).join('; ');
}

/** The items of a list in one cell, separated by `;` or `,`: the inverse of `joinList`. Drops empty items without quotes. */
export function splitList(cell: string): string[] {
  const items: string[] = [];
  LIST_ITEM.lastIndex = 0;
  while (LIST_ITEM.lastIndex < cell.length) {
    const [, inQuotes, plain] = LIST_ITEM.exec(cell)!;
    if (inQuotes !== undefined) items.push(inQuotes.replaceAll('""', '"'));
    else if (plain!.trim() !== '') items.push(plain!.trim());
  }
  return items;
}

const NEEDS_QUOTES = /[",\r\n]/;

/** A record by RFC 4180, with its line break. A single empty cell is quoted, since many programs skip empty lines. */
export function csvRecord(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map((cell) => (NEEDS_QUOTES.test(cell) ? quoted(cell) : cell)).join(',')}\r\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
