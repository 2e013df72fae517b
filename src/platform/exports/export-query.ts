import type { Type } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { oneOf, rule } from '../http/field-rules';
import type { PageQuery } from '../http/page-query';
import { QueryParameter } from '../http/query-parameter';
import { EXPORT_FORMATS, type ExportFormat } from './export-format';

export interface ExportParameters {
  format?: ExportFormat;
  /** Names separated by commas. */
  columns?: string;
}

type ListParameter = keyof PageQuery | 'sort';

/** The key of a column that a workspace has of its own: see `OwnColumns`. */
const OWN_COLUMN = '[a-z][a-z0-9_]*';

/**
 * The parameters of an export: the list's filters, the format, and columns out of the fields of `item`, a class of
 * responses. An export has no sort: while others write, only an order that never changes skips and repeats nothing.
 *
 * @param own the field whose parts are columns too, by names that each workspace decides
 */
export function exportQuery<List extends PageQuery>(
  list: Type<List>,
  item: Type<object>,
  own?: string,
): Type<Omit<List, ListParameter> & ExportParameters> {
  const columns = fieldsOf(item);
  const filters = OmitType(list as Type<PageQuery & { sort?: string }>, ['page', 'limit', 'cursor', 'sort']);
  class ExportQuery extends (filters as Type<object>) implements ExportParameters {
    @QueryParameter({ rule: oneOf(EXPORT_FORMATS), default: 'csv', description: 'CSV, or JSON Lines.' })
    format?: ExportFormat;

    @QueryParameter({
      rule: columnList(columns, own),
      description: `The columns and their order, separated by commas; by default all.${own ? ` \`${own}.<key>\` is one part of \`${own}\`, which stands for all of them.` : ''}`,
      example: columns.slice(0, 3).join(','),
    })
    columns?: string;
  }
  return ExportQuery as Type<object> as Type<Omit<List, ListParameter> & ExportParameters>;
}

/** The names of the fields of a response, in its order. */
export function fieldsOf(response: Type<object>): string[] {
  const names = Reflect.getMetadata(
    'swagger/apiModelPropertiesArray',
    response.prototype as object,
  ) as string[];
  return names.map((name) => name.replace(/^:/, ''));
}

/** What is wrong with a list of names. */
export function columnsProblem(fields: readonly string[], own?: string): string {
  return `must be names of fields separated by commas: ${fields.join(', ')}${own ? `, ${own}.<key>` : ''}`;
}

/** Which columns a workspace has of its own is checked where it is known. */
function columnList(fields: readonly string[], own?: string) {
  const name = `(${[...fields, ...(own ? [`${own}\\.${OWN_COLUMN}`] : [])].join('|')})`;
  const pattern = new RegExp(`^${name}$`);
  return rule({ type: 'string', pattern: `^${name}(,${name})*$` }, (value) =>
    (value as string).split(',').every((each) => pattern.test(each))
      ? undefined
      : columnsProblem(fields, own),
  );
}
