import { DescribeText } from '../openapi/describe';
import { EXPORT_FORMATS, exportText } from './export-format';

interface ExportOperation {
  operationId: string;
  summary: string;
  description: string;
  /** Some fields of an item. */
  example: object;
}

const ABOUT = `The whole list in one response, which is sent while it is read. A line of CSV or JSON is one object. Nothing is skipped or repeated while others write; a change made meanwhile may be in it or not. On an error the connection is cut: a response that ends is whole, and JSON Lines also end with \`{"end":true,"rows":2}\`.

In CSV, lists are joined by \`; \`, objects are JSON, and text that a spreadsheet could run as a formula has a \`'\` before it, which an import removes. A credential makes one export at a time, another is a 429.`;

/** The entry of an export in the API reference. */
export function DescribeExport({ description, example, ...operation }: ExportOperation): MethodDecorator {
  const examples = EXPORT_FORMATS.map((format) => {
    const { mediaType, head, row, end } = exportText(format, Object.keys(example), true);
    return [mediaType.replace(/;.*/, ''), `${head}${row(example)}${end(1)}`.replace('\ufeff', '')];
  });
  return DescribeText({
    ...operation,
    description: `${description} ${ABOUT}`,
    examples: Object.fromEntries(examples) as Record<string, string>,
  });
}
